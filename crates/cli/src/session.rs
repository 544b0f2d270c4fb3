//! Which desktop the process works on, and the user's settings.

use crossmacro_model::{Physical, Size};
use crossmacro_ops::Context;
use crossmacro_platform::{Desktop, DesktopSource, Unavailable};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_store::SettingsHandle;
use std::sync::Arc;

/// The desktop to work on: the session's, or a private one of the given size. Nothing is started or
/// connected before the first call that needs it.
pub(crate) fn desktop(private: Option<Size<Physical>>) -> Arc<dyn DesktopSource> {
    match private {
        None => {
            let options = X11Options { clipboard_server: clipboard_server(), ..X11Options::default() };
            Arc::new(X11Source::new(options))
        }
        Some(size) => Arc::new(NoPrivateDesktop(size)),
    }
}

/// The context of this process over a desktop.
pub(crate) fn context_on(desktop: Arc<dyn DesktopSource>, is_restricted: bool) -> Arc<Context> {
    Arc::new(Context::new(desktop, Arc::new(SettingsHandle::default()), is_restricted))
}

/// Stands in until the private X session lands.
struct NoPrivateDesktop(Size<Physical>);

impl DesktopSource for NoPrivateDesktop {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let Size { width, height, .. } = self.0;
        Err(Unavailable::new(
            "display",
            "private-x",
            format!("a private desktop of {width}x{height} can't be started yet"),
        ))
    }
}

/// Our own binary, asked to serve the clipboard in a process that outlives this one.
fn clipboard_server() -> Option<Vec<std::ffi::OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into(), "internal-clipboard-server".into()])
}
