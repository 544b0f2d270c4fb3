//! `macro ...`.

use super::{Shell, absolute, pick, without_nulls};
use crate::render::Answer;
use clap::{Subcommand, ValueEnum};
use crossmacro_ops::Response;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Macro {
    /// Check a whole macro without playing it
    #[command(
        after_help = "Every error names its line. Exit status 4 when the macro is not valid.\n\nExamples:\n  crossmacro macro validate menu.macro\n  crossmacro macro validate menu.macro --json"
    )]
    Validate {
        /// The macro
        file: PathBuf,
    },
    /// Tell what a macro holds
    #[command(after_help = "Examples:\n  crossmacro macro info menu.macro")]
    Info {
        /// The macro
        file: PathBuf,
    },
    /// Compare two macros
    #[command(
        after_help = "A line starts with - where it is in the first macro only, with + in the second, and with ~ where it does the same at another time.\n\nExamples:\n  crossmacro macro diff before.macro after.macro"
    )]
    Diff {
        /// The first macro
        before: PathBuf,
        /// The second macro
        after: PathBuf,
        /// Compare what remains of macros with errors
        #[arg(long)]
        lenient: bool,
    },
    /// Turn events into steps, steps into events, or another program's script into a macro
    #[command(
        after_help = "Without --output the result is printed.\n\nExamples:\n  crossmacro macro convert recorded.macro -o steps.macro\n  crossmacro macro convert steps.macro --to events -o flat.macro\n  crossmacro macro convert recorded.macro --to steps > steps.txt\n  crossmacro macro convert login.sh --from xdotool -o login.macro\n  crossmacro macro convert hotkeys.ahk --lenient"
    )]
    Convert {
        /// The file
        file: PathBuf,
        /// Where the result goes; a file that is there is replaced
        #[arg(short, long, value_name = "PATH")]
        output: Option<PathBuf>,
        /// What the file is; without it, its name and its words tell
        #[arg(long, value_enum, ignore_case = true)]
        from: Option<From>,
        /// What it becomes
        #[arg(long, value_enum, ignore_case = true)]
        to: Option<To>,
        /// Convert what can be converted, and warn about the rest
        #[arg(long)]
        lenient: bool,
    },
    /// Draw a macro: the way of the pointer, clicks, and keys over time
    #[command(after_help = "Examples:\n  crossmacro macro render menu.macro -o menu.png")]
    Render {
        /// The macro
        file: PathBuf,
        /// The PNG; a file that is there is replaced
        #[arg(short, long, value_name = "PATH")]
        output: PathBuf,
        /// Draw what remains of a macro with errors
        #[arg(long)]
        lenient: bool,
    },
    /// Tell risky things: blind coordinates, long waits, shell commands, keys left down
    #[command(
        after_help = "Exit status 4 when something risky is found.\n\nExamples:\n  crossmacro macro lint menu.macro"
    )]
    Lint {
        /// The macro
        file: PathBuf,
    },
}

/// What a file is.
#[derive(ValueEnum, Clone, Copy)]
pub(crate) enum From {
    /// A .macro file
    Macro,
    /// Steps, one a line
    Steps,
    /// A script of xdotool
    Xdotool,
    /// Command lines of ydotool
    Ydotool,
    /// A script of AutoHotkey
    Autohotkey,
}

/// What it becomes.
#[derive(ValueEnum, Clone, Copy)]
pub(crate) enum To {
    /// A macro of events
    Events,
    /// A macro of steps
    Script,
    /// A plain file of steps
    Steps,
}

/// The word that operations take.
fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

pub(super) fn run(shell: &Shell, command: Macro) -> Answer {
    match command {
        Macro::Validate { file } => {
            let response = shell.call("macro.validate", json!({"macroPath": absolute(&file)}));
            Answer::of(&response, |reply| reply["macro"].clone())
        }
        Macro::Info { file } => info(&shell.call("macro.inspect", json!({"macroPath": absolute(&file)}))),
        Macro::Diff { before, after, lenient } => {
            let arguments =
                json!({"beforePath": absolute(&before), "afterPath": absolute(&after), "lenient": lenient});
            diff(&shell.call("macro.diff", arguments))
        }
        Macro::Convert { file, output, from, to, lenient } => {
            let arguments = json!({
                "inputPath": absolute(&file), "outputPath": output.as_deref().map(absolute), "lenient": lenient,
                "from": from.as_ref().map(word), "to": to.as_ref().map(word),
            });
            let response = shell.call("macro.convert", without_nulls(arguments));
            let raw = response.reply.get("text").and_then(Value::as_str).map(str::to_owned);
            Answer { raw, ..Answer::of(&response, Value::clone) }
        }
        Macro::Render { file, output, lenient } => {
            let arguments =
                json!({"macroPath": absolute(&file), "outputPath": absolute(&output), "lenient": lenient});
            Answer::of(&shell.call("macro.render", arguments), Value::clone)
        }
        Macro::Lint { file } => lint(&shell.call("macro.lint", json!({"macroPath": absolute(&file)}))),
    }
}

/// What is known of a macro is told also when something is wrong with it.
fn info(response: &Response) -> Answer {
    let fields = [
        "macroPath",
        "macroName",
        "eventCount",
        "stepCount",
        "totalDurationMs",
        "coordinateMode",
        "isAbsoluteCoordinates",
        "createdAt",
        "skipInitialZeroZero",
        "trailingDelayMs",
        "hasTrailingRandomDelay",
        "trailingDelayMinMs",
        "trailingDelayMaxMs",
        "eventBreakdown",
    ]
    .map(|field| (field, format!("/macro/{field}")));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, path)| (*name, path.as_str())).collect();
    let mut answer = Answer::of(response, |reply| pick(reply, &fields));
    let reply = Value::Object(response.reply.clone());
    if answer.code != 0 && reply["macro"].is_object() {
        answer.data = pick(&reply, &fields);
    }
    answer
}

/// A difference for eyes: one line for each change.
fn diff(response: &Response) -> Answer {
    let mut answer = Answer::of(response, Value::clone);
    let reply = Value::Object(response.reply.clone());
    let mut text = format!("{}\n", answer.message);
    for change in reply["header"].as_array().into_iter().flatten() {
        let value = |side: &str| change[side].as_str().unwrap_or_default();
        text.push_str(&format!("{}: {} -> {}\n", value("key"), value("before"), value("after")));
    }
    for (section, word) in [("script", "step"), ("events", "event")] {
        for change in reply[section].as_array().into_iter().flatten() {
            let sign = match change["change"].as_str() {
                Some("removed") => '-',
                Some("added") => '+',
                _ => '~',
            };
            let what = change["text"].as_str().unwrap_or_default();
            text.push_str(&format!("{sign} {word} {}: {what}\n", change["number"]));
        }
    }
    let shown: String = text.lines().map(|line| format!("{}\n", crate::render::clean(line))).collect();
    answer.raw = Some(shown);
    answer
}

/// Risky things are a failed check, so that a script can ask for them.
fn lint(response: &Response) -> Answer {
    let mut answer = Answer::of(response, Value::clone);
    let reply = Value::Object(response.reply.clone());
    for finding in reply["findings"].as_array().into_iter().flatten() {
        let place = ["line", "step", "event"]
            .into_iter()
            .find_map(|name| finding[name].as_u64().map(|number| format!("{name} {number}: ")))
            .unwrap_or_default();
        let (rule, message) = (finding["rule"].as_str(), finding["message"].as_str());
        answer.errors.push(format!("{place}{}: {}", rule.unwrap_or_default(), message.unwrap_or_default()));
    }
    if answer.code == 0 && !answer.errors.is_empty() {
        answer.code = 4;
    }
    answer
}
