//! The commands on a private display, with a program of the testkit as the witness.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "functions that tests share are tests too"
)]

mod shell;

use crossmacro_testkit::{LIMIT, Witness, private::Private};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use shell::Shell;
use std::time::{Duration, Instant};

fn shell() -> Shell {
    Shell::on(Private::new().start().unwrap())
}

fn witness(shell: &Shell) -> Witness {
    let witness = Witness::start(shell.session(), &["--at", "100,100", "--size", "400x300"]).unwrap();
    shell.json(0, &["window", "focus", "--title", "witness"]);
    witness
}

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn every_answer_has_the_fields_of_its_command() {
    let shell = shell();
    let _witness = witness(&shell);
    let steps = [
        "stepCount",
        "eventCount",
        "totalDurationMs",
        "initialDelayMs",
        "initialHasRandomDelay",
        "initialRandomDelayMinMs",
        "initialRandomDelayMaxMs",
        "trailingDelayMs",
        "coordinateMode",
    ];
    let colour = [
        "found",
        "x",
        "y",
        "color",
        "expectedColor",
        "regionX",
        "regionY",
        "regionWidth",
        "regionHeight",
        "tolerance",
        "providerName",
    ];
    let change = ["operation", "result"];
    let awaited = ["expectedColor", "actualColor", "providerName", "matched", "timeoutMs", "x", "y"];
    let table: &[(i32, &[&str], &[&str])] = &[
        (0, &["move", "abs", "300", "200"], &steps),
        (0, &["click", "left"], &steps),
        (0, &["scroll", "down", "2"], &steps),
        (0, &["key", "down", "F5"], &steps),
        (0, &["tap", "shift+a"], &steps),
        (0, &["type", "Grüße ✓"], &steps),
        (0, &["delay", "1"], &steps),
        (0, &["run", "move", "rel", "-5", "0", "click", "right"], &steps),
        (0, &["screen", "pixel", "0", "0"], &["x", "y", "color", "providerName", "relative"]),
        (0, &["screen", "pixel", "--relative", "-1", "-1"], &["x", "y", "color", "providerName", "relative"]),
        (0, &["screen", "wait-color", "1270", "790", "000000"], &awaited),
        (6, &["screen", "wait-color", "1270", "790", "123456", "--timeout-ms", "0"], &awaited),
        (0, &["screen", "search-color", "0", "0", "1280", "800", "000000"], &colour),
        (
            6,
            &["screen", "search-color", "1200", "700", "1280", "800", "123456", "--timeout-ms", "0"],
            &colour,
        ),
        (
            0,
            &["screenshot", "-o", "a.png", "--region", "0", "0", "40", "30"],
            &["outputPath", "width", "height", "format", "providerName", "isRegion", "copiedToClipboard"],
        ),
        (0, &["window", "list"], &["windows", "count"]),
        (0, &["window", "search", "--class", "witness"], &["windows", "count"]),
        (0, &["window", "wait", "--title", "exact:witness"], &["found", "window", "timeoutMs"]),
        (
            0,
            &["window", "wait", "--title", "nothing", "--timeout-ms", "0"],
            &["found", "window", "timeoutMs"],
        ),
        (0, &["window", "workspace", "get"], &["workspace"]),
        (0, &["window", "move", "--active", "50", "60"], &change),
        (0, &["window", "resize", "--title", "witness", "300", "200"], &change),
        (0, &["window", "center", "--active", "--dry-run"], &change),
        (0, &["window", "center"], &change),
        (0, &["clipboard", "set", "Straße"], &["length", "source"]),
        (0, &["clipboard", "get"], &["value"]),
        (0, &["doctor"], &["checks"]),
    ];
    for (code, arguments, expected) in table {
        let answer = shell.json(*code, arguments);
        assert_eq!(fields(&answer["data"]), *expected, "{arguments:?} {answer}");
    }
    let active = shell.json(0, &["window", "active"]);
    assert_eq!((&active["data"]["title"], active["data"].get("processName")), (&json!("witness"), None));
    assert_eq!(shell.json(6, &["window", "close", "--title", "nothing"])["data"], Value::Null);
    assert_eq!(shell.json(6, &["window", "close", "--title", "nothing", "--dry-run"])["data"], Value::Null);
    let png = std::fs::read(shell.home.path().join("a.png")).unwrap();
    assert_eq!((&png[..4], &png[16..24]), (&b"\x89PNG"[..], &[0, 0, 0, 40, 0, 0, 0, 30][..]));
    shell.json(0, &["window", "close", "--title", "witness"]);
    assert_eq!(shell.json(0, &["window", "list"])["data"]["count"], 0);
}

#[test]
fn typed_text_arrives_exactly() {
    let shell = shell();
    let witness = witness(&shell);
    let text = "$HOME ${x} Grüße, Привет, 日本 ✓ -- end ";
    shell.json(0, &["type", text]);
    witness.wait_for_text(text).unwrap();
}

#[test]
fn a_rehearsal_reaches_nobody() {
    let shell = shell();
    let mut witness = witness(&shell);
    shell.json(0, &["clipboard", "set", "kept"]);
    witness.sync().unwrap();
    witness.forget();
    for arguments in [
        &["type", "x"][..],
        &["click", "left"],
        &["run", "tap a"],
        &["clipboard", "set", "lost"],
        &["clipboard", "clear"],
        &["window", "close", "--title", "witness"],
        &["window", "move", "1", "1"],
    ] {
        let mut words = arguments.to_vec();
        words.push("--dry-run");
        shell.json(0, &words);
    }
    witness.sync().unwrap();
    let seen = witness.events();
    assert!(seen.iter().all(|event| event["event"] == "done"), "{seen:?}");
    assert_eq!(shell.run(&["clipboard", "get"]).out, "kept");
}

#[test]
fn the_clipboard_outlives_the_command_and_is_printed_raw() {
    let shell = shell();
    let mut witness = witness(&shell);
    shell.json(0, &["clipboard", "set", "two\nlines ✓"]);
    assert_eq!(witness.read("CLIPBOARD", "UTF8_STRING").unwrap().unwrap(), "two\nlines ✓".as_bytes());
    assert_eq!(shell.run(&["clipboard", "get"]).out, "two\nlines ✓");
    shell.json(0, &["screenshot", "--clipboard", "--region", "0", "0", "8", "8"]);
    shell.json(0, &["clipboard", "get", "--image", "c.png"]);
    assert!(std::fs::read(shell.home.path().join("c.png")).unwrap().starts_with(b"\x89PNG"));
    shell.json(0, &["clipboard", "clear"]);
    assert_eq!(shell.run(&["clipboard", "get"]).out, "");
}

#[test]
fn a_signal_ends_a_script_at_once_and_nothing_stays_held() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let shell = shell();
        let mut witness = witness(&shell);
        let child = shell
            .command(&["--json", "run", "key down shift", "down left", "tap a", "delay 30000"])
            .spawn()
            .unwrap();
        witness.wait_for("the key", LIMIT, |events| events.iter().any(|event| event["text"] == "A")).unwrap();
        let held = witness.command(&json!({"do": "held"})).unwrap();
        assert!(held.to_string().contains("50"), "shift is not down: {held}");
        let start = Instant::now();
        kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(2));
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&answer["status"], &answer["code"]), (&json!("error"), &json!(130)));
        let held = witness.command(&json!({"do": "held"})).unwrap();
        assert_eq!((&held["keys"], &held["buttons"]), (&json!([]), &json!([])), "{held}");
    }
}

#[test]
fn the_demo_holds() {
    let shell = Shell::without_display();
    let answer = shell.json(0, &["demo", "--output", "demo"]);
    let pictures = answer["data"]["pictures"].as_array().unwrap();
    assert_eq!(pictures.len(), 2);
    for picture in pictures {
        assert!(std::fs::read(picture.as_str().unwrap()).unwrap().starts_with(b"\x89PNG"));
    }
    assert!(answer["data"]["calls"].as_array().unwrap().len() >= 15);
}

/// A server that takes no input: the doctor says so, and which function fails.
#[test]
fn without_xtest_the_doctor_names_what_fails() {
    let shell = Shell::on(Private::new().without_manager().without("XTEST").start().unwrap());
    let answer = shell.json(5, &["doctor"]);
    let checks = answer["data"]["checks"].as_array().unwrap();
    let status =
        |name: &str| checks.iter().find(|check| check["name"] == name).map(|check| check["status"].clone());
    assert_eq!(status("input-simulator"), Some(json!("fail")), "{answer}");
    assert_eq!(status("pointer-loop"), Some(json!("fail")), "{answer}");
    assert!(answer["message"].as_str().unwrap().contains("input-simulator"), "{answer}");
}
