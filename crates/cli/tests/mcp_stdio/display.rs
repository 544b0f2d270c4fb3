//! The same process over a display of its own.

use super::server::{Server, call};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// An X server of this test. It must be there: a test that can't run has failed.
struct Display {
    child: Child,
    name: String,
}

impl Display {
    fn start() -> Self {
        let mut child = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed (scripts/packages test)");
        let mut number = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { child, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn outcome(server: &mut Server, id: i64, tool: &str, arguments: &Value) -> Value {
    server.send(call(id, tool, arguments).as_bytes());
    server.answer(&json!(id))["result"]["structuredContent"].take()
}

#[test]
fn waits_are_cancelled_places_outside_are_refused_and_a_display_that_dies_is_one_error() {
    let display = Display::start();
    let mut server = Server::start_with(&[], |command| {
        command.env("DISPLAY", &display.name);
    });
    server.greet();
    let pixel = |x: i32| json!({ "mode": "pixel", "x": x, "y": 0 });
    assert_eq!(outcome(&mut server, 1, "screen.read", &pixel(0))["outcome"]["success"], true);
    for x in [-1, 640, i32::MAX, i32::MIN] {
        assert_eq!(outcome(&mut server, 2, "screen.read", &pixel(x))["outcome"]["success"], false, "{x}");
    }
    let wait = json!({ "mode": "wait_color", "x": 0, "y": 0, "color": "ABCDEF", "timeoutMs": 30_000 });
    server.send(call(3, "screen.read", &wait).as_bytes());
    server.send(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#);
    server.still_serves();
    drop(display);
    let lost = outcome(&mut server, 4, "screen.read", &pixel(0));
    assert_eq!(lost["outcome"]["success"], false, "{lost}");
    server.still_serves();
    server.close_input();
    server.ends_well();
}

#[test]
fn a_signal_in_the_middle_of_a_wait_ends_it() {
    let display = Display::start();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut server = Server::start_with(&[], |command| {
            command.env("DISPLAY", &display.name);
        });
        server.greet();
        let wait = json!({ "mode": "wait_color", "x": 0, "y": 0, "color": "ABCDEF", "timeoutMs": 30_000 });
        server.send(call(1, "screen.read", &wait).as_bytes());
        server.still_serves();
        kill_process(Pid::from_raw(server.pid()).unwrap(), signal).unwrap();
        let answer = server.answer(&json!(1));
        assert_eq!(
            answer["result"]["structuredContent"]["outcome"]["errors"][0]["code"], "cancelled",
            "{answer}"
        );
        server.ends_well();
    }
}
