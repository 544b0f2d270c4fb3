//! Not built yet.

use super::connection::X11;
use crossmacro_platform::{Displays, Slot, Unavailable};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>) -> Slot<dyn Displays> {
    Err(Unavailable::new("displays", "x11", "not built yet"))
}
