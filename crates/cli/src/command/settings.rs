//! `settings ...`.

use super::Shell;
use crate::arguments::Settings;
use crate::render::Answer;
use serde_json::{Map, Value, json};

pub(super) fn run(shell: &Shell, command: Settings) -> Answer {
    match command {
        Settings::Get { key: Some(key), all: false } => one(shell, &key),
        Settings::Get { .. } => all(shell),
        Settings::ListKeys => list_keys(shell),
        Settings::Set { key, value, dry } => {
            let arguments = json!({"key": key, "value": value});
            change(shell, "settings.set", arguments, &key, dry.dry_run)
        }
        Settings::Reset { key, dry } => {
            change(shell, "settings.reset", json!({"key": key}), &key, dry.dry_run)
        }
    }
}

fn one(shell: &Shell, key: &str) -> Answer {
    let response = shell.call("settings.get", json!({"key": key}));
    let mut answer = Answer::of(
        &response,
        |reply| json!({"key": reply["settings"][0]["key"], "value": reply["settings"][0]["value"]}),
    );
    answer.raw = Some(line(&response.structured()["settings"][0]));
    answer
}

fn all(shell: &Shell) -> Answer {
    let response = shell.call("settings.get", json!({"all": true}));
    let structured = response.structured();
    let entries = || structured["settings"].as_array().into_iter().flatten();
    let mut answer = Answer::of(&response, |_| {
        let by_key = |entry: &Value| Some((entry["key"].as_str()?.to_owned(), entry["value"].clone()));
        entries().filter_map(by_key).collect::<Map<_, _>>().into()
    });
    answer.raw = Some(entries().map(line).collect());
    answer
}

/// "playback.speed = 2 (profile; default 1)".
fn line(entry: &Value) -> String {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    let (value, default) = (text("value"), text("defaultValue"));
    let origin = match value == default {
        true => text("source").to_owned(),
        false if default.is_empty() => format!("{}; default empty", text("source")),
        false => format!("{}; default {default}", text("source")),
    };
    format!("{} = {value} ({origin})\n", text("key"))
}

fn list_keys(shell: &Shell) -> Answer {
    let response = shell.call("settings.list_keys", json!({}));
    let mut answer = Answer::of(&response, |reply| json!({"keys": reply["keys"]}));
    let structured = response.structured();
    let described = structured["descriptions"].as_array().into_iter().flatten().map(|entry| {
        let text = |name: &str| entry[name].as_str().unwrap_or_default();
        format!("{}\n    {} Accepts {}.\n", text("key"), text("description"), text("accepts"))
    });
    answer.raw = Some(described.collect());
    answer
}

fn change(shell: &Shell, operation: &str, arguments: Value, key: &str, is_dry: bool) -> Answer {
    if is_dry {
        // A key that does not exist is found without a change.
        let known = shell.call("settings.get", json!({"key": key}));
        if !known.outcome.success {
            return Answer::of(&known, Value::clone);
        }
        return Answer::of(&shell.rehearse(operation, arguments), |_| Value::Null);
    }
    let response = shell.call(operation, arguments);
    Answer::of(
        &response,
        |reply| json!({"key": reply["keys"][0], "oldValue": reply["oldValue"], "newValue": reply["newValue"]}),
    )
}
