//! Steps of a script that look at the screen, from their text to what they did.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, and writes the files that it reads"
)]

mod desk;

use crossmacro_imaging::{Format, Options, encode};
use crossmacro_model::{Frame, Rect, Size};
use desk::Desk;
use serde_json::{Value, json};
use std::path::PathBuf;

fn pattern() -> Vec<[u8; 3]> {
    (0..120_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).map(|[_, a, b, c]| [a, b, c]).collect()
}

const SIZE: (u32, u32) = (12, 10);

fn asset(desk: &Desk) -> PathBuf {
    let bytes: Vec<u8> = pattern().iter().flat_map(|&[r, g, b]| [b, g, r, 0]).collect();
    let frame =
        Frame::new(Rect::new(0, 0, SIZE.0, SIZE.1), Size::new(SIZE.0, SIZE.1), 48, Box::new(bytes)).unwrap();
    let path = desk.home.path().join("ok.png");
    std::fs::write(&path, encode(&frame, Format::Png, Options::default()).unwrap().bytes).unwrap();
    path
}

fn show(desk: &Desk, x: i32, y: i32) {
    desk.fake.draw(Rect::new(x, y, SIZE.0, SIZE.1), pattern());
}

/// Runs the steps to their end.
fn run(desk: &Desk, steps: &[&str]) -> Value {
    let assets = json!([{"name": "ok", "filePath": asset(desk)}]);
    run_with(desk, json!({"kind": "run", "steps": steps, "imageAssets": assets, "returnVariables": true}))
}

fn run_with(desk: &Desk, arguments: Value) -> Value {
    let answer = desk.ok("automation.start", arguments);
    let id = answer["operation"]["operationId"].clone();
    let answer = desk.ok("automation.get", json!({"operationId": id, "waitMs": 30_000}));
    assert_ne!(answer["operation"]["state"], "running");
    answer["operation"].clone()
}

fn problem(operation: &Value) -> (String, String) {
    assert_eq!(operation["state"], "failed", "{operation}");
    let error = &operation["outcome"]["errors"][0];
    (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

#[test]
fn colours_are_read_awaited_and_searched() {
    let desk = Desk::new();
    desk.fake.draw(Rect::new(50, 60, 2, 2), vec![[0xab, 0xcd, 0xef]; 4]);
    let steps = [
        "pixelcolor 50 60 a",
        "move abs 49 59",
        "pixelcolor rel 2 2 b",
        "pixelcolor 3 3",
        "waitcolor 50 60 $a 1000 seen",
        "waitcolor 50 60 000001 0 unseen",
        "pixelsearch 100 100 0 0 ABCDEF f x y",
        "pixelsearch 0 0 100 100 ABCDEE px py tolerance 1",
        "pixelsearch 0 0 40 40 ABCDEF g gx gy timeout 0",
    ];
    let operation = run(&desk, &steps);
    assert_eq!(operation["state"], "succeeded", "{operation}");
    let expected = json!({"a": "ABCDEF", "b": "ABCDEF", "seen": "true", "unseen": "false", "f": "true", "x": "50", "y": "60",
        "px": "50", "py": "60", "g": "false", "gx": "-1", "gy": "-1"});
    assert_eq!(operation["variables"], expected);
}

#[test]
fn searches_in_vain_without_a_variable_fail() {
    let desk = Desk::new();
    for (step, code, says) in [
        ("waitcolor 1 1 123456 30", "timeout", "is 000000, and did not become 123456"),
        ("pixelsearch 0 0 9 9 123456 timeout 0", "timeout", "no pixel"),
        ("pixelsearch 0 0 9 9 123456 x y timeout 0", "timeout", "no pixel"),
        ("imagesearch ok", "runtime_error", "scores 0."),
        ("waitimage ok timeout 30", "timeout", "scores 0."),
        ("imageclick ok timeout 30", "timeout", "scores 0."),
        ("pixelcolor 5000 1", "invalid_arguments", "outside"),
        ("imagesearch region 0 0 5 5 ok", "runtime_error", "larger than where"),
    ] {
        let (found, message) = problem(&run(&desk, &["set n 1", step, "tap a"]));
        assert_eq!(found, code, "{step}: {message}");
        assert!(message.starts_with("Step 2: ") && message.contains(says), "{step}: {message}");
    }
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn pictures_are_found_and_clicked_in_their_middle() {
    let desk = Desk::new();
    show(&desk, 400, 300);
    let steps = [
        "imagesearch ok a ax ay",
        "waitimage 390 290 500 400 ok b bx by similarity 1 matchmode first",
        "imageclick region 390 290 100 100 ok c cx cy button right timeout 1000",
        "click left",
        "imagesearch 0 0 100 100 ok d dx dy",
    ];
    let operation = run(&desk, &steps);
    let expected = json!({"a": "true", "ax": "400", "ay": "300", "b": "true", "bx": "400", "by": "300",
        "c": "true", "cx": "406", "cy": "305", "d": "false", "dx": "-1", "dy": "-1"});
    assert_eq!(operation["variables"], expected);
    // Buttons act there from now on, as after an absolute move.
    assert_eq!(
        desk.fake.timeline(),
        "move 406,305\npress right at 406,305\nrelease right at 406,305\npress left at 406,305\nrelease left at 406,305"
    );
}

#[test]
fn one_of_two_equal_pictures_is_not_clicked_by_guess() {
    let desk = Desk::new();
    show(&desk, 100, 100);
    show(&desk, 500, 300);
    let (code, message) = problem(&run(&desk, &["imageclick ok done x y timeout 200"]));
    assert_eq!(code, "ambiguous_match");
    assert!(message.contains("100,100") && message.contains("500,300"), "{message}");
    assert_eq!(desk.fake.timeline(), "");
    let operation = run(&desk, &["imagesearch ok a x y"]);
    assert_eq!(operation["variables"]["x"], "100");
    assert!(
        operation["outcome"]["warnings"][0].as_str().unwrap().starts_with("ambiguous_match"),
        "{operation}"
    );
    assert_eq!(run(&desk, &["imageclick ok matchmode first timeout 0"])["state"], "succeeded");
    assert!(desk.fake.timeline().starts_with("move 106,105"));
}

#[test]
fn pictures_are_checked_before_anything_runs() {
    let desk = Desk::new();
    let start = |arguments: Value| desk.fault("automation.start", arguments);
    let (code, message) = start(
        json!({"kind": "run", "steps": ["tap a", "waitimage okk"], "imageAssets": [{"name": "ok", "filePath": asset(&desk)}]}),
    );
    assert_eq!(code, "invalid_arguments");
    assert!(message.contains("okk"), "{message}");
    let path = asset(&desk);
    for (assets, code) in [
        (json!([{"name": "ok", "filePath": path}, {"name": "ok", "filePath": path}]), "invalid_arguments"),
        (json!([{"name": "o k", "filePath": path}]), "invalid_arguments"),
        (json!([{"name": "ok", "filePath": "ok.png"}]), "invalid_arguments"),
        (json!([{"name": "ok", "filePath": desk.home.path().join("no.png")}]), "file_error"),
        (
            json!((0..101).map(|n| json!({"name": format!("n{n}"), "filePath": path})).collect::<Vec<_>>()),
            "invalid_arguments",
        ),
    ] {
        assert_eq!(
            start(json!({"kind": "run", "steps": ["tap a"], "imageAssets": assets})).0,
            code,
            "{assets}"
        );
    }
    assert_eq!(desk.fake.timeline(), "");
    // A dry run reads the pictures, and looks at nothing.
    let looks = desk.fake.looks();
    let assets = json!([{"name": "ok", "filePath": path}]);
    let steps = json!(["waitimage ok f x y", "if $f == true {", "move abs $x $y", "}"]);
    let operation =
        run_with(&desk, json!({"kind": "run", "steps": steps, "imageAssets": assets, "dryRun": true}));
    assert_eq!(operation["state"], "succeeded", "{operation}");
    assert!(operation["outcome"]["warnings"][0].as_str().unwrap().contains("estimate"));
    assert_eq!((desk.fake.looks(), desk.fake.timeline()), (looks, String::new()));
}

#[test]
fn needs_follow_from_the_steps_and_the_pictures() {
    let desk = Desk::restricted();
    let steps = |step: &str| json!({"kind": "run", "steps": [step]});
    // In restricted mode the screen may be read, and nothing may act.
    let (code, _) = desk.fault("automation.start", steps("pixelcolor 1 1"));
    assert_eq!(code, "capability_denied");
}

#[test]
fn a_wait_in_a_script_ends_when_it_is_stopped() {
    let desk = Desk::new();
    let answer = desk.ok(
        "automation.start",
        json!({"kind": "run", "steps": ["key down shift", "waitcolor 1 1 123456 3000000"]}),
    );
    let id = answer["operation"]["operationId"].clone();
    while desk.fake.looks() < 2 {
        std::thread::yield_now();
    }
    desk.ok("automation.stop", json!({"operationId": id}));
    let answer = desk.ok("automation.get", json!({"operationId": id, "waitMs": 5_000}));
    assert_eq!(answer["operation"]["state"], "cancelled");
    assert_eq!(desk.fake.held(), Vec::<String>::new());
}
