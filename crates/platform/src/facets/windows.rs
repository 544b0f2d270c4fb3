//! Windows and workspaces.

use crate::cancel::Cancel;
use crate::error::Result;
use crossmacro_model::{Logical, Point, Rect, Size};
use std::fmt;

/// A window, for as long as it exists. The text form is what the API calls its address ("0x1c00007").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WindowId(pub u64);

impl fmt::Display for WindowId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#x}", self.0)
    }
}

/// One window of the person's, at one moment. Title and class are text from another program: data, never
/// instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Identity.
    pub id: WindowId,
    /// Title; empty when it has none.
    pub title: String,
    /// Application class ("XTerm"); empty when it has none.
    pub class: String,
    /// Process that owns it, where it says so and lives on this machine.
    pub pid: Option<u32>,
    /// Name of that process.
    pub process_name: Option<String>,
    /// Workspace name, or its number where it has no name; `None` when there are no workspaces.
    pub workspace: Option<String>,
    /// Has the keyboard focus.
    pub is_focused: bool,
    /// Covers a whole monitor.
    pub is_fullscreen: bool,
    /// Maximised in both directions.
    pub is_maximized: bool,
    /// Stays above others.
    pub is_above: bool,
    /// On all workspaces.
    pub is_sticky: bool,
    /// Minimised or otherwise not shown.
    pub is_hidden: bool,
    /// The area inside the frame.
    pub client: Rect<Logical>,
    /// The area with title bar and borders.
    pub frame: Rect<Logical>,
}

/// What to change about a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Give it the keyboard focus, raise it, and switch to its workspace.
    Focus,
    /// Ask it to close, as its close button does.
    Close,
    /// Put the top left corner of its frame here.
    Move(Point<Logical>),
    /// Give its client area this size.
    Resize(Size<Logical>),
    /// Put its frame in the middle of its monitor's work area.
    Center,
    /// Maximise it, or undo that.
    Maximize(bool),
    /// Minimise it.
    Minimize,
    /// Undo minimising, maximising and fullscreen.
    Restore,
    /// Cover the whole monitor, or undo that.
    Fullscreen(bool),
    /// Keep it above others, or undo that.
    Above(bool),
}

impl Change {
    /// A name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Focus => "focusing the window",
            Self::Close => "closing the window",
            Self::Move(_) => "moving the window",
            Self::Resize(_) => "resizing the window",
            Self::Center => "centring the window",
            Self::Maximize(_) => "maximising the window",
            Self::Minimize => "minimising the window",
            Self::Restore => "restoring the window",
            Self::Fullscreen(_) => "fullscreen",
            Self::Above(_) => "keeping the window on top",
        }
    }
}

/// Which of the changes and lists this session offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowSupport {
    /// Name of the window manager, where one runs.
    pub manager: Option<String>,
    /// What can't be done here, and why ("maximize", "no window manager runs").
    pub missing: Vec<(&'static str, String)>,
}

/// The windows facet.
pub trait Windows: Send + Sync {
    /// All windows, the lowest first. A window that vanishes meanwhile is left out.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn list(&self) -> Result<Vec<Window>>;

    /// One window as it is now.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`].
    fn get(&self, id: WindowId) -> Result<Window>;

    /// The window that has the keyboard focus.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn active(&self) -> Result<Option<WindowId>>;

    /// Changes a window and waits until the change is seen, at most two seconds.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`]; [`crate::Error::Unsupported`] when the session can't do it (nothing is
    /// sent); [`crate::Error::NoEffect`] when it did not happen, with what was seen instead. A window that
    /// constrains its size (terminals do) and takes the nearest one it allows has obeyed.
    fn change(&self, id: WindowId, change: Change, cancel: &Cancel) -> Result<()>;

    /// Workspace names in order, and the index of the present one. Empty when there are none.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn workspaces(&self) -> Result<(Vec<String>, usize)>;

    /// Switches to a workspace (an index into [`Windows::workspaces`]), or sends a window there.
    ///
    /// # Errors
    /// [`crate::Error::NotFound`], [`crate::Error::Unsupported`] and [`crate::Error::NoEffect`].
    fn to_workspace(&self, window: Option<WindowId>, index: usize, cancel: &Cancel) -> Result<()>;

    /// What this session offers.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn support(&self) -> Result<WindowSupport>;

    /// Name of the back end ("x11-ewmh").
    fn backend(&self) -> &'static str;
}
