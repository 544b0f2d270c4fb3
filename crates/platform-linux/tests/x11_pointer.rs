//! Pointer, buttons and wheel, seen by a window of another connection.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::{Axis, Button, Direction, Logical, Point};
use crossmacro_platform::{Error, Pointer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use x11::{Server, Witness};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Allow, ButtonIndex, ConnectionExt as _, EventMask, GrabMode, GrabStatus, ModMask,
};

const BUTTONS: EventMask = EventMask::BUTTON_PRESS;

fn pointer(server: &Server) -> Arc<dyn Pointer> {
    server.desktop().pointer.as_ref().unwrap().clone()
}

/// A server, our pointer on it, and a witness with a window over the whole screen.
fn stage() -> (Server, Arc<dyn Pointer>, Witness) {
    let server = Server::screen("640x480x24");
    let (pointer, witness) = (pointer(&server), server.witness());
    witness.window((0, 0, 640, 480), BUTTONS | EventMask::BUTTON_RELEASE);
    (server, pointer, witness)
}

fn click(pointer: &dyn Pointer, button: Button) -> Result<(), Error> {
    pointer.button(button, Direction::Press)?;
    pointer.button(button, Direction::Release)
}

fn down_and_up(number: u8) -> [(u8, bool); 2] {
    [(number, true), (number, false)]
}

#[test]
fn the_pointer_goes_where_it_is_sent() {
    let (server, pointer, witness) = stage();
    for (x, y) in [(0, 0), (639, 479), (0, 479), (639, 0), (17, 23), (17, 23)] {
        let to: Point<Logical> = Point::new(x, y);
        assert_eq!(pointer.move_to(to).unwrap(), to);
        assert_eq!(pointer.position().unwrap(), to);
        let (seen_x, seen_y, _) = witness.pointer();
        assert_eq!((i32::from(seen_x), i32::from(seen_y)), (x, y));
    }
    let told = server.ask("xdotool", &["getmouselocation"]);
    assert!(told.starts_with("x:17 y:23 "), "{told}");
}

#[test]
fn places_outside_the_desktop_move_nothing() {
    let (_server, pointer, witness) = stage();
    pointer.move_to(Point::new(100, 100)).unwrap();
    for (x, y) in [(-1, 0), (640, 0), (0, 480), (i32::MAX, i32::MIN), (65_536 + 5, 5), (i32::MIN, 0)] {
        let error = pointer.move_to(Point::new(x, y)).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    }
    assert_eq!(witness.pointer(), (100, 100, 0));
}

#[test]
fn distances_are_those_of_a_mouse() {
    let (_server, pointer, witness) = stage();
    pointer.move_to(Point::new(100, 100)).unwrap();
    let one = pointer.move_by(1, -1).unwrap();
    assert_eq!((one.x, one.y), (101, 99));
    let (x, y, _) = witness.pointer();
    assert_eq!((x, y), (101, 99));
    let edge = pointer.move_by(-32_767, 32_767).unwrap();
    assert_eq!((edge.x, edge.y), (0, 479));
    assert!(matches!(pointer.move_by(32_768, 0), Err(Error::TooLarge { .. })));
    assert!(matches!(pointer.move_by(0, i32::MIN), Err(Error::TooLarge { .. })));
    assert_eq!(witness.pointer(), (0, 479, 0));
}

#[test]
fn every_button_goes_down_and_comes_up() {
    let (_server, pointer, witness) = stage();
    let numbers =
        [(Button::Left, 1), (Button::Middle, 2), (Button::Right, 3), (Button::Side1, 8), (Button::Side2, 9)];
    for (button, number) in numbers {
        pointer.button(button, Direction::Press).unwrap();
        assert_eq!(witness.buttons(), [(number, true)], "{button}");
        pointer.button(button, Direction::Release).unwrap();
        assert_eq!(witness.buttons(), [(number, false)], "{button}");
    }
    // A release without a press is no event.
    pointer.button(Button::Left, Direction::Release).unwrap();
    assert_eq!(witness.buttons(), []);
}

#[test]
fn every_notch_of_the_wheel_arrives() {
    let (_server, pointer, witness) = stage();
    for (axis, number) in [(Axis::Up, 4), (Axis::Down, 5), (Axis::Left, 6), (Axis::Right, 7)] {
        pointer.scroll(axis, 2).unwrap();
        assert_eq!(witness.buttons(), [down_and_up(number), down_and_up(number)].concat(), "{axis:?}");
    }
    pointer.scroll(Axis::Down, 100).unwrap();
    assert_eq!(witness.buttons(), down_and_up(5).repeat(100));
    pointer.scroll(Axis::Down, 0).unwrap();
    for count in [101, u32::MAX] {
        assert!(matches!(pointer.scroll(Axis::Down, count), Err(Error::TooLarge { .. })));
    }
    assert_eq!(witness.buttons(), []);
}

/// Sets what each button acts as.
fn map(witness: &Witness, changes: &[(usize, u8)]) {
    let mut map = witness.conn.get_pointer_mapping().unwrap().reply().unwrap().map;
    for (button, acts_as) in changes {
        map[button - 1] = *acts_as;
    }
    witness.conn.set_pointer_mapping(&map).unwrap().reply().unwrap();
}

#[test]
fn a_left_handed_mouse_still_has_a_left_button() {
    let (_server, pointer, witness) = stage();
    click(&*pointer, Button::Left).unwrap();
    assert_eq!(witness.buttons(), down_and_up(1));
    map(&witness, &[(1, 3), (3, 1), (4, 5), (5, 4)]);
    click(&*pointer, Button::Left).unwrap();
    assert_eq!(witness.buttons(), down_and_up(1));
    click(&*pointer, Button::Right).unwrap();
    assert_eq!(witness.buttons(), down_and_up(3));
    pointer.scroll(Axis::Up, 1).unwrap();
    assert_eq!(witness.buttons(), down_and_up(4));
}

#[test]
fn a_button_comes_up_although_the_map_was_changed_meanwhile() {
    let (_server, pointer, witness) = stage();
    map(&witness, &[(1, 3), (3, 1)]);
    pointer.button(Button::Left, Direction::Press).unwrap();
    // The server refuses to change the map of a button that is down, so another one moves out of the way.
    map(&witness, &[(2, 0)]);
    pointer.button(Button::Left, Direction::Release).unwrap();
    assert_eq!(witness.buttons(), down_and_up(1));
    assert_eq!(witness.pointer().2, 0);
}

#[test]
fn a_button_that_does_not_exist_is_refused() {
    let (_server, pointer, witness) = stage();
    map(&witness, &[(8, 0), (7, 0)]);
    for result in [click(&*pointer, Button::Side1), pointer.scroll(Axis::Right, 3)] {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    }
    assert_eq!(witness.buttons(), []);
    map(&witness, &[(8, 8)]);
    click(&*pointer, Button::Side1).unwrap();
    assert_eq!(witness.buttons(), down_and_up(8));
}

#[test]
fn without_xtest_the_slot_says_so_and_what_to_do() {
    let server = Server::start(&["-screen", "0", "640x480x24", "-extension", "XTEST"]);
    let desktop = server.desktop();
    let Err(unavailable) = &desktop.pointer else { panic!("there is a pointer without XTEST") };
    assert!(unavailable.to_string().contains("XTEST"), "{unavailable}");
    assert!(unavailable.tried[0].remedy.as_ref().unwrap().contains("XTEST"));
    assert!(desktop.displays.is_ok() && desktop.capture.is_ok());
}

#[test]
fn a_program_that_confines_the_pointer_is_noticed() {
    let (_server, pointer, witness) = stage();
    pointer.move_to(Point::new(50, 50)).unwrap();
    let cage = witness.window((10, 10, 100, 100), EventMask::NO_EVENT);
    let (mode, none) = (GrabMode::ASYNC, x11rb::NONE);
    let mask = EventMask::NO_EVENT;
    let grab = witness.conn.grab_pointer(false, cage, mask, mode, mode, cage, none, x11rb::CURRENT_TIME);
    assert_eq!(grab.unwrap().reply().unwrap().status, GrabStatus::SUCCESS);
    pointer.move_to(Point::new(60, 70)).unwrap();
    let error = pointer.move_to(Point::new(300, 300)).unwrap_err();
    let Error::NoEffect { why, .. } = &error else { panic!("{error}") };
    assert!(why.contains("109,109"), "{error}");
}

/// Holds the pointer's events back at every press of the left button, as a window manager does that raises
/// the window first.
fn hold_back(witness: &Witness) {
    let (root, none) = (witness.root, x11rb::NONE);
    witness
        .conn
        .grab_button(
            true,
            root,
            BUTTONS,
            GrabMode::SYNC,
            GrabMode::ASYNC,
            none,
            none,
            ButtonIndex::M1,
            ModMask::ANY,
        )
        .unwrap()
        .check()
        .unwrap();
}

#[test]
fn clicks_wait_for_a_window_manager_that_takes_its_time() {
    let (server, pointer, witness) = stage();
    let manager = server.witness();
    hold_back(&manager);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if let Some(Event::ButtonPress(_)) = manager.conn.poll_for_event().unwrap() {
                    // Long enough that the next press of ours is held back.
                    std::thread::sleep(std::time::Duration::from_millis(30));
                    manager.conn.allow_events(Allow::REPLAY_POINTER, x11rb::CURRENT_TIME).unwrap();
                    manager.conn.flush().unwrap();
                }
                std::thread::yield_now();
            }
        });
        let buttons = [Button::Left, Button::Right, Button::Left, Button::Right];
        let clicks = buttons.map(|button| click(&*pointer, button));
        let mut seen = Vec::new();
        x11::until("all clicks", || {
            seen.extend(witness.buttons());
            (seen.len() >= 8).then_some(())
        });
        done.store(true, Ordering::Relaxed);
        assert!(clicks.iter().all(Result::is_ok), "{clicks:?}");
        assert_eq!(seen, [down_and_up(1), down_and_up(3)].concat().repeat(2));
    });
}

#[test]
fn a_press_that_never_comes_into_effect_is_an_error_and_leaves_nothing_pressed() {
    let (server, pointer, witness) = stage();
    let manager = server.witness();
    hold_back(&manager);
    click(&*pointer, Button::Left).unwrap();
    let error = click(&*pointer, Button::Right).unwrap_err();
    assert!(matches!(error, Error::NoEffect { .. }), "{error}");
    let error = pointer.move_to(Point::new(5, 5)).unwrap_err();
    assert!(matches!(error, Error::NoEffect { .. }), "{error}");
    manager.conn.allow_events(Allow::REPLAY_POINTER, x11rb::CURRENT_TIME).unwrap().check().unwrap();
    let mut seen = Vec::new();
    x11::until("the end of the click", || {
        seen.extend(witness.buttons());
        seen.ends_with(&[(3, false)]).then_some(())
    });
    assert_eq!(witness.pointer().2, 0, "something is still pressed");
    click(&*pointer, Button::Middle).unwrap();
}
