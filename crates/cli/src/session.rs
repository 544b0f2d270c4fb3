//! Which desktop the process works on, the user's settings, and the log.

use crate::arguments::LogLevel;
use crossmacro_ops::Context;
use crossmacro_platform::DesktopSource;
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_store::{Directories, Environment, SettingsHandle};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tracing::level_filters::LevelFilter;

/// The context of this process over the session's desktop.
pub(crate) fn context(is_restricted: bool) -> Arc<Context> {
    let options = X11Options { clipboard_server: clipboard_server(), ..X11Options::default() };
    over(Arc::new(X11Source::new(options)), is_restricted)
}

fn over(desktops: Arc<dyn DesktopSource>, is_restricted: bool) -> Arc<Context> {
    let environment = Environment::read(|name| std::env::var_os(name));
    // Without a home there are no settings to read; a folder that nobody can own stands in for it.
    let directories =
        Directories::new(&environment).unwrap_or_else(|_| Directories::beneath(Path::new("/nonexistent")));
    let settings = SettingsHandle::open(&directories);
    Arc::new(Context::new(desktops, Arc::new(settings), is_restricted))
}

/// Our own binary, asked to serve the clipboard in a process that outlives this one.
fn clipboard_server() -> Option<Vec<OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into(), "internal-clipboard-server".into()])
}

/// The process that [`clipboard_server`] names.
pub(crate) fn serve_clipboard() -> ExitCode {
    ExitCode::SUCCESS
}

/// Sends the log to standard error. Standard output belongs to answers.
pub(crate) fn start_log(level: LogLevel) {
    let filter = match level {
        LogLevel::Verbose => LevelFilter::TRACE,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Information => LevelFilter::INFO,
        LogLevel::Warning => LevelFilter::WARN,
        LogLevel::Error | LogLevel::Fatal => LevelFilter::ERROR,
    };
    let builder =
        tracing_subscriber::fmt().with_max_level(filter).with_writer(std::io::stderr).with_ansi(false);
    // Fails only when a log is there already.
    drop(builder.try_init());
}
