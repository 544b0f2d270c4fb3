//! Not built yet.

use super::connection::X11;
use crossmacro_platform::{Capture, Slot, Unavailable};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>) -> Slot<dyn Capture> {
    Err(Unavailable::new("capture", "x11", "not built yet"))
}
