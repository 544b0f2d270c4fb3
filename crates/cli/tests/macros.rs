//! `crossmacro macro ...` as a person and a script see it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod shell;

use serde_json::{Value, json};
use shell::Shell;

const MENU: &str =
    "# Name: Menu\n# IsAbsolute: True\n[Events]\nM,abs,1,2\nW,40\nC,abs,1,2,Left\nKP,30\nW,5\nKR,30\n";

fn shell() -> Shell {
    let shell = Shell::without_display();
    for (name, text) in [
        ("menu.macro", MENU.to_owned()),
        ("later.macro", MENU.replace("W,40", "W,60").replace("KP,30\n", "")),
        ("wrong.macro", "[Script]\ntap ctrl+Entr\n[Events]\nKQ,1\n".to_owned()),
        ("login.sh", "xdotool type 'me'\nxdotool key Tab\n".to_owned()),
        ("quiet.macro", "[Script]\ntap a\n".to_owned()),
    ] {
        std::fs::write(shell.home.path().join(name), text).unwrap();
    }
    shell
}

#[test]
fn validate_and_info_keep_their_shapes() {
    let shell = shell();
    let valid = shell.json(0, &["macro", "validate", "menu.macro"]);
    let mut expected = json!({
        "macroPath": shell.home.path().join("menu.macro"), "macroName": "Menu", "eventCount": 4, "stepCount": 0,
        "totalDurationMs": 45, "coordinateMode": "absolute", "isAbsoluteCoordinates": true,
    });
    assert_eq!(valid["data"], expected);
    let more = json!({
        "createdAt": null, "skipInitialZeroZero": false, "trailingDelayMs": 0, "hasTrailingRandomDelay": false,
        "trailingDelayMinMs": 0, "trailingDelayMaxMs": 0,
        "eventBreakdown": {"mouseMove": 1, "buttonPress": 0, "buttonRelease": 0, "click": 1, "keyPress": 1, "keyRelease": 1},
    });
    expected.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    assert_eq!(shell.json(0, &["macro", "info", "menu.macro"])["data"], expected);
}

#[test]
fn a_wrong_macro_ends_with_4_and_all_its_lines() {
    let shell = shell();
    let answer = shell.json(4, &["macro", "validate", "wrong.macro"]);
    assert_eq!(answer["data"], Value::Null);
    let expected = json!([
        "validation_error: line 4: expected a wait (W, WU, WR), M, P, R, C, KP or KR, found \"KQ\"; did you mean KP or KR?",
        "validation_error: line 2 (step 1): there is no key of this name, found \"ctrl+Entr\"; did you mean Enter?",
    ]);
    assert_eq!(answer["errors"], expected);
    assert_eq!(shell.json(4, &["macro", "info", "wrong.macro"])["data"]["stepCount"], 1);
    assert_eq!(shell.run(&["macro", "validate", "missing.macro"]).code, 3);
    assert_eq!(shell.run(&["macro", "validate", "login.sh"]).code, 2);
    assert_eq!(shell.run(&["macro", "validate"]).code, 2);
    assert_eq!(shell.run(&["macro"]).code, 2);
}

#[test]
fn a_path_may_go_up() {
    let shell = shell();
    std::fs::create_dir(shell.home.path().join("deeper")).unwrap();
    assert_eq!(shell.run(&["macro", "validate", "deeper/../menu.macro"]).code, 0);
    assert_eq!(shell.run(&["macro", "validate", "missing/../menu.macro"]).code, 2);
}

#[test]
fn a_difference_is_read_line_by_line() {
    let shell = shell();
    let ran = shell.run(&["macro", "diff", "menu.macro", "later.macro"]);
    let expected = "1 removed, 0 added, 1 at another time.\n\
        ~ event 2: click left at (1, 2) after 60 ms, was after 40 ms\n\
        - event 3: press key A after 0 ms\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected));
    assert_eq!(
        shell.run(&["macro", "diff", "menu.macro", "menu.macro"]).out,
        "The two macros play the same.\n"
    );
    let answer = shell.json(0, &["macro", "diff", "menu.macro", "later.macro"]);
    assert_eq!(
        answer["data"]["events"][1],
        json!({"change": "removed", "number": 3, "text": "press key A after 0 ms"})
    );
    assert_eq!(shell.run(&["macro", "diff", "menu.macro", "wrong.macro"]).code, 4);
    assert_eq!(shell.run(&["macro", "diff", "--lenient", "menu.macro", "wrong.macro"]).code, 0);
}

#[test]
fn conversions_are_printed_or_written() {
    let shell = shell();
    let steps = shell.run(&["macro", "convert", "menu.macro", "--to", "steps"]);
    let expected = "move abs 1 2\ndelay 40\nclick left\nkey down KEY_A\ndelay 5\nkey up KEY_A\n";
    assert_eq!((steps.code, steps.out.as_str()), (0, expected));
    let written = shell.json(0, &["macro", "convert", "login.sh", "-o", "login.macro"]);
    assert_eq!((&written["data"]["from"], &written["data"]["stepCount"]), (&json!("xdotool"), &json!(2)));
    assert_eq!(shell.run(&["macro", "validate", "login.macro"]).code, 0);
    let back = shell.run(&["macro", "convert", "menu.macro", "-o", "script.macro"]);
    assert_eq!(back.code, 0, "{}", back.err);
    let events = shell.run(&["macro", "convert", "script.macro"]);
    assert!(
        events.out.ends_with("[Events]\nM,abs,1,2\nWU,40000\nC,abs,1,2,Left\nKP,30\nWU,5000\nKR,30\n"),
        "{}",
        events.out
    );
    // A text has no events without a layout.
    let refused = shell.json(4, &["macro", "convert", "login.macro", "--to", "events", "-o", "flat.macro"]);
    assert!(refused["errors"][0].as_str().unwrap().contains("keyboard layout"), "{refused}");
    assert!(!shell.home.path().join("flat.macro").exists());
}

#[test]
fn a_picture_and_risky_things() {
    let shell = shell();
    let drawn = shell.json(0, &["macro", "render", "menu.macro", "-o", "menu.png"]);
    let bytes = std::fs::read(shell.home.path().join("menu.png")).unwrap();
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(
        (json!(side(16)), json!(side(20))),
        (drawn["data"]["width"].clone(), drawn["data"]["height"].clone())
    );
    let risky = shell.json(4, &["macro", "lint", "menu.macro"]);
    assert_eq!(risky["data"]["findings"][0]["rule"], "absolute-coordinates");
    assert!(risky["errors"][0].as_str().unwrap().starts_with("event 1: absolute-coordinates: "));
    assert_eq!(shell.json(0, &["macro", "lint", "quiet.macro"])["data"]["findings"], json!([]));
}
