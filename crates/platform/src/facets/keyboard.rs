//! Keys and text.

use crate::cancel::Cancel;
use crate::error::Result;
use crossmacro_model::{Direction, KeyCode};
use std::time::Duration;

/// What typing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Typed {
    /// Characters whose keys were delivered to the server.
    pub characters: usize,
    /// Of these, characters that no key of the layout gives, so that they went the Unicode way.
    pub outside_layout: usize,
}

/// The keyboard facet. Every call returns after the server has confirmed it.
pub trait Keyboard: Send + Sync {
    /// Presses or releases one key. Nothing is released by itself: the caller keeps account.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] when the keyboard has no such key.
    fn key(&self, key: KeyCode, direction: Direction) -> Result<()>;

    /// The key that prints `character` in the present layout without any modifier, if there is one: what
    /// `tap z` must press on a German keyboard.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn key_for(&self, character: char) -> Result<Option<KeyCode>>;

    /// Checks that every character can be typed, without typing anything.
    ///
    /// # Errors
    /// [`crate::Error::Untypable`] with the positions of those that can't.
    fn check_text(&self, text: &str) -> Result<()>;

    /// Types exactly `text`, whatever the layout, the group, the lock keys and the modifiers that are held,
    /// and leaves all of these, and the keymap, as they were. `pause` is waited between two characters.
    /// Line feed is Enter, tab is Tab, backspace (U+0008) is Backspace; a carriage return before a line feed
    /// is dropped, alone it is Enter.
    ///
    /// # Errors
    /// [`crate::Error::Untypable`] before the first character; [`crate::Error::Cancelled`] with everything
    /// released that this call had pressed.
    fn type_text(&self, text: &str, pause: Duration, cancel: &Cancel) -> Result<Typed>;

    /// Name of the back end ("x11-xtest").
    fn backend(&self) -> &'static str;
}
