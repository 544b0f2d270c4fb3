//! Waiting for the screen, comparing it, and finding pictures on it, on a desktop whose every pixel is known.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, and writes the files that it reads"
)]

mod desk;

use crossmacro_imaging::{Format, Options, encode, png};
use crossmacro_model::{Frame, Rect, Size};
use crossmacro_ops::{Call, Surface, guard};
use crossmacro_platform::{Cancel, Display};
use desk::Desk;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A picture that is like nothing else, 12 by 10.
const SIZE: (u32, u32) = (12, 10);

fn pattern(seed: u32) -> Vec<[u8; 3]> {
    let mut state = seed.wrapping_mul(747_796_405).wrapping_add(1);
    (0..SIZE.0 * SIZE.1)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, a, b, c] = state.to_le_bytes();
            [a, b, c]
        })
        .collect()
}

fn area(x: i32, y: i32) -> Rect {
    Rect::new(x, y, SIZE.0, SIZE.1)
}

/// Writes a picture and gives its path.
fn file(desk: &Desk, name: &str, (width, height): (u32, u32), pixels: &[[u8; 3]]) -> PathBuf {
    let bytes: Vec<u8> = pixels.iter().flat_map(|&[r, g, b]| [b, g, r, 0]).collect();
    let frame = Frame::new(
        Rect::new(0, 0, width, height),
        Size::new(width, height),
        width as usize * 4,
        Box::new(bytes),
    );
    let path = desk.home.path().join(name);
    std::fs::write(&path, encode(&frame.unwrap(), Format::Png, Options::default()).unwrap().bytes).unwrap();
    path
}

/// Does something to the desktop once somebody has looked at it `looks` times.
fn after_looks(
    desk: &Desk,
    looks: usize,
    act: impl FnOnce(&crossmacro_platform::fake::FakeDesktop) + Send + 'static,
) -> std::thread::JoinHandle<()> {
    let fake = desk.fake.clone();
    let target = fake.looks() + looks;
    std::thread::spawn(move || {
        while fake.looks() < target {
            std::thread::yield_now();
        }
        act(&fake);
    })
}

#[test]
fn a_change_is_seen_where_it_is_and_a_redraw_is_none() {
    let desk = Desk::new();
    let other = after_looks(&desk, 2, |fake| {
        fake.redraw(Rect::new(0, 0, 500, 500));
        fake.draw(area(300, 200), pattern(1));
    });
    let answer = desk.ok("screen.wait_change", json!({"timeoutMs": 20_000}));
    other.join().unwrap();
    assert_eq!(answer["changed"], true);
    assert_eq!(answer["rectangles"], json!([{"x": 300, "y": 200, "width": 12, "height": 10}]));
    assert_eq!(answer["region"], json!({"x": 0, "y": 0, "width": 1000, "height": 600}));
    // Drawn anew with equal pixels, and changed elsewhere: nothing.
    let other = after_looks(&desk, 2, |fake| {
        fake.redraw(Rect::new(0, 0, 50, 50));
        fake.draw(area(500, 200), pattern(2));
    });
    let region = json!({"regionX": 0, "regionY": 0, "regionWidth": 50, "regionHeight": 50, "timeoutMs": 150});
    let response = desk.call("screen.wait_change", region.clone());
    other.join().unwrap();
    assert_eq!(response.outcome.errors[0].code, "timeout");
    assert_eq!(response.structured()["changed"], false);
    let mut lenient = region;
    lenient["failOnTimeout"] = json!(false);
    assert_eq!(desk.ok("screen.wait_change", lenient)["changed"], false);
}

#[test]
fn a_change_since_a_capture_is_not_missed() {
    let desk = Desk::new();
    let shot = desk.ok("screenshot.capture", json!({"includeImage": true}));
    let since = shot["captureId"].as_str().unwrap();
    desk.fake.draw(area(7, 8), pattern(1));
    let answer = desk.ok("screen.wait_change", json!({"since": since, "timeoutMs": 0}));
    assert_eq!(answer["rectangles"], json!([{"x": 7, "y": 8, "width": 12, "height": 10}]));
    let next = answer["captureId"].as_str().unwrap();
    assert_ne!(next, since);
    assert_eq!(desk.ok("screen.diff", json!({"since": next}))["changed"], false);
    for (arguments, argument) in [
        (json!({"since": "capture-99"}), "since"),
        (json!({"since": since, "regionX": 0, "regionY": 0, "regionWidth": 1, "regionHeight": 1}), "since"),
    ] {
        let response = desk.call("screen.wait_change", arguments);
        assert_eq!(response.outcome.errors[0].code, "invalid_arguments");
        assert_eq!(response.outcome.errors[0].details["argument"], argument);
    }
}

#[test]
fn an_unchanged_screen_is_looked_at_a_few_times_only() {
    let desk = Desk::new();
    let looks = || desk.fake.looks();
    let before = looks();
    let arguments = json!({"mode": "wait_color", "x": 5, "y": 5, "color": "FF0000", "timeoutMs": 600, "failOnTimeout": false});
    assert_eq!(desk.ok("screen.read", arguments)["found"], false);
    // At once, when the watch has begun, and at the end; the old way took thirteen.
    assert_eq!(looks() - before, 3);
    let other = after_looks(&desk, 2, |fake| fake.draw(Rect::new(5, 5, 1, 1), vec![[255, 0, 0]]));
    let arguments = json!({"mode": "wait_color", "x": 5, "y": 5, "color": "FF0000", "timeoutMs": 20_000});
    let began = Instant::now();
    assert_eq!(desk.ok("screen.read", arguments)["found"], true);
    other.join().unwrap();
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn stable_means_that_no_pixel_changed_for_a_while() {
    let desk = Desk::new();
    let answer = desk.ok("screen.wait_stable", json!({"quietMs": 50}));
    assert_eq!((&answer["stable"], &answer["changeCount"]), (&json!(true), &json!(0)));
    // Redrawing is no change.
    let other = after_looks(&desk, 1, |fake| fake.redraw(Rect::new(0, 0, 9, 9)));
    assert_eq!(desk.ok("screen.wait_stable", json!({"quietMs": 60}))["changeCount"], 0);
    other.join().unwrap();
    // A change begins the quiet time anew.
    let other = after_looks(&desk, 1, |fake| fake.draw(area(1, 1), pattern(3)));
    let answer = desk.ok("screen.wait_stable", json!({"quietMs": 1500, "timeoutMs": 20_000}));
    other.join().unwrap();
    assert_eq!(answer["changeCount"], 1);
    assert!(answer["waitedMs"].as_u64().unwrap() >= 1500);
    assert_eq!(desk.ok("screen.diff", json!({"since": answer["captureId"]}))["changed"], false);
    assert_eq!(
        desk.fault("screen.wait_stable", json!({"quietMs": 500, "timeoutMs": 100})).0,
        "invalid_arguments"
    );
}

/// A desktop that is captured in no time.
fn small() -> Desk {
    let desk = Desk::new();
    let region = Rect::new(0, 0, 200, 100);
    desk.fake.set_monitors(vec![Display { name: "small".into(), region, scale: 1.0, is_primary: true }]);
    desk
}

#[test]
fn a_restless_screen_is_not_stable() {
    let desk = small();
    let fake = desk.fake.clone();
    let stop = Cancel::new();
    let stopped = stop.clone();
    let restless = std::thread::spawn(move || {
        let mut seed = 0;
        while !stopped.sleep(Duration::from_millis(5)) {
            fake.wipe();
            fake.draw(area(10, 10), pattern(seed));
            seed += 1;
        }
    });
    let response = desk.call("screen.wait_stable", json!({"quietMs": 200, "timeoutMs": 600}));
    assert_eq!(response.outcome.errors[0].code, "timeout");
    let structured = response.structured();
    assert_eq!(structured["stable"], false);
    assert!(structured["changeCount"].as_u64().unwrap() > 2, "{structured}");
    let elsewhere =
        json!({"regionX": 100, "regionY": 0, "regionWidth": 90, "regionHeight": 90, "quietMs": 60});
    assert_eq!(desk.ok("screen.wait_stable", elsewhere)["stable"], true);
    stop.cancel();
    restless.join().unwrap();
}

#[test]
fn waits_end_when_they_are_cancelled() {
    let desk = small();
    for (name, arguments) in [
        ("screen.wait_change", json!({"timeoutMs": 30_000})),
        ("screen.wait_stable", json!({"quietMs": 10_000, "timeoutMs": 30_000})),
        (
            "screen.read",
            json!({"mode": "wait_color", "x": 1, "y": 1, "color": "123456", "timeoutMs": 30_000}),
        ),
    ] {
        let cancel = Cancel::new();
        let other = cancel.clone();
        let asked = std::thread::spawn(move || {
            Cancel::new().sleep(Duration::from_millis(60));
            other.cancel();
            Instant::now()
        });
        let response = guard::call(&desk.context, &Call::new(Surface::Mcp, &cancel), name, arguments);
        assert!(asked.join().unwrap().elapsed() < Duration::from_millis(100), "{name}");
        assert_eq!(response.outcome.errors[0].code, "cancelled", "{name}");
    }
}

#[test]
fn a_difference_comes_as_rectangles_and_as_a_picture_of_them() {
    let desk = Desk::new();
    desk.fake.open_window("w", "W", Rect::new(100, 100, 300, 300), [10, 20, 30]);
    let shot = desk.ok("screenshot.capture", json!({"includeImage": true}));
    desk.fake.draw(area(110, 120), pattern(1));
    desk.fake.draw(Rect::new(900, 590, 3, 2), vec![[1, 2, 3]; 6]);
    let response = desk.call("screen.diff", json!({"since": shot["captureId"], "includeImage": true}));
    let answer = response.structured();
    assert_eq!(
        answer["changes"],
        json!([
            {"x": 110, "y": 120, "width": 12, "height": 10, "pictureX": 0, "pictureY": 0},
            {"x": 900, "y": 590, "width": 3, "height": 2, "pictureX": 0, "pictureY": 14},
        ])
    );
    let picture = png::decode(&response.picture.unwrap().bytes).unwrap();
    assert_eq!(picture.size, Size::new(12, 16));
    let pixel = |x: usize, y: usize| &picture.rgba[(y * 12 + x) * 4..][..3];
    assert_eq!(pixel(3, 2), pattern(1)[2 * 12 + 3]);
    assert_eq!(pixel(2, 15), [1, 2, 3]);
    assert_eq!(pixel(5, 12), [0, 0, 0]);
}

#[test]
fn a_picture_is_found_with_its_place_middle_and_size() {
    let desk = Desk::new();
    let path = file(&desk, "target.png", SIZE, &pattern(1));
    desk.fake.draw(area(812, 433), pattern(1));
    let arguments = json!({"imagePath": path, "offsetX": 5, "offsetY": -3});
    let answer = desk.ok("screen.find_image", arguments);
    assert_eq!(answer["point"], json!({"x": 812, "y": 433}));
    assert_eq!(answer["center"], json!({"x": 818, "y": 438}));
    assert_eq!(answer["clickPoint"], json!({"x": 823, "y": 435}));
    assert_eq!(answer["size"], json!({"width": 12, "height": 10}));
    assert_eq!(
        (&answer["found"], &answer["score"], &answer["scale"]),
        (&json!(true), &json!(1.0), &json!(1.0))
    );
    // The same place from a region, and none from one without it.
    let region = |x: i32, y: i32| json!({"imagePath": path, "regionX": x, "regionY": y, "regionWidth": 180, "regionHeight": 150});
    assert_eq!(desk.ok("screen.find_image", region(800, 400))["point"], json!({"x": 812, "y": 433}));
    let response = desk.call("screen.find_image", region(10, 10));
    assert!(response.outcome.success && response.outcome.warnings.len() == 1);
    let answer = response.structured();
    assert_eq!(
        (&answer["found"], &answer["point"], &answer["candidates"]),
        (&json!(false), &Value::Null, &json!([]))
    );
    // The best of the bad is told.
    let score = answer["score"].as_f64().unwrap();
    assert!(score > 0.0 && score < 0.95, "{score}");
    assert_eq!(answer["score"], answer["nearest"]["score"]);
}

#[test]
fn two_equal_places_are_told_and_all_are_listed() {
    let desk = Desk::new();
    let path = file(&desk, "target.png", SIZE, &pattern(1));
    for x in [100, 300, 500] {
        desk.fake.draw(area(x, 50), pattern(1));
    }
    let response = desk.call("screen.find_image", json!({"imagePath": path}));
    let (answer, warning) = (response.structured(), response.outcome.warnings.join("\n"));
    assert_eq!((&answer["found"], &answer["point"]["x"]), (&json!(true), &json!(100)));
    assert!(
        warning.starts_with("ambiguous_match: ") && warning.contains("100,50") && warning.contains("300,50"),
        "{warning}"
    );
    assert_eq!(answer["candidates"].as_array().unwrap().len(), 2);
    let answer = desk.ok("screen.find_image", json!({"imagePath": path, "all": true}));
    let places: Vec<i64> = answer["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["point"]["x"].as_i64().unwrap())
        .collect();
    assert_eq!(
        (places, &answer["isTruncated"], &answer["matchMode"]),
        (vec![100, 300, 500], &json!(false), &json!("all"))
    );
    let first = desk.call("screen.find_image", json!({"imagePath": path, "matchMode": "first"}));
    assert_eq!((first.structured()["point"]["x"].clone(), first.outcome.warnings.len()), (json!(100), 0));
    assert_eq!(
        desk.fault("screen.find_image", json!({"imagePath": path, "matchMode": "best", "all": true})).0,
        "invalid_arguments"
    );
    for n in 0..9 {
        desk.fake.draw(area(10 + 40 * n, 300), pattern(1));
    }
    let answer = desk.ok("screen.find_image", json!({"imagePath": path, "matchMode": "all"}));
    assert_eq!((answer["candidates"].as_array().unwrap().len(), &answer["isTruncated"]), (10, &json!(true)));
}

#[test]
fn the_first_of_several_pictures_that_is_there_is_found() {
    let desk = Desk::new();
    let paths: Vec<PathBuf> =
        (1..4).map(|seed| file(&desk, &format!("{seed}.png"), SIZE, &pattern(seed))).collect();
    desk.fake.draw(area(600, 20), pattern(3));
    desk.fake.draw(area(20, 500), pattern(2));
    let answer = desk.ok("screen.find_image", json!({"imagePaths": paths}));
    assert_eq!((&answer["imagePath"], &answer["point"]), (&json!(paths[1]), &json!({"x": 20, "y": 500})));
    for wrong in [json!({}), json!({"imagePath": paths[0], "imagePaths": paths})] {
        assert_eq!(desk.fault("screen.find_image", wrong).0, "invalid_arguments");
    }
    assert_eq!(
        desk.fault("screen.find_image", json!({"imagePath": desk.home.path().join("no.png")})).0,
        "file_error"
    );
    std::fs::write(desk.home.path().join("bad.png"), b"\x89PNG no").unwrap();
    assert_eq!(
        desk.fault("screen.find_image", json!({"imagePath": desk.home.path().join("bad.png")})).0,
        "validation_error"
    );
}

#[test]
fn a_picture_that_comes_later_is_waited_for() {
    let desk = Desk::new();
    let path = file(&desk, "target.png", SIZE, &pattern(1));
    let other = after_looks(&desk, 2, |fake| fake.draw(area(40, 50), pattern(1)));
    let answer = desk.ok("screen.find_image", json!({"imagePath": path, "timeoutMs": 20_000}));
    other.join().unwrap();
    assert_eq!(answer["point"], json!({"x": 40, "y": 50}));
    desk.fake.wipe();
    let answer = desk.ok("screen.find_image", json!({"imagePath": path, "timeoutMs": 100}));
    assert_eq!(answer["found"], false);
}

#[test]
fn what_was_found_is_drawn_for_people() {
    let desk = Desk::new();
    let (path, explain) =
        (file(&desk, "target.png", SIZE, &pattern(1)), desk.home.path().join("explain.png"));
    desk.fake.draw(area(300, 200), pattern(1));
    let region = json!({"imagePath": path, "explainPath": explain, "regionX": 250, "regionY": 150, "regionWidth": 200, "regionHeight": 200});
    let answer = desk.ok("screen.find_image", region);
    assert_eq!(answer["explainPath"], json!(explain));
    let picture = png::decode(&std::fs::read(&explain).unwrap()).unwrap();
    assert_eq!(picture.size, Size::new(1000, 600));
    let pixel = |x: usize, y: usize| picture.rgba[(y * 1000 + x) * 4..][..3].to_vec();
    assert_eq!(pixel(250, 150), [40, 120, 255], "the region");
    assert_eq!(pixel(299, 199), [0, 200, 60], "the outline");
    assert_eq!(pixel(300, 200), pattern(1)[0], "the match itself is not painted over");
    let wrong = json!({"imagePath": path, "explainPath": "relative.png"});
    assert_eq!(desk.fault("screen.find_image", wrong).0, "invalid_arguments");
}
