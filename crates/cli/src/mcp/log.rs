//! Where the log goes.

use std::io::{self, Write};
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// Standard error, for everything but the MCP SDK's own remarks below errors. They quote requests, and typed
/// text must reach no log at any level; and they come with every refused request, so a host that keeps our
/// log in a pipe and never reads it would have its server stopped by them.
pub(crate) struct LogWriter;

pub(crate) enum Line {
    Written(io::Stderr),
    LeftOut,
}

impl<'a> MakeWriter<'a> for LogWriter {
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
