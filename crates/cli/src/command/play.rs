//! `play`: does again what a macro holds.

use super::watch::{self, Watch, clock_of};
use super::{Shell, absolute, without_nulls};
use crate::arguments::{DryRun, speed};
use crate::render::Answer;
use clap::{Args, ValueEnum, value_parser};
use crossmacro_engine::interpreter::Progress;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// How long a playing may take to release what it holds.
const STOPPING: Duration = Duration::from_secs(5);

#[derive(Args)]
pub(crate) struct Play {
    /// The macro
    file: PathBuf,
    /// Divides all waits, 0.1 to 10
    #[arg(long, value_name = "FACTOR", value_parser = speed)]
    speed: Option<f64>,
    /// Keep every point of the pointer's way (precision), or the time (strict-speed)
    #[arg(long, value_enum, ignore_case = true, default_value = "precision")]
    motion_mode: MotionMode,
    /// With strict-speed: most moves in a second
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    motion_rate: Option<u32>,
    /// With precision: most moves in a second; where a macro has more, it is played more slowly
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000))]
    precision_motion_rate: Option<u32>,
    /// With strict-speed: how far the pointer may leave its recorded way, 0.25 to 500
    #[arg(long, value_name = "PX", value_parser = super::record::pixels)]
    motion_error_px: Option<f64>,
    /// Play it again and again, until Ctrl+C
    #[arg(long = "loop")]
    repeats: bool,
    /// Play it so often; with --loop, 0 is without end
    #[arg(long, value_name = "N")]
    repeat: Option<u32>,
    /// Milliseconds between two times
    #[arg(long, value_name = "MS", value_parser = value_parser!(u32).range(0..=3_600_000))]
    repeat_delay_ms: Option<u32>,
    /// Seconds to wait before the first event, at most 3600
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u32).range(0..=3600))]
    countdown: Option<u32>,
    /// Seconds after which it is stopped, at most 3600; without it, and with 0, there is no limit
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u32).range(0..=3600))]
    timeout: Option<u32>,
    /// Leave out what is wrong in the file, and warn about it
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    dry: DryRun,
}

#[derive(ValueEnum, Clone, Copy)]
enum MotionMode {
    Precision,
    #[value(alias = "strictspeed")]
    StrictSpeed,
}

pub(super) fn run(shell: &Shell, command: &Play) -> Answer {
    let path = absolute(&command.file);
    let arguments = without_nulls(json!({
        "kind": "play",
        "macroPath": path,
        "speedMultiplier": command.speed,
        "motionMode": match command.motion_mode {
            MotionMode::Precision => "precision",
            MotionMode::StrictSpeed => "strict-speed",
        },
        "strictSpeedMotionEventsPerSecond": command.motion_rate,
        "precisionMotionEventsPerSecond": command.precision_motion_rate,
        "maximumMotionErrorPixels": command.motion_error_px,
        "loop": command.repeats,
        "repeatCount": command.repeat,
        "repeatDelayMs": command.repeat_delay_ms,
        "countdownSeconds": command.countdown,
        "timeoutSeconds": command.timeout.filter(|seconds| *seconds > 0),
        "lenient": command.lenient,
        "dryRun": command.dry.dry_run,
    }));
    let response = shell.call("automation.start", arguments);
    let watch = Watch { sentence: &sentence, ending: "Stopping ...", patience: STOPPING, end: None };
    let ended = match watch.operation(shell, &response) {
        Ok(ended) => ended.and_then(|operation| operation.result),
        Err(answer) => return answer,
    };
    match ended.as_deref() {
        Some(Ok(summary)) => played(&path.to_string_lossy(), summary),
        Some(Err(fault)) => watch::failed(fault),
        None => Answer::failed(6, "the macro did not stop in time", Vec::new()),
    }
}

fn sentence(progress: Option<Progress>) -> String {
    let Some(at) = progress else { return "Playing starts soon. Ctrl+C stops it.".to_owned() };
    let next = at.next.map(|next| format!(" Next: {next}.")).unwrap_or_default();
    format!("Playing: {}, {} events.{next} Ctrl+C stops it.", clock_of(at.elapsed), at.events)
}

fn played(path: &str, summary: &Value) -> Answer {
    let mut data = summary.clone();
    let plan = data.as_object_mut().and_then(|fields| {
        for told_elsewhere in ["warnings", "dryRun", "needs", "variables"] {
            fields.shift_remove(told_elsewhere);
        }
        fields.insert("macroPath".into(), path.into());
        fields.get("plan").and_then(Value::as_array).cloned()
    });
    let events = match summary["eventCount"].as_u64().unwrap_or(0) {
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    };
    let is_dry = summary["dryRun"] == true;
    let mut answer = watch::done(
        format!("{events} {}.", if is_dry { "would be played" } else { "played" }),
        data,
        summary,
    );
    if let Some(plan) = plan {
        let lines = plan.iter().filter_map(Value::as_str).map(|line| format!("{line}\n"));
        answer.raw = Some(lines.collect::<String>() + &answer.message + "\n");
    }
    answer
}
