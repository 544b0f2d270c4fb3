//! The `crossmacro` binary: parses the command line, hands one request to the guard, and draws the answer.

mod arguments;
mod command;
mod interrupt;
mod mcp;
mod progress;
mod render;
mod session;

use arguments::Arguments;
use clap::{CommandFactory, FromArgMatches};
use render::{Answer, Format};
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let tree = Arguments::command();
    let given: Vec<OsString> = arguments::in_lower_case(&tree, std::env::args_os());
    // JSON is wanted even where the rest can't be parsed.
    let format = Format::wanted(&given);
    let parsed = tree.try_get_matches_from(given).and_then(|matches| Arguments::from_arg_matches(&matches));
    match parsed {
        Ok(arguments) => command::run(arguments, format),
        Err(error) if !error.use_stderr() => render::help(&error),
        Err(error) => render::answer(&Answer::from(&error), format),
    }
}
