//! The `crossmacro` binary: parses the command line, hands one request to the guard, and draws the answer.

mod arguments;
mod command;
mod interrupt;
mod mcp;
mod progress;
mod render;
mod session;

use arguments::Arguments;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use render::{Answer, Format};
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    if let Some((arguments, level)) = arguments::server(&given) {
        session::start_log(level);
        return mcp::run(&arguments);
    }
    let tree = Arguments::command();
    let given = arguments::in_lower_case(&tree, given.into_iter());
    // JSON is wanted even where the rest can't be parsed.
    let format = Format::wanted(&given);
    let parsed = tree.try_get_matches_from(given).and_then(|matches| Arguments::from_arg_matches(&matches));
    match parsed {
        Ok(arguments) => command::run(arguments, format),
        Err(error) if !error.use_stderr() => render::help(&error),
        // No command at all: whoever types that wants to know which there are.
        Err(error)
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                && format == Format::Text =>
        {
            render::help_instead(&error)
        }
        Err(error) => render::answer(&Answer::from(&error), format),
    }
}
