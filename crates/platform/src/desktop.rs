//! The slots of a desktop, and why one is empty.

use crate::facets::capture::Capture;
use crate::facets::clipboard::Clipboard;
use crate::facets::displays::Displays;
use crate::facets::keyboard::Keyboard;
use crate::facets::listener::Listener;
use crate::facets::pointer::Pointer;
use crate::facets::self_test::SelfTest;
use crate::facets::windows::Windows;
use std::fmt;
use std::sync::Arc;

/// One back end that was tried for a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Name of the back end ("x11-xtest").
    pub backend: &'static str,
    /// Why it can't be used.
    pub why: String,
    /// What would make it work, where we know.
    pub remedy: Option<String>,
}

/// Why a facet is not there: everything that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    /// Name of the facet ("keyboard").
    pub facet: &'static str,
    /// What was tried, in order.
    pub tried: Vec<Attempt>,
}

impl Unavailable {
    /// One attempt that failed.
    pub fn new(facet: &'static str, backend: &'static str, why: impl Into<String>) -> Self {
        Self { facet, tried: vec![Attempt { backend, why: why.into(), remedy: None }] }
    }

    /// The same, with what would make it work.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        if let Some(last) = self.tried.last_mut() {
            last.remedy = Some(remedy.into());
        }
        self
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no {} is available", self.facet)?;
        for (index, attempt) in self.tried.iter().enumerate() {
            let separator = if index == 0 { ": " } else { "; " };
            write!(out, "{separator}{}: {}", attempt.backend, attempt.why)?;
        }
        Ok(())
    }
}

impl std::error::Error for Unavailable {}

/// A facet, or why it is not there.
pub type Slot<T> = Result<Arc<T>, Unavailable>;

/// What kind of display server the session has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionKind {
    /// An X11 server.
    X11,
    /// A Wayland compositor.
    Wayland,
    /// A desktop of our own that no person sees.
    Private,
    /// The simulated desktop of the tests.
    Fake,
}

impl SessionKind {
    /// The text in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X11 => "x11",
            Self::Wayland => "wayland",
            Self::Private => "private",
            Self::Fake => "fake",
        }
    }
}

/// The session that a desktop belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Kind of display server.
    pub kind: SessionKind,
    /// How a person would name it (":0").
    pub name: String,
    /// Whether it is one that we started, so that no person's work is touched.
    pub is_private: bool,
}

/// A desktop: one slot a facet.
#[derive(Clone)]
pub struct Desktop {
    /// Where it comes from.
    pub session: Session,
    /// Monitors.
    pub displays: Slot<dyn Displays>,
    /// Screen capture.
    pub capture: Slot<dyn Capture>,
    /// Pointer and wheel.
    pub pointer: Slot<dyn Pointer>,
    /// Keys and text.
    pub keyboard: Slot<dyn Keyboard>,
    /// What a person does with mouse and keyboard.
    pub listener: Slot<dyn Listener>,
    /// Windows and workspaces.
    pub windows: Slot<dyn Windows>,
    /// The clipboard.
    pub clipboard: Slot<dyn Clipboard>,
    /// The loop that `doctor` runs.
    pub self_test: Slot<dyn SelfTest>,
}

/// Hands out the desktop of the session, and a new one after the connection was lost.
pub trait DesktopSource: Send + Sync {
    /// The desktop as it is now. Connects on the first call, and again when the last connection is gone.
    ///
    /// # Errors
    /// [`Unavailable`] with everything that was tried when there is no display at all.
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable>;
}
