//! What `status.get` and `doctor.run` tell about the simulated desktop.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use crossmacro_ops::{Call, Surface, guard};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::{Value, json};

/// The checks of the command line's `doctor`.
fn doctor(desk: &Desk) -> Vec<Value> {
    let cancel = Cancel::new();
    let response = guard::call(&desk.context, &Call::new(Surface::Cli, &cancel), "doctor.run", json!({}));
    assert!(response.outcome.success, "{}", response.text());
    response.structured()["checks"].as_array().unwrap().clone()
}

fn names(checks: &[Value]) -> Vec<&str> {
    checks.iter().map(|check| check["name"].as_str().unwrap()).collect()
}

fn check<'a>(checks: &'a [Value], name: &str) -> &'a Value {
    checks.iter().find(|check| check["name"] == name).unwrap()
}

const UNDISTURBING: [&str; 11] = [
    "platform",
    "display-environment",
    "config-path",
    "display-session",
    "displays",
    "linux-screen-reading",
    "position-provider",
    "input-simulator",
    "windows",
    "clipboard",
    "input-capture",
];

#[test]
fn only_the_doctor_runs_the_loops() {
    let desk = Desk::new();
    let status = desk.ok("status.get", json!({}));
    assert_eq!(names(status["capabilities"]["checks"].as_array().unwrap()), UNDISTURBING);
    let checks = doctor(&desk);
    assert_eq!(names(&checks), [&UNDISTURBING[..], &["pixel-loop"]].concat());
    for check in &checks {
        let keys: Vec<_> = check.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "status", "message", "details"]);
        assert_eq!(check["status"], "pass", "{check}");
    }
    assert_eq!(check(&checks, "platform")["details"], Value::Null);
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn a_missing_facet_fails_its_check_with_the_remedy() {
    let desk = Desk::new();
    desk.fake.refuse("pointer", "the simulation lacks XTEST");
    let checks = doctor(&desk);
    let simulator = check(&checks, "input-simulator");
    assert_eq!(simulator["status"], "fail");
    let message = simulator["message"].as_str().unwrap();
    assert!(message.contains("the simulation lacks XTEST. To fix it: ask the test"), "{message}");
    desk.fake.refuse("listener", "the simulation is deaf");
    assert_eq!(check(&doctor(&desk), "input-capture")["status"], "warn");
    // Nobody needs the place of the pointer to click.
    assert_eq!(check(&checks, "position-provider")["status"], "warn");
}

#[test]
fn without_a_display_every_check_is_still_listed() {
    let desk = Desk::new();
    desk.fake.refuse("display", "DISPLAY is not set");
    let checks = doctor(&desk);
    assert_eq!(names(&checks), UNDISTURBING);
    let environment = check(&checks, "display-environment");
    assert_eq!(environment["status"], "fail");
    assert!(environment["message"].as_str().unwrap().contains("DISPLAY is not set"), "{environment}");
    for name in ["display-session", "input-simulator", "linux-screen-reading"] {
        assert_eq!(check(&checks, name)["status"], "fail");
    }
    assert_eq!(check(&checks, "platform")["status"], "pass");
}
