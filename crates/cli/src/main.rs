//! The `crossmacro` binary: parses the command line and hands over.

mod mcp;
mod session;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "crossmacro", version, about = "Desktop automation for people and their agents")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve MCP on standard input and output
    Mcp(mcp::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Mcp(arguments) => mcp::run(&arguments),
    }
}
