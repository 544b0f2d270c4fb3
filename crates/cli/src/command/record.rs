//! `record`: until Ctrl+C or the end of the time, then the macro is saved.

use super::watch::{self, Watch, clock_of};
use super::{Shell, absolute, without_nulls};
use crate::render::Answer;
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args, ValueEnum};
use crossmacro_engine::interpreter::Progress;
use crossmacro_platform::clock;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

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
pub(super) fn pixels(text: &str) -> Result<f64, String> {
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
    let end = Some(command.duration).filter(|seconds| *seconds > LONGEST);
    let end = end.and_then(|seconds| clock::now().checked_add(Duration::from_secs(seconds.into())));
    let watch = Watch { sentence: &sentence, ending: "Saving the recording ...", patience: SAVING, end };
    let ended = match watch.operation(shell, &response) {
        Ok(ended) => ended.and_then(|operation| operation.result),
        Err(answer) => return answer,
    };
    match ended.as_deref() {
        Some(Ok(summary)) => saved(&path.to_string_lossy(), summary),
        Some(Err(fault)) => watch::failed(fault),
        None => Answer::failed(6, "the recording did not end in time", Vec::new()),
    }
}

fn sentence(progress: Option<Progress>) -> String {
    let (elapsed, events) = progress.map_or((Duration::ZERO, 0), |at| (at.elapsed, at.events));
    format!("Recording: {}, {events} events. Ctrl+C ends and saves it.", clock_of(elapsed))
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
    watch::done(format!("{events} recorded and saved."), data, summary)
}
