//! The clipboard.

use crate::cancel::Cancel;
use crate::error::Result;

/// What to put on the clipboard.
#[derive(Clone, PartialEq, Eq)]
pub enum ClipboardContent {
    /// Nothing: the clipboard is emptied.
    Empty,
    /// Text.
    Text(String),
    /// An encoded PNG.
    Png(Vec<u8>),
}

impl std::fmt::Debug for ClipboardContent {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Sizes only: clipboard content never reaches a log.
        match self {
            Self::Empty => out.write_str("Empty"),
            Self::Text(text) => write!(out, "Text({} bytes)", text.len()),
            Self::Png(png) => write!(out, "Png({} bytes)", png.len()),
        }
    }
}

/// The clipboard facet.
pub trait Clipboard: Send + Sync {
    /// The text on the clipboard; `None` when it holds none.
    ///
    /// # Errors
    /// [`crate::Error::TooLarge`] above `limit` bytes; [`crate::Error::Timeout`] when the program that owns
    /// the clipboard does not answer; [`crate::Error::Cancelled`].
    fn text(&self, limit: usize, cancel: &Cancel) -> Result<Option<String>>;

    /// The picture on the clipboard as an encoded PNG; `None` when it holds none. Not decoded: the bytes are
    /// another program's.
    ///
    /// # Errors
    /// As [`Clipboard::text`].
    fn png(&self, limit: usize, cancel: &Cancel) -> Result<Option<Vec<u8>>>;

    /// Replaces the content, and returns when the server confirms that it is ours. It stays after this
    /// process has ended.
    ///
    /// # Errors
    /// [`crate::Error::Lost`], [`crate::Error::Timeout`], [`crate::Error::NoEffect`] and
    /// [`crate::Error::Unsupported`].
    fn set(&self, content: ClipboardContent) -> Result<()>;

    /// The formats on offer, as the platform names them ("UTF8_STRING", "image/png").
    ///
    /// # Errors
    /// As [`Clipboard::text`].
    fn formats(&self, cancel: &Cancel) -> Result<Vec<String>>;

    /// Name of the back end ("x11-selection").
    fn backend(&self) -> &'static str;
}
