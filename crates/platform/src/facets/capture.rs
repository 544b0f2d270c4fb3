//! Screen capture.

use crate::cancel::Cancel;
use crate::error::Result;
use crossmacro_model::{Frame, Logical, Rect};
use std::time::Duration;

/// What to capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaptureRequest {
    /// The part of the desktop, or all of it. Clipped to the bounds of the monitors; the frame says what it
    /// really shows.
    pub region: Option<Rect<Logical>>,
    /// Whether the pointer is painted into the picture.
    pub include_cursor: bool,
}

/// The capture facet.
pub trait Capture: Send + Sync {
    /// The pixels of the desktop as they are now; areas between the monitors are marked as voids.
    ///
    /// # Errors
    /// [`crate::Error::OutOfBounds`] when the region shows no monitor at all; [`crate::Error::Lost`],
    /// [`crate::Error::Timeout`] and [`crate::Error::Refused`].
    fn capture(&self, request: CaptureRequest) -> Result<Frame>;

    /// Begins to watch a part of the desktop: whatever is drawn there from this call on is told by
    /// [`Watch::wait`], also what was drawn before the wait. So watch first, then look, then wait.
    ///
    /// # Errors
    /// As [`Capture::capture`].
    fn watch(&self, region: Rect<Logical>) -> Result<Box<dyn Watch>>;

    /// Name of the back end ("x11-shm").
    fn backend(&self) -> &'static str;
}

/// Sees that something is drawn, at next to no cost while nothing is.
pub trait Watch: Send {
    /// Waits until something in the region was drawn, `limit` at most. Gives the rectangles that may have
    /// changed, clipped to the region, the pointer left out; they may be larger than what really differs, and
    /// what was drawn may look as before. Empty when the time is over.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`], and as [`Capture::capture`].
    fn wait(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Rect<Logical>>>;

    /// Name of the way it sees ("x11-damage", "polling").
    fn backend(&self) -> &'static str;
}
