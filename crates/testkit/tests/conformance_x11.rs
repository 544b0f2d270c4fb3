//! The conformance lane of the X11 back end: Xvfb with openbox, the kit, and the witness program.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share are tests too")]
#![allow(clippy::disallowed_methods, reason = "a switch for work on one facet")]

use crossmacro_platform::{Desktop, DesktopSource, kit};
use crossmacro_platform_linux::private_x::PrivateX;
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_testkit::private::{Private, set_layout};
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

/// No shared memory: the other way to capture.
#[test]
fn captures_without_shared_memory() {
    let session = Private::new().without("MIT-SHM").start().unwrap();
    let mut witness = WitnessX11::new(&session).unwrap();
    let report = kit::run_matching("capture:", &desktop(&session), &mut witness);
    assert!(report.is_success(), "\n{report}");
}

/// Typing must not depend on the layout.
#[test]
fn types_in_every_layout() {
    let session = Private::new().start().unwrap();
    for (layouts, variants) in [("de", ""), ("fr", ""), ("ru", ""), ("us,ru", ","), ("gr,us", ",")] {
        set_layout(&session, layouts, variants).unwrap();
        let mut witness = WitnessX11::new(&session).unwrap();
        let report = kit::run_matching("typed", &desktop(&session), &mut witness);
        assert!(report.is_success(), "layout {layouts}\n{report}");
    }
}
