//! The self test: that it sees what works and what does not, and that nobody else sees it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_platform::{Cancel, Desktop, DesktopSource as _, Finding};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use x11::{Server, Witness};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Allow, ButtonIndex, ConfigureWindowAux, ConnectionExt as _, EventMask, GrabMode, GrabStatus, InputFocus,
    ModMask, NotifyMode, StackMode, Window,
};

const NAMES: [&str; 5] = ["pixel-loop", "pointer-loop", "keyboard-loop", "selection-loop", "listener-loop"];
/// The limit of each of five loops, and air for a busy machine.
const BOUNDED: Duration = Duration::from_secs(8);

fn run(desktop: &Desktop) -> Vec<Finding> {
    let start = Instant::now();
    let findings = desktop.self_test.as_ref().unwrap().run(&Cancel::new());
    assert!(start.elapsed() < BOUNDED, "{:?}", start.elapsed());
    assert_eq!(findings.iter().map(|finding| finding.name).collect::<Vec<_>>(), NAMES);
    findings
}

/// Checks that these loops failed, and the others passed; gives back the texts of the failures.
fn failures(findings: &[Finding], expected: &[&str]) -> Vec<String> {
    let failed = findings.iter().filter(|finding| finding.result.is_err());
    let failed: Vec<_> = failed.map(|finding| finding.name).collect();
    assert_eq!(failed, expected, "{findings:#?}");
    findings.iter().filter_map(|finding| finding.result.clone().err()).collect()
}

/// All that the self test must leave as it was.
#[derive(Debug, PartialEq)]
struct Scene {
    pointer: (i16, i16, u16),
    focus: Window,
    held: [u8; 32],
    keymap: Vec<u32>,
    modifiers: Vec<u8>,
    buttons: Vec<u8>,
    windows: Vec<Window>,
    selections: Vec<Window>,
}

fn scene(witness: &Witness) -> Scene {
    let conn = &witness.conn;
    let setup = conn.setup();
    let count = setup.max_keycode - setup.min_keycode + 1;
    let selections = ["PRIMARY", "CLIPBOARD", "_CROSSMACRO_SELF_TEST"].map(|name| {
        let atom = conn.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        conn.get_selection_owner(atom).unwrap().reply().unwrap().owner
    });
    Scene {
        pointer: witness.pointer(),
        focus: conn.get_input_focus().unwrap().reply().unwrap().focus,
        held: conn.query_keymap().unwrap().reply().unwrap().keys,
        keymap: conn.get_keyboard_mapping(setup.min_keycode, count).unwrap().reply().unwrap().keysyms,
        modifiers: conn.get_modifier_mapping().unwrap().reply().unwrap().keycodes,
        buttons: conn.get_pointer_mapping().unwrap().reply().unwrap().map,
        windows: conn.query_tree(witness.root).unwrap().reply().unwrap().children,
        selections: selections.into(),
    }
}

/// A window that sees all input, over the whole screen, with the focus and the clipboard.
fn application(witness: &Witness, width: u16, height: u16) -> Window {
    let events = EventMask::KEY_PRESS
        | EventMask::KEY_RELEASE
        | EventMask::BUTTON_PRESS
        | EventMask::BUTTON_RELEASE
        | EventMask::POINTER_MOTION
        | EventMask::ENTER_WINDOW
        | EventMask::LEAVE_WINDOW
        | EventMask::FOCUS_CHANGE;
    let window = witness.window((0, 0, width, height), events);
    let conn = &witness.conn;
    conn.set_input_focus(InputFocus::NONE, window, x11rb::CURRENT_TIME).unwrap();
    for name in ["PRIMARY", "CLIPBOARD"] {
        let atom = conn.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        conn.set_selection_owner(window, atom, x11rb::CURRENT_TIME).unwrap();
    }
    conn.warp_pointer(x11rb::NONE, witness.root, 0, 0, 0, 0, 77, 55).unwrap().check().unwrap();
    events_of(witness);
    window
}

/// Everything that came up to now and that is input, a change of the focus or the loss of the clipboard. That
/// a grab begins and ends is told to the window with the focus; programs know how to ignore that.
fn events_of(witness: &Witness) -> Vec<String> {
    witness.conn.get_input_focus().unwrap().reply().unwrap();
    let mut seen = Vec::new();
    while let Some(event) = witness.conn.poll_for_event().unwrap() {
        let is_of_a_grab = |mode| mode == NotifyMode::GRAB || mode == NotifyMode::UNGRAB;
        match &event {
            Event::FocusIn(focus) | Event::FocusOut(focus) if is_of_a_grab(focus.mode) => {}
            Event::EnterNotify(cross) | Event::LeaveNotify(cross) if is_of_a_grab(cross.mode) => {}
            Event::MappingNotify(_) | Event::Expose(_) => {}
            _ => seen.push(format!("{event:?}")),
        }
    }
    seen
}

/// Takes every key and button that nobody else holds, as hotkey programs do for some.
fn hotkeys(witness: &Witness) {
    let (conn, root, any, mode) = (&witness.conn, witness.root, ModMask::ANY, GrabMode::ASYNC);
    conn.grab_key(false, root, any, 0, mode, mode).unwrap().check().unwrap();
    let (events, none) = (EventMask::BUTTON_PRESS, x11rb::NONE);
    conn.grab_button(false, root, events, mode, mode, none, none, ButtonIndex::ANY, any)
        .unwrap()
        .check()
        .unwrap();
}

#[test]
fn everything_arrives_and_nobody_else_sees_it() {
    let server = Server::screen("640x480x24");
    let (desktop, witness, daemon) = (server.desktop(), server.witness(), server.witness());
    application(&witness, 640, 480);
    hotkeys(&daemon);
    let before = scene(&witness);
    for _ in 0..5 {
        failures(&run(&desktop), &[]);
        assert_eq!(scene(&witness), before);
    }
    assert_eq!(events_of(&witness), [""; 0]);
    assert_eq!(events_of(&daemon), [""; 0]);
}

/// The devices' own events come before any grab: `xinput` prints them.
#[test]
fn what_it_claims_to_have_sent_was_sent() {
    let server = Server::screen("640x480x24");
    let mut xinput = Command::new("xinput")
        .args(["test-xi2", "--root"])
        .env("DISPLAY", &server.display)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(xinput.stdout.take().unwrap()).lines();
    let (desktop, witness) = (server.desktop(), server.witness());
    let done = AtomicBool::new(false);
    let wanted =
        ["(RawMotion)", "(RawButtonPress)", "(RawButtonRelease)", "(RawKeyPress)", "(RawKeyRelease)"];
    let details = std::thread::scope(|scope| {
        scope.spawn(|| {
            let limit = Instant::now() + x11::LIMIT;
            let mut all_passed = true;
            // `xinput` does not say when it listens.
            while all_passed && !done.load(Ordering::Relaxed) && Instant::now() < limit {
                all_passed = run(&desktop).iter().all(|finding| finding.result.is_ok());
            }
            // Ends the reader below, whatever happened.
            kill_process(Pid::from_child(&xinput), Signal::TERM).unwrap();
            assert!(all_passed);
        });
        let mut kinds = wanted.to_vec();
        let mut details = Vec::new();
        let mut kind = None;
        for line in lines.map_while(Result::ok) {
            if line.starts_with("EVENT") {
                kind = kinds.iter().position(|wanted| line.ends_with(wanted));
            }
            let detail = line.trim().strip_prefix("detail: ").map(|text| text.parse::<u32>().unwrap());
            if let (Some(index), Some(detail)) = (kind, detail) {
                details.push((kinds.remove(index), detail));
                kind = None;
                done.store(kinds.is_empty(), Ordering::Relaxed);
            }
        }
        details
    });
    xinput.wait().unwrap();
    let detail = |kind: &str| details.iter().find(|detail| detail.0 == kind).unwrap().1;
    assert_eq!((detail("(RawButtonPress)"), detail("(RawButtonRelease)")), (9, 9));
    assert_eq!(details.len(), wanted.len());
    let key = u8::try_from(detail("(RawKeyPress)")).unwrap();
    assert_eq!(u32::from(key), detail("(RawKeyRelease)"));
    let keysyms = witness.conn.get_keyboard_mapping(key, 1).unwrap().reply().unwrap().keysyms;
    assert!(keysyms.iter().all(|&keysym| keysym == 0), "key {key} means something: {keysyms:?}");
}

#[test]
fn screens_of_every_depth_show_the_window() {
    for geometry in ["640x480x8", "640x480x15", "640x480x16", "640x480x30", "40x30x24"] {
        let server = Server::screen(geometry);
        let (desktop, witness) = (server.desktop(), server.witness());
        let before = scene(&witness);
        failures(&run(&desktop), &[]);
        assert_eq!(scene(&witness), before, "{geometry}");
    }
}

#[test]
fn without_xtest_both_input_loops_fail_and_say_what_to_do() {
    let server = Server::start(&["-screen", "0", "640x480x24", "-extension", "XTEST"]);
    let texts = failures(&run(&server.desktop()), &["pointer-loop", "keyboard-loop", "listener-loop"]);
    for text in &texts[..2] {
        assert!(text.contains("lacks the XTEST extension"), "{text}");
        assert!(text.contains("To fix it: start the X server without"), "{text}");
    }
}

fn hold_keyboard(witness: &Witness) {
    let mode = GrabMode::ASYNC;
    let grab = witness.conn.grab_keyboard(false, witness.root, x11rb::CURRENT_TIME, mode, mode);
    assert_eq!(grab.unwrap().reply().unwrap().status, GrabStatus::SUCCESS);
}

fn hold_pointer(witness: &Witness, events: EventMask) {
    let (mode, none, root) = (GrabMode::ASYNC, x11rb::NONE, witness.root);
    let grab = witness.conn.grab_pointer(false, root, events, mode, mode, none, none, x11rb::CURRENT_TIME);
    assert_eq!(grab.unwrap().reply().unwrap().status, GrabStatus::SUCCESS);
}

#[test]
fn a_program_that_holds_the_keyboard_gets_no_key_of_ours() {
    let server = Server::screen("640x480x24");
    let (desktop, locker) = (server.desktop(), server.witness());
    hold_keyboard(&locker);
    let texts = failures(&run(&desktop), &["keyboard-loop"]);
    assert!(texts[0].contains("another program holds it (a screen lock"), "{texts:?}");
    assert_eq!(events_of(&locker), [""; 0]);
    locker.conn.ungrab_keyboard(x11rb::CURRENT_TIME).unwrap().check().unwrap();
    failures(&run(&desktop), &[]);
}

#[test]
fn a_program_that_holds_the_pointer_keeps_it() {
    let server = Server::screen("640x480x24");
    let (desktop, menu) = (server.desktop(), server.witness());
    let events = EventMask::POINTER_MOTION | EventMask::BUTTON_PRESS;
    hold_pointer(&menu, events);
    let before = menu.pointer();
    let texts = failures(&run(&desktop), &["pointer-loop", "listener-loop"]);
    assert!(texts[0].contains("another program holds it"), "{texts:?}");
    assert_eq!(menu.pointer(), before);
    assert_eq!(events_of(&menu), [""; 0]);
}

#[test]
fn events_that_another_program_holds_back_end_the_loop_too() {
    let server = Server::screen("640x480x24");
    let (desktop, manager) = (server.desktop(), server.witness());
    let (root, none) = (manager.root, x11rb::NONE);
    let (sync, mode, any) = (GrabMode::SYNC, GrabMode::ASYNC, ModMask::ANY);
    let press = EventMask::BUTTON_PRESS;
    let grab = manager.conn.grab_button(true, root, press, sync, mode, none, none, ButtonIndex::M1, any);
    grab.unwrap().check().unwrap();
    server.ask("xdotool", &["mousedown", "1"]);
    let texts = failures(&run(&desktop), &["pointer-loop", "listener-loop"]);
    assert!(texts[0].contains("another program holds it"), "{texts:?}");
    manager.conn.allow_events(Allow::REPLAY_POINTER, x11rb::CURRENT_TIME).unwrap().check().unwrap();
    server.ask("xdotool", &["mouseup", "1"]);
    failures(&run(&desktop), &[]);
}

/// `doctor` may be started by a hotkey, whose keys are still down then.
#[test]
fn a_key_that_is_let_go_of_soon_does_not_fail_the_test() {
    let server = Server::screen("640x480x24");
    let (desktop, other) = (server.desktop(), server.witness());
    hold_keyboard(&other);
    hold_pointer(&other, EventMask::NO_EVENT);
    std::thread::scope(|scope| {
        let test = scope.spawn(|| run(&desktop));
        // The test has begun once its window is there.
        x11::until("the window of the test", || {
            let tree = other.conn.query_tree(other.root).unwrap().reply().unwrap();
            (!tree.children.is_empty()).then_some(())
        });
        other.conn.ungrab_pointer(x11rb::CURRENT_TIME).unwrap().check().unwrap();
        other.conn.ungrab_keyboard(x11rb::CURRENT_TIME).unwrap().check().unwrap();
        failures(&test.join().unwrap(), &[]);
    });
}

#[test]
fn a_screen_lock_that_covers_everything_is_noticed() {
    let server = Server::screen("640x480x24");
    let (desktop, locker) = (server.desktop(), server.witness());
    let cover = locker.window((0, 0, 640, 480), EventMask::NO_EVENT);
    hold_keyboard(&locker);
    hold_pointer(&locker, EventMask::NO_EVENT);
    let done = AtomicBool::new(false);
    let findings = std::thread::scope(|scope| {
        scope.spawn(|| {
            let raise = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
            while !done.load(Ordering::Relaxed) {
                // Not one moment between them at which the window below could be seen.
                locker.conn.grab_server().unwrap();
                locker.conn.configure_window(cover, &raise).unwrap();
                locker.conn.ungrab_server().unwrap().check().unwrap();
            }
        });
        // With the screen locked, no colour of ours is to be seen from the start: the loop has a second.
        let findings = run(&desktop);
        done.store(true, Ordering::Relaxed);
        findings
    });
    // A picture can be taken right between the moment we raise ours and the lock raises its own.
    let [pixels, pointer, keys, selection, _] = &findings[..] else { panic!("{findings:?}") };
    for input in [pointer, keys] {
        assert!(input.result.as_ref().unwrap_err().contains("screen lock"), "{findings:?}");
    }
    if let Err(text) = &pixels.result {
        assert!(text.contains("screen lock") && text.contains("at 0,0"), "{text}");
    }
    assert!(selection.result.is_ok());
}

#[test]
fn a_picture_without_the_window_is_noticed() {
    let server = Server::screen("640x480x24");
    let (desktop, witness) = (server.desktop(), server.witness());
    // A window that redirects the drawing of all others away from the screen, and shows none of them: what a
    // compositor does that hangs.
    use x11rb::protocol::composite::{ConnectionExt as _, Redirect};
    let conn = &witness.conn;
    conn.composite_query_version(0, 4).unwrap().reply().unwrap();
    conn.composite_redirect_subwindows(witness.root, Redirect::MANUAL).unwrap().check().unwrap();
    let texts = failures(&run(&desktop), &["pixel-loop"]);
    assert!(texts[0].contains("the picture by x11-shm shows something else at 0,0"), "{texts:?}");
}

#[test]
fn monitors_with_gaps_and_a_pointer_in_one() {
    let server = Server::screen("1200x600x24");
    let (desktop, witness) = (server.desktop(), server.witness());
    server.ask("xrandr", &["--setmonitor", "left", "400/100x300/100+0+0", "screen"]);
    server.ask("xrandr", &["--setmonitor", "right", "400/100x300/100+800+300", "none"]);
    witness.conn.warp_pointer(x11rb::NONE, witness.root, 0, 0, 0, 0, 600, 400).unwrap().check().unwrap();
    let before = scene(&witness);
    assert_eq!(before.pointer, (600, 400, 0));
    failures(&run(&desktop), &[]);
    assert_eq!(scene(&witness), before);
}

#[test]
fn real_outputs_with_gaps() {
    let (server, _config) = x11::outputs();
    let (desktop, witness) = (server.desktop(), server.witness());
    application(&witness, 2620, 1024);
    let before = scene(&witness);
    failures(&run(&desktop), &[]);
    assert_eq!(scene(&witness), before);
    assert_eq!(events_of(&witness), [""; 0]);
}

#[test]
fn a_window_manager_takes_no_notice() {
    let server = Server::screen("640x480x24");
    let mut manager = Command::new("openbox").env("DISPLAY", &server.display).spawn().unwrap();
    x11::until("the window manager", || {
        let told = server.ask("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]);
        told.contains("window id").then_some(())
    });
    let mut terminal = Command::new("xterm").env("DISPLAY", &server.display).spawn().unwrap();
    let managed = || server.ask("xprop", &["-root", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW"]);
    x11::until("the terminal", || {
        let told = server.ask("xprop", &["-root", "_NET_ACTIVE_WINDOW"]);
        (told.contains("0x") && !told.contains("# 0x0")).then_some(())
    });
    let (desktop, witness, windows) = (server.desktop(), server.witness(), managed());
    let before = scene(&witness);
    failures(&run(&desktop), &[]);
    assert_eq!(scene(&witness), before);
    assert_eq!(managed(), windows);
    for child in [&mut terminal, &mut manager] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn two_tests_at_once_do_not_trip_over_each_other() {
    let server = Server::screen("640x480x24");
    let witness = server.witness();
    let before = scene(&witness);
    std::thread::scope(|scope| {
        let tests: Vec<_> = (0..2).map(|_| scope.spawn(|| run(&server.desktop()))).collect();
        for test in tests {
            let findings = test.join().unwrap();
            // The window of the other one may be in front; input and selection wait for their turn.
            assert!(findings[1..].iter().all(|finding| finding.result.is_ok()), "{findings:#?}");
        }
    });
    assert_eq!(scene(&witness), before);
}

#[test]
fn a_cancelled_test_ends_at_once() {
    let server = Server::screen("640x480x24");
    let (desktop, other) = (server.desktop(), server.witness());
    hold_keyboard(&other);
    hold_pointer(&other, EventMask::NO_EVENT);
    let cancel = Cancel::new();
    cancel.cancel();
    let start = Instant::now();
    let findings = desktop.self_test.as_ref().unwrap().run(&cancel);
    assert!(start.elapsed() < Duration::from_millis(900), "{:?}", start.elapsed());
    for finding in &findings[1..3] {
        assert_eq!(finding.result, Err("cancelled".into()));
    }
}

#[test]
fn a_server_that_another_program_holds_costs_one_limit() {
    let server = Server::screen("640x480x24");
    let (source, other) = (server.source(), server.witness());
    let desktop = source.desktop().unwrap();
    other.conn.grab_server().unwrap().check().unwrap();
    let texts = failures(&run(&desktop), &NAMES);
    assert!(texts.iter().all(|text| text.contains("did not answer within")), "{texts:?}");
    other.conn.ungrab_server().unwrap().check().unwrap();
    failures(&run(&source.desktop().unwrap()), &[]);
}

#[test]
fn a_dead_server_fails_every_loop() {
    let mut server = Server::screen("640x480x24");
    let desktop = server.desktop();
    server.kill();
    let texts = failures(&run(&desktop), &NAMES);
    assert!(texts.iter().all(|text| text.contains("lost")), "{texts:?}");
}
