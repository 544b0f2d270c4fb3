//! What is heard, against what another connection injects.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::{Axis, Button, Direction, KeyCode, Point};
use crossmacro_platform::{Cancel, Error, Heard, Input, ListenRequest, Listener, Listening, MotionDetail};
use std::sync::Arc;
use std::time::{Duration, Instant};
use x11::{LIMIT, Server, Witness};
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, EventMask, GrabMode, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

const ALL: ListenRequest = ListenRequest { motion: Some(MotionDetail::Places), buttons: true, keys: true };
const RAW: ListenRequest = ListenRequest { motion: Some(MotionDetail::Distances), buttons: true, keys: true };
const STILL: ListenRequest = ListenRequest { motion: None, buttons: true, keys: true };

fn listener(server: &Server) -> Arc<dyn Listener> {
    server.desktop().listener.as_ref().unwrap().clone()
}

impl Witness {
    fn inject(&self, kind: u8, detail: u8, (x, y): (i16, i16)) {
        self.conn.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).unwrap().check().unwrap();
    }

    fn to(&self, x: i16, y: i16) {
        self.inject(MOTION_NOTIFY_EVENT, 0, (x, y));
    }

    fn by(&self, x: i16, y: i16) {
        self.inject(MOTION_NOTIFY_EVENT, 1, (x, y));
    }

    fn button(&self, number: u8) {
        self.inject(BUTTON_PRESS_EVENT, number, (0, 0));
        self.inject(BUTTON_RELEASE_EVENT, number, (0, 0));
    }

    fn key(&self, code: u8, is_press: bool) {
        self.inject(if is_press { KEY_PRESS_EVENT } else { KEY_RELEASE_EVENT }, code + 8, (0, 0));
    }
}

/// A key that marks the end: F12.
const END: u8 = 88;

/// Everything up to the mark.
fn until_the_end(ear: &mut dyn Listening) -> Vec<Heard> {
    let end = Input::Key { key: KeyCode(END.into()), direction: Direction::Release };
    let limit = Instant::now() + LIMIT;
    let mut heard: Vec<Heard> = Vec::new();
    while heard.last().is_none_or(|last| last.input != end) {
        assert!(Instant::now() < limit, "the end was not heard: {} {:?}", heard.len(), heard.last());
        heard.extend(ear.next(Duration::from_secs(1), &Cancel::new()).unwrap());
    }
    assert!(heard.is_sorted_by_key(|heard| heard.at_us), "{heard:?}");
    heard.truncate(heard.len() - 2);
    heard
}

fn mark(witness: &Witness) {
    witness.key(END, true);
    witness.key(END, false);
}

fn hear(ear: &mut dyn Listening, witness: &Witness) -> Vec<Heard> {
    mark(witness);
    until_the_end(ear)
}

fn inputs(ear: &mut dyn Listening, witness: &Witness) -> Vec<Input> {
    hear(ear, witness).into_iter().map(|heard| heard.input).collect()
}

fn place(x: i32, y: i32) -> Input {
    Input::Place(Point::new(x, y))
}

fn distance(dx: f64, dy: f64) -> Input {
    Input::Distance { dx, dy }
}

fn press(button: Button) -> [Input; 2] {
    [Direction::Press, Direction::Release].map(|direction| Input::Button { button, direction })
}

fn tap(code: u16) -> [Input; 2] {
    [Direction::Press, Direction::Release].map(|direction| Input::Key { key: KeyCode(code), direction })
}

const BUTTONS: [(u8, Button); 5] =
    [(1, Button::Left), (2, Button::Middle), (3, Button::Right), (8, Button::Side1), (9, Button::Side2)];
const WHEEL: [(u8, Axis); 4] = [(4, Axis::Up), (5, Axis::Down), (6, Axis::Left), (7, Axis::Right)];

#[test]
fn every_place_button_notch_and_key_is_heard_in_order() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    assert_eq!(listener.backend(), "x11-record");
    witness.to(5, 6);
    let mut ear = listener.listen(ALL).unwrap();
    assert_eq!(ear.begun().place, Some(Point::new(5, 6)));
    let mut expected = Vec::new();
    for (x, y) in [(10, 20), (0, 0), (639, 479), (639, 478)] {
        witness.to(x, y);
        expected.push(place(x.into(), y.into()));
    }
    for (number, button) in BUTTONS {
        witness.button(number);
        expected.extend(press(button));
    }
    for (number, axis) in WHEEL {
        witness.button(number);
        witness.button(number);
        expected.extend([Input::Wheel { axis, amount: 120 }; 2]);
    }
    // Media keys are keys: mute, play, next; and the highest that X has.
    for code in [30, 113, 164, 163, 247] {
        witness.key(u8::try_from(code).unwrap(), true);
        witness.key(u8::try_from(code).unwrap(), false);
        expected.extend(tap(code));
    }
    assert_eq!(inputs(&mut *ear, &witness), expected);
}

/// Bursts without pause: all places, and each click where the pointer was then. Each burst is as long as the server
/// keeps for an ear that gets no time to read at all.
#[test]
fn a_burst_loses_nothing() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    let mut ear = listener.listen(ALL).unwrap();
    for from in [0, 600, 1200] {
        let mut expected = Vec::new();
        for step in from..from + 600_i16 {
            let (x, y) = (step % 640, step % 480);
            let kinds = [(MOTION_NOTIFY_EVENT, 0), (BUTTON_PRESS_EVENT, 1), (BUTTON_RELEASE_EVENT, 1)];
            for (kind, detail) in kinds {
                witness.conn.xtest_fake_input(kind, detail, 0, witness.root, x, y, 0).unwrap();
            }
            expected.push(place(x.into(), y.into()));
            expected.extend(press(Button::Left));
        }
        // All has happened before the ear begins to read.
        mark(&witness);
        let heard: Vec<_> = until_the_end(&mut *ear).into_iter().map(|heard| heard.input).collect();
        let differs = heard.iter().zip(&expected).position(|(heard, expected)| heard != expected);
        assert_eq!(differs.map(|at| (from, at, &heard[at..at + 4], &expected[at..at + 4])), None);
        assert_eq!(heard.len(), expected.len());
    }
}

#[test]
fn distances_are_what_the_device_tells() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    witness.to(300, 200);
    let mut ear = listener.listen(RAW).unwrap();
    witness.by(3, -4);
    witness.by(-1000, 0);
    witness.by(-10, 5);
    witness.button(1);
    let left = press(Button::Left);
    // The edge of the screen stops the pointer, not the device.
    let expected = [distance(3.0, -4.0), distance(-1000.0, 0.0), distance(-10.0, 5.0), left[0], left[1]];
    assert_eq!(inputs(&mut *ear, &witness), expected);
}

/// What a remote desktop injects.
#[test]
fn places_that_a_program_injects_are_told_as_distances() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    witness.to(300, 200);
    let mut ear = listener.listen(RAW).unwrap();
    let mut total = (0.0, 0.0);
    for (x, y) in [(310, 190), (311, 190), (50, 60), (0, 0), (7, 9)] {
        witness.to(x, y);
        let heard = hear(&mut *ear, &witness);
        assert!(heard.iter().all(|heard| heard.is_injected));
        for input in heard {
            let Input::Distance { dx, dy } = input.input else { panic!("{input:?}") };
            total = (total.0 + dx, total.1 + dy);
        }
        assert_eq!(total, (f64::from(x) - 300.0, f64::from(y) - 200.0));
    }
}

#[test]
fn what_is_not_asked_for_is_not_told() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    let mut ear = listener.listen(STILL).unwrap();
    let mut places = listener
        .listen(ListenRequest { motion: Some(MotionDetail::Places), keys: true, ..ListenRequest::default() })
        .unwrap();
    witness.to(9, 9);
    witness.button(1);
    witness.button(5);
    let left = press(Button::Left);
    let expected = [left[0], left[1], Input::Wheel { axis: Axis::Down, amount: 120 }];
    assert_eq!(inputs(&mut *ear, &witness), expected);
    // Two marks were set.
    let heard = inputs(&mut *places, &witness);
    assert_eq!(heard[0], place(9, 9));
    assert!(heard[1..].iter().all(|input| matches!(input, Input::Key { key: KeyCode(88), .. })), "{heard:?}");
}

/// A held key repeats by itself after a moment; that is no press.
#[test]
fn repetition_is_no_press() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    witness.conn.change_keyboard_control(&x11rb::protocol::xproto::ChangeKeyboardControlAux::new()).unwrap();
    server.ask("xset", &["r", "rate", "30", "100"]);
    for request in [ALL, STILL] {
        witness.key(31, true);
        let mut ear = listener.listen(request).unwrap();
        assert_eq!(ear.begun().keys, [KeyCode(31)]);
        witness.key(31, false);
        witness.key(30, true);
        // Seen by a program that gets them: the repetition is under way.
        let window = witness.window((0, 0, 640, 480), EventMask::KEY_PRESS);
        let focus = x11rb::protocol::xproto::InputFocus::PARENT;
        witness.conn.set_input_focus(focus, window, 0_u32).unwrap().check().unwrap();
        for _ in 0..5 {
            witness.wait(|event| matches!(event, x11rb::protocol::Event::KeyPress(_)).then_some(()));
        }
        witness.key(30, false);
        let mut heard = inputs(&mut *ear, &witness);
        heard.retain(|input| *input != Input::Repeat(KeyCode(30)) && *input != Input::Repeat(KeyCode(31)));
        let [_, released] = tap(31);
        let [down, up] = tap(30);
        assert_eq!(heard, [released, down, up]);
        witness.conn.destroy_window(window).unwrap();
    }
}

/// Buttons are those that the person has arranged.
#[test]
fn swapped_buttons_are_heard_as_programs_get_them() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    for request in [ALL, STILL] {
        let mut ear = listener.listen(request).unwrap();
        let mut map = witness.conn.get_pointer_mapping().unwrap().reply().unwrap().map;
        map[..3].copy_from_slice(&[3, 2, 1]);
        witness.conn.set_pointer_mapping(&map).unwrap().reply().unwrap();
        let window = witness.window((0, 0, 640, 480), EventMask::BUTTON_PRESS);
        witness.button(1);
        assert_eq!(witness.buttons(), [(3, true)], "the witness gets the right button");
        assert_eq!(inputs(&mut *ear, &witness), press(Button::Right), "{request:?}");
        map[..3].copy_from_slice(&[1, 2, 3]);
        witness.conn.set_pointer_mapping(&map).unwrap().reply().unwrap();
        witness.conn.destroy_window(window).unwrap();
    }
}

/// A menu or a game that has everything to itself.
#[test]
fn grabs_by_others_hide_nothing() {
    let server = Server::screen("640x480x24");
    let (listener, witness, game) = (listener(&server), server.witness(), server.witness());
    for request in [ALL, RAW] {
        let mut ear = listener.listen(request).unwrap();
        let mask = EventMask::POINTER_MOTION | EventMask::BUTTON_PRESS;
        game.conn
            .grab_pointer(false, game.root, mask, GrabMode::ASYNC, GrabMode::ASYNC, 0_u32, 0_u32, 0_u32)
            .unwrap()
            .reply()
            .unwrap();
        game.conn
            .grab_keyboard(false, game.root, 0_u32, GrabMode::ASYNC, GrabMode::ASYNC)
            .unwrap()
            .reply()
            .unwrap();
        witness.by(1, 1);
        witness.button(1);
        let heard = inputs(&mut *ear, &witness);
        assert_eq!(heard[1..], press(Button::Left), "{heard:?}");
        game.conn.ungrab_keyboard(0_u32).unwrap();
        game.conn.ungrab_pointer(0_u32).unwrap().check().unwrap();
    }
}

/// A pair of devices comes and goes.
#[test]
fn devices_that_come_and_go_are_told_and_heard() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    let mut ear = listener.listen(RAW).unwrap();
    server.ask("xinput", &["create-master", "guest"]);
    witness.button(1);
    server.ask("xinput", &["remove-master", "guest pointer"]);
    let heard = inputs(&mut *ear, &witness);
    assert!(heard.first() == Some(&Input::Devices) && heard.last() == Some(&Input::Devices), "{heard:?}");
    let mut deeds = heard;
    deeds.retain(|input| *input != Input::Devices);
    assert_eq!(deeds, press(Button::Left));
}

#[test]
fn a_request_to_stop_ends_the_wait_and_a_limit_too() {
    let server = Server::screen("640x480x24");
    let listener = listener(&server);
    for request in [ALL, RAW] {
        let mut ear = listener.listen(request).unwrap();
        let cancel = Cancel::new();
        assert_eq!(ear.next(Duration::from_millis(60), &cancel).unwrap(), []);
        let begun = Instant::now();
        let other = cancel.clone();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            other.cancel();
        });
        assert!(matches!(ear.next(Duration::from_secs(30), &cancel), Err(Error::Cancelled)));
        assert!(begun.elapsed() < Duration::from_secs(5));
        stopper.join().unwrap();
    }
}

#[test]
fn a_server_that_dies_is_one_clear_error() {
    for request in [ALL, RAW] {
        let mut server = Server::screen("640x480x24");
        let (listener, witness) = (listener(&server), server.witness());
        let mut ear = listener.listen(request).unwrap();
        witness.button(1);
        assert_eq!(inputs(&mut *ear, &witness), press(Button::Left));
        server.kill();
        for _ in 0..3 {
            let error = ear.next(Duration::from_secs(5), &Cancel::new()).unwrap_err();
            assert!(error.is_lost(), "{error}");
        }
        assert!(listener.listen(request).is_err_and(|error| error.is_lost()));
    }
}

/// Longer than the server is given for an answer: nothing came, and that is no error.
#[test]
fn a_long_silence_is_no_error() {
    let server = Server::screen("640x480x24");
    let (listener, witness) = (listener(&server), server.witness());
    let mut ears = [listener.listen(ALL).unwrap(), listener.listen(RAW).unwrap()];
    for ear in &mut ears {
        assert_eq!(ear.next(Duration::from_millis(5_300), &Cancel::new()).unwrap(), []);
    }
    witness.key(30, true);
    witness.key(30, false);
    for ear in &mut ears {
        assert_eq!(ear.next(Duration::from_secs(5), &Cancel::new()).unwrap()[0].input, tap(30)[0]);
    }
}

#[test]
fn without_xinput_the_slot_says_what_helps() {
    let server = Server::start(&["-extension", "XInputExtension", "-screen", "0", "640x480x24"]);
    let desktop = server.desktop();
    // Newer servers don't let it be switched off.
    if let Err(unavailable) = &desktop.listener {
        assert!(unavailable.tried[0].remedy.is_some(), "{unavailable}");
    }
}
