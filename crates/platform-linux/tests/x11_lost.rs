//! Servers that die or stop answering.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::Point;
use crossmacro_platform::{CaptureRequest, Desktop, DesktopSource as _, Error};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};
use x11::Server;

/// One call on each facet.
fn calls(desktop: &Desktop) -> [Result<(), Error>; 3] {
    [
        desktop.displays.as_ref().unwrap().layout().map(drop),
        desktop.capture.as_ref().unwrap().capture(CaptureRequest::default()).map(drop),
        desktop.pointer.as_ref().unwrap().move_to(Point::new(3, 4)).map(drop),
    ]
}

#[test]
fn a_server_that_dies_is_one_clear_error_and_the_next_call_connects_anew() {
    let mut server = Server::screen("200x150x24");
    let source = server.source();
    let desktop = source.desktop().unwrap();
    assert!(calls(&desktop).iter().all(Result::is_ok));
    let frame = desktop.capture.as_ref().unwrap().capture(CaptureRequest::default()).unwrap();

    server.kill();
    let error = desktop.pointer.as_ref().unwrap().move_to(Point::new(5, 5)).unwrap_err();
    assert!(error.is_lost(), "{error}");
    for result in calls(&desktop) {
        let error = result.unwrap_err();
        assert!(error.is_lost(), "{error}");
    }
    let Err(unavailable) = source.desktop() else { panic!("there is no server") };
    assert!(unavailable.to_string().contains(&server.display), "{unavailable}");

    let _again = Server::start(&[&server.display, "-screen", "0", "300x150x24"]);
    let desktop = source.desktop().unwrap();
    assert!(calls(&desktop).iter().all(Result::is_ok));
    let wider = desktop.capture.as_ref().unwrap().capture(CaptureRequest::default()).unwrap();
    assert_eq!(wider.size().width, 300);
    // Pixels outlive the server they came from.
    assert_eq!(frame.row(149).unwrap().len(), 800);
}

#[test]
fn names_that_lead_nowhere_say_so() {
    let server = Server::screen("200x150x24");
    let second_screen = format!("{}.7", server.display);
    for name in
        ["nonsense", ":", ":-1", ":65535", ":99999999", "localhost:65535", "127.0.0.1:59000", &second_screen]
    {
        let options = X11Options { display: Some(name.to_owned()), ..X11Options::default() };
        let Err(unavailable) = X11Source::new(options).desktop() else { panic!("{name} is no display") };
        assert!(unavailable.to_string().contains(name), "{unavailable}");
        assert!(unavailable.tried[0].remedy.is_some());
    }
}

#[test]
fn over_the_network_the_picture_comes_through_the_connection() {
    let server = Server::start(&["-screen", "0", "200x150x24", "-listen", "tcp", "-ac"]);
    let name = format!("127.0.0.1{}", server.display);
    let options = X11Options { display: Some(name), ..X11Options::default() };
    let desktop = X11Source::new(options).desktop().unwrap();
    server.witness().paint((0, 0, 200, 150), [4, 5, 6]);
    let capture = desktop.capture.as_ref().unwrap();
    assert_eq!(capture.backend(), "x11-getimage");
    let frame = capture.capture(CaptureRequest::default()).unwrap();
    assert_eq!(frame.rgb(Point::new(199, 149)), Some([4, 5, 6]));
    assert!(calls(&desktop).iter().all(Result::is_ok));
}

#[test]
fn a_server_that_dies_under_many_threads_leaves_none_waiting() {
    let mut server = Server::screen("200x150x24");
    let desktop = server.desktop();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        if let Some(error) = calls(&desktop).into_iter().find_map(Result::err) {
                            return error;
                        }
                    }
                })
            })
            .collect();
        server.kill();
        for thread in threads {
            let error = thread.join().unwrap();
            assert!(error.is_lost(), "{error}");
        }
    });
}

#[test]
fn a_server_that_stops_answering_costs_a_bounded_time() {
    let server = Server::screen("200x150x24");
    let source = server.source();
    let desktop = source.desktop().unwrap();
    let process = Pid::from_child(&server.child);
    kill_process(process, Signal::STOP).unwrap();
    let start = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| calls(&desktop))).collect();
        for thread in threads {
            for result in thread.join().unwrap() {
                let error = result.unwrap_err();
                assert!(error.is_lost(), "{error}");
            }
        }
    });
    // The limit of one answer, not one limit for each of the twelve calls.
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    kill_process(process, Signal::CONT).unwrap();
    let fresh = source.desktop().unwrap();
    assert!(calls(&fresh).iter().all(Result::is_ok));
}

#[test]
fn callers_of_a_stopped_server_share_one_attempt_to_connect() {
    let server = Server::screen("200x150x24");
    let source = server.source();
    let process = Pid::from_child(&server.child);
    kill_process(process, Signal::STOP).unwrap();
    let start = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| source.desktop().err())).collect();
        for thread in threads {
            let unavailable = thread.join().unwrap().unwrap();
            assert!(unavailable.to_string().contains(&server.display), "{unavailable}");
        }
    });
    assert!(start.elapsed() < Duration::from_secs(9), "{:?}", start.elapsed());
    kill_process(process, Signal::CONT).unwrap();
    assert!(calls(&source.desktop().unwrap()).iter().all(Result::is_ok));
}
