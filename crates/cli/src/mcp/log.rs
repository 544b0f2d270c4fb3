//! The server's log: warnings and errors, to standard error.

use std::io::{self, Write};
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// Starts it, unless a log was started already.
pub(super) fn to_stderr() {
    let log = tracing_subscriber::fmt().with_max_level(Level::WARN).with_writer(Stderr).without_time();
    // Someone else's log is as good.
    drop(log.try_init());
}

/// Standard error for everything but the SDK's remarks on each refused request: a host that keeps the log in a
/// pipe and never reads it would have its server stopped by them, and they quote what the client sent.
struct Stderr;

enum Line {
    Written(io::Stderr),
    LeftOut,
}

impl<'a> MakeWriter<'a> for Stderr {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line::Written(io::stderr())
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Line {
        let is_remark = meta.target().starts_with("rmcp") && *meta.level() > Level::ERROR;
        if is_remark { Line::LeftOut } else { Line::Written(io::stderr()) }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Written(stderr) => stderr.write(bytes),
            Self::LeftOut => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Written(stderr) => stderr.flush(),
            Self::LeftOut => Ok(()),
        }
    }
}
