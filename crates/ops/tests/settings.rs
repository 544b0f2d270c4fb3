//! What the settings operations say, save and keep back.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "functions that tests share are tests too"
)]

mod desk;

use crossmacro_ops::{Call, Surface, guard};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::{Value, json};

impl Desk {
    /// The same as a person at the command line asks for it.
    fn local(&self, name: &str, arguments: Value) -> Value {
        guard::call(&self.context, &Call::new(Surface::Cli, &Cancel::new()), name, arguments).structured()
    }

    fn file(&self, path: &str) -> Value {
        let bytes = std::fs::read(self.home.path().join("config").join(path)).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }
}

#[test]
fn one_setting_and_all_of_them_are_read_with_their_source() {
    let desk = Desk::new();
    let one = desk.ok("settings.get", json!({"key": "playback.speed"}));
    let expected = json!([{"key": "playback.speed", "value": "1", "redacted": false, "defaultValue": "1", "source": "default"}]);
    assert_eq!((&one["action"], &one["settings"]), (&json!("get"), &expected));
    let keys = desk.ok("settings.list_keys", json!({}))["keys"].clone();
    for arguments in [json!({}), json!({"key": " "}), json!({"key": "playback.speed", "all": true})] {
        assert_eq!(desk.ok("settings.get", arguments)["keys"], keys);
    }
    assert_eq!(desk.ok("settings.get", json!({"key": "mcp.shellExecute"}))["settings"][0]["value"], "true");
}

#[test]
fn a_change_is_saved_and_told() {
    let desk = Desk::new();
    let set = desk.ok("settings.set", json!({"key": "playback.motionMode", "value": "strict"}));
    assert_eq!((&set["oldValue"], &set["newValue"]), (&json!("Precision"), &json!("StrictSpeed")));
    assert_eq!(set["settings"][0]["source"], "profile");
    assert_eq!(desk.file("profiles/default/settings.json")["motionMode"], 1);
    let reset = desk.ok("settings.reset", json!({"key": "playback.motionMode"}));
    assert_eq!((&reset["action"], &reset["newValue"]), (&json!("reset"), &json!("Precision")));
    assert_eq!(desk.file("profiles/default/settings.json").get("motionMode"), None);
    let clamped = desk.ok("settings.set", json!({"key": "playback.speed", "value": "99"}));
    assert_eq!(clamped["newValue"], "10");
    assert_eq!(clamped["outcome"]["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn bad_keys_and_values_are_refused_with_help() {
    let desk = Desk::new();
    let response = desk.call("settings.get", json!({"key": "playback.sped"}));
    let problem = &response.outcome.errors[0];
    assert_eq!((problem.code, response.outcome.exit_code), ("invalid_arguments", 2));
    assert_eq!(problem.details["nearest"][0], "playback.speed");
    for (key, value) in [
        ("playback.speed", "1,5"),
        ("playback.speed", "NaN"),
        ("playback.loopCount", "1e2"),
        ("playback.loopCount", "-1"),
        ("playback.loop", "maybe"),
        ("logging.level", "Loud"),
        ("ui.theme", " "),
        ("screen.portalRestoreToken", "geheim"),
        ("nothing.at.all", "1"),
    ] {
        let response = desk.call("settings.set", json!({"key": key, "value": value}));
        assert_eq!(response.outcome.errors[0].code, "invalid_arguments", "{key} {value}");
        assert!(!response.structured().to_string().contains("geheim"));
    }
    assert!(!desk.home.path().join("config/profiles").exists(), "nothing is saved");
}

#[test]
fn a_client_can_neither_widen_the_policy_nor_see_folders() {
    let desk = Desk::new();
    for (tool, key) in [
        ("settings.set", "mcp.privilegeElevation"),
        ("settings.set", "MCP.shellExecute"),
        ("settings.set", "mcp.unknown"),
        ("settings.set", "mcp.paths.fileRead"),
        ("settings.reset", "mcp.paths.fileRead"),
    ] {
        let mut arguments = json!({"key": key});
        if tool == "settings.set" {
            arguments["value"] = "true".into();
        }
        let response = desk.call(tool, arguments);
        let problem = &response.outcome.errors[0];
        assert_eq!((problem.code, response.outcome.exit_code), ("capability_denied", 5), "{tool} {key}");
        assert_eq!(problem.details["settingsKey"], Value::Null);
    }
    let set = desk.local("settings.set", json!({"key": "mcp.paths.fileRead", "value": "/geheim"}));
    assert_eq!((&set["outcome"]["success"], &set["newValue"]), (&json!(true), &json!("/geheim")));
    assert!(!set["outcome"].to_string().contains("geheim"));
    let seen = desk.ok("settings.get", json!({"key": "mcp.paths.fileRead"}));
    assert_eq!(
        seen["settings"][0],
        json!({"key": "mcp.paths.fileRead", "value": null, "redacted": true, "defaultValue": null, "source": "global"})
    );
    assert!(!desk.ok("settings.get", json!({"all": true})).to_string().contains("geheim"));
}

#[test]
fn a_change_by_a_person_counts_at_the_next_call() {
    let desk = Desk::new();
    desk.local("settings.set", json!({"key": "mcp.settingsRead", "value": "no"}));
    let response = desk.call("settings.get", json!({}));
    assert_eq!(response.outcome.errors[0].details["settingsKey"], "mcp.settingsRead");
    desk.ok("settings.set", json!({"key": "ui.trayIcon", "value": "yes"}));
    desk.local("settings.set", json!({"key": "mcp.settingsWrite", "value": "off"}));
    assert_eq!(desk.fault("settings.reset", json!({"key": "ui.trayIcon"})).0, "capability_denied");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_of_the_machine() {
    let desk = Desk::new();
    std::fs::write(desk.home.path().join("config"), "in the way").unwrap();
    let set = desk.local("settings.set", json!({"key": "ui.trayIcon", "value": "yes"}));
    assert_eq!(set["outcome"]["errors"][0]["code"], "runtime_error");
    assert_eq!(desk.local("settings.get", json!({"key": "ui.trayIcon"}))["settings"][0]["value"], "false");
    // What can't be read widens nothing.
    assert_eq!(desk.fault("settings.get", json!({})).0, "capability_denied");
}

#[test]
fn approval_that_nobody_can_give_is_refused_and_reading_never_asks() {
    let desk = Desk::new();
    let tray = json!({"key": "ui.trayIcon", "value": "yes"});
    let with = |key: &str, value: &str| {
        let set = desk.local("settings.set", json!({"key": key, "value": value}));
        assert_eq!(set["outcome"]["success"], true, "{set}");
    };
    with("mcp.approvalMode", "ask");
    let refused = desk.call("settings.set", tray.clone());
    let problem = &refused.outcome.errors[0];
    assert_eq!((problem.code, refused.outcome.exit_code), ("approval_unavailable", 5));
    assert_eq!(problem.details["settingsKey"], "mcp.approval.settingsWrite");
    desk.ok("settings.get", json!({}));
    desk.ok("status.get", json!({}));
    // Whoever may start something may stop it.
    with("mcp.approval.recording", "auto");
    let stop = json!({"operationId": "0".repeat(32)});
    assert_eq!(desk.fault("automation.stop", stop).0, "invalid_arguments");
    with("mcp.approval.settingsWrite", "auto");
    desk.ok("settings.set", tray.clone());
    assert_eq!(desk.fault("profile.create", json!({"name": "x"})).0, "approval_unavailable");
    with("mcp.approvalMode", "auto");
    with("mcp.approval.settingsWrite", "deny");
    assert_eq!(desk.fault("settings.set", tray.clone()).0, "approval_denied");
    with("mcp.approval.settingsWrite", "inherit");
    with("audit.required", "true");
    assert_eq!(desk.fault("settings.set", tray.clone()).0, "environment_error");
    for key in ["audit.required", "mcp.approvalMode", "mcp.approval.fileRead"] {
        assert_eq!(desk.fault("settings.reset", json!({"key": key})).0, "capability_denied", "{key}");
    }
    with("audit.required", "false");
    desk.ok("settings.set", tray);
}
