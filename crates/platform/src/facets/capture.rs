//! Screen capture.

use crate::error::Result;
use crossmacro_model::{Frame, Logical, Rect};

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

    /// Name of the back end ("x11-shm").
    fn backend(&self) -> &'static str;
}
