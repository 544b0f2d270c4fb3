//! Which desktop the process works on, the user's settings, and the log.

use crate::arguments::LogLevel;
use crate::mcp::PrivateDesktop;
use crossmacro_model::{Physical, Size};
use crossmacro_ops::Context;
use crossmacro_platform::DesktopSource;
use crossmacro_platform_linux::x11::{self, X11Options, X11Source};
use crossmacro_store::held::HeldRecords;
use crossmacro_store::{Directories, Environment, SettingsHandle};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tracing::level_filters::LevelFilter;

/// The context of this process over the session's desktop.
pub(crate) fn context(is_restricted: bool) -> Arc<Context> {
    over(desktop(None), is_restricted)
}

/// The desktop to work on: the session's, or a private one of the given size. Nothing is connected or
/// started before the first call that needs it.
pub(crate) fn desktop(private: Option<Size<Physical>>) -> Arc<dyn DesktopSource> {
    match private {
        None => {
            let options = X11Options { clipboard_server: clipboard_server(), ..X11Options::default() };
            Arc::new(X11Source::new(options))
        }
        Some(size) => Arc::new(PrivateDesktop::new(size)),
    }
}

/// The context of this process over a desktop.
pub(crate) fn over(desktops: Arc<dyn DesktopSource>, is_restricted: bool) -> Arc<Context> {
    let environment = environment();
    // Without a home there are no settings to read, so no policy: a client gets what `--restricted` gives. A
    // place that can't be made, by root either, stands for the folder.
    let (directories, is_restricted) = match Directories::new(&environment) {
        Ok(directories) => (directories, is_restricted),
        Err(error) => {
            tracing::warn!("there are no settings, so MCP clients are restricted: {error}");
            (Directories::beneath(Path::new("/dev/null")), true)
        }
    };
    let settings = SettingsHandle::open(&directories);
    let context = Context::new(desktops, Arc::new(settings), is_restricted);
    Arc::new(context.recording_held(HeldRecords::new(&directories)))
}

/// Releases what a process that was killed has left down.
pub(crate) fn release_what_was_left(context: &Context) {
    match context.release_what_was_left() {
        0 => {}
        1 => tracing::warn!("a key or button that a killed process had left down was released"),
        count => tracing::warn!("{count} keys or buttons that a killed process had left down were released"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a binary reads its environment")]
fn environment() -> Environment {
    Environment::read(|name| std::env::var_os(name))
}

/// Our own binary, asked to serve the clipboard in a process that outlives this one.
pub(crate) fn clipboard_server() -> Option<Vec<OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into(), "internal-clipboard-server".into()])
}

/// The process that [`clipboard_server`] names. Content comes on standard input; whether it is owned goes to
/// standard output.
pub(crate) fn serve_clipboard() -> ExitCode {
    match x11::serve_clipboard(io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("the clipboard can't be served: {error}");
            ExitCode::from(6)
        }
    }
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
        tracing_subscriber::fmt().with_max_level(filter).with_writer(crate::mcp::LogWriter).with_ansi(false);
    // Fails only when a log is there already.
    drop(builder.try_init());
}
