//! Seeing that something is drawn, on a server of the test's own. The witness draws over its own connection;
//! what it costs to wait is what the kernel says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::{Logical, Rect};
use crossmacro_platform::{Cancel, Capture, Error, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use x11::{LIMIT, Server, Witness};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask};

const WHOLE: Rect<Logical> = Rect::new(0, 0, 640, 480);

fn server(arguments: &[&str]) -> (Server, Witness, Arc<dyn Capture>) {
    let server = Server::start(&[&["-screen", "0", "640x480x24"], arguments].concat());
    let (witness, capture) = (server.witness(), server.desktop().capture.clone().unwrap());
    (server, witness, capture)
}

/// What a wait gives that must not take long.
fn soon(watch: &mut dyn Watch) -> Vec<Rect<Logical>> {
    watch.wait(LIMIT, &Cancel::new()).unwrap()
}

fn now(watch: &mut dyn Watch) -> Vec<Rect<Logical>> {
    watch.wait(Duration::ZERO, &Cancel::new()).unwrap()
}

/// Whether the rectangles hold all of `area`.
fn hold(drawn: &[Rect<Logical>], area: Rect<Logical>) -> bool {
    drawn
        .iter()
        .fold(vec![area], |rest, drawn| rest.iter().flat_map(|part| part.without(*drawn)).collect())
        .is_empty()
}

fn sees_what_is_drawn(arguments: &[&str], backend: &str) {
    let (_server, witness, capture) = server(arguments);
    let mut watch = capture.watch(WHOLE).unwrap();
    assert_eq!(watch.backend(), backend);
    assert_eq!(now(&mut *watch), [], "a new watch knows of nothing");
    // Drawn before the wait: not lost.
    witness.paint((10, 20, 30, 40), [200, 10, 10]);
    let drawn = soon(&mut *watch);
    assert!(hold(&drawn, Rect::new(10, 20, 30, 40)), "{drawn:?}");
    assert_eq!(now(&mut *watch), [], "told once");
    // Drawn during the wait, by somebody else.
    let display = _server.display.clone();
    let painter = std::thread::spawn(move || {
        Cancel::new().sleep(Duration::from_millis(100));
        Witness::new(&display).paint((600, 400, 5, 5), [1, 2, 3]);
    });
    let drawn = soon(&mut *watch);
    assert!(hold(&drawn, Rect::new(600, 400, 5, 5)), "{drawn:?}");
    painter.join().unwrap();
}

#[test]
fn drawing_is_seen_through_damage() {
    sees_what_is_drawn(&[], "x11-damage");
}

#[test]
fn drawing_is_seen_without_damage() {
    sees_what_is_drawn(&["-extension", "DAMAGE"], "polling");
}

#[test]
fn a_window_that_comes_draws_and_goes_is_seen() {
    let (_server, witness, capture) = server(&[]);
    let mut watch = capture.watch(WHOLE).unwrap();
    let window = witness.window((50, 60, 70, 80), EventMask::NO_EVENT);
    let red = ChangeWindowAttributesAux::new().background_pixel(0x00ff_0000);
    witness.conn.change_window_attributes(window, &red).unwrap();
    let area = Rect::new(50, 60, 70, 80);
    // Without a background, a window that comes draws nothing.
    now(&mut *watch);
    witness.conn.clear_area(false, window, 5, 5, 10, 10).unwrap().check().unwrap();
    let drawn = soon(&mut *watch);
    assert!(hold(&drawn, Rect::new(55, 65, 10, 10)), "inside a window: {drawn:?}");
    assert!(drawn.iter().all(|drawn| drawn.intersection(area) == Some(*drawn)), "{drawn:?}");
    witness.conn.destroy_window(window).unwrap().check().unwrap();
    let mut rest = vec![area];
    while !rest.is_empty() {
        let drawn = soon(&mut *watch);
        assert!(!drawn.is_empty());
        rest = drawn
            .iter()
            .fold(rest, |rest, drawn| rest.iter().flat_map(|part| part.without(*drawn)).collect());
    }
}

#[test]
fn only_the_region_counts() {
    let (_server, witness, capture) = server(&[]);
    let mut watch = capture.watch(Rect::new(100, 100, 50, 50)).unwrap();
    witness.paint((0, 0, 90, 90), [200, 10, 10]);
    witness.paint((150, 100, 10, 10), [200, 10, 10]);
    assert_eq!(watch.wait(Duration::from_millis(60), &Cancel::new()).unwrap(), []);
    witness.paint((90, 90, 20, 20), [200, 10, 10]);
    let drawn = soon(&mut *watch);
    assert_eq!(drawn, [Rect::new(100, 100, 10, 10)], "clipped");
    // Two watches don't take from each other.
    let mut other = capture.watch(WHOLE).unwrap();
    witness.paint((120, 120, 3, 3), [1, 1, 200]);
    assert!(!soon(&mut *watch).is_empty() && !soon(&mut *other).is_empty());
    assert!(matches!(capture.watch(Rect::new(640, 0, 5, 5)), Err(Error::OutOfBounds { .. })));
}

#[test]
fn a_wait_can_be_cancelled_and_ends_in_time() {
    for arguments in [&[][..], &["-extension", "DAMAGE"]] {
        let (_server, _witness, capture) = server(arguments);
        let mut watch = capture.watch(WHOLE).unwrap();
        let begun = Instant::now();
        assert_eq!(watch.wait(Duration::from_millis(120), &Cancel::new()).unwrap(), []);
        assert!(begun.elapsed() >= Duration::from_millis(120));
        let cancel = Cancel::new();
        let other = cancel.clone();
        let waiter = std::thread::spawn(move || watch.wait(Duration::MAX, &other).map(|_| Instant::now()));
        Cancel::new().sleep(Duration::from_millis(50));
        let asked = Instant::now();
        cancel.cancel();
        assert!(matches!(waiter.join().unwrap(), Err(Error::Cancelled)));
        assert!(asked.elapsed() < Duration::from_millis(100), "{:?}", asked.elapsed());
    }
}

#[test]
fn a_server_that_dies_ends_the_wait() {
    let (mut server, _witness, capture) = server(&[]);
    let mut watch = capture.watch(WHOLE).unwrap();
    let waiter = std::thread::spawn(move || watch.wait(LIMIT, &Cancel::new()));
    Cancel::new().sleep(Duration::from_millis(50));
    server.kill();
    assert!(waiter.join().unwrap().unwrap_err().is_lost());
}

/// Processor time of this thread, from the kernel.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

#[test]
fn a_wait_on_an_unchanged_screen_costs_next_to_nothing() {
    let (_server, _witness, capture) = server(&[]);
    let mut watch = capture.watch(WHOLE).unwrap();
    let (time, before) = (Duration::from_secs(3), processor_time());
    assert_eq!(watch.wait(time, &Cancel::new()).unwrap(), []);
    let spent = processor_time() - before;
    println!("{spent:?} in {time:?}");
    assert!(spent < time / 200, "{spent:?} in {time:?} is 0.5 % of a core or more");
}

#[test]
fn a_program_that_never_stops_drawing_elsewhere_is_cheap_to_ignore() {
    let (server, _witness, capture) = server(&[]);
    let mut watch = capture.watch(Rect::new(0, 0, 10, 10)).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let (display, seen) = (server.display.clone(), Arc::clone(&stop));
    let painter = std::thread::spawn(move || {
        let witness = Witness::new(&display);
        let mut count = 0_u32;
        while !seen.load(Ordering::Relaxed) {
            let x = i16::try_from(100 + count % 400).unwrap();
            witness.paint((x, 100, 50, 50), [7, 7, u8::try_from(count % 256).unwrap()]);
            witness.conn.flush().unwrap();
            count += 1;
        }
        count
    });
    let (time, before) = (Duration::from_secs(2), processor_time());
    assert_eq!(watch.wait(time, &Cancel::new()).unwrap(), []);
    let spent = processor_time() - before;
    stop.store(true, Ordering::Relaxed);
    let count = painter.join().unwrap();
    println!("{spent:?} in {time:?} beside {count} drawings");
    assert!(count > 200, "the painter was too slow to prove anything: {count}");
    // Unoptimised code on a machine that others use too.
    assert!(spent < time / 10, "{spent:?} in {time:?}");
}
