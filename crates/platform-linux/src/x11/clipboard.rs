//! Not built yet.

use super::X11Options;
use super::connection::X11;
use crossmacro_platform::{Clipboard, Slot, Unavailable};
use std::sync::Arc;

pub(super) fn open(_x11: &Arc<X11>, _options: &X11Options) -> Slot<dyn Clipboard> {
    Err(Unavailable::new("clipboard", "x11", "not built yet"))
}

/// Serves one clipboard content until another program takes the clipboard over.
pub fn serve() {}
