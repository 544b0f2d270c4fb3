//! Not built yet.

use super::connection::X11;
use crossmacro_platform::{Keyboard, Slot, Unavailable};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>) -> Slot<dyn Keyboard> {
    Err(Unavailable::new("keyboard", "x11", "not built yet"))
}
