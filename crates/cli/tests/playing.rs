//! `play` on a private display: what a witness gets, and what is left of it however it ends.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "functions that tests share are tests too"
)]

mod shell;

use crossmacro_testkit::private::Private;
use crossmacro_testkit::{LIMIT, Mcp, Witness};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use shell::Shell;
use std::time::Instant;

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

const HEAD: &str = "# IsAbsolute: True\n# SkipInitialZero: True\n# Format: CrossMacroFormatV2\n";
/// Holds a modifier, a letter and a button for an hour.
const HELD: &str = "[Events]\nM,abs,300,200\nKP,29\nKP,30\nP,abs,300,200,Left\nW,3600000\nR,abs,300,200,Left\nKR,30\nKR,29\n";

fn file(shell: &Shell, name: &str, text: &str) {
    std::fs::write(shell.home.path().join(name), format!("{HEAD}{text}")).unwrap();
}

/// Waits until the witness has this many events of a kind in this direction.
fn wait_for(witness: &Witness, name: &str, direction: &str, count: usize) {
    let limit = Instant::now() + LIMIT;
    let found = || witness.events_named(name).iter().filter(|event| event["direction"] == direction).count();
    while found() < count {
        assert!(Instant::now() < limit, "{name} {direction}: {} of {count}", found());
        std::thread::yield_now();
    }
}

fn buttons(witness: &Witness) -> Vec<Value> {
    witness
        .events_named("button")
        .iter()
        .map(|event| json!([event["button"], event["direction"], event["root"]]))
        .collect()
}

/// A number out of a variable and sums, moves there, and clicks there.
#[test]
fn a_script_with_variables_acts_where_they_say() {
    let shell = shell();
    let mut witness = witness(&shell);
    file(&shell, "sum.macro", "[Script]\nset x 37\nset y -5+105\nmove abs $x $y\nclick left\n[Events]\n");
    let played = shell.json(0, &["play", "sum.macro"]);
    assert_eq!(played["data"]["eventCount"], 2);
    witness.sync().unwrap();
    assert_eq!(witness.command(&json!({"do": "pointer"})).unwrap()["at"], json!([37, 100]));
    let click = json!([[1, "press", [37, 100]], [1, "release", [37, 100]]]);
    assert_eq!(Value::from(buttons(&witness)), click);
}

#[test]
fn however_it_is_ended_what_it_held_comes_up() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let shell = shell();
        let mut witness = witness(&shell);
        file(&shell, "held.macro", HELD);
        let child = shell.command(&["--json", "play", "held.macro"]).spawn().unwrap();
        wait_for(&witness, "key", "press", 2);
        wait_for(&witness, "button", "press", 1);
        let begun = Instant::now();
        kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(begun.elapsed() < LIMIT);
        assert_eq!(output.status.code(), Some(130), "{signal:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["status"], &answer["code"]), (&json!("error"), &json!(130)));
        // It ended after the server had confirmed the last release.
        witness.sync().unwrap();
        let released = |name: &str| {
            witness.events_named(name).iter().filter(|event| event["direction"] == "release").count()
        };
        assert_eq!((released("key"), released("button")), (2, 1), "{signal:?}");
        let state = witness.command(&json!({"do": "pointer"})).unwrap();
        assert_eq!(state["at"], json!([300, 200]));
    }
}

#[test]
fn a_limit_ends_it_too() {
    let shell = shell();
    let mut witness = witness(&shell);
    file(&shell, "held.macro", HELD);
    let ran = shell.run(&["--json", "play", "held.macro", "--timeout", "1"]);
    assert_eq!(ran.code, 6, "{}", ran.out);
    assert!(ran.out.contains("timeout"), "{}", ran.out);
    witness.sync().unwrap();
    wait_for(&witness, "key", "release", 2);
    wait_for(&witness, "button", "release", 1);
}

/// A key again and again without a wait: it can be stopped, over MCP too, and the machine is not taken up.
#[test]
fn an_endless_macro_without_waits_stops_at_once() {
    let shell = shell();
    let mut witness = witness(&shell);
    file(&shell, "spin.macro", "[Events]\nKP,30\nKR,30\n");
    let mut server = Mcp::spawn(shell.command(&["mcp"])).unwrap();
    server.initialize("2025-06-18").unwrap();
    let path = shell.home.path().join("spin.macro");
    let start = json!({"kind": "play", "macroPath": path, "loop": true});
    let answer = server.call("automation.start", &start).unwrap();
    let id = answer["structuredContent"]["operation"]["operationId"].as_str().unwrap().to_owned();
    wait_for(&witness, "key", "release", 50);
    let stopped = server.call("automation.stop", &json!({"operationId": id})).unwrap();
    assert_eq!(stopped["structuredContent"]["cancellationInitiated"], true);
    let ended = server.call("automation.get", &json!({"operationId": id, "waitMs": 20_000})).unwrap();
    assert_eq!(ended["structuredContent"]["operation"]["state"], "cancelled");
    witness.sync().unwrap();
    let keys = witness.events_named("key");
    let presses = keys.iter().filter(|event| event["direction"] == "press").count();
    assert_eq!(presses * 2, keys.len(), "each press has its release");
    assert_eq!(keys.last().unwrap()["direction"], "release");
    // A pass takes a millisecond at least, whatever the macro.
    let time = |event: &Value| event["time"].as_u64().unwrap();
    let span = time(keys.last().unwrap()) - time(&keys[0]);
    assert!(span + 2 >= presses as u64 - 1, "{presses} passes in {span} ms");
}

#[test]
fn how_it_can_fail() {
    let shell = shell();
    file(&shell, "ok.macro", "[Events]\nKP,30\nKR,30\n");
    file(&shell, "bad.macro", "[Events]\nKP,30\nHOP\nKR,30\n");
    for (code, arguments) in [
        (2, vec!["play"]),
        (2, vec!["play", "ok.txt"]),
        (2, vec!["play", "ok.macro", "--speed", "0"]),
        (2, vec!["play", "ok.macro", "--repeat", "0"]),
        (2, vec!["play", "ok.macro", "--motion-error-px", "0.1"]),
        (2, vec!["play", "ok.macro", "--motion-mode", "fast"]),
        (3, vec!["play", "none.macro"]),
        (4, vec!["play", "bad.macro"]),
        (0, vec!["play", "bad.macro", "--lenient"]),
        (0, vec!["play", "ok.macro", "--repeat", "2", "--dry-run"]),
    ] {
        let ran = shell.run(&arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {} {}", ran.out, ran.err);
    }
    let nowhere = Shell::without_display();
    file(&nowhere, "ok.macro", "[Events]\nKP,30\nKR,30\n");
    assert_eq!(nowhere.run(&["play", "ok.macro"]).code, 5);
    assert_eq!(nowhere.run(&["play", "ok.macro", "--dry-run"]).code, 0);
}

/// Of a process that is killed, nobody cleans up but the next one: whatever it is, it finds what was held.
#[test]
fn what_a_killed_process_held_is_released_by_the_next_one() {
    let next: [(&str, &[&str]); 3] = [
        ("a look", &["window", "list"]),
        ("no need of the desktop", &["settings", "list-keys"]),
        ("a server", &["mcp"]),
    ];
    for (what, arguments) in next {
        let shell = shell();
        let mut witness = witness(&shell);
        file(&shell, "held.macro", HELD);
        let mut child = shell.command(&["play", "held.macro"]).spawn().unwrap();
        wait_for(&witness, "key", "press", 2);
        wait_for(&witness, "button", "press", 1);
        child.kill().unwrap();
        child.wait().unwrap();
        witness.sync().unwrap();
        let ups = |name: &str| {
            witness.events_named(name).iter().filter(|event| event["direction"] == "release").count()
        };
        assert_eq!((ups("key"), ups("button")), (0, 0), "nobody has released them yet");
        let mut second = shell.command(arguments).stdin(std::process::Stdio::piped()).spawn().unwrap();
        wait_for(&witness, "key", "release", 2);
        wait_for(&witness, "button", "release", 1);
        drop(second.stdin.take());
        let output = second.wait_with_output().unwrap();
        assert!(output.status.success(), "{what}");
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains("3 keys or buttons"), "{what}: {log}");
        // And it is said and done once.
        let third = shell.run(&["window", "list"]);
        assert!(!third.err.contains("killed"), "{what}: {}", third.err);
    }
}

/// A running one keeps what it holds, whoever looks meanwhile.
#[test]
fn what_a_living_process_holds_is_its_own() {
    let shell = shell();
    let witness = witness(&shell);
    file(&shell, "held.macro", HELD);
    let child = shell.command(&["play", "held.macro"]).spawn().unwrap();
    wait_for(&witness, "button", "press", 1);
    assert_eq!(shell.run(&["window", "list"]).code, 0);
    let released = witness.events().iter().any(|event| event["direction"] == "release");
    assert!(!released, "{:?}", witness.events());
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::TERM).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    let folder = shell.home.path().join("run/crossmacro/held");
    let left = std::fs::read_dir(&folder).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a record is gone when nothing is held");
}
