//! `crossmacro mcp`.

use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Allow only status and macro metadata, for this process
    #[arg(long)]
    restricted: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let _context = crate::session::context(arguments.restricted);
    ExitCode::SUCCESS
}
