//! Monitors, seen by `xrandr` and set over a second connection.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::{Logical, Point, Rect};
use crossmacro_platform::{CaptureRequest, Desktop, Error, Layout};
use x11::Server;
use x11rb::protocol::randr::{ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::ConnectionExt as _;

fn layout(desktop: &Desktop) -> Layout {
    desktop.displays.as_ref().unwrap().layout().unwrap()
}

/// A layout as `xrandr --listmonitors` would tell it.
fn told(layout: &Layout) -> Vec<(String, bool, Rect<Logical>)> {
    layout.displays.iter().map(|d| (d.name.clone(), d.is_primary, d.region)).collect()
}

/// What `xrandr --listmonitors` says, primary first, then from the left.
fn witnessed(server: &Server) -> Vec<(String, bool, Rect<Logical>)> {
    let listed = server.ask("xrandr", &["--listactivemonitors"]);
    let mut monitors: Vec<_> = listed
        .lines()
        .skip(1)
        .map(|line| {
            // " 0: +*DUMMY0 3840/1016x2160/571+0+0  DUMMY0"
            let mut words = line.split_whitespace().skip(1);
            let (name, geometry) = (words.next().unwrap(), words.next().unwrap());
            let numbers: Vec<i32> = geometry
                .split(['x', '+'])
                .map(|part| part.split('/').next().unwrap().parse().unwrap())
                .collect();
            let [width, height, x, y] = numbers[..] else { panic!("{line}") };
            let region = Rect::new(x, y, width.unsigned_abs(), height.unsigned_abs());
            (name.trim_start_matches(['+', '*']).to_owned(), name.contains('*'), region)
        })
        .collect();
    monitors.sort_by_key(|(_, is_primary, region)| (!is_primary, region.x, region.y));
    monitors
}

#[test]
fn one_screen_is_one_display() {
    let server = Server::screen("640x480x24");
    let desktop = server.desktop();
    assert_eq!(desktop.displays.as_ref().unwrap().backend(), "x11-randr");
    let seen = layout(&desktop);
    assert_eq!(told(&seen), witnessed(&server));
    assert_eq!(seen.bounds(), Rect::new(0, 0, 640, 480));
    assert_eq!(seen.displays[0].scale, 1.0);
}

#[test]
fn without_randr_the_screen_is_one_display() {
    let server = Server::start(&["-screen", "0", "640x480x24", "-extension", "RANDR"]);
    let desktop = server.desktop();
    assert_eq!(desktop.displays.as_ref().unwrap().backend(), "x11-root");
    assert_eq!(told(&layout(&desktop)), [("screen".to_owned(), true, Rect::new(0, 0, 640, 480))]);
}

#[test]
fn a_text_scale_does_not_change_coordinates() {
    let server = Server::screen("640x480x24");
    let witness = server.witness();
    x11rb::wrapper::ConnectionExt::change_property8(
        &witness.conn,
        x11rb::protocol::xproto::PropMode::REPLACE,
        witness.root,
        x11rb::protocol::xproto::AtomEnum::RESOURCE_MANAGER,
        x11rb::protocol::xproto::AtomEnum::STRING,
        b"Xft.dpi:\t192\n",
    )
    .unwrap()
    .check()
    .unwrap();
    let seen = layout(&server.desktop());
    assert_eq!((seen.displays[0].scale, seen.bounds()), (1.0, Rect::new(0, 0, 640, 480)));
}

#[test]
fn monitors_that_a_person_defines_are_followed() {
    let server = Server::screen("640x480x24");
    let (desktop, witness) = (server.desktop(), server.witness());
    let conn = &witness.conn;
    conn.randr_query_version(1, 5).unwrap().reply().unwrap();
    let output = conn.randr_get_screen_resources(witness.root).unwrap().reply().unwrap().outputs[0];
    let set = |name: &str, primary, x, y, outputs: &[u32]| {
        let name = conn.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let info = MonitorInfo {
            name,
            primary,
            x,
            y,
            width: 200,
            height: 300,
            outputs: outputs.to_vec(),
            ..Default::default()
        };
        conn.randr_set_monitor(witness.root, info).unwrap().check().unwrap();
        name
    };
    set("links", false, 0, 0, &[output]);
    let right = set("rechts \u{e4}", true, 500, 250, &[]);
    let expected = [
        // Clipped: nothing of it below and to the right of the root window can be seen.
        ("rechts \u{e4}".to_owned(), true, Rect::new(500, 250, 140, 230)),
        ("links".to_owned(), false, Rect::new(0, 0, 200, 300)),
    ];
    assert_eq!(told(&layout(&desktop)), expected);
    conn.randr_delete_monitor(witness.root, right).unwrap().check().unwrap();
    assert_eq!(told(&layout(&desktop)), expected[1..]);
}

#[test]
fn real_outputs_with_gaps_are_plugged_in_and_out() {
    let (server, _config) = x11::outputs();
    let (desktop, witness) = (server.desktop(), server.witness());
    let before = layout(&desktop);
    assert_eq!(before.displays.len(), 3);
    assert_eq!(told(&before), witnessed(&server));
    assert_eq!(before.displays[0].name, "DUMMY1");
    assert_eq!(before.bounds(), Rect::new(0, 0, 2620, 1024));

    // The gap is painted, and is no pixel all the same.
    witness.paint((0, 0, 2620, 1024), [255, 0, 0]);
    let capture = desktop.capture.as_ref().unwrap();
    let frame = capture.capture(CaptureRequest::default()).unwrap();
    assert_eq!(frame.region(), before.bounds());
    assert_eq!(frame.rgb(Point::new(639, 100)), Some([255, 0, 0]));
    assert_eq!(frame.rgb(Point::new(640, 100)), None);
    assert_eq!(frame.row(100).unwrap()[640 * 4..][..3], [0, 0, 0]);
    assert_eq!(frame.rgb(Point::new(700, 0)), Some([255, 0, 0]));
    assert_eq!(frame.rgb(Point::new(0, 99)), None);
    let gap = CaptureRequest { region: Some(Rect::new(645, 10, 50, 50)), include_cursor: false };
    assert!(matches!(capture.capture(gap), Err(Error::OutOfBounds { .. })));
    let pointer = desktop.pointer.as_ref().unwrap();
    pointer.move_to(Point::new(5, 105)).unwrap();
    assert!(matches!(pointer.move_to(Point::new(650, 200)), Err(Error::OutOfBounds { .. })));
    assert_eq!(witness.pointer().0, 5);

    server.ask("xrandr", &["--output", "DUMMY2", "--off"]);
    let without = layout(&desktop);
    assert_eq!(without.displays.len(), 2);
    assert_eq!(told(&without), witnessed(&server));

    // Another size of the screen: memory kept from before does not fit.
    server.ask("xrandr", &["--output", "DUMMY1", "--off"]);
    assert_eq!(told(&layout(&desktop)), witnessed(&server));
    drop(frame);
    let smaller = capture.capture(CaptureRequest::default()).unwrap();
    assert_eq!(smaller.region(), layout(&desktop).bounds());
    assert_eq!(smaller.size(), crossmacro_model::Size::new(640, 480));
    drop(smaller);
    server.ask("xrandr", &["--output", "DUMMY1", "--mode", "big", "--pos", "2000x0"]);
    let larger = capture.capture(CaptureRequest::default()).unwrap();
    assert_eq!(larger.size(), crossmacro_model::Size::new(3280, 1024));
}

#[test]
fn with_every_output_off_the_screen_is_still_there() {
    let (server, _config) = x11::outputs();
    let desktop = server.desktop();
    server.ask(
        "xrandr",
        &["--output", "DUMMY0", "--off", "--output", "DUMMY1", "--off", "--output", "DUMMY2", "--off"],
    );
    assert!(witnessed(&server).is_empty());
    let seen = layout(&desktop);
    assert_eq!(seen.displays[0].name, "screen");
    assert!(!seen.bounds().is_empty());
    desktop.capture.as_ref().unwrap().capture(CaptureRequest::default()).unwrap();
}
