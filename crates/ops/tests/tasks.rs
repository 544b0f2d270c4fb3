//! Schedules, shortcuts and triggers through the guard, as a client uses them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::needless_pass_by_value, reason = "a test")]

mod desk;

use crossmacro_ops::{Call, Surface, guard, registry};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::{Value, json};
use std::path::PathBuf;

fn macro_file(desk: &Desk, name: &str) -> String {
    let path = desk.home.path().canonicalize().unwrap().join(name);
    std::fs::write(&path, "# Name: x\n").unwrap();
    path.to_str().unwrap().to_owned()
}

fn id(answer: &Value) -> String {
    answer["task"]["id"].as_str().unwrap().to_owned()
}

fn with(mut arguments: Value, more: Value) -> Value {
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

fn stored(desk: &Desk, file: &str) -> Value {
    let path: PathBuf = desk.home.path().join("config/profiles/default").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn settings(desk: &Desk, values: Value) {
    let folder = desk.home.path().join("config");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("global-settings.json"), values.to_string()).unwrap();
}

fn warnings(answer: &Value) -> Vec<&str> {
    answer["outcome"]["warnings"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn a_schedule_lives_from_add_to_remove() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let added = desk.ok("schedule.add", json!({"name": " Back up ", "macroPath": path, "interval": "5M"}));
    let task = &added["task"];
    assert_eq!((&added["action"], &added["tasks"], &added["run"]), (&json!("add"), &json!([]), &Value::Null));
    assert_eq!((&task["name"], &task["enabled"]), (&json!("Back up"), &json!(false)));
    assert_eq!((&task["type"], &task["intervalValue"]), (&json!("Interval"), &json!(5)));
    assert_eq!((&task["intervalUnit"], &task["weeklyDays"]), (&json!("Minutes"), &Value::Null));
    assert_eq!(task["nextRunTime"], Value::Null);
    let one = json!({"taskId": id(&added)});
    let enabled = desk.ok("schedule.enable", one.clone());
    assert!(enabled["task"]["nextRunTime"].is_string());
    let next = desk.ok("schedule.next", one.clone());
    assert_eq!(next["task"]["nextRunTime"], enabled["task"]["nextRunTime"]);
    let renamed = desk.ok("schedule.edit", with(one.clone(), json!({"name": "Other"})));
    assert_eq!(renamed["task"]["nextRunTime"], enabled["task"]["nextRunTime"], "the plan stays");
    let weekly = desk.ok("schedule.edit", with(one.clone(), json!({"weekly": "mon,FRI", "time": "7:30"})));
    let task = &weekly["task"];
    assert_eq!((&task["weeklyDays"], &task["weeklyTime"]), (&json!("Monday, Friday"), &json!("07:30:00")));
    assert_ne!(task["nextRunTime"], enabled["task"]["nextRunTime"]);
    let disabled = desk.ok("schedule.disable", one.clone());
    assert_eq!(
        (&disabled["task"]["enabled"], &disabled["task"]["nextRunTime"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(desk.ok("schedule.list", json!({}))["tasks"], json!([disabled["task"]]));
    assert_eq!(desk.ok("schedule.remove", one.clone())["task"]["name"], "Other");
    assert_eq!(desk.fault("schedule.remove", one).0, "invalid_arguments");
    assert_eq!(stored(&desk, "schedules.json"), json!([]));
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn contradictions_are_refused_and_nothing_is_saved() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let add = |more: Value| desk.fault("schedule.add", with(json!({"name": "x", "macroPath": path}), more)).1;
    let at = "2099-01-01T00:00";
    assert!(add(json!({"interval": "5s", "at": at})).contains("exclude each other"));
    assert!(add(json!({"interval": "5s", "intervalMin": "1s", "intervalMax": "2s"})).contains("exclude"));
    assert!(add(json!({"weekly": "mon", "at": at})).contains("exclude each other"));
    assert!(add(json!({"intervalMin": "5s"})).contains("belong together"));
    assert!(add(json!({"intervalMin": "5m", "intervalMax": "10s"})).contains("longer than"));
    assert!(add(json!({"time": "9:00"})).contains("belongs to weekly"));
    assert!(add(json!({"at": at, "time": "9:00"})).contains("belongs to weekly"));
    assert!(add(json!({"weekly": "mon", "time": "9"  , "interval": "1"})).contains("exclude"));
    assert!(add(json!({"weekly": "funday"})).contains("is no day"));
    assert!(add(json!({"weekly": "mon", "time": "900"})).contains("time of day"));
    assert!(add(json!({"interval": "0"})).contains("whole number from 1"));
    assert!(add(json!({"at": "tomorrow"})).contains("date and time"));
    assert!(add(json!({"at": "2001-01-01", "enabled": true})).contains("has passed"));
    assert!(add(json!({"name": " "})).contains("blank"));
    assert!(add(json!({"macroPath": "/nonexistent/a.macro"})).contains("/nonexistent/a.macro"));
    assert!(add(json!({"macroPath": "a.macro"})).contains("absolute"));
    assert!(add(json!({"macroPath": "/a.txt"})).contains(".macro"));
    assert_eq!(desk.ok("schedule.list", json!({}))["tasks"], json!([]));
    assert_eq!(desk.fault("schedule.next", json!({"taskId": "7"})).0, "invalid_arguments");
}

#[test]
fn an_edit_clears_with_null_and_switches_off_what_can_no_longer_run() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let added = desk.ok(
        "schedule.add",
        json!({"name": "x", "macroPath": path, "intervalMin": "90s", "intervalMax": "2m", "speed": 99, "enabled": true}),
    );
    assert_eq!(warnings(&added), ["the speed was set to 10: it goes from 0.1 to 10"]);
    let task = &added["task"];
    assert_eq!((&task["intervalMinValue"], &task["intervalMaxValue"]), (&json!(90), &json!(120)));
    let edit = |more: Value| desk.ok("schedule.edit", with(json!({"taskId": id(&added)}), more));
    let plain = edit(json!({"interval": "7", "speed": null}));
    assert_eq!(
        (&plain["task"]["intervalMinValue"], &plain["task"]["playbackSpeed"]),
        (&Value::Null, &json!(1.0))
    );
    assert_eq!(plain["task"]["enabled"], true);
    let cleared = edit(json!({"macroPath": null, "name": null}));
    assert_eq!(
        (&cleared["task"]["name"], &cleared["task"]["macroFilePath"]),
        (&json!("New Task"), &json!(""))
    );
    assert_eq!((&cleared["task"]["enabled"], &cleared["task"]["nextRunTime"]), (&json!(false), &Value::Null));
    assert_eq!(warnings(&cleared), ["the schedule was switched off: it has no macro"]);
    let refused = desk.fault("schedule.edit", json!({"taskId": id(&added), "enabled": true}));
    assert_eq!(
        refused,
        ("invalid_arguments".to_owned(), "the schedule can't be enabled: it has no macro".to_owned())
    );
    edit(json!({"macroPath": path, "at": "2099-01-01T00:00:00Z", "enabled": true}));
    let past = edit(json!({"at": "2001-01-01T00:00:00Z"}));
    assert_eq!(warnings(&past), ["the schedule was switched off: its time has passed"]);
    assert_eq!(edit(json!({"name": "", "macroPath": " "}))["task"]["macroFilePath"], path.as_str());
}

#[test]
fn a_shortcut_takes_one_hotkey_or_several_and_shows_both() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let base = json!({"name": "x", "macroPath": path});
    let add = |more: Value| desk.call("shortcut.add", with(base.clone(), more));
    let one = add(json!({"hotkey": "shift+CTRL+f5"})).structured();
    assert_eq!(one["task"]["hotkey"], "Ctrl+Shift+F5");
    assert_eq!(one["task"]["hotkeys"], json!(["Ctrl+Shift+F5"]));
    let several = add(json!({"hotkeys": ["F6", "f6", "Ctrl+Mouse Side"]})).structured();
    assert_eq!(several["task"]["hotkeys"], json!(["F6", "Ctrl+Mouse Side"]));
    assert_eq!(warnings(&several), ["1 hotkey(s) were given more than once"]);
    for wrong in [
        json!({}),
        json!({"hotkeys": []}),
        json!({"hotkey": null}),
        json!({"hotkey": "F1", "hotkeys": ["F2"]}),
        json!({"hotkey": "Ctrl+Foo"}),
        json!({"hotkey": "Mouse Left"}),
        json!({"hotkey": "F1", "loop": true, "runWhileHeld": true}),
        json!({"hotkey": "F1", "repeatDelayMinMs": 5}),
        json!({"hotkey": "F1", "repeatDelayMinMs": 5, "repeatDelayMaxMs": 4}),
        json!({"hotkey": "F1", "repeatCount": -1}),
        json!({"hotkey": "F1", "windowRules": [{"value": " "}]}),
        json!({"hotkey": "F1", "windowRules": [{"field": "Workspace", "value": "1"}]}),
        json!({"hotkey": "F1", "windowRules": [{"field": 4, "value": "1"}]}),
        json!({"hotkey": "F1", "windowRules": [{"matchMode": "Regex", "value": "(a)\\1"}]}),
        json!({"hotkey": "F1", "windowRules": [{"vale": "1"}]}),
    ] {
        assert_eq!(add(wrong.clone()).outcome.errors[0].code, "invalid_arguments", "{wrong}");
    }
    let unknown = add(json!({"hotkey": "Ctrl+Entr"}));
    assert!(unknown.outcome.errors[0].remediation.as_ref().unwrap().contains("Enter"));
    assert_eq!(desk.ok("shortcut.list", json!({}))["tasks"].as_array().unwrap().len(), 2);
}

#[test]
fn window_rules_are_names_or_numbers_and_come_back_as_names() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let rules = json!([{"value": "a"}, {"field": "WindowTitle", "matchMode": "Regex", "value": "^a"}, {"field": 3, "matchMode": 0, "value": "b"}]);
    let added = desk
        .ok("shortcut.add", json!({"name": "x", "macroPath": path, "hotkey": "F1", "windowRules": rules}));
    let expected = json!([
        {"field": "WindowClass", "matchMode": "Contains", "value": "a"},
        {"field": "WindowTitle", "matchMode": "Regex", "value": "^a"},
        {"field": "ProcessName", "matchMode": "Equals", "value": "b"},
    ]);
    assert_eq!(added["task"]["windowRules"], expected);
    let edit = |more: Value| desk.ok("shortcut.edit", with(json!({"taskId": id(&added)}), more));
    assert_eq!(edit(json!({"speed": 2}))["task"]["windowRules"], expected, "absent keeps");
    assert_eq!(edit(json!({"windowRules": null}))["task"]["windowRules"], json!([]));
    edit(json!({"windowRules": [{"value": "a"}]}));
    assert_eq!(edit(json!({"clearWindowRules": true}))["task"]["windowRules"], json!([]));
}

#[test]
fn conflicts_are_told_when_something_else_starts_too() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let add = |more: Value| desk.ok("shortcut.add", with(json!({"name": "x", "macroPath": path}), more));
    add(json!({"name": "First", "hotkey": "Ctrl+F1", "enabled": true}));
    let second = add(json!({"hotkey": "ctrl+f1"}));
    assert_eq!(warnings(&second), ["Ctrl+F1 also starts the shortcut \"First\""]);
    let enabled = desk.ok("shortcut.enable", json!({"taskId": id(&second)}));
    assert_eq!(warnings(&enabled), ["Ctrl+F1 also starts the shortcut \"First\""]);
    let bound = desk.ok("shortcut.bind", json!({"taskId": id(&second), "hotkey": "F9"}));
    assert_eq!(warnings(&bound), ["F9 also starts playback"]);
    let scoped = add(json!({"hotkey": "Ctrl+F1", "windowRules": [{"value": "gimp"}]}));
    assert_eq!(warnings(&scoped), Vec::<&str>::new());
}

#[test]
fn a_loop_and_a_run_while_held_end_each_other() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let added =
        desk.ok("shortcut.add", json!({"name": "x", "macroPath": path, "hotkey": "F1", "loop": true}));
    let edit = |more: Value| desk.ok("shortcut.edit", with(json!({"taskId": id(&added)}), more));
    let held = edit(json!({"runWhileHeld": true}));
    assert_eq!((&held["task"]["loopEnabled"], &held["task"]["runWhileHeld"]), (&json!(false), &json!(true)));
    assert_eq!(warnings(&held), ["loop was switched off: it excludes runWhileHeld"]);
    let looped = edit(json!({"loop": true, "repeatDelayMinMs": 1, "repeatDelayMaxMs": 2}));
    assert_eq!(
        (&looped["task"]["loopEnabled"], &looped["task"]["runWhileHeld"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(looped["task"]["randomRepeatDelay"], true);
    let plain = edit(json!({"repeatDelayMinMs": null, "repeatDelayMaxMs": null, "loop": false}));
    assert_eq!(
        (&plain["task"]["randomRepeatDelay"], &plain["task"]["repeatDelayMinMs"]),
        (&json!(false), &Value::Null)
    );
    let unbound = edit(json!({"enabled": true}));
    assert_eq!(unbound["task"]["enabled"], true);
    let off = edit(json!({"hotkeys": null}));
    assert_eq!(warnings(&off), ["the shortcut was switched off: it has no hotkey"]);
}

#[test]
fn a_trigger_is_checked_when_it_is_saved() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let base = json!({"name": "x", "field": "WindowTitle", "value": "Inbox"});
    let added = desk.ok(
        "trigger.add",
        with(base.clone(), json!({"targetProfileId": "DEFAULT", "cooldownMs": 5, "enabled": true})),
    );
    let task = &added["task"];
    assert_eq!((&task["targetProfileId"], &task["enabled"]), (&json!("default"), &json!(true)));
    assert_eq!((&task["matchMode"], &task["fireMode"]), (&json!("Equals"), &json!("OnceOnChange")));
    assert_eq!((&task["action"], &task["macroFilePath"]), (&json!("SwitchProfile"), &Value::Null));
    for wrong in [
        json!({"matchMode": "Regex", "value": "(?=a)"}),
        json!({"matchMode": "Like"}),
        json!({"field": "Title"}),
        json!({"value": " "}),
        json!({"targetProfileId": "nobody"}),
        json!({"enabled": true}),
        json!({"action": "RunMacro", "enabled": true}),
        json!({"cooldownMs": -1}),
    ] {
        let fault = desk.fault("trigger.add", with(base.clone(), wrong.clone()));
        assert_eq!(fault.0, "invalid_arguments", "{wrong}");
    }
    let edit = |more: Value| desk.ok("trigger.edit", with(json!({"taskId": id(&added)}), more));
    let runs = edit(json!({"action": "RunMacro", "macroPath": path, "cooldownMs": 0, "debounceMs": 9}));
    let task = &runs["task"];
    assert_eq!((&task["macroFilePath"], &task["targetProfileId"]), (&json!(path), &Value::Null));
    assert_eq!((&task["cooldownMs"], &task["debounceMs"]), (&Value::Null, &json!(9)));
    let off = edit(json!({"macroPath": ""}));
    assert_eq!(warnings(&off), ["the trigger was switched off: it has no macro"]);
    let always = desk.ok("trigger.add", json!({"name": "y", "field": "None", "targetProfileId": "default"}));
    assert_eq!(desk.ok("trigger.enable", json!({"taskId": id(&always)}))["task"]["enabled"], true);
}

#[test]
fn capabilities_follow_from_the_arguments_and_macros_are_hidden_without_theirs() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let schedule = desk.ok("schedule.add", json!({"name": "x", "macroPath": path}));
    let shortcut = desk.ok("shortcut.add", json!({"name": "x", "macroPath": path, "hotkey": "F1"}));
    let base = json!({"name": "x", "field": "None"});
    let runs = desk.ok("trigger.add", with(base.clone(), json!({"action": "RunMacro", "macroPath": path})));
    settings(&desk, json!({"mcpSecurity": {"allowMacroRead": false}}));
    assert_eq!(desk.ok("schedule.list", json!({}))["tasks"][0]["macroFilePath"], "");
    assert_eq!(desk.ok("shortcut.list", json!({}))["tasks"][0]["macroFilePath"], "");
    assert_eq!(desk.ok("trigger.list", json!({}))["tasks"][0]["macroFilePath"], Value::Null);
    for (name, arguments) in [
        ("schedule.add", json!({"name": "y", "macroPath": path})),
        ("schedule.edit", json!({"taskId": id(&schedule), "name": "y"})),
        ("schedule.enable", json!({"taskId": id(&schedule)})),
        ("shortcut.edit", json!({"taskId": id(&shortcut), "name": "y"})),
        ("trigger.add", with(base.clone(), json!({"macroPath": path}))),
        ("trigger.edit", json!({"taskId": id(&runs), "enabled": true})),
        ("trigger.enable", json!({"taskId": id(&runs)})),
    ] {
        assert_eq!(desk.fault(name, arguments).0, "capability_denied", "{name}");
    }
    desk.ok("trigger.add", with(base, json!({"targetProfileId": "default"})));
    desk.ok("trigger.edit", json!({"taskId": id(&runs), "name": "y"}));
    desk.ok("shortcut.bind", json!({"taskId": id(&shortcut), "hotkey": "F2"}));
    settings(&desk, json!({"mcpSecurity": {"allowTaskManage": false}}));
    for entry in registry::all().filter(|entry| {
        ["schedule.", "shortcut.", "trigger."].iter().any(|subject| entry.spec().name.starts_with(subject))
    }) {
        let name = entry.spec().name;
        let arguments = match name.split('.').nth(1).unwrap() {
            "list" => json!({}),
            "add" if name.starts_with("trigger") => json!({"name": "x", "field": "None"}),
            "add" => json!({"name": "x", "macroPath": path}),
            _ => json!({"taskId": id(&schedule)}),
        };
        assert_eq!(desk.fault(name, arguments).0, "capability_denied", "{name}");
    }
}

#[test]
fn a_stored_macro_outside_the_roots_is_refused_when_it_is_enabled() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    let schedule = desk.ok("schedule.add", json!({"name": "x", "macroPath": path}));
    let root = desk.home.path().canonicalize().unwrap().join("allowed");
    std::fs::create_dir(&root).unwrap();
    settings(&desk, json!({"mcpSecurity": {"paths": {"macroReadRoots": [root]}}}));
    let one = json!({"taskId": id(&schedule)});
    assert_eq!(desk.fault("schedule.enable", one.clone()).0, "path_not_allowed");
    assert_eq!(
        desk.fault("schedule.edit", with(one.clone(), json!({"enabled": true}))).0,
        "path_not_allowed"
    );
    assert_eq!(desk.ok("schedule.list", json!({}))["tasks"][0]["enabled"], false);
    // The person at the command line is not bound by the policy for clients.
    let response =
        guard::call(&desk.context, &Call::new(Surface::Cli, &Cancel::new()), "schedule.enable", one.clone());
    assert!(response.outcome.success, "{}", response.text());
    std::fs::remove_file(&path).unwrap();
    settings(&desk, json!({}));
    assert_eq!(desk.fault("schedule.enable", one).0, "file_error");
}

#[test]
fn an_entry_that_cannot_be_read_is_told_and_can_be_removed() {
    let desk = Desk::new();
    let path = macro_file(&desk, "a.macro");
    desk.ok("schedule.add", json!({"name": "x", "macroPath": path}));
    let file = desk.home.path().join("config/profiles/default/schedules.json");
    let mut entries = stored(&desk, "schedules.json");
    let broken = "00000000-0000-0000-0000-00000000000b";
    entries.as_array_mut().unwrap().push(json!({"id": broken, "weeklyDays": "Funday"}));
    std::fs::write(&file, entries.to_string()).unwrap();
    let list = desk.ok("schedule.list", json!({}));
    assert_eq!(list["tasks"].as_array().unwrap().len(), 1);
    assert!(warnings(&list)[0].contains(broken));
    let one = json!({"taskId": broken});
    assert_eq!(desk.fault("schedule.enable", one.clone()).0, "validation_error");
    desk.ok("schedule.remove", one);
    assert_eq!(warnings(&desk.ok("schedule.list", json!({}))), Vec::<&str>::new());
}
