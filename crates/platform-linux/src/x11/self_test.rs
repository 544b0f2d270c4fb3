//! Not built yet.

use super::connection::X11;
use crossmacro_platform::{SelfTest, Slot, Unavailable};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>) -> Slot<dyn SelfTest> {
    Err(Unavailable::new("self-test", "x11", "not built yet"))
}
