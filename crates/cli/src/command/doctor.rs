//! `doctor`: tests function, not presence.

use super::{Shell, pick};
use crate::arguments::Doctor;
use crate::render::Answer;
use serde_json::{Value, json};

pub(super) fn run(shell: &Shell, command: &Doctor) -> Answer {
    let response = shell.call("doctor.run", json!({}));
    let mut answer = Answer::of(&response, |reply| pick(reply, &[("checks", "/checks")]));
    if !command.verbose {
        hide_details(&mut answer.data["checks"]);
    }
    let checks = answer.data["checks"].as_array();
    let failed: Vec<String> = checks
        .into_iter()
        .flatten()
        .filter(|check| check["status"] == "fail")
        .filter_map(|check| check["name"].as_str().map(str::to_owned))
        .collect();
    if answer.code == 0 && !failed.is_empty() {
        answer.code = 5;
        answer.message = format!("Not working: {}.", failed.join(", "));
        answer.errors = failed;
    }
    answer
}

fn hide_details(checks: &mut Value) {
    for check in checks.as_array_mut().into_iter().flatten() {
        check["details"] = Value::Null;
    }
}
