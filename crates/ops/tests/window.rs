//! What the window operations say and do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_model::Rect;
use desk::Desk;
use serde_json::{Value, json};

fn three() -> Desk {
    let desk = Desk::new();
    desk.fake.open_window("Editor - notes", "Edit", Rect::new(10, 10, 100, 80), [1, 1, 1]);
    desk.fake.open_window("Terminal", "XTerm", Rect::new(200, 10, 100, 80), [2, 2, 2]);
    desk.fake.open_window("Editor - letter", "Edit", Rect::new(400, 10, 100, 80), [3, 3, 3]);
    desk
}

fn titles(answer: &Value) -> Vec<String> {
    answer["windows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|window| window["title"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_list_is_in_stacking_order_and_a_search_begins_at_the_top() {
    let desk = three();
    let all = desk.ok("window.query", json!({"mode": "list"}));
    assert_eq!(titles(&all), ["Editor - notes", "Terminal", "Editor - letter"]);
    let found =
        desk.ok("window.query", json!({"mode": "search", "selectorKind": "class", "selectorValue": "eDiT"}));
    assert_eq!(titles(&found), ["Editor - letter", "Editor - notes"]);
    let exact = desk.ok(
        "window.query",
        json!({"mode": "search", "selectorKind": "title", "selectorValue": "exact:Terminal"}),
    );
    assert_eq!(titles(&exact), ["Terminal"]);
    let regex = desk.ok(
        "window.query",
        json!({"mode": "search", "selectorKind": "title", "selectorValue": "regex:notes$"}),
    );
    assert_eq!(titles(&regex), ["Editor - notes"]);
}

#[test]
fn a_list_of_many_is_cut_and_says_where_to_go_on() {
    let desk = Desk::new();
    for index in 0..150 {
        desk.fake.open_window(&format!("window {index}"), "Many", Rect::new(0, 0, 10, 10), [0, 0, 0]);
    }
    let first = desk.ok("window.query", json!({"mode": "list"}));
    assert_eq!(
        (titles(&first).len(), &first["totalCount"], &first["isTruncated"]),
        (100, &json!(150), &json!(true))
    );
    let second = desk.ok("window.query", json!({"mode": "list", "cursor": first["cursor"]}));
    assert_eq!(
        (titles(&second).len(), &second["isTruncated"], &second["cursor"]),
        (50, &json!(false), &Value::Null)
    );
    assert_eq!(titles(&second)[0], "window 100");
}

#[test]
fn a_wait_that_finds_nothing_is_a_success_that_says_so() {
    let desk = three();
    let wait = json!({"mode": "wait", "selectorKind": "title", "selectorValue": "absent", "timeoutMs": 0});
    let answer = desk.ok("window.query", wait);
    assert_eq!((&answer["found"], titles(&answer).len()), (&json!(false), 0));
}

#[test]
fn a_selector_must_fit_the_mode() {
    let desk = three();
    for (arguments, expected) in [
        (json!({"mode": "search"}), "the mode search needs selectorKind and selectorValue"),
        (json!({"mode": "list", "selectorKind": "title"}), "selectorKind does not belong to the mode list"),
        (json!({"mode": "list", "timeoutMs": 5}), "timeoutMs does not belong to the mode list"),
        (
            json!({"mode": "wait", "selectorKind": "title", "selectorValue": "x", "cursor": 5}),
            "cursor does not belong to the mode wait",
        ),
        (
            json!({"mode": "search", "selectorKind": "title", "selectorValue": "  "}),
            "selectorValue is blank: it would match every window",
        ),
        (
            json!({"mode": "search", "selectorKind": "address", "selectorValue": "0xZZ"}),
            "a window address is a number such as 0x1c00007",
        ),
    ] {
        assert_eq!(desk.fault("window.query", arguments), ("invalid_arguments".into(), expected.into()));
    }
    let (_, message) = desk.fault(
        "window.query",
        json!({"mode": "search", "selectorKind": "title", "selectorValue": "regex:("}),
    );
    assert!(message.starts_with("the regular expression can't be used"), "{message}");
}

#[test]
fn a_change_acts_on_the_topmost_match_and_warns_of_others() {
    let desk = three();
    let answer = desk.ok(
        "window.control",
        json!({"action": "move", "selectorKind": "class", "selectorValue": "Edit", "x": 7, "y": 9}),
    );
    assert_eq!((&answer["changed"], &answer["window"]["title"]), (&json!(true), &json!("Editor - letter")));
    assert_eq!((&answer["window"]["frame"]["x"], &answer["window"]["frame"]["y"]), (&json!(7), &json!(9)));
    assert_eq!(answer["outcome"]["warnings"], json!(["2 windows match; the topmost was taken"]));
}

#[test]
fn a_toggle_without_a_selector_acts_on_the_focused_window() {
    let desk = three();
    let toggle = || desk.ok("window.control", json!({"action": "maximize"}))["window"]["isMaximized"].clone();
    assert_eq!((toggle(), toggle()), (json!(true), json!(false)));
    let on = || {
        desk.ok("window.control", json!({"action": "fullscreen", "enabled": true}))["window"]["isFullscreen"]
            .clone()
    };
    assert_eq!((on(), on()), (json!(true), json!(true)));
}

#[test]
fn nothing_is_reported_that_did_not_happen() {
    let desk = three();
    let stubborn = desk.fake.open_window("Save first?", "Ask", Rect::new(0, 0, 10, 10), [0, 0, 0]);
    desk.fake.make_stubborn(stubborn);
    let response = desk
        .call("window.control", json!({"action": "close", "selectorKind": "title", "selectorValue": "Save"}));
    assert_eq!(response.outcome.errors[0].code, "runtime_error");
    assert_eq!(response.structured()["changed"], Value::Null);
    assert_eq!(response.structured()["outcome"]["errors"][0]["details"]["delivered"], "uncertain");
    let (code, message) = desk.fault(
        "window.control",
        json!({"action": "focus", "selectorKind": "title", "selectorValue": "absent"}),
    );
    assert_eq!((code.as_str(), message.as_str()), ("runtime_error", "there is no such window"));
}

#[test]
fn a_closed_window_is_gone() {
    let desk = three();
    let answer = desk.ok(
        "window.control",
        json!({"action": "close", "selectorKind": "title", "selectorValue": "Terminal"}),
    );
    assert_eq!(answer["window"], Value::Null);
    assert_eq!(
        titles(&desk.ok("window.query", json!({"mode": "list"}))),
        ["Editor - notes", "Editor - letter"]
    );
}

#[test]
fn workspaces_go_by_name_or_number() {
    let desk = three();
    let switch = |name: &str| {
        desk.ok("window.control", json!({"action": "workspace_switch", "workspaceName": name}))["workspace"]
            .clone()
    };
    assert_eq!((switch("two"), switch("1")), (json!("two"), json!("one")));
    let (code, _) = desk.fault("window.control", json!({"action": "workspace_switch", "workspaceName": "3"}));
    assert_eq!(code, "runtime_error");
    let all = desk.ok("window.query", json!({"mode": "workspaces"}))["workspaces"].clone();
    assert_eq!(all, json!([{"name": "one", "isCurrent": true}, {"name": "two", "isCurrent": false}]));
}

#[test]
fn stray_arguments_of_an_action_are_refused() {
    let desk = three();
    for (arguments, expected) in [
        (json!({"action": "focus"}), "the action focus needs selectorKind"),
        (json!({"action": "move", "x": 1}), "the action move needs y"),
        (json!({"action": "center", "width": 5}), "width does not belong to the action center"),
        (
            json!({"action": "close", "selectorKind": "title", "selectorValue": "x", "enabled": true}),
            "enabled does not belong to the action close",
        ),
        (json!({"action": "resize", "width": 5}), "the action resize needs height"),
        (json!({"action": "workspace_switch"}), "the action workspace_switch needs workspaceName"),
    ] {
        assert_eq!(desk.fault("window.control", arguments), ("invalid_arguments".into(), expected.into()));
    }
    assert_eq!(desk.fake.timeline(), "");
}
