//! Steps on windows and on the clipboard, in scripts that a client starts.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, reason = "a test")]

mod desk;

use crossmacro_model::Rect;
use crossmacro_platform::{Clipboard as _, ClipboardContent};
use desk::Desk;
use serde_json::{Value, json};

fn run(desk: &Desk, steps: &Value) -> Value {
    let start = json!({"kind": "run", "steps": steps, "returnVariables": true, "timeoutSeconds": 20});
    let id = desk.ok("automation.start", start)["operation"]["operationId"].clone();
    desk.ok("automation.get", json!({"operationId": id, "waitMs": 20_000}))["operation"].clone()
}

fn succeeded(desk: &Desk, steps: Value) -> Value {
    let operation = run(desk, &steps);
    assert_eq!(operation["state"], "succeeded", "{operation}");
    operation["variables"].clone()
}

fn failed(desk: &Desk, steps: Value) -> String {
    let operation = run(desk, &steps);
    assert_eq!(operation["state"], "failed", "{operation}");
    operation["outcome"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn windows_are_found_and_told() {
    let desk = Desk::new();
    desk.fake.open_window("Notes - one", "Edit", Rect::new(10, 20, 200, 100), [9, 9, 9]);
    desk.fake.open_window("Notes - two", "Edit", Rect::new(50, 60, 200, 100), [9, 9, 9]);
    let told = succeeded(
        &desk,
        json!([
            "window active title t",
            "window active geometry g",
            "window active maximize m",
            "window search title NOTES top",
            "window search title \"exact:Notes - one\" one",
            "window search class nothing none",
            "window wait title 'regex:^Notes .*one$$' 500 waited",
            "window wait title never 1 missing",
        ]),
    );
    assert_eq!((&told["t"], &told["m"]), (&json!("Notes - two"), &json!("false")));
    assert_eq!((&told["none"], &told["missing"]), (&json!(""), &json!("")));
    assert_eq!(told["one"], told["waited"]);
    assert_ne!(told["top"], told["one"], "the topmost is meant");
    assert!(told["g"].as_str().unwrap().split(' ').count() == 4, "{told}");
}

#[test]
fn windows_are_changed_or_the_step_fails() {
    let desk = Desk::new();
    desk.fake.open_window("First", "A", Rect::new(10, 20, 200, 100), [9, 9, 9]);
    desk.fake.open_window("Second", "B", Rect::new(50, 60, 200, 100), [9, 9, 9]);
    let told = succeeded(
        &desk,
        json!([
            "window focus title first",
            "window active title t",
            "window move 300 200",
            "window active geometry g",
            "window search title second at",
            "window close address $at",
            "window search title second gone",
        ]),
    );
    assert_eq!((&told["t"], &told["gone"]), (&json!("First"), &json!("")));
    assert!(told["g"].as_str().unwrap().starts_with("300 200 "), "{told}");
    let message = failed(&desk, json!(["window focus title Nobody"]));
    assert!(message.contains("no window matches"), "{message}");
    let message = failed(&desk, json!(["set none \"\"", "set none 5", "window focus class \"regex:(\""]));
    assert!(message.contains("regular expression"), "{message}");
}

#[test]
fn the_clipboard_is_read_and_replaced_and_never_told() {
    let desk = Desk::new();
    desk.fake.set(ClipboardContent::Text("geheim".into())).unwrap();
    let told = succeeded(
        &desk,
        json!(["clipboard get before", "clipboard set '$before und mehr'", "clipboard get after"]),
    );
    assert_eq!((&told["before"], &told["after"]), (&json!("geheim"), &json!("geheim und mehr")));
    let text = desk.fake.text(1 << 20, &crossmacro_platform::Cancel::new()).unwrap();
    assert_eq!(text.as_deref(), Some("geheim und mehr"));
    // Nobody answers to ctrl+c on this desktop: the step fails, and the text is there again.
    let message = failed(&desk, json!(["clipboard capture ctrl+c x"]));
    assert!(message.contains("nothing was copied") && !message.contains("geheim"), "{message}");
    let text = desk.fake.text(1 << 20, &crossmacro_platform::Cancel::new()).unwrap();
    assert_eq!(text.as_deref(), Some("geheim und mehr"));
}

#[test]
fn a_rehearsal_looks_at_nothing() {
    let desk = Desk::new();
    desk.fake.set(ClipboardContent::Text("geheim".into())).unwrap();
    let before = desk.fake.timeline();
    let steps = json!([
        "clipboard get x",
        "clipboard set y",
        "window focus title z",
        "window active title t",
        "tap a"
    ]);
    let start = json!({"kind": "run", "steps": steps, "dryRun": true});
    let id = desk.ok("automation.start", start)["operation"]["operationId"].clone();
    let ended = desk.ok("automation.get", json!({"operationId": id, "waitMs": 20_000}));
    assert_eq!(ended["operation"]["state"], "succeeded", "{ended}");
    assert_eq!(desk.fake.timeline(), before);
}

#[test]
fn a_picture_on_the_clipboard_survives_a_copy_that_copies_nothing() {
    let desk = Desk::new();
    let picture = vec![0x89, b'P', b'N', b'G'];
    desk.fake.set(ClipboardContent::Png(picture.clone())).unwrap();
    failed(&desk, json!(["clipboard capture ctrl+c x"]));
    assert_eq!(desk.fake.png(1 << 20, &crossmacro_platform::Cancel::new()).unwrap(), Some(picture));
}
