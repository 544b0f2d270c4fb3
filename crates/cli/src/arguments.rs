//! The command tree. One definition for parsing and help.

mod input;
mod names;
mod screen;
mod window;

pub(crate) use input::{Delay, Key, Move, Press, Run, Scroll, Tap, Type, speed};
pub(crate) use names::in_lower_case;
pub(crate) use screen::{Screen, Screenshot};
pub(crate) use window::{OneOf, Target, Which, Window, Workspace};

use crate::command::{macro_files, manual, play, profile, record, text_expansion};
use crate::command::{schedule, shortcut, trigger};
use crate::mcp;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Desktop automation for people and their agents.
#[derive(Parser)]
#[command(
    name = "crossmacro",
    version,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    args_override_self = true,
    max_term_width = 100,
    after_help = "\
Exit status: 0 done, 2 wrong arguments, 3 file, 4 validation, 5 desktop or permission, 6 failed while running, 130 cancelled.

Examples:
  crossmacro doctor                           what works here, and what would mend the rest
  crossmacro screenshot -o desktop.png        look
  crossmacro run 'click left' 'type Hello'    act
  crossmacro window list --json               for another program to read
  crossmacro mcp --restricted                 for an agent"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every command takes.
#[derive(Args)]
pub(crate) struct Common {
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What is logged to standard error: verbose, debug, information, warning, error or fatal
    #[arg(
        long,
        global = true,
        value_enum,
        ignore_case = true,
        value_name = "LEVEL",
        default_value = "warning",
        hide_possible_values = true
    )]
    pub(crate) log_level: LogLevel,
}

/// `crossmacro mcp` alone. A server lives for days: it does not carry the tree of all commands in its memory.
#[derive(Parser)]
#[command(name = "crossmacro", args_override_self = true)]
struct Server {
    #[command(subcommand)]
    command: ServerCommand,
    #[command(flatten)]
    common: Common,
}

#[derive(Subcommand)]
enum ServerCommand {
    Mcp(mcp::Arguments),
}

/// The command to start the server, where it is written as hosts write it. Everything else, help and mistakes too, is
/// for the whole tree.
pub(crate) fn server(given: &[OsString]) -> Option<(mcp::Arguments, LogLevel)> {
    given.get(1).filter(|word| *word == "mcp")?;
    let Server { command: ServerCommand::Mcp(arguments), common } = Server::try_parse_from(given).ok()?;
    Some((arguments, common.log_level))
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogLevel {
    Verbose,
    Debug,
    Information,
    Warning,
    Error,
    Fatal,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Move the pointer
    #[command(after_help = "Examples:\n  crossmacro move abs 640 360\n  crossmacro move rel -20 0")]
    Move(Move),
    /// Click a button where the pointer is
    #[command(after_help = "Examples:\n  crossmacro click left\n  crossmacro click right --dry-run")]
    Click(Press),
    /// Press a button; it is released when the command ends
    #[command(
        after_help = "What a command presses does not outlast it. To hold a button over several steps, put them into one script.\n\nExamples:\n  crossmacro down left\n  crossmacro run 'down left' 'move rel 100 0' 'up left'"
    )]
    Down(Press),
    /// Release a button
    #[command(after_help = "Examples:\n  crossmacro up left")]
    Up(Press),
    /// Turn the wheel
    #[command(after_help = "Examples:\n  crossmacro scroll down\n  crossmacro scroll up 3")]
    Scroll(Scroll),
    /// Press or release one key; a pressed one is released when the command ends
    #[command(
        after_help = "What a command presses does not outlast it. To hold a key over several steps, put them into one script.\n\nExamples:\n  crossmacro key down F5\n  crossmacro run 'key down shift' 'click left' 'key up shift'"
    )]
    Key(Key),
    /// Press and release keys together
    #[command(after_help = "Examples:\n  crossmacro tap ctrl+shift+t\n  crossmacro tap Enter")]
    Tap(Tap),
    /// Type text exactly, whatever the keyboard layout
    #[command(
        after_help = "Examples:\n  crossmacro type 'Grüße, 日本 ✓'\n  crossmacro type -- --help         types \"--help\""
    )]
    Type(Type),
    /// Wait
    #[command(
        after_help = "Examples:\n  crossmacro delay 250\n  crossmacro delay 2.5ms\n  crossmacro delay random 80 140"
    )]
    Delay(Delay),
    /// Run a script of steps
    #[command(
        after_help = "Steps: move, click, down, up, scroll, key, tap, type, delay, set, if, while, repeat and more. What they leave pressed is released at the end.\n\nExamples:\n  crossmacro run --step 'move abs 100 200' --step 'click left'\n  crossmacro run 'move abs 100 200' 'click left'\n  crossmacro run --file steps.txt --speed 2 --countdown 3\n  crossmacro run --file steps.txt --dry-run"
    )]
    Run(Run),
    /// Play a macro
    #[command(
        after_help = "What the macro leaves pressed is released at its end, however that comes.\n\nExamples:\n  crossmacro play open-menu.macro\n  crossmacro play fill-form.macro --speed 2 --repeat 10 --repeat-delay-ms 500\n  crossmacro play draw.macro --motion-mode strict-speed\n  crossmacro play open-menu.macro --dry-run        shows each event with its time"
    )]
    Play(play::Play),
    /// Record what you do with mouse and keyboard
    #[command(
        after_help = "Ctrl+C ends the recording and saves it; that chord is not recorded.\n\nExamples:\n  crossmacro record -o open-menu.macro\n  crossmacro record -o draw.macro --keyboard false --duration 30 --thin 2\n  crossmacro record -o game.macro --mode relative --skip-initial-zero"
    )]
    Record(record::Record),
    /// Check, compare, convert and draw macro files
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro macro validate menu.macro\n  crossmacro macro diff before.macro after.macro\n  crossmacro macro convert login.sh -o login.macro\n  crossmacro macro render menu.macro -o menu.png"
    )]
    Macro(macro_files::Macro),
    /// Read pixels
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro screen pixel 100 200\n  crossmacro screen wait-color 100 200 33AA66 --timeout-ms 10000\n  crossmacro screen search-color 0 0 1280 800 FF0000 --tolerance 16"
    )]
    Screen(Screen),
    /// Capture the screen
    #[command(
        after_help = "Examples:\n  crossmacro screenshot -o desktop.png\n  crossmacro screenshot -o part.webp --region 0 0 400 300\n  crossmacro screenshot --clipboard --max-width 800"
    )]
    Screenshot(Screenshot),
    /// List and control windows
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro window list\n  crossmacro window wait --title 'Save as' --timeout-ms 10000\n  crossmacro window focus --class xterm\n  crossmacro window move --title Editor 40 40\n  crossmacro window close --address 0x1c00007"
    )]
    Window(Window),
    /// Read and replace the clipboard
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro clipboard set 'some text'\n  crossmacro clipboard get\n  crossmacro clipboard get --image picture.png"
    )]
    Clipboard(Clipboard),
    /// Read and change settings
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro settings list-keys\n  crossmacro settings get playback.speed\n  crossmacro settings set mcp.shellExecute false\n  crossmacro settings reset mcp.shellExecute"
    )]
    Settings(Settings),
    /// Macros that the clock starts
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro schedule list\n  crossmacro schedule add --name Tea --macro tea.macro --interval 5m\n  crossmacro schedule enable ID"
    )]
    Schedule(schedule::Schedule),
    /// Macros that a hotkey starts
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro shortcut list\n  crossmacro shortcut add --name Sign --macro sign.macro --hotkey Ctrl+Shift+F5\n  crossmacro shortcut bind ID --hotkey F6"
    )]
    Shortcut(shortcut::Shortcut),
    /// What happens when another window gets the focus
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro trigger list\n  crossmacro trigger disable ID"
    )]
    Trigger(trigger::Trigger),
    /// Test what works in this session, and say what would mend the rest
    #[command(after_help = "Examples:\n  crossmacro doctor\n  crossmacro doctor --verbose --json")]
    Doctor(Doctor),
    /// Serve MCP on standard input and output, for an agent
    #[command(
        after_help = "Examples:\n  crossmacro mcp --restricted                    looks at nothing and touches nothing\n  crossmacro mcp --private-desktop=1280x800      works on a desktop of its own\n  crossmacro mcp                                 works on yours, as the settings mcp.* allow"
    )]
    Mcp(mcp::Arguments),
    /// Show the main job on a private desktop: look, act, see the effect
    #[command(after_help = "Examples:\n  crossmacro demo\n  crossmacro demo --output /tmp/demo")]
    Demo(Demo),
    /// Manage profiles
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro profile list\n  crossmacro profile create Games\n  crossmacro profile switch Games"
    )]
    Profile(profile::Profile),
    /// Manage text expansions
    #[command(
        subcommand,
        visible_alias = "text",
        after_help = "Examples:\n  crossmacro text-expansion list\n  crossmacro text-expansion add :mail me@example.com\n  crossmacro text-expansion test :mail"
    )]
    TextExpansion(text_expansion::TextExpansion),
    /// Print completions for a shell
    Completions(manual::Completions),
    /// Print the manual page
    #[command(after_help = "Examples:\n  crossmacro man > crossmacro.1")]
    Man(manual::Manual),
    /// Serve one clipboard content (started by us, not by people)
    #[command(hide = true)]
    InternalClipboardServer,
}

/// Every command that acts can be tried without acting.
#[derive(Args, Clone, Copy)]
pub(crate) struct DryRun {
    /// Check everything and touch nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Subcommand)]
pub(crate) enum Clipboard {
    /// Print the text and nothing else, or save the picture
    #[command(
        after_help = "Examples:\n  crossmacro clipboard get\n  crossmacro clipboard get --image picture.png"
    )]
    Get {
        /// Write the picture to this PNG file instead
        #[arg(long, value_name = "PATH")]
        image: Option<PathBuf>,
    },
    /// Replace the content; it stays after the command has ended
    #[command(
        after_help = "Examples:\n  crossmacro clipboard set 'some text'\n  crossmacro clipboard set --file notes.txt\n  crossmacro clipboard set --image picture.png"
    )]
    Set {
        /// The text
        #[arg(allow_hyphen_values = true, required_unless_present_any = ["file", "image"])]
        text: Option<String>,
        /// Take the text from a file
        #[arg(long, value_name = "PATH", conflicts_with_all = ["text", "image"])]
        file: Option<PathBuf>,
        /// Take the picture from a PNG file
        #[arg(long, value_name = "PATH", conflicts_with = "text")]
        image: Option<PathBuf>,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Empty it
    #[command(after_help = "Examples:\n  crossmacro clipboard clear")]
    Clear(DryRun),
}

#[derive(Subcommand)]
pub(crate) enum Settings {
    /// Show one setting or all, with default and source
    #[command(
        after_help = "Examples:\n  crossmacro settings get\n  crossmacro settings get playback.speed --json"
    )]
    Get {
        /// The setting, as list-keys names it
        key: Option<String>,
        /// All settings
        #[arg(long)]
        all: bool,
    },
    /// Change one setting
    #[command(
        after_help = "Examples:\n  crossmacro settings set playback.speed 1.5\n  crossmacro settings set mcp.paths.imageWrite /home/me/Pictures"
    )]
    Set {
        /// The setting, as list-keys names it
        key: String,
        /// The value: true, 1.5, StrictSpeed
        #[arg(allow_hyphen_values = true)]
        value: String,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Name all settings, with what they accept and mean
    #[command(after_help = "Examples:\n  crossmacro settings list-keys")]
    ListKeys,
    /// Take one setting back to its default
    #[command(after_help = "Examples:\n  crossmacro settings reset playback.speed")]
    Reset {
        /// The setting, as list-keys names it
        key: String,
        #[command(flatten)]
        dry: DryRun,
    },
}

#[derive(Args)]
pub(crate) struct Doctor {
    /// Show details
    #[arg(long)]
    pub(crate) verbose: bool,
}

#[derive(Args)]
pub(crate) struct Demo {
    /// Folder for the pictures; made where it is missing
    #[arg(short, long, value_name = "DIR", default_value = "target/demo")]
    pub(crate) output: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_sound() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }
}
