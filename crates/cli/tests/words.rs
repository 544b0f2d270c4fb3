//! What the command line accepts and how it answers, where no display is needed.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "functions that tests share are tests too"
)]

mod shell;

use serde_json::{Value, json};
use shell::Shell;

#[test]
fn wrong_words_end_with_2_and_say_why() {
    let shell = Shell::without_display();
    for arguments in [
        &[][..],
        &["--json"],
        &["fly"],
        &["windw", "list"],
        &["move"],
        &["move", "abs", "1"],
        &["move", "abs", "1,5", "2"],
        &["move", "abs", "1.5", "2"],
        &["move", "abs", "99999999999", "2"],
        &["move", "abs", "1", "2", "3"],
        &["move", "sideways", "1", "2"],
        &["move", "abs", "1", "2", "--fast"],
        &["click"],
        &["click", "fourth"],
        &["scroll", "sideways"],
        &["scroll", "up", "-1"],
        &["key", "press", "a"],
        &["key", "down", "NoSuchKey"],
        &["tap", "ctrl+"],
        &["tap", "hyper+nosuchkey"],
        &["type", ""],
        &["delay", "soon"],
        &["delay", "random", "5", "1"],
        &["run"],
        &["run", "--step", "mvoe abs 1 1"],
        &["run", "--speed", "1,5", "click left"],
        &["run", "--speed", "NaN", "click left"],
        &["run", "--countdown", "-1", "click left"],
        &["run", "move", "abs", "1"],
        &["screen", "pixel", "1"],
        &["screen", "wait-color", "1", "1", "red"],
        &["screen", "wait-color", "1", "1", "FF0000", "--timeout-ms", "30001"],
        &["screen", "search-color", "0", "0", "9", "9", "FF0000", "--tolerance", "256"],
        &["screenshot"],
        &["screenshot", "-o", "x.png", "--region", "0", "0", "1"],
        &["window"],
        &["window", "search"],
        &["window", "search", "--title", "a", "--class", "b"],
        &["window", "focus", "--active"],
        &["window", "resize", "--active", "0", "5"],
        &["window", "resize", "--active", "-3", "5"],
        &["clipboard", "set"],
        &["clipboard", "set", "a", "--file", "b"],
        &["settings", "get", "playback.sped"],
        &["settings", "set", "playback.speed", "1,5"],
        &["settings", "set", "playback.speed"],
        &["settings", "set", "screen.portalRestoreToken", "x"],
        &["--log-level", "loud", "doctor"],
        &["mcp", "--private-desktop=big"],
    ] {
        // Where a command acts it is only tried: what is wrong with the words must not need a desktop.
        let acts = ["move", "click", "scroll", "key", "tap", "type", "delay", "run"];
        let mut words = arguments.to_vec();
        if words.first().is_some_and(|first| acts.contains(first)) {
            words.insert(1, "--dry-run");
        }
        let text = shell.run(&words);
        if !words.contains(&"--json") {
            assert_eq!((text.code, text.out.as_str()), (2, ""), "{words:?} {}", text.err);
            // Who names no command gets the list of commands; everything else is an answer.
            let is_group = [&[][..], &["window"], &["screen"]].contains(&arguments);
            let begin = if is_group { "\nCommands:\n" } else { "Status: error\nCode: 2\nMessage: " };
            assert_eq!(text.err.starts_with("Status: "), !is_group, "{words:?} {}", text.err);
            assert!(text.err.contains(begin), "{words:?} {}", text.err);
        }
        // `--json` counts also after what can't be parsed.
        words.push("--json");
        let ran = shell.run(&words);
        assert_eq!((ran.code, ran.err.as_str()), (2, ""), "{words:?}");
        let answer = ran.json();
        assert_eq!(answer["data"], Value::Null, "{words:?}");
        assert!(!answer["message"].as_str().unwrap().is_empty());
        assert!(answer["errors"].as_array().is_some_and(|errors| !errors.is_empty()), "{words:?} {answer}");
    }
}

#[test]
fn what_is_missing_is_named_with_the_usage() {
    let shell = Shell::without_display();
    let answer = shell.json(2, &["move"]);
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("<MODE>") && message.contains("<Y>"), "{message}");
    let errors = answer["errors"].as_array().unwrap();
    assert!(
        errors.iter().any(|error| error.as_str().unwrap().starts_with("Usage: crossmacro move")),
        "{errors:?}"
    );
    let answer = shell.json(2, &["settings", "get", "playback.sped"]);
    assert!(answer["message"].as_str().unwrap().contains("playback.speed"), "{answer}");
}

#[test]
fn names_are_accepted_in_any_case_and_the_last_of_repeated_options_counts() {
    let shell = Shell::without_display();
    let dry = shell.run(&["MOVE", "ABS", "5", "-5", "--DRY-RUN", "--Json"]);
    assert_eq!((dry.code, &dry.json()["data"]["coordinateMode"]), (0, &json!("absolute")), "{}", dry.err);
    let twice = shell.json(
        0,
        &["run", "--speed", "2", "--speed", "3", "--step", "click left", "--step", "tap a", "--dry-run"],
    );
    assert_eq!(twice["data"]["stepCount"], 2);
    let version = shell.run(&["-v"]);
    assert_eq!((version.code, version.out.starts_with("crossmacro ")), (0, true));
}

#[test]
fn a_script_is_rehearsed_without_a_display() {
    let shell = Shell::without_display();
    std::fs::write(shell.home.path().join("steps.txt"), "# two steps\nmove abs 1 2\ndelay 250\n").unwrap();
    let answer =
        shell.json(0, &["run", "--file", "steps.txt", "--step", "click left", "key down a", "--dry-run"]);
    let data = json!({"stepCount": 4, "eventCount": 3, "totalDurationMs": 250, "initialDelayMs": 0, "initialHasRandomDelay": false,
        "initialRandomDelayMinMs": 0, "initialRandomDelayMaxMs": 0, "trailingDelayMs": 0, "coordinateMode": "absolute"});
    assert_eq!(answer["data"], data);
    assert_eq!(shell.json(3, &["run", "--file", "nothing.txt", "--dry-run"])["data"], Value::Null);
    std::fs::write(shell.home.path().join("bad.txt"), b"type \xff\n").unwrap();
    shell.json(4, &["run", "--file", "bad.txt", "--dry-run"]);
    // A command line's dollar sign is a dollar sign.
    assert_eq!(shell.json(0, &["type", "$HOME costs $5", "--dry-run"])["data"]["eventCount"], 28);
}

#[test]
fn without_a_display_everything_that_needs_one_ends_with_5() {
    let shell = Shell::without_display();
    for arguments in [
        &["move", "abs", "1", "1"][..],
        &["click", "left"],
        &["type", "x"],
        &["run", "tap a"],
        &["screen", "pixel", "1", "1"],
        &["screenshot", "-o", "x.png"],
        &["window", "list"],
        &["window", "close", "--title", "x"],
        &["window", "close", "--title", "x", "--dry-run"],
        &["clipboard", "get"],
        &["clipboard", "set", "x"],
    ] {
        let answer = shell.json(5, arguments);
        assert!(answer["errors"].to_string().contains("environment_error"), "{arguments:?} {answer}");
    }
    assert!(!shell.home.path().join("x.png").exists());
    let doctor = shell.json(5, &["doctor"]);
    let checks = doctor["data"]["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["status"] == "fail"));
    for check in checks {
        let fields: Vec<&String> = check.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["name", "status", "message", "details"]);
    }
}

#[test]
fn settings_are_shown_changed_and_reset() {
    let shell = Shell::without_display();
    assert_eq!(
        shell.json(0, &["settings", "get", "playback.speed"])["data"],
        json!({"key": "playback.speed", "value": "1"})
    );
    assert_eq!(shell.run(&["settings", "get", "playback.speed"]).out, "playback.speed = 1 (default)\n");
    shell.json(0, &["settings", "set", "playback.speed", "2", "--dry-run"]);
    let change = json!({"key": "playback.speed", "oldValue": "1", "newValue": "2"});
    assert_eq!(shell.json(0, &["settings", "set", "playback.speed", "2"])["data"], change);
    assert_eq!(
        shell.run(&["settings", "get", "playback.speed"]).out,
        "playback.speed = 2 (profile; default 1)\n"
    );
    let all = shell.json(0, &["settings", "get"])["data"].as_object().unwrap().clone();
    let keys = shell.json(0, &["settings", "list-keys"])["data"]["keys"].clone();
    assert_eq!(keys, json!(all.keys().collect::<Vec<_>>()));
    assert_eq!(all["playback.speed"], "2");
    let change = json!({"key": "playback.speed", "oldValue": "2", "newValue": "1"});
    assert_eq!(shell.json(0, &["settings", "reset", "playback.speed"])["data"], change);
    // The person at the command line owns the policy.
    shell.json(0, &["settings", "set", "mcp.shellExecute", "off"]);
    assert_eq!(shell.json(0, &["settings", "get", "mcp.shellExecute"])["data"]["value"], "false");
}

/// All help texts, as one file. `CROSSMACRO_BLESS=1` writes it anew.
#[test]
fn help_is_as_it_was() {
    let shell = Shell::without_display();
    let mut all = String::new();
    collect(&shell, &mut Vec::new(), false, &mut all);
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/help.txt");
    if std::env::var_os("CROSSMACRO_BLESS").is_some() {
        std::fs::write(&golden, &all).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    assert!(all == expected, "help has changed; look at the difference after CROSSMACRO_BLESS=1");
}

/// Every command has an example, or a subject above it has.
fn collect(shell: &Shell, path: &mut Vec<String>, has_example: bool, all: &mut String) {
    let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
    words.push("--help");
    let help = shell.run(&words);
    assert_eq!((help.code, help.err.as_str()), (0, ""), "{path:?}");
    all.push_str(&format!("$ crossmacro {}\n{}\n", words.join(" "), help.out));
    let commands = help.out.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<String> = commands
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    let has_example = has_example || (!path.is_empty() && help.out.contains("Example"));
    assert!(has_example || !names.is_empty(), "{path:?} has no example");
    for name in names {
        path.push(name);
        collect(shell, path, has_example, all);
        path.pop();
    }
}
