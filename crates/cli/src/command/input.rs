//! The commands that act: one step each, or a script of them.

use super::watch::{self, Watch, clock_of};
use super::{Shell, absolute, without_nulls};
use crate::arguments::{Command, Run};
use crate::render::Answer;
use crossmacro_engine::interpreter::Progress;
use crossmacro_model::run;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a script may take to release what it holds.
const STOPPING: Duration = Duration::from_secs(5);

pub(super) fn run(shell: &Shell, command: Command) -> Answer {
    let (step, dry) = match command {
        Command::Run(command) => return script(shell, command),
        Command::Move(command) => (format!("move {} {} {}", command.mode, command.x, command.y), command.dry),
        Command::Click(command) => (format!("click {}", command.button.join(" ")), command.dry),
        Command::Down(command) => (format!("down {}", command.button.join(" ")), command.dry),
        Command::Up(command) => (format!("up {}", command.button.join(" ")), command.dry),
        Command::Scroll(command) => (format!("scroll {} {}", command.direction, command.count), command.dry),
        Command::Key(command) => (format!("key {} {}", command.direction, command.key), command.dry),
        Command::Tap(command) => (format!("tap {}", command.combination), command.dry),
        // What a person types at the command line is meant as it stands: `$` is no variable there.
        Command::Type(command) => (format!("type {}", command.text.replace('$', "$$")), command.dry),
        Command::Delay(command) => (format!("delay {}", command.duration.join(" ")), command.dry),
        _ => return Answer::failed(2, "this command does not act", Vec::new()),
    };
    // What `down` leaves down is released at the end, as by every script: nothing held outlasts its process.
    perform(shell, json!({"kind": "run", "steps": [step], "dryRun": dry.dry_run}))
}

fn script(shell: &Shell, command: Run) -> Answer {
    let mut steps: Vec<String> = Vec::new();
    if !command.words.is_empty() {
        match run::from_words(&command.words) {
            Ok(found) => steps.extend(found.into_iter().map(|step| step.text)),
            Err(diagnostics) => {
                let errors = diagnostics.list.iter().map(ToString::to_string).collect();
                return Answer::failed(2, "the steps can't be read", errors);
            }
        }
    }
    steps.extend(command.steps);
    if steps.is_empty() && command.file.is_none() {
        return Answer::failed(
            2,
            "there is nothing to run",
            vec!["Usage: crossmacro run (--step STEP... | --file PATH | STEP...)".into()],
        );
    }
    let arguments = without_nulls(json!({
        "kind": "run",
        "steps": if steps.is_empty() { Value::Null } else { steps.into() },
        "stepFilePath": command.file.as_deref().map(absolute),
        "imageAssets": assets(&command.assets),
        "speedMultiplier": command.speed,
        "countdownSeconds": command.countdown,
        "timeoutSeconds": command.timeout.filter(|seconds| *seconds > 0),
        "dryRun": command.dry.dry_run,
        "returnVariables": true,
    }));
    perform(shell, arguments)
}

/// Names and paths in turn.
fn assets(pairs: &[String]) -> Value {
    let asset = |pair: &[String]| json!({"name": pair.first(), "filePath": pair.get(1).map(|path| absolute(path.as_ref()))});
    if pairs.is_empty() { Value::Null } else { pairs.chunks(2).map(asset).collect() }
}

/// Starts the work and waits for its end; a signal stops it.
fn perform(shell: &Shell, arguments: Value) -> Answer {
    let response = shell.call("automation.start", arguments);
    let watch = Watch { sentence: &running, ending: "Stopping ...", patience: STOPPING, end: None };
    let ended = match watch.operation(shell, &response) {
        Ok(ended) => ended.and_then(|operation| operation.result),
        Err(answer) => return answer,
    };
    match ended.as_deref() {
        Some(Ok(summary)) => watch::done(sentence(summary), summary_data(summary), summary),
        Some(Err(fault)) => watch::failed(fault),
        None => Answer::failed(6, "the work did not stop in time", Vec::new()),
    }
}

fn running(progress: Option<Progress>) -> String {
    let Some(at) = progress else { return "Running starts soon. Ctrl+C stops it.".to_owned() };
    format!(
        "Running: {}, {} events. Next: step {}. Ctrl+C stops it.",
        clock_of(at.elapsed),
        at.events,
        at.step
    )
}

fn summary_data(summary: &Value) -> Value {
    let mut data = summary.clone();
    if let Some(fields) = data.as_object_mut() {
        fields.shift_remove("warnings");
        fields.shift_remove("dryRun");
        fields.shift_remove("needs");
        let variables = fields
            .shift_remove("variables")
            .filter(|variables| variables.as_object().is_some_and(|all| !all.is_empty()));
        if let Some(variables) = variables {
            fields.insert("runtimeVariables".into(), variables);
        }
    }
    data
}

fn sentence(summary: &Value) -> String {
    let count = |name: &str| summary[name].as_u64().unwrap_or(0);
    let is_dry = summary["dryRun"] == true;
    let verb = if is_dry { "would be sent" } else { "sent" };
    let many = |name: &str, noun: &str| match count(name) {
        1 => format!("1 {noun}"),
        other => format!("{other} {noun}s"),
    };
    format!("{}, {} {verb}.", many("stepCount", "step"), many("eventCount", "event"))
}
