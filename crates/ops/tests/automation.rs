//! Starting, watching and stopping scripts.

mod desk;

use crossmacro_model::Rect;
use desk::Desk;
use serde_json::{Value, json};

fn start(desk: &Desk, arguments: Value) -> String {
    let answer = desk.ok("automation.start", arguments);
    answer["operation"]["operationId"].as_str().unwrap().to_owned()
}

fn ended(desk: &Desk, id: &str) -> Value {
    let answer = desk.ok("automation.get", json!({"operationId": id, "waitMs": 20_000}));
    assert_ne!(answer["operation"]["state"], "running");
    answer["operation"].clone()
}

#[test]
fn a_script_acts_and_leaves_nothing_down() {
    let desk = Desk::new();
    let window = desk.fake.open_window("Notes", "Edit", Rect::new(10, 10, 200, 100), [9, 9, 9]);
    let steps = json!(["move abs 50 60", "click left", "key down ctrl", "type Grüße $$5", "scroll down 2"]);
    let operation = ended(&desk, &start(&desk, json!({"kind": "run", "steps": steps})));
    assert_eq!((&operation["state"], &operation["outcome"]["success"]), (&json!("succeeded"), &json!(true)));
    assert_eq!(desk.fake.text_of(window), "Grüße $5");
    assert_eq!(desk.fake.held(), Vec::<String>::new());
    let timeline = desk.fake.timeline();
    assert!(
        timeline.starts_with("move 50,60\npress left at 50,60\nrelease left at 50,60\nkey 29 down\n"),
        "{timeline}"
    );
    assert!(timeline.contains("scroll down"), "{timeline}");
    assert!(timeline.ends_with("key 29 up"), "{timeline}");
    // What was typed is no business of the result.
    assert!(!operation.to_string().contains("Grüße"));
}

#[test]
fn wrong_steps_are_all_named_before_anything_happens() {
    let desk = Desk::new();
    let steps = json!(["move abs 1 2", "clik left", "type x", "tap ctrl+foo"]);
    let response = desk.call("automation.start", json!({"kind": "run", "steps": steps}));
    let problem = &response.outcome.errors[0];
    assert_eq!(problem.code, "invalid_arguments");
    assert_eq!(problem.details["diagnosticCount"], 2);
    assert_eq!(problem.details["diagnostics"][0]["step"], 2);
    assert_eq!(problem.details["diagnostics"][0]["nearest"][0], "click");
    assert_eq!(response.structured()["operation"], Value::Null);
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn a_stopped_script_releases_what_it_holds_and_is_cancelled() {
    let desk = Desk::new();
    let id = start(&desk, json!({"kind": "run", "steps": ["key down shift", "down left", "delay 60000"]}));
    while desk.fake.held().len() < 2 {
        std::thread::yield_now();
    }
    let busy = desk.fault("automation.start", json!({"kind": "run", "steps": ["tap a"]}));
    assert_eq!(busy.0, "busy");
    let stopped = desk.ok("automation.stop", json!({"operationId": id}));
    assert_eq!(stopped["cancellationInitiated"], true);
    let operation = ended(&desk, &id);
    assert_eq!(operation["state"], "cancelled");
    assert_eq!(operation["outcome"]["exitCode"], 130);
    assert_eq!(desk.fake.held(), Vec::<String>::new());
    assert_eq!(desk.ok("automation.stop", json!({"operationId": id}))["cancellationInitiated"], false);
}

#[test]
fn an_expired_limit_is_a_timeout_and_no_cancellation() {
    let desk = Desk::new();
    let steps = json!(["key down shift", "delay 60000"]);
    let operation = ended(&desk, &start(&desk, json!({"kind": "run", "steps": steps, "timeoutSeconds": 1})));
    assert_eq!(
        (&operation["state"], &operation["outcome"]["errors"][0]["code"]),
        (&json!("failed"), &json!("timeout"))
    );
    assert_eq!(desk.fake.held(), Vec::<String>::new());
}

#[test]
fn a_dry_run_touches_nothing_and_counts() {
    let desk = Desk::new();
    let steps = json!(["set n 3", "repeat $n {", "tap a", "}"]);
    let arguments = json!({"kind": "run", "steps": steps, "dryRun": true, "returnVariables": true});
    let operation = ended(&desk, &start(&desk, arguments));
    assert_eq!(operation["outcome"]["message"], "The run is done: 6 events would be delivered.");
    assert_eq!(operation["variables"], json!({"n": "3"}));
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn a_step_file_needs_its_own_capabilities_and_runs_before_the_steps() {
    let desk = Desk::new();
    let path = desk.home.path().join("steps.txt");
    std::fs::write(&path, "# a comment\n\nmove abs 1 1\n").unwrap();
    let id = start(&desk, json!({"kind": "run", "stepFilePath": path, "steps": ["move abs 2 2"]}));
    assert_eq!(ended(&desk, &id)["state"], "succeeded");
    assert_eq!(desk.fake.timeline(), "move 1,1\nmove 2,2");
    let (code, _) = desk.fault("automation.start", json!({"kind": "run", "stepFilePath": "steps.txt"}));
    assert_eq!(code, "invalid_arguments");
}

#[test]
fn ids_are_checked_and_forgotten_ones_say_so() {
    let desk = Desk::new();
    for id in ["0".repeat(32), "F".repeat(32)] {
        assert_eq!(desk.fault("automation.get", json!({"operationId": id})).0, "invalid_arguments");
    }
    for id in ["", "xyz", &"g".repeat(32), &"0".repeat(33)] {
        assert_eq!(desk.fault("automation.stop", json!({"operationId": id})).0, "invalid_arguments");
    }
}

#[test]
fn limits_on_steps_hold() {
    let desk = Desk::new();
    let many: Vec<&str> = vec!["tap a"; 101];
    for steps in [json!([]), json!([" "]), json!(many), json!(["type ".to_owned() + &"x".repeat(16_384)])] {
        let (code, _) = desk.fault("automation.start", json!({"kind": "run", "steps": steps}));
        assert_eq!(code, "invalid_arguments");
    }
    // Within every single limit, over the common one.
    let long = vec!["type ".to_owned() + &"x".repeat(16_000); 20];
    assert_eq!(desk.fault("automation.start", json!({"kind": "run", "steps": long})).0, "invalid_arguments");
    assert_eq!(desk.fake.timeline(), "");
}
