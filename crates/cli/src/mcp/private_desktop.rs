//! The desktop of `--private-desktop`.

use crossmacro_model::{Physical, Size};
use crossmacro_platform::{Desktop, DesktopSource, Unavailable};
use std::sync::Arc;

/// A desktop of the server's own, started at the first call that needs one.
pub(crate) struct PrivateDesktop {
    size: Size<Physical>,
}

impl PrivateDesktop {
    pub(crate) fn new(size: Size<Physical>) -> Self {
        Self { size }
    }
}

impl DesktopSource for PrivateDesktop {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let Size { width, height, .. } = self.size;
        let why = format!("this build can't start a private desktop of {width}x{height}");
        Err(Unavailable::new("display", "private-x", why))
    }
}
