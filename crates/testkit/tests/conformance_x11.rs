//! The conformance lane of the X11 back end: Xvfb with openbox, the kit, and the witness program.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share are tests too")]
#![allow(clippy::disallowed_methods, reason = "a switch for work on one facet")]

use crossmacro_platform::{Desktop, DesktopSource, kit};
use crossmacro_platform_linux::private_x::PrivateX;
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_testkit::private::{Private, set_group, set_layout};
use crossmacro_testkit::witness_x11::WitnessX11;
use std::sync::Arc;

fn desktop(session: &PrivateX) -> Arc<Desktop> {
    let options =
        X11Options { display: Some(session.display().to_owned()), is_private: true, ..X11Options::default() };
    X11Source::new(options).desktop().unwrap()
}

fn conforms(session: &PrivateX, excused: &[(&str, &str)]) {
    let desktop = desktop(session);
    let mut witness = WitnessX11::new(session).unwrap();
    // For work on one facet: KIT=clipboard runs those that have it in their name.
    let report = match std::env::var("KIT") {
        Ok(part) => kit::run_matching(&part, &desktop, &mut witness),
        Err(_) => kit::run_all(&desktop, &mut witness, excused),
    };
    println!("{report}");
    assert!(report.is_success(), "\n{report}");
}

#[test]
fn conforms_with_a_window_manager() {
    let session = Private::new().start().unwrap();
    conforms(&session, &[]);
}

/// Runs the behaviours that have `part` in their name.
fn shows(session: &PrivateX, part: &str, lane: &str) {
    let mut witness = WitnessX11::new(session).unwrap();
    let report = kit::run_matching(part, &desktop(session), &mut witness);
    assert!(!report.results.is_empty(), "no behaviour has {part:?} in its name");
    assert!(report.is_success(), "{lane}\n{report}");
}

/// No shared memory: the other way to capture.
#[test]
fn captures_without_shared_memory() {
    shows(&Private::new().without("MIT-SHM").start().unwrap(), "capture:", "without MIT-SHM");
}

/// Ten bits a channel hold eight without loss. (Sixteen bits a pixel do not; that is no matter for the kit.)
#[test]
fn captures_at_depth_30() {
    shows(&Private::new().depth(30).start().unwrap(), "capture:", "depth 30");
}

/// What does not concern windows does not need a manager either.
#[test]
fn conforms_without_a_window_manager() {
    let session = Private::new().without_manager().start().unwrap();
    for facet in ["displays:", "pointer:", "listener:", "capture:", "clipboard:"] {
        shows(&session, facet, "without a window manager");
    }
}

/// Typing must not depend on the layout. Without a manager: openbox grabs its keys anew at every change of
/// the keymap, which takes seconds and has no part in this.
#[test]
fn types_in_every_layout() {
    let session = Private::new().without_manager().start().unwrap();
    for (layouts, variants) in
        [("us", ""), ("de", ""), ("fr", ""), ("ru", ""), ("us,ru", ","), ("gr,us", ",")]
    {
        set_layout(&session, layouts, variants).unwrap();
        shows(&session, "keyboard:", layouts);
    }
}

/// The second group of the layout is locked, as after a layout switch.
#[test]
fn types_in_every_group() {
    let session = Private::new().without_manager().start().unwrap();
    set_layout(&session, "us,de,ru", ",,").unwrap();
    for group in 0..3 {
        set_group(&session, group).unwrap();
        shows(&session, "keyboard:", &format!("group {group}"));
    }
}
