//! Not built yet.

use super::connection::X11;
use crossmacro_platform::{Pointer, Slot, Unavailable};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>) -> Slot<dyn Pointer> {
    Err(Unavailable::new("pointer", "x11", "not built yet"))
}
