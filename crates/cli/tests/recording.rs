//! `record` on a private display, against what a witness injects and what its window then gets.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "functions that tests share are tests too"
)]

mod shell;

use crossmacro_testkit::private::{Private, set_group, set_layout};
use crossmacro_testkit::{LIMIT, Mcp, Witness};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use shell::{Ran, Shell};
use std::process::Child;
use std::time::{Duration, Instant};

fn shell() -> Shell {
    Shell::on(Private::new().without_manager().start().unwrap())
}

/// A window over everything that has the keyboard, so that it gets all there is.
fn witness(shell: &Shell) -> Witness {
    let flags = ["--override-redirect", "--at", "0,0", "--size", "1280x800"];
    let mut witness = Witness::start(shell.session(), &flags).unwrap();
    witness.command(&json!({"do": "focus"})).unwrap();
    witness.wait_for_state("it has the keyboard", |state| state["focused"] == true).unwrap();
    witness
}

fn key(witness: &mut Witness, code: u16, press: bool) {
    let number = code + 8;
    witness.command(&json!({"do": "act", "kind": "key", "number": number, "press": press})).unwrap();
}

fn button(witness: &mut Witness, number: u8) {
    for press in [true, false] {
        witness.command(&json!({"do": "act", "kind": "button", "number": number, "press": press})).unwrap();
    }
}

fn to(witness: &mut Witness, x: i32, y: i32) {
    witness.command(&json!({"do": "act", "kind": "to", "x": x, "y": y})).unwrap();
}

/// A running `record`.
struct Recording {
    child: Child,
    file: std::path::PathBuf,
}

impl Recording {
    /// Starts one and waits until its log says that it listens.
    fn start(shell: &Shell, more: &[&str]) -> Self {
        let file = shell.home.path().join("recorded.macro");
        let mut arguments = vec!["--json", "record", "-o", "recorded.macro", "--log-level", "debug"];
        arguments.extend(more);
        let mut child = shell.command(&arguments).spawn().unwrap();
        let mut log = child.stderr.take().unwrap();
        listens(&mut log);
        // Nobody must block on what else it says.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { child, file }
    }

    fn interrupt(self) -> (Ran, String) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
        self.end()
    }

    fn end(self) -> (Ran, String) {
        let output = self.child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let ran =
            Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) };
        let file = std::fs::read_to_string(&self.file).unwrap_or_default();
        let events = file.split_once("[Events]\n").map(|(_, events)| events.to_owned()).unwrap_or_default();
        (ran, events)
    }
}

/// Reads its log until it says that it listens.
fn listens(log: &mut impl std::io::Read) {
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(b"listening to input") {
        assert_eq!(log.read(&mut byte).unwrap(), 1, "it ended: {}", String::from_utf8_lossy(&seen));
        seen.extend(byte);
    }
}

/// The lines of a macro for what the witness's window got, with the waits between.
fn expected(events: &[Value]) -> String {
    let mut text = String::new();
    let mut before = None;
    for event in events {
        let is_press = event["direction"] == "press";
        let at = |name: &str| format!("abs,{},{}", event[name][0], event[name][1]);
        let line = match event["event"].as_str().unwrap() {
            "motion" => format!("M,{}", at("root")),
            "key" => {
                let code = event["keycode"].as_u64().unwrap() - 8;
                format!("{},{code}", if is_press { "KP" } else { "KR" })
            }
            "button" => {
                let number = usize::try_from(event["button"].as_u64().unwrap()).unwrap();
                let names = ["", "Left", "Middle", "Right", "", "", "", "", "Side1", "Side2"];
                let notches = ["ScrollUp", "ScrollDown", "ScrollLeft", "ScrollRight"];
                match number {
                    4..=7 if is_press => format!("C,0,0,{}", notches[number - 4]),
                    4..=7 => continue,
                    _ => format!("{},{},{}", if is_press { "P" } else { "R" }, at("root"), names[number]),
                }
            }
            _ => continue,
        };
        let time = event["time"].as_u64().unwrap();
        let wait = time - before.unwrap_or(time);
        if wait > 0 {
            text += &format!("WU,{}\n", wait * 1000);
        }
        text += &format!("{line}\n");
        before = Some(time);
    }
    text
}

#[test]
fn what_a_witness_injects_is_recorded_event_by_event() {
    let shell = shell();
    let mut witness = witness(&shell);
    to(&mut witness, 600, 400);
    let recording = Recording::start(&shell, &[]);
    witness.sync().unwrap();
    witness.forget();
    for (x, y) in [(10, 20), (0, 0), (1279, 799), (640, 360)] {
        to(&mut witness, x, y);
        std::thread::sleep(Duration::from_millis(3));
    }
    for number in 1..=9 {
        button(&mut witness, number);
        to(&mut witness, 600 + i32::from(number), 300);
    }
    // Letters, a chord, mute, play, and a key that is held while the pointer moves.
    for code in [30, 48, 57, 113, 164] {
        key(&mut witness, code, true);
        key(&mut witness, code, false);
    }
    for (code, press) in [(29, true), (46, true), (46, false), (29, false), (42, true)] {
        key(&mut witness, code, press);
    }
    to(&mut witness, 1, 1);
    key(&mut witness, 42, false);
    witness.sync().unwrap();
    let seen = witness.events();
    let (ran, events) = recording.interrupt();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(events, expected(&seen));
    let data = &ran.json()["data"];
    let count = events.lines().filter(|line| !line.starts_with("WU,")).count();
    assert_eq!(data["eventCount"], count);
    assert_eq!((&data["requestedMode"], &data["actualMode"]), (&json!("auto"), &json!("absolute")));
    assert_eq!((&data["recordMouse"], &data["skipInitialZero"]), (&json!(true), &json!(false)));
    let names: Vec<_> = data.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "outputPath",
            "eventCount",
            "totalDurationMs",
            "recordMouse",
            "recordKeyboard",
            "requestedMode",
            "actualMode",
            "skipInitialZero"
        ]
    );
}

#[test]
fn a_thousand_events_a_second_lose_none() {
    let shell = shell();
    let mut witness = witness(&shell);
    let recording = Recording::start(&shell, &[]);
    witness.sync().unwrap();
    witness.forget();
    let count = 4000;
    witness.command(&json!({"do": "storm", "count": count, "perSecond": 1000})).unwrap();
    let seen = expected(&witness.events());
    let (ran, events) = recording.interrupt();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["data"]["eventCount"], count);
    assert!(events == seen, "they differ from what the window got");
}

/// Whatever the layout and the group are: the keys are those that were pressed.
#[test]
fn keys_are_recorded_whatever_the_layout() {
    let shell = shell();
    let mut witness = witness(&shell);
    let recording = Recording::start(&shell, &["--mouse", "false"]);
    let mut codes = Vec::new();
    for (layout, group) in [("us", 0), ("gb", 0), ("de", 0), ("fr", 0), ("us,ru", 1), ("es", 0), ("tr", 0)] {
        set_layout(shell.session(), layout, "").unwrap();
        set_group(shell.session(), group).unwrap();
        for code in [16, 30, 21, 44, 39, 86] {
            key(&mut witness, code, true);
            key(&mut witness, code, false);
            codes.extend([format!("KP,{code}"), format!("KR,{code}")]);
        }
    }
    to(&mut witness, 3, 3);
    let (ran, events) = recording.interrupt();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let recorded: Vec<_> = events.lines().filter(|line| !line.starts_with("WU,")).collect();
    assert_eq!(recorded, codes);
}

#[test]
fn distances_are_recorded_from_the_corner() {
    let shell = shell();
    let mut witness = witness(&shell);
    to(&mut witness, 500, 500);
    let recording = Recording::start(&shell, &["--mode", "REL", "--duration", "600"]);
    let corner = witness.command(&json!({"do": "pointer"})).unwrap();
    assert_eq!(corner["at"], json!([0, 0]));
    for (x, y) in [(30, 40), (-5, 2), (700, 0)] {
        witness.command(&json!({"do": "act", "kind": "by", "x": x, "y": y})).unwrap();
    }
    button(&mut witness, 3);
    let (ran, events) = recording.interrupt();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let recorded: Vec<_> = events.lines().filter(|line| !line.starts_with("WU,")).collect();
    assert_eq!(
        recorded,
        [
            "M,rel-raw,30,40",
            "M,rel-raw,-5,2",
            "M,rel-raw,700,0",
            "P,0,0,Right,CurrentPosition",
            "R,0,0,Right,CurrentPosition"
        ]
    );
    let data = &ran.json()["data"];
    assert_eq!((&data["requestedMode"], &data["actualMode"]), (&json!("relative"), &json!("relative")));
}

/// Who ends it with Ctrl+C in a terminal does not mean to record that.
#[test]
fn the_chord_that_ends_it_is_not_recorded() {
    let shell = shell();
    let mut witness = witness(&shell);
    let recording = Recording::start(&shell, &[]);
    for (code, press) in [(30, true), (30, false), (29, true), (46, true)] {
        key(&mut witness, code, press);
    }
    let (ran, events) = recording.interrupt();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let recorded: Vec<_> = events.lines().filter(|line| !line.starts_with("WU,")).collect();
    assert_eq!(recorded, ["KP,30", "KR,30"]);
    key(&mut witness, 46, false);
    key(&mut witness, 29, false);
}

#[test]
fn a_recording_ends_by_itself_and_releases_what_is_held() {
    let shell = shell();
    let mut witness = witness(&shell);
    let begun = Instant::now();
    let recording = Recording::start(&shell, &["--duration", "1", "--thin", "2", "--keyboard", "false"]);
    for step in 0..30 {
        to(&mut witness, 100 + step, 100);
    }
    witness.command(&json!({"do": "act", "kind": "button", "number": 1, "press": true})).unwrap();
    let (ran, events) = recording.end();
    assert!(begun.elapsed() < LIMIT);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let recorded: Vec<_> = events.lines().filter(|line| !line.starts_with("WU,")).collect();
    assert!(recorded.len() < 20, "{recorded:?}");
    assert_eq!(recorded[recorded.len() - 3..], ["M,abs,129,100", "P,abs,129,100,Left", "R,abs,129,100,Left"]);
    witness.command(&json!({"do": "act", "kind": "button", "number": 1, "press": false})).unwrap();
}

#[test]
fn how_it_can_fail() {
    let shell = shell();
    let recording = Recording::start(&shell, &[]);
    let (ran, events) = recording.interrupt();
    assert_eq!((ran.code, events.as_str()), (6, ""), "nothing was recorded");
    assert!(!shell.home.path().join("recorded.macro").exists());
    assert_eq!(shell.run(&["record", "-o", "nowhere/x.macro"]).code, 3);
    assert_eq!(shell.run(&["record", "-o", "x.txt"]).code, 2);
    assert_eq!(shell.run(&["record", "-o", "x.macro", "--mouse", "no", "--keyboard", "off"]).code, 2);
    assert_eq!(shell.run(&["record", "-o", "x.macro", "--thin", "0"]).code, 2);
    assert_eq!(shell.run(&["record", "-o", "x.macro", "--mode", "sideways"]).code, 2);
    assert_eq!(shell.run(&["record"]).code, 2);
    let nowhere = Shell::without_display();
    assert_eq!(nowhere.run(&["record", "-o", "x.macro"]).code, 5);
    assert!(!nowhere.home.path().join("x.macro").exists());
}

/// A server with a recording that listens, and the id of it.
fn recording_over_mcp(shell: &Shell) -> (Mcp, String) {
    let mut server = Mcp::spawn(shell.command(&["mcp"])).unwrap();
    server.initialize("2025-06-18").unwrap();
    let path = shell.home.path().join("recorded.macro");
    let answer = server.call("automation.start", &json!({"kind": "record", "outputPath": path})).unwrap();
    let id = answer["structuredContent"]["operation"]["operationId"].as_str().unwrap().to_owned();
    // It tells how far it has come from when it listens.
    recorded(&mut server, &id, 0);
    (server, id)
}

/// Waits until so many events are recorded.
fn recorded(server: &mut Mcp, id: &str, count: u64) {
    let limit = Instant::now() + LIMIT;
    loop {
        let answer = server.call("automation.get", &json!({"operationId": id})).unwrap();
        let operation = &answer["structuredContent"]["operation"];
        if operation["eventsDelivered"].as_u64().is_some_and(|events| events >= count) {
            return;
        }
        assert!(Instant::now() < limit, "{answer}");
    }
}

#[test]
fn a_client_records_and_stops() {
    let shell = shell();
    let mut witness = witness(&shell);
    let (mut server, id) = recording_over_mcp(&shell);
    to(&mut witness, 0, 0);
    button(&mut witness, 1);
    recorded(&mut server, &id, 3);
    let stopped = server.call("automation.stop", &json!({"operationId": id})).unwrap();
    assert_eq!(stopped["structuredContent"]["cancellationInitiated"], true);
    let ended = server.call("automation.get", &json!({"operationId": id, "waitMs": 20_000})).unwrap();
    let operation = &ended["structuredContent"]["operation"];
    assert_eq!((&operation["state"], &operation["eventCount"]), (&json!("succeeded"), &json!(3)));
    assert_eq!(operation["stoppedByUser"], true);
    let file = std::fs::read_to_string(shell.home.path().join("recorded.macro")).unwrap();
    let events: Vec<_> =
        file.lines().skip_while(|line| *line != "[Events]").filter(|line| !line.starts_with("WU,")).collect();
    assert_eq!(events, ["[Events]", "M,abs,0,0", "P,abs,0,0,Left", "R,abs,0,0,Left"]);
}

/// The end of the session is no reason to lose what was recorded.
#[test]
fn a_recording_is_saved_when_the_client_goes_away() {
    let shell = shell();
    let mut witness = witness(&shell);
    let (mut server, id) = recording_over_mcp(&shell);
    key(&mut witness, 30, true);
    recorded(&mut server, &id, 1);
    server.close_stdin();
    assert!(server.wait_exit(Duration::from_secs(4)).unwrap().success());
    let file = std::fs::read_to_string(shell.home.path().join("recorded.macro")).unwrap();
    assert!(file.contains("KP,30\n") && file.ends_with("KR,30\n"), "{file}");
    key(&mut witness, 30, false);
}

#[test]
fn a_display_that_dies_ends_it_with_an_error_and_the_file() {
    let mut shell = shell();
    let mut witness = witness(&shell);
    let (mut server, id) = recording_over_mcp(&shell);
    key(&mut witness, 30, true);
    key(&mut witness, 30, false);
    recorded(&mut server, &id, 2);
    drop(witness);
    drop(shell.session.take());
    let ended = server.call("automation.get", &json!({"operationId": id, "waitMs": 20_000})).unwrap();
    let operation = &ended["structuredContent"]["operation"];
    assert_eq!(operation["state"], "failed");
    let error = &operation["outcome"]["errors"][0];
    assert_eq!(error["code"], "environment_error", "{error}");
    assert!(error["message"].as_str().unwrap().contains("events until then are saved"), "{error}");
    let file = std::fs::read_to_string(shell.home.path().join("recorded.macro")).unwrap();
    assert!(file.contains("KP,30\n"), "{file}");
}

/// A recording that is played has the effect that was recorded: the same events in the same order, at the same places
/// and with the same time between them.
#[test]
fn what_was_recorded_is_played_again_event_by_event() {
    let shell = shell();
    let mut witness = witness(&shell);
    to(&mut witness, 600, 400);
    let recording = Recording::start(&shell, &[]);
    witness.sync().unwrap();
    witness.forget();
    for (x, y) in [(10, 20), (0, 0), (1279, 799), (640, 360)] {
        to(&mut witness, x, y);
        std::thread::sleep(Duration::from_millis(12));
    }
    for number in 1..=9 {
        button(&mut witness, number);
        to(&mut witness, 600 + i32::from(number), 300);
    }
    for (code, press) in
        [(30, true), (30, false), (29, true), (46, true), (46, false), (113, true), (113, false), (29, false)]
    {
        key(&mut witness, code, press);
        std::thread::sleep(Duration::from_millis(7));
    }
    witness.sync().unwrap();
    let injected = expected(&witness.events());
    let (ran, _) = recording.interrupt();
    assert_eq!(ran.code, 0, "{}", ran.err);
    to(&mut witness, 600, 400);
    witness.sync().unwrap();
    witness.forget();
    let played = shell.json(0, &["play", "recorded.macro", "--precision-motion-rate", "10000"]);
    witness.sync().unwrap();
    let got = expected(&witness.events());
    let events = |text: &str| {
        text.lines().filter(|line| !line.starts_with("WU,")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(events(&got), events(&injected));
    assert_eq!(played["data"]["eventCount"], events(&injected).len());
    assert_eq!(played["data"]["failedEventCount"], 0);
    // Nothing comes early: the time of all waits together, in the milliseconds of the server.
    let waits = |text: &str| -> u64 {
        text.lines().filter_map(|line| line.strip_prefix("WU,")).map(|us| us.parse::<u64>().unwrap()).sum()
    };
    assert!(waits(&got) + 2000 >= waits(&injected), "{} {}", waits(&got), waits(&injected));
}
