//! Macros that are played: by automation.start, and as the macros of tasks.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_ops::{Call, Surface, guard};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::{Value, json};

const TAP: &str = "# Name: Tap\n# IsAbsolute: True\n# SkipInitialZero: True\n# Format: CrossMacroFormatV2\n[Events]\nM,abs,50,60\nC,abs,50,60,Left\nKP,30\nW,5\nKR,30\n";

fn file(desk: &Desk, name: &str, text: &str) -> String {
    let path = desk.home.path().canonicalize().unwrap().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn start(desk: &Desk, arguments: Value) -> String {
    let answer = desk.ok("automation.start", arguments);
    assert_eq!(answer["operation"]["kind"], "play");
    answer["operation"]["operationId"].as_str().unwrap().to_owned()
}

fn ended(desk: &Desk, id: &str) -> Value {
    let answer = desk.ok("automation.get", json!({"operationId": id, "waitMs": 20_000}));
    assert_ne!(answer["operation"]["state"], "running");
    answer["operation"].clone()
}

fn allow(desk: &Desk, values: &Value) {
    let folder = desk.home.path().join("config");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("global-settings.json"), values.to_string()).unwrap();
}

const PLAYED: &str = "move 50,60\npress left at 50,60\nrelease left at 50,60\nkey 30 down\nkey 30 up";

#[test]
fn a_macro_is_played_as_often_as_asked() {
    let desk = Desk::new();
    let path = file(&desk, "tap.macro", TAP);
    let operation = ended(&desk, &start(&desk, json!({"kind": "play", "macroPath": path})));
    assert_eq!((&operation["state"], &operation["outcome"]["success"]), (&json!("succeeded"), &json!(true)));
    assert_eq!(desk.fake.timeline(), PLAYED);
    let twice = json!({"kind": "play", "macroPath": path, "repeatCount": 3, "speedMultiplier": 10});
    let operation = ended(&desk, &start(&desk, twice));
    assert_eq!(operation["outcome"]["message"], "The play is done: 12 events were delivered.");
    assert_eq!(desk.fake.timeline().matches("key 30 up").count(), 4);
}

#[test]
fn a_dry_run_touches_nothing() {
    let desk = Desk::new();
    let path = file(&desk, "tap.macro", TAP);
    let operation = ended(&desk, &start(&desk, json!({"kind": "play", "macroPath": path, "dryRun": true})));
    assert_eq!(operation["outcome"]["message"], "The play is done: 4 events would be delivered.");
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn an_endless_one_goes_on_until_it_is_stopped_and_leaves_nothing_down() {
    let desk = Desk::new();
    let text = TAP.replace("W,5", "W,60000");
    let path = file(&desk, "held.macro", &text);
    let id = start(&desk, json!({"kind": "play", "macroPath": path, "loop": true}));
    while desk.fake.held().is_empty() {
        std::thread::yield_now();
    }
    assert_eq!(desk.ok("automation.stop", json!({"operationId": id}))["cancellationInitiated"], true);
    assert_eq!(ended(&desk, &id)["state"], "cancelled");
    assert_eq!(desk.fake.held(), Vec::<String>::new());
}

#[test]
fn a_relative_macro_begins_in_the_corner() {
    let desk = Desk::new();
    let text = "# IsAbsolute: False\n# Format: CrossMacroFormatV2\n[Events]\nM,rel-logical,5,7\n";
    let path = file(&desk, "relative.macro", text);
    ended(&desk, &start(&desk, json!({"kind": "play", "macroPath": path, "repeatCount": 2})));
    assert_eq!(desk.fake.timeline(), "move 0,0\nmove 5,7\nmove 0,0\nmove 5,7");
}

#[test]
fn what_is_wrong_is_refused_before_anything_happens() {
    let desk = Desk::new();
    let path = file(&desk, "tap.macro", TAP);
    let broken = file(&desk, "broken.macro", &TAP.replace("W,5", "W,5\nHOP,1"));
    for (arguments, code, word) in [
        (json!({}), "invalid_arguments", "macroPath"),
        (json!({"macroPath": path, "repeatCount": 0}), "invalid_arguments", "loop"),
        (json!({"macroPath": path, "steps": ["tap a"]}), "invalid_arguments", "steps belongs to kind run"),
        (json!({"macroPath": path, "speedMultiplier": 11}), "invalid_arguments", "speedMultiplier"),
        (json!({"macroPath": path, "motionMode": "fast"}), "invalid_arguments", "motionMode"),
        (json!({"macroPath": "relative.macro"}), "invalid_arguments", "absolute"),
        (json!({"macroPath": format!("{path}x")}), "invalid_arguments", ".macro"),
        (json!({"macroPath": path.replace("tap", "none")}), "file_error", ""),
        (json!({"macroPath": broken}), "validation_error", "HOP"),
    ] {
        let mut whole = json!({"kind": "play"});
        whole.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        let (found, message) = desk.fault("automation.start", whole.clone());
        assert!(found == code && message.contains(word), "{whole}: {found} {message}");
    }
    let stray = json!({"kind": "run", "steps": ["tap a"], "loop": true});
    assert!(desk.fault("automation.start", stray).1.contains("loop belongs to kind play"));
    assert_eq!(desk.fake.timeline(), "");
    let lenient = json!({"kind": "play", "macroPath": broken, "lenient": true});
    let operation = ended(&desk, &start(&desk, lenient));
    assert_eq!(desk.fake.timeline(), PLAYED);
    assert!(operation["outcome"]["warnings"][0].as_str().unwrap().contains("HOP"), "{operation}");
}

#[test]
fn a_client_needs_what_the_script_of_the_macro_needs() {
    let desk = Desk::new();
    let text = "# Format: CrossMacroFormatV2\n[Script]\npixelcolor 1 2 c\ntap a\n[Events]\n";
    let path = file(&desk, "looks.macro", text);
    let play = json!({"kind": "play", "macroPath": path});
    allow(&desk, &json!({"mcpSecurity": {"allowScreenRead": false}}));
    let (code, message) = desk.fault("automation.start", play.clone());
    assert!(code == "capability_denied" && message.contains("ScreenRead"), "{code} {message}");
    allow(&desk, &json!({"mcpSecurity": {"allowMacroRead": false}}));
    let (code, message) = desk.fault("automation.start", play.clone());
    assert!(code == "capability_denied" && message.contains("MacroRead"), "{code} {message}");
    assert_eq!(desk.fake.timeline(), "");
    allow(&desk, &json!({}));
    assert_eq!(ended(&desk, &start(&desk, play))["state"], "succeeded");
    assert_eq!(desk.fake.timeline(), "key 30 down\nkey 30 up");
}

#[test]
fn tasks_are_run_by_hand_and_remember_it() {
    let desk = Desk::new();
    let path = file(&desk, "tap.macro", TAP);
    let schedule = desk.ok("schedule.add", json!({"name": "Tea", "macroPath": path, "speed": 5}));
    let ran = desk.ok("schedule.run", json!({"taskId": schedule["task"]["id"]}));
    assert_eq!(
        (&ran["action"], &ran["run"]["name"], &ran["task"]),
        (&json!("run"), &json!("Tea"), &Value::Null)
    );
    assert_eq!((&ran["run"]["lastStatus"], &ran["run"]["enabled"]), (&json!("Success"), &json!(false)));
    assert_eq!(desk.fake.timeline(), PLAYED);
    assert_eq!(desk.ok("schedule.list", json!({}))["tasks"][0]["lastRunTime"], ran["run"]["lastRunTime"]);

    let more =
        json!({"name": "Twice", "macroPath": path, "hotkey": "Ctrl+F9", "loop": true, "repeatCount": 2});
    let shortcut = desk.ok("shortcut.add", more);
    let ran = desk.ok("shortcut.run", json!({"taskId": shortcut["task"]["id"]}));
    assert_eq!((&ran["run"]["hotkey"], &ran["run"]["lastStatus"]), (&json!("Ctrl+F9"), &json!("Success")));
    assert_eq!(desk.fake.timeline().matches("key 30 up").count(), 3);

    let none = json!({"taskId": "00000000-0000-0000-0000-00000000000a"});
    assert_eq!(desk.fault("shortcut.run", none).0, "invalid_arguments");
    std::fs::remove_file(&path).unwrap();
    let (code, _) = desk.fault("schedule.run", json!({"taskId": schedule["task"]["id"]}));
    assert_eq!(code, "file_error");
}

#[test]
fn an_endless_run_of_a_shortcut_ends_with_its_call() {
    let desk = Desk::new();
    let path = file(&desk, "held.macro", &TAP.replace("W,5", "W,60000"));
    let more =
        json!({"name": "Held", "macroPath": path, "hotkey": "Ctrl+F9", "loop": true, "repeatCount": 0});
    let id = desk.ok("shortcut.add", more)["task"]["id"].clone();
    let cancel = Cancel::new();
    let response = std::thread::scope(|scope| {
        let call = scope.spawn(|| {
            guard::call(
                &desk.context,
                &Call::new(Surface::Mcp, &cancel),
                "shortcut.run",
                json!({"taskId": id}),
            )
        });
        while desk.fake.held().is_empty() {
            std::thread::yield_now();
        }
        cancel.cancel();
        call.join().unwrap()
    });
    assert_eq!((response.outcome.success, response.outcome.exit_code), (false, 130));
    assert_eq!(desk.fake.held(), Vec::<String>::new());
    assert_eq!(desk.ok("shortcut.list", json!({}))["tasks"][0]["lastStatus"], "Cancelled");
}
