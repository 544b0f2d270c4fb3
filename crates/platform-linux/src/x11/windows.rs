//! Not built yet.

use super::connection::X11;
use crossmacro_platform::{Slot, Unavailable, Windows};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>) -> Slot<dyn Windows> {
    Err(Unavailable::new("windows", "x11", "not built yet"))
}
