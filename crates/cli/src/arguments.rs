//! The command tree. One definition for parsing and help.

use crate::command::search;
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
    arg_required_else_help = true,
    after_help = "Exit status: 0 done, 2 wrong arguments, 3 file, 4 validation, 5 desktop or permission, 6 failed while running, 130 cancelled.\n\nA first look:  crossmacro doctor\nFor an agent:  crossmacro mcp --restricted"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// What is logged to standard error
    #[arg(
        long,
        global = true,
        value_enum,
        ignore_case = true,
        default_value = "warning",
        hide_possible_values = true
    )]
    pub(crate) log_level: LogLevel,
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
    Click(Press),
    /// Press a button and leave it down
    Down(Press),
    /// Release a button
    Up(Press),
    /// Turn the wheel
    Scroll(Scroll),
    /// Press or release one key
    Key(Key),
    /// Press and release keys together
    #[command(after_help = "Examples:\n  crossmacro tap ctrl+shift+t\n  crossmacro tap Enter")]
    Tap(Tap),
    /// Type text exactly, whatever the keyboard layout
    Type(Type),
    /// Wait
    #[command(
        after_help = "Examples:\n  crossmacro delay 250\n  crossmacro delay 2.5ms\n  crossmacro delay random 80 140"
    )]
    Delay(Delay),
    /// Run a script of steps
    #[command(
        after_help = "Examples:\n  crossmacro run --step 'move abs 100 200' --step 'click left'\n  crossmacro run --file steps.txt --speed 2\n  crossmacro run move abs 100 200 click left"
    )]
    Run(Run),
    /// Read pixels
    #[command(subcommand)]
    Screen(Screen),
    /// Capture the screen
    #[command(
        after_help = "Examples:\n  crossmacro screenshot -o desktop.png\n  crossmacro screenshot --region 0 0 400 300 --clipboard"
    )]
    Screenshot(Screenshot),
    /// List and control windows
    #[command(subcommand)]
    Window(Window),
    /// Read and replace the clipboard
    #[command(subcommand)]
    Clipboard(Clipboard),
    /// Test what works in this session, and say what would mend the rest
    Doctor(Doctor),
    /// Serve MCP on standard input and output, for an agent
    Mcp(mcp::Arguments),
    /// Show the main job on a private desktop: look, act, see the effect
    Demo(Demo),
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

#[derive(Args)]
pub(crate) struct Move {
    /// abs (desktop coordinates), rel or rel-raw (device units), rel-logical (desktop units)
    #[arg(value_name = "MODE")]
    pub(crate) mode: String,
    /// Horizontal place or distance
    #[arg(allow_negative_numbers = true)]
    pub(crate) x: i32,
    /// Vertical place or distance
    #[arg(allow_negative_numbers = true)]
    pub(crate) y: i32,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Press {
    /// left, right, middle, side1 or side2; "current" before it is accepted
    #[arg(value_name = "BUTTON", num_args = 1..=2, required = true)]
    pub(crate) button: Vec<String>,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Scroll {
    /// up, down, left or right
    pub(crate) direction: String,
    /// Notches
    #[arg(default_value_t = 1)]
    pub(crate) count: u32,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Key {
    /// down or up
    pub(crate) direction: String,
    /// Name of the key, a character, or an evdev code
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Tap {
    /// Keys joined by +, modifiers first
    pub(crate) combination: String,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Type {
    /// The text
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: String,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Delay {
    /// A duration (ms, us), or: random MIN MAX
    #[arg(value_name = "DURATION", num_args = 1..=3, required = true)]
    pub(crate) duration: Vec<String>,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Run {
    /// Steps as words; --step is clearer
    #[arg(value_name = "STEP", allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    /// One step; may be repeated
    #[arg(long = "step", value_name = "STEP", allow_hyphen_values = true)]
    pub(crate) steps: Vec<String>,
    /// A file of steps, one a line, which come before --step
    #[arg(long)]
    pub(crate) file: Option<PathBuf>,
    /// A picture that steps look for, by name; may be repeated
    #[arg(long = "asset", num_args = 2, value_names = ["NAME", "PNG"])]
    pub(crate) assets: Vec<String>,
    /// Speed of all delays, 0.1 to 10
    #[arg(long)]
    pub(crate) speed: Option<f64>,
    /// Seconds to wait before the first step
    #[arg(long, value_name = "SECONDS")]
    pub(crate) countdown: Option<u32>,
    /// Seconds after which it is stopped; 0 means never
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u32>,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Subcommand)]
pub(crate) enum Screen {
    /// The colour of one pixel
    Pixel {
        /// Count from the pointer instead of the desktop's origin
        #[arg(long)]
        relative: bool,
        /// Horizontal place
        #[arg(allow_negative_numbers = true)]
        x: i32,
        /// Vertical place
        #[arg(allow_negative_numbers = true)]
        y: i32,
    },
    /// Wait until a pixel has a colour
    WaitColor {
        /// Horizontal place
        #[arg(allow_negative_numbers = true)]
        x: i32,
        /// Vertical place
        #[arg(allow_negative_numbers = true)]
        y: i32,
        /// RRGGBB
        color: String,
        /// How long to wait
        #[arg(long, default_value_t = 5000, value_name = "MS")]
        timeout_ms: u32,
    },
    /// Find the first pixel of a colour in a rectangle, row by row
    SearchColor {
        /// One corner
        #[arg(allow_negative_numbers = true)]
        x1: i32,
        /// One corner
        #[arg(allow_negative_numbers = true)]
        y1: i32,
        /// The opposite corner, exclusive
        #[arg(allow_negative_numbers = true)]
        x2: i32,
        /// The opposite corner, exclusive
        #[arg(allow_negative_numbers = true)]
        y2: i32,
        /// RRGGBB
        color: String,
        /// How long to look again
        #[arg(long, default_value_t = 5000, value_name = "MS")]
        timeout_ms: u32,
        /// Largest difference accepted in each of red, green and blue
        #[arg(long, default_value_t = 0)]
        tolerance: u8,
    },
    /// Find a picture; not finding it is no failure
    SearchImage(search::SearchImage),
    /// Wait for a picture; not finding it is no failure
    WaitImage(search::WaitImage),
    /// Wait for a picture and click its middle
    ImageClick(search::ImageClick),
}

#[derive(Args)]
pub(crate) struct Screenshot {
    /// Where to write it
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Put it on the clipboard
    #[arg(long)]
    pub(crate) clipboard: bool,
    /// Only this rectangle
    #[arg(long, num_args = 4, value_names = ["X", "Y", "W", "H"], allow_negative_numbers = true)]
    pub(crate) region: Option<Vec<i64>>,
    /// Only this monitor
    #[arg(long, value_name = "NAME", conflicts_with_all = ["region", "window"])]
    pub(crate) monitor: Option<String>,
    /// Only the area of this window
    #[arg(long, value_name = "ADDRESS", conflicts_with = "region")]
    pub(crate) window: Option<String>,
    /// png, jpeg or webp
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Scale down to this width
    #[arg(long, value_name = "PIXELS")]
    pub(crate) max_width: Option<u32>,
    /// Scale down to this height
    #[arg(long, value_name = "PIXELS")]
    pub(crate) max_height: Option<u32>,
    /// With the pointer
    #[arg(long)]
    pub(crate) cursor: bool,
}

/// A window by one of its names.
#[derive(Args, Clone)]
#[group(required = true, multiple = false)]
pub(crate) struct Which {
    /// Part of its title, in any case (exact: and regex: are understood)
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Part of its class, in any case (exact: and regex: are understood)
    #[arg(long)]
    pub(crate) class: Option<String>,
    /// Its address, as listed
    #[arg(long)]
    pub(crate) address: Option<String>,
}

/// A window by one of its names, or the focused one.
#[derive(Args, Clone)]
#[group(multiple = false)]
pub(crate) struct Target {
    /// The focused window (the default)
    #[arg(long)]
    pub(crate) active: bool,
    /// Part of its title, in any case
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Part of its class, in any case
    #[arg(long)]
    pub(crate) class: Option<String>,
    /// Its address, as listed
    #[arg(long)]
    pub(crate) address: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum Window {
    /// The window with the keyboard focus
    Active,
    /// All windows, the lowest first
    List,
    /// Windows by title, class or address, the topmost first
    Search(Which),
    /// Wait for a window
    Wait {
        #[command(flatten)]
        which: Which,
        /// How long to wait; 0 looks once
        #[arg(long, default_value_t = 5000, value_name = "MS")]
        timeout_ms: u32,
    },
    /// Give a window the keyboard focus
    Focus(Which),
    /// Ask a window to close
    Close(Which),
    /// Put the top left corner of its frame somewhere
    Move {
        #[command(flatten)]
        target: Target,
        /// Left edge
        #[arg(allow_negative_numbers = true)]
        x: i32,
        /// Top edge
        #[arg(allow_negative_numbers = true)]
        y: i32,
    },
    /// Give its inner area a size
    Resize {
        #[command(flatten)]
        target: Target,
        /// Width
        width: u32,
        /// Height
        height: u32,
    },
    /// Put it in the middle of its monitor
    Center(Target),
    /// Maximise it, or undo that
    Maximize(Target),
    /// Minimise it
    Minimize(Target),
    /// Undo minimising, maximising and fullscreen
    Restore(Target),
    /// Cover the whole monitor, or undo that
    Fullscreen(Target),
    /// Keep it above others, or undo that
    #[command(visible_alias = "always-on-top")]
    Float(Target),
    /// Workspaces
    #[command(subcommand)]
    Workspace(Workspace),
}

#[derive(Subcommand)]
pub(crate) enum Workspace {
    /// The workspace that is shown
    Get,
    /// Show a workspace, by name or number from 1
    Switch {
        /// Name or number
        name: String,
    },
    /// Send the focused window to a workspace
    MoveActive {
        /// Name or number
        name: String,
    },
    /// Send a window to a workspace
    MoveWindow {
        /// Its address, as listed
        #[arg(long)]
        address: String,
        /// Name or number
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Clipboard {
    /// Print the text, or save the picture
    Get {
        /// Write the picture to this PNG file instead
        #[arg(long, value_name = "PATH")]
        image: Option<PathBuf>,
    },
    /// Replace the content
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
    },
    /// Empty it
    Clear,
}

#[derive(Args)]
pub(crate) struct Doctor {
    /// Show details
    #[arg(long)]
    pub(crate) verbose: bool,
}

#[derive(Args)]
pub(crate) struct Demo {
    /// Folder for the pictures
    #[arg(long, default_value = "target/demo")]
    pub(crate) output: PathBuf,
}

/// Command and option names are accepted in any case; values, and all that follows `--`, are left alone.
pub(crate) fn in_lower_case(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let root = <Arguments as clap::CommandFactory>::command();
    let mut current = &root;
    let mut names_a_command = true;
    let mut is_literal = false;
    let mut result = Vec::new();
    for (index, word) in given.enumerate() {
        let Some(text) = word.to_str().filter(|_| index > 0 && !is_literal) else {
            result.push(word);
            continue;
        };
        is_literal = text == "--";
        let lower = text.to_ascii_lowercase();
        if is_option(current, &root, &lower) {
            let value = text.split_once('=').map(|(_, value)| format!("={value}")).unwrap_or_default();
            let name = lower.split_once('=').map_or(lower.as_str(), |(name, _)| name);
            result.push(format!("{name}{value}").into());
        } else if let Some(below) = current.find_subcommand(&lower).filter(|_| names_a_command) {
            current = below;
            result.push(lower.into());
        } else {
            // The value of a global option does not end the command's name; anything else does.
            names_a_command &= current.has_subcommands();
            result.push(word);
        }
    }
    result
}

fn is_option(current: &clap::Command, root: &clap::Command, lower: &str) -> bool {
    let Some(option) = lower.strip_prefix("--") else { return false };
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let known =
        |command: &clap::Command| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    known(current) || known(root) || name == "help" || name == "version"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(words: &[&str]) -> Vec<String> {
        let given = words.iter().map(OsString::from);
        in_lower_case(given).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn names_lose_their_case_and_values_keep_it() {
        assert_eq!(
            lower(&["crossmacro", "Window", "SEARCH", "--Title", "MAIN", "--JSON"]),
            ["crossmacro", "window", "search", "--title", "MAIN", "--json"]
        );
        assert_eq!(lower(&["crossmacro", "TYPE", "Type"]), ["crossmacro", "type", "Type"]);
        assert_eq!(lower(&["crossmacro", "type", "--Shouting"]), ["crossmacro", "type", "--Shouting"]);
        assert_eq!(lower(&["crossmacro", "type", "--", "--JSON"]), ["crossmacro", "type", "--", "--JSON"]);
    }

    #[test]
    fn the_tree_is_sound() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }
}
