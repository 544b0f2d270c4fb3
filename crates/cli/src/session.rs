//! Which desktop the process works on, and the user's settings.

use crossmacro_ops::Context;
use crossmacro_platform::DesktopSource;
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_store::SettingsHandle;
use std::sync::Arc;

/// The context of this process over the session's desktop.
pub(crate) fn context(is_restricted: bool) -> Arc<Context> {
    let options = X11Options { clipboard_server: clipboard_server(), ..X11Options::default() };
    let desktops: Arc<dyn DesktopSource> = Arc::new(X11Source::new(options));
    Arc::new(Context::new(desktops, Arc::new(SettingsHandle::default()), is_restricted))
}

/// Our own binary, asked to serve the clipboard in a process that outlives this one.
fn clipboard_server() -> Option<Vec<std::ffi::OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into(), "internal-clipboard-server".into()])
}
