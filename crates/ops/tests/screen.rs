//! What the screen operations say about a desktop whose every pixel is known.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_model::Rect;
use crossmacro_platform::{Cancel, Display, Error};
use desk::Desk;
use serde_json::json;

#[test]
fn a_pixel_has_the_colour_of_the_topmost_window() {
    let desk = Desk::new();
    desk.fake.open_window("below", "A", Rect::new(0, 0, 100, 100), [0x11, 0x22, 0x33]);
    desk.fake.open_window("above", "B", Rect::new(50, 50, 100, 100), [0xAA, 0xBB, 0xCC]);
    let pixel =
        |x: i32, y: i32| desk.ok("screen.read", json!({"mode": "pixel", "x": x, "y": y}))["color"].clone();
    assert_eq!(pixel(10, 10), "112233");
    assert_eq!(pixel(60, 60), "AABBCC");
    assert_eq!(pixel(900, 500), "000000");
}

#[test]
fn places_that_no_monitor_shows_are_refused() {
    let desk = Desk::new();
    for (x, y) in [(-1, 0), (1000, 0), (0, 600), (i32::MIN, i32::MAX)] {
        assert_eq!(
            desk.fault("screen.read", json!({"mode": "pixel", "x": x, "y": y})).0,
            "invalid_arguments"
        );
    }
    let monitor = |name: &str, region| Display { name: name.into(), region, scale: 1.0, is_primary: false };
    desk.fake.set_monitors(vec![
        monitor("left", Rect::new(-100, 0, 100, 50)),
        monitor("right", Rect::new(0, 0, 100, 100)),
    ]);
    assert_eq!(
        desk.ok("screen.read", json!({"mode": "pixel", "x": -1, "y": 10}))["point"],
        json!({"x": -1, "y": 10})
    );
    // Below the left monitor lies a void: no pixel, and never a match.
    assert_eq!(desk.fault("screen.read", json!({"mode": "pixel", "x": -1, "y": 60})).0, "invalid_arguments");
    let search = json!({"mode": "search_color", "x": -100, "y": 60, "x2": 100, "y2": 100, "color": "000000", "timeoutMs": 0});
    assert_eq!(desk.ok("screen.read", search)["point"], json!({"x": 0, "y": 60}));
}

#[test]
fn a_search_gives_the_first_match_row_by_row() {
    let desk = Desk::new();
    desk.fake.open_window("a", "A", Rect::new(300, 20, 10, 10), [200, 0, 0]);
    desk.fake.open_window("b", "B", Rect::new(100, 25, 10, 10), [203, 0, 0]);
    let search = |tolerance: u8, color: &str| {
        desk.call(
            "screen.read",
            json!({"mode": "search_color", "x": 400, "y": 400, "x2": 0, "y2": 0, "color": color,
                "tolerance": tolerance, "timeoutMs": 0, "failOnTimeout": false}),
        )
        .structured()
    };
    assert_eq!(search(0, "c80000")["point"], json!({"x": 300, "y": 20}));
    assert_eq!(search(0, "CB0000")["point"], json!({"x": 100, "y": 25}));
    let near = search(2, "CA0000");
    assert_eq!(near["point"], json!({"x": 300, "y": 20}));
    assert_eq!(near["color"], "C80000");
    assert_eq!(search(0, "00FF00")["found"], false);
}

#[test]
fn an_expired_wait_is_a_timeout_that_says_what_was_seen() {
    let desk = Desk::new();
    let wait = json!({"mode": "wait_color", "x": 5, "y": 5, "color": "FFFFFF", "timeoutMs": 0});
    let response = desk.call("screen.read", wait);
    assert_eq!(response.outcome.errors[0].code, "timeout");
    assert_eq!(response.structured()["color"], "000000");
    assert_eq!(response.structured()["found"], false);
}

#[test]
fn arguments_of_another_mode_are_refused_by_name() {
    let desk = Desk::new();
    let (code, message) = desk.fault("screen.read", json!({"mode": "pixel", "x": 0, "y": 0, "tolerance": 1}));
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("invalid_arguments", "tolerance does not belong to the mode pixel")
    );
    let (_, message) =
        desk.fault("screen.read", json!({"mode": "search_color", "x": 0, "y": 0, "color": "FFFFFF"}));
    assert_eq!(message, "the mode search_color needs x2");
    let (code, _) =
        desk.fault("screen.read", json!({"mode": "wait_color", "x": 0, "y": 0, "color": "#FFFFF"}));
    assert_eq!(code, "invalid_arguments");
}

#[test]
fn a_lost_display_is_one_clear_error_and_the_next_call_works() {
    let desk = Desk::new();
    desk.fake.fail_next(Error::Lost { why: "broken pipe".into() });
    let (code, _) = desk.fault("cursor.position", json!({}));
    assert_eq!(code, "environment_error");
    assert_eq!(desk.ok("cursor.position", json!({}))["point"], json!({"x": 0, "y": 0}));
}

#[test]
fn a_missing_facet_names_what_was_tried() {
    let desk = Desk::new();
    desk.fake.refuse("capture", "the simulation refuses");
    let (code, message) = desk.fault("screen.read", json!({"mode": "pixel", "x": 0, "y": 0}));
    assert_eq!(code, "environment_error");
    assert!(message.contains("the simulation refuses"), "{message}");
}

#[test]
fn a_wait_ends_when_the_caller_cancels() {
    let desk = Desk::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let call = crossmacro_ops::Call::new(crossmacro_ops::Surface::Mcp, &cancel);
    let wait = json!({"mode": "wait_color", "x": 5, "y": 5, "color": "FFFFFF", "timeoutMs": 30000});
    let response = crossmacro_ops::guard::call(&desk.context, &call, "screen.read", wait);
    assert_eq!(response.outcome.errors[0].code, "cancelled");
    assert_eq!(response.outcome.exit_code, 130);
}

#[test]
fn a_screenshot_needs_a_destination_before_the_screen_is_read() {
    let desk = Desk::new();
    desk.fake.fail_next(Error::Cancelled);
    let (code, message) = desk.fault("screenshot.capture", json!({}));
    assert_eq!((code.as_str(), message.as_str()), ("invalid_arguments", "the picture has no destination"));
    let (_, message) = desk.fault("screenshot.capture", json!({"includeImage": true, "regionX": 1}));
    assert!(message.contains("belong together"), "{message}");
    // The failure is still waiting: nothing touched the desktop.
    assert_eq!(desk.fault("cursor.position", json!({})).0, "cancelled");
}

#[test]
fn a_screenshot_says_what_it_shows() {
    let desk = Desk::new();
    let answer = desk.ok(
        "screenshot.capture",
        json!({"includeImage": true, "regionX": -50, "regionY": 10, "regionWidth": 100, "regionHeight": 20}),
    );
    // Clipped to the monitor.
    assert_eq!((answer["width"].as_u64(), answer["height"].as_u64()), (Some(50), Some(20)));
    assert_eq!((answer["originX"].as_i64(), answer["originY"].as_i64()), (Some(0), Some(10)));
    assert_eq!(answer["imageIncluded"], true);
}
