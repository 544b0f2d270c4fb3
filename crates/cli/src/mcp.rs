//! `crossmacro mcp`: the MCP server on standard input and output.

mod log;
mod private_desktop;
mod signals;

pub(crate) use log::LogWriter;
pub(crate) use private_desktop::PrivateDesktop;

use crate::session;
use clap::{Args, ValueEnum};
use crossmacro_mcp::{End, LONGEST_END, Options, Pipes, ToolNames};
use crossmacro_model::{Physical, Size};
use crossmacro_platform::Cancel;
use crossmacro_platform_linux::memory;
use crossmacro_platform_linux::stdio::{self, Stdio};
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// What is left of the two seconds after [`LONGEST_END`] for the desktop to close.
const LAST_MOMENT: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(crate) struct Arguments {
    /// Allow only status and macro metadata, for this process
    #[arg(long)]
    restricted: bool,
    /// How tool names are spelled in the list; a call may use either spelling
    #[arg(long, value_enum, default_value_t = Names::Auto)]
    tool_names: Names,
    /// Offer only these tools, separated by commas
    #[arg(long, value_name = "TOOLS", value_delimiter = ',')]
    tools: Option<Vec<String>>,
    /// Offer these sets of tools, separated by commas
    #[arg(long, value_name = "SETS", value_delimiter = ',', default_value = "desktop")]
    toolsets: Vec<Toolset>,
    /// With --restricted: leave out the tools that it forbids
    #[arg(long)]
    hide_forbidden: bool,
    /// Work on a desktop of the server's own, which no person sees
    #[arg(
        long,
        value_name = "WxH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1280x800",
        value_parser = size
    )]
    private_desktop: Option<Size<Physical>>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Names {
    /// window.query
    Dotted,
    /// window_query
    Underscore,
    /// With a dot, except for clients that are known to refuse it
    Auto,
}

#[derive(Clone, Copy, ValueEnum)]
enum Toolset {
    Desktop,
}

impl Arguments {
    fn options(&self) -> Options {
        // One set exists so far, and clap refuses every other name.
        let ([Toolset::Desktop, ..] | []) = self.toolsets.as_slice();
        Options {
            names: match self.tool_names {
                Names::Dotted => ToolNames::Dotted,
                Names::Underscore => ToolNames::Underscore,
                Names::Auto => ToolNames::Auto,
            },
            tools: self.tools.clone(),
            hides_forbidden: self.hide_forbidden,
        }
    }
}

/// "1280x800": both sides from 64 to 16384 pixels.
fn size(text: &str) -> Result<Size<Physical>, String> {
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (64..=16_384).contains(side));
    text.split_once('x')
        .and_then(|(width, height)| Some(Size::new(side(width)?, side(height)?)))
        .ok_or_else(|| "the size must be WIDTHxHEIGHT, each from 64 to 16384, such as 1280x800".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match serve(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            clap::Error::raw(clap::error::ErrorKind::InvalidValue, format!("{error}\n")).exit()
        }
        Err(error) => {
            tracing::error!("the server can't start: {error}");
            ExitCode::from(6)
        }
    }
}

fn serve(arguments: &Arguments) -> io::Result<()> {
    // First of all: nothing may be printed into the protocol.
    let Stdio { input, output } = stdio::take()?;
    let end = End::default();
    signals::end_on_signal(&end)?;
    end_in_time(&end)?;
    let watch = input.watch()?;
    let pipes = Pipes {
        input: Box::new(input),
        output: Box::new(output),
        is_gone: Box::new(move || watch.is_gone()),
        give_back: memory::give_back,
    };
    let context = session::over(session::desktop(arguments.private_desktop), arguments.restricted);
    // A private desktop is new.
    if arguments.private_desktop.is_none() {
        let left = Arc::clone(&context);
        // Beside the session: a display that does not answer must not keep the host waiting.
        let work = move || session::release_what_was_left(&left);
        std::thread::Builder::new().name("left-down".into()).spawn(work)?;
    }
    crossmacro_mcp::serve(context, &arguments.options(), pipes, &end)
}

/// Ends the process within two seconds of the request, whatever hangs. The ordinary way out is the return of
/// [`serve`]; this one is for a display that does not answer or a log that nobody reads.
fn end_in_time(end: &End) -> io::Result<()> {
    let end = end.clone();
    let watchdog = move || {
        end.wait();
        Cancel::new().sleep(LONGEST_END + LAST_MOMENT);
        std::process::exit(0);
    };
    std::thread::Builder::new().name("watchdog".into()).spawn(watchdog).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_strictly() {
        assert_eq!(size("1280x800"), Ok(Size::new(1280, 800)));
        for text in [
            "",
            "x",
            "1280",
            "1280x",
            "1280X800",
            "-1x800",
            "1280x800x3",
            "63x800",
            "99999999999x1",
            "1.5x800",
        ] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
