//! `record`: until Ctrl+C or the end of the time, then the macro is saved.

use super::{Shell, absolute, without_nulls};
use crate::progress::Line;
use crate::render::Answer;
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args, ValueEnum};
use crossmacro_engine::interpreter::Progress;
use crossmacro_engine::operations::{Id, Operation, State};
use crossmacro_platform::{Cancel, clock};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often the line on the terminal changes.
const SHOWN: Duration = Duration::from_millis(250);
/// How long a recording may take to end and to be written.
const SAVING: Duration = Duration::from_secs(60);
/// The longest time that the operation itself keeps; beyond it, we do.
const LONGEST: u32 = 3600;

#[derive(Args)]
pub(crate) struct Record {
    /// The .macro file to write; one that is there is replaced
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Record the pointer, its buttons and the wheel
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value = "true", value_parser = BoolishValueParser::new())]
    mouse: bool,
    /// Record keys
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value = "true", value_parser = BoolishValueParser::new())]
    keyboard: bool,
    /// Record places (absolute) or distances (relative); auto takes places where the desktop can tell them
    #[arg(long, value_enum, ignore_case = true, default_value = "auto")]
    mode: Mode,
    /// Start a relative recording where the pointer is, instead of in the corner of the desktop
    #[arg(long)]
    skip_initial_zero: bool,
    /// Seconds after which it ends; 0 for Ctrl+C only
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    duration: u32,
    /// Leave out moves that are within this many pixels of the path that remains, 0.25 to 500; no time changes by more than 50 ms
    #[arg(long, value_name = "PX", value_parser = pixels)]
    thin: Option<f64>,
}

#[derive(ValueEnum, Clone, Copy)]
enum Mode {
    Auto,
    #[value(alias = "abs")]
    Absolute,
    #[value(alias = "rel")]
    Relative,
}

impl Mode {
    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Absolute => "absolute",
            Self::Relative => "relative",
        }
    }
}

/// A plain decimal number: no exponent, no `inf`, no comma.
fn pixels(text: &str) -> Result<f64, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text.parse() {
        Ok(pixels) if is_plain && (0.25..=500.0).contains(&pixels) => Ok(pixels),
        _ => Err("a number from 0.25 to 500 is needed, such as 2".into()),
    }
}

pub(super) fn run(shell: &Shell, command: &Record) -> Answer {
    if !command.mouse && !command.keyboard {
        let usage = "Usage: crossmacro record --output FILE [--mouse BOOL] [--keyboard BOOL]";
        return Answer::failed(
            2,
            "with neither mouse nor keyboard there is nothing to record",
            vec![usage.into()],
        );
    }
    let path = absolute(&command.output);
    let arguments = without_nulls(json!({
        "kind": "record",
        "outputPath": path,
        "recordMouse": command.mouse,
        "recordKeyboard": command.keyboard,
        "coordinateMode": command.mode.name(),
        // What is not asked for is as the settings have it.
        "skipInitialZero": command.skip_initial_zero.then_some(true),
        "durationSeconds": Some(command.duration).filter(|seconds| (1..=LONGEST).contains(seconds)),
        "thinPixels": command.thin,
    }));
    let response = shell.call("automation.start", arguments);
    let id = response.reply.get("operation").and_then(|operation| operation["operationId"].as_str());
    let Some(id) = id.and_then(Id::parse) else { return Answer::of(&response, Value::clone) };
    let end = Some(command.duration).filter(|seconds| *seconds > LONGEST);
    let end = end.and_then(|seconds| clock::now().checked_add(Duration::from_secs(seconds.into())));
    let ended = wait(shell, id, end).and_then(|operation| operation.result);
    match ended.as_deref() {
        Some(Ok(summary)) => saved(&path.to_string_lossy(), summary),
        Some(Err(fault)) => {
            let mut errors = vec![fault.to_string()];
            errors.extend(fault.remediation.as_ref().map(|remedy| format!("To fix it: {remedy}")));
            Answer::failed(fault.code.exit(), fault.message.clone(), errors)
        }
        None => Answer::failed(6, "the recording did not end in time", Vec::new()),
    }
}

/// Waits for the end; a signal is the end, and so is `end`.
fn wait(shell: &Shell, id: Id, end: Option<Instant>) -> Option<Operation> {
    let operations = &shell.context.operations;
    let mut line = Line::new();
    let mut operation = operations.get(id)?;
    while operation.state() == State::Running {
        line.show(&sentence(operation.progress));
        if shell.cancel.is_cancelled() || end.is_some_and(|end| end <= clock::now()) {
            operations.stop(id);
            line.show("Saving the recording ...");
            return operations.wait(id, SAVING, &Cancel::new());
        }
        operation = operations.wait(id, SHOWN, &shell.cancel)?;
    }
    Some(operation)
}

fn sentence(progress: Option<Progress>) -> String {
    let (seconds, events) = progress.map_or((0, 0), |at| (at.elapsed.as_secs(), at.events));
    format!("Recording: {}:{:02}, {events} events. Ctrl+C ends and saves it.", seconds / 60, seconds % 60)
}

fn saved(path: &str, summary: &Value) -> Answer {
    let mut data = json!({ "outputPath": path });
    for name in [
        "eventCount",
        "totalDurationMs",
        "recordMouse",
        "recordKeyboard",
        "requestedMode",
        "actualMode",
        "skipInitialZero",
    ] {
        data[name] = summary[name].clone();
    }
    let events = match summary["eventCount"].as_u64().unwrap_or(0) {
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    };
    let mut answer = Answer::ok(format!("{events} recorded and saved."), data);
    let warnings = summary["warnings"].as_array().into_iter().flatten();
    answer.warnings = warnings.filter_map(|warning| warning.as_str().map(str::to_owned)).collect();
    answer
}
