//! What the guard lets through.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_ops::{Call, Effect, Surface, guard, registry};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::json;

#[test]
fn restricted_mode_allows_status_and_nothing_that_acts_or_reads_the_desktop() {
    let desk = Desk::restricted();
    desk.ok("help.get", json!({}));
    let status = desk.ok("status.get", json!({}));
    assert_eq!(status["isRestricted"], true);
    assert_eq!(status["enabledCapabilities"], json!(["StatusRead", "MacroRead"]));
    for (name, arguments) in [
        ("cursor.position", json!({})),
        ("screen.read", json!({"mode": "pixel", "x": 0, "y": 0})),
        ("screenshot.capture", json!({"includeImage": true})),
        ("window.query", json!({"mode": "list"})),
        ("window.control", json!({"action": "center"})),
        ("clipboard.get_text", json!({})),
        ("clipboard.set_text", json!({"text": "x"})),
        ("image.read", json!({"imagePath": "/x.png"})),
        ("automation.start", json!({"kind": "run", "steps": ["tap a"]})),
    ] {
        let response = desk.call(name, arguments);
        let problem = &response.outcome.errors[0];
        assert_eq!(problem.code, "capability_denied", "{name}");
        assert_eq!(problem.details["restricted"], true);
        assert!(problem.details["settingsKey"].as_str().unwrap().starts_with("mcp."));
    }
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn every_answer_has_all_fields_that_its_schema_requires() {
    let desk = Desk::restricted();
    for entry in registry::all() {
        let response = desk.call(entry.spec().name, json!({"surprise": 1}));
        assert_eq!(response.outcome.errors[0].code, "invalid_arguments", "{}", entry.spec().name);
        let answer = response.structured();
        for field in serde_json::from_str::<serde_json::Value>(entry.schemas().output).unwrap()["required"]
            .as_array()
            .unwrap()
        {
            assert!(
                answer.get(field.as_str().unwrap()).is_some(),
                "{}: {field} is missing",
                entry.spec().name
            );
        }
    }
}

#[test]
fn unknown_tools_are_refused_with_the_nearest_name() {
    let desk = Desk::new();
    let response = desk.call("window.qeury", json!({}));
    assert_eq!(response.outcome.errors[0].code, "tool_not_allowed");
    assert!(response.outcome.errors[0].remediation.as_ref().unwrap().contains("window.query"));
    // What only the command line may call is no tool.
    assert_eq!(desk.fault("doctor.run", json!({})).0, "tool_not_allowed");
}

#[test]
fn no_read_touches_the_desktop() {
    let desk = Desk::new();
    for entry in registry::all().filter(|entry| entry.spec().effect == Effect::Read) {
        desk.call(entry.spec().name, json!({}));
        desk.call(entry.spec().name, json!({"mode": "list"}));
    }
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn a_rehearsal_checks_and_touches_nothing() {
    let desk = Desk::new();
    let rehearse = |name: &str, arguments| {
        let cancel = Cancel::new();
        guard::rehearse(&desk.context, &Call::new(Surface::Mcp, &cancel), name, arguments).structured()
    };
    let done = rehearse("clipboard.set_text", json!({"text": "x"}));
    assert_eq!((&done["outcome"]["success"], &done["length"]), (&json!(true), &json!(null)));
    assert_eq!(rehearse("clipboard.set_text", json!({}))["outcome"]["exitCode"], 2);
    assert_eq!(desk.fake.timeline(), "");
    assert_eq!(desk.fake.clipboard().text, None);
}
