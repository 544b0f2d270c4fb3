//! Conversions: what other programs' scripts become, and that events and steps say the same.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

use crossmacro_model::macro_file::convert::{Foreign, from_foreign, to_events, to_script, to_steps};
use crossmacro_model::macro_file::{
    Action, ChangeKind, Event, Macro, Place, RandomDelay, Space, diff, lint, read, write,
};
use crossmacro_model::run::from_lines;
use crossmacro_model::{Axis, Button, Direction, KeyCode};
use proptest::prelude::*;

/// The steps of a script that must convert without a remark.
fn steps(program: Foreign, text: &str) -> Vec<String> {
    let (content, found) = from_foreign(program, text);
    assert!(found.list.is_empty(), "{text}: {found}");
    assert!(content.program().is_ok(), "{text}: {:?}", content.program());
    content.script.into_iter().map(|step| step.text).collect()
}

/// What is said about a line that can't be converted; the line must stay as a comment.
fn refusal(program: Foreign, line: &str) -> String {
    let (content, found) = from_foreign(program, &format!("\n{line}\n"));
    assert_eq!(found.errors, 1, "{line}: {found}");
    assert_eq!(found.list[0].line, Some(2), "{line}");
    assert_eq!(content.comments[0].text, format!("# line 2, not converted: {line}"));
    found.list[0].sentence()
}

#[test]
fn xdotool() {
    let table: &[(&str, &[&str])] = &[
        ("xdotool mousemove 10 20 click 1", &["move abs 10 20", "click left"]),
        ("xdotool mousemove_relative -- -5 3", &["move rel-logical -5 3"]),
        ("/usr/bin/xdotool click --repeat 2 --delay 50 3", &["click right", "delay 50", "click right"]),
        ("xdotool click 4; xdotool click 5", &["scroll up", "scroll down"]),
        ("xdotool mousedown 1 mousemove 5 6 mouseup 1", &["down left", "move abs 5 6", "up left"]),
        ("xdotool key ctrl+shift+t", &["tap Ctrl+Shift+t"]),
        ("xdotool key Return Page_Up", &["tap Enter", "delay 12", "tap PageUp"]),
        (
            "xdotool key A plus exclam dollar",
            &["tap Shift+a", "delay 12", "type +", "delay 12", "type !", "delay 12", "type $$"],
        ),
        ("xdotool key ctrl+plus alt+F4", &["tap Ctrl+Plus", "delay 12", "tap Alt+F4"]),
        ("xdotool key ISO_Left_Tab", &["tap Shift+Tab"]),
        ("xdotool key 36", &["tap Enter"]),
        ("xdotool key U20AC", &["type €"]),
        ("xdotool keydown shift keyup shift", &["key down Shift", "key up Shift"]),
        ("xdotool type 'a $b; \"c\"'", &["type a $$b; \"c\""]),
        ("xdotool type --clearmodifiers -- '-x'", &["type -x"]),
        ("sleep 0.5\nxdotool sleep 1.0005 click 2", &["delay 500", "delay 1000500us", "click middle"]),
        ("#!/usr/bin/xdotool\nkey Tab\n# done\n", &["tap Tab"]),
        ("xdotool key a \\\n  b", &["tap a", "delay 12", "tap b"]),
        ("mousemove 1 2 && click 9", &["move abs 1 2", "click side2"]),
    ];
    for (text, expected) in table {
        assert_eq!(steps(Foreign::Xdotool, text), *expected, "{text}");
    }
    let refused = [
        ("xdotool search --name x windowactivate", "search does not send input, and can't be converted"),
        ("xdotool key $KEY", "what the shell would put here is not known"),
        ("xdotool key Retrun", "there is no key \"Retrun\"; did you mean Return?"),
        ("xdotool mousemve 1 2", "\"mousemve\" is no command of xdotool; did you mean mousemove?"),
        ("xdotool mousemove --window 5 1 2", "the option \"--window\" has no counterpart"),
        ("xdotool mousemove 1", "expected a number for y, found nothing"),
        ("xdotool click 12", "expected a button from 1 to 9, found 12"),
        ("xdotool type x | cat", "| asks the shell for something that is no input"),
        ("notify-send hi", "\"notify-send\" is no command of xdotool"),
        ("xdotool sleep soon", "expected a number of seconds after sleep"),
        ("xdotool type --file x", "type with --file, --args or --terminator can't be converted"),
        ("xdotool key ctrl+exclam", "which key prints ! depends on the layout; name the key"),
    ];
    for (line, message) in refused {
        assert_eq!(refusal(Foreign::Xdotool, line), message, "{line}");
    }
}

#[test]
fn ydotool() {
    let table: &[(&str, &[&str])] = &[
        (
            "ydotool key 29:1 46:1 46:0 29:0",
            &[
                "key down Ctrl",
                "delay 12",
                "key down KEY_C",
                "delay 12",
                "key up KEY_C",
                "delay 12",
                "key up Ctrl",
            ],
        ),
        ("ydotool key -d 0 28:1 28:0", &["key down Enter", "key up Enter"]),
        ("ydotool key ctrl+c", &["tap Ctrl+c"]),
        ("ydotool mousemove -x 10 -y -20", &["move rel-raw 10 -20"]),
        ("ydotool mousemove --absolute -x 10 -y 20", &["move abs 10 20"]),
        ("ydotool mousemove -- -5 5", &["move rel-raw -5 5"]),
        ("ydotool mousemove -w -- 0 -3", &["scroll down 3"]),
        ("ydotool click 0xC0", &["click left"]),
        ("ydotool click 0x41 0x81", &["down right", "delay 25", "up right"]),
        ("ydotool click --repeat 2 --next-delay 10 0xC2", &["click middle", "delay 10", "click middle"]),
        ("ydotool click 1", &["click left"]),
        ("ydotool type 'Hello World'", &["type Hello World"]),
        ("sleep 2", &["delay 2000"]),
    ];
    for (text, expected) in table {
        assert_eq!(steps(Foreign::Ydotool, text), *expected, "{text}");
    }
    let refused = [
        ("ydotool click 0x01", "a button without 0x40 (press) or 0x80 (release) does nothing"),
        ("ydotool key 900:1", "expected the code of a key from 1 to 767"),
        ("ydotool key 28:2", "expected CODE:1 or CODE:0, found \"28:2\""),
        ("ydotool tpye x", "\"tpye\" sends no input that is known here; did you mean type?"),
        ("ydotool mousemove 5", "expected mousemove [-a] -x X -y Y"),
        ("ydotool mousemove -w -- 0 500", "500 notches at once are more than a step may turn"),
        ("echo x", "\"echo\" is not ydotool"),
    ];
    for (line, message) in refused {
        assert_eq!(refusal(Foreign::Ydotool, line), message, "{line}");
    }
}

#[test]
fn autohotkey() {
    let table: &[(&str, &[&str])] = &[
        ("Send, Hello", &["type Hello"]),
        ("Send Hello{!} ; a comment", &["type Hello!"]),
        ("Send \"^c\"", &["tap Ctrl+c"]),
        ("Send(\"^+{Esc}\")", &["tap Ctrl+Shift+Escape"]),
        ("SendInput abc{Enter 2}x", &["type abc", "tap Enter", "tap Enter", "type x"]),
        ("Send {Shift down}a{Shift up}", &["key down Shift", "type a", "key up Shift"]),
        ("send #r!{F4}", &["tap Super+r", "tap Alt+F4"]),
        ("SendText \"50% off, $5\"", &["type 50% off, $$5"]),
        ("SendRaw ^c", &["type ^c"]),
        ("Send {Raw}^c", &["type ^c"]),
        ("Send {U+20AC}", &["type €"]),
        ("Send a`nb", &["type a\nb"]),
        ("Click", &["click left"]),
        ("Click 100 200", &["move abs 100 200", "click left"]),
        ("Click, right, 100, 200", &["move abs 100 200", "click right"]),
        ("Click 100 200 2", &["move abs 100 200", "click left", "click left"]),
        ("Click(\"10 20 0\")", &["move abs 10 20"]),
        ("Click Down", &["down left"]),
        ("Click WheelDown", &["scroll down"]),
        ("MouseMove, 5, -6, 0, R", &["move rel-logical 5 -6"]),
        ("MouseMove 5, 6", &["move abs 5 6"]),
        ("; note\n/* many\nlines */\nSleep, 500", &["delay 500"]),
        ("Sleep(20)", &["delay 20"]),
    ];
    for (text, expected) in table {
        assert_eq!(steps(Foreign::AutoHotkey, text), *expected, "{text}");
    }
    let refused = [
        ("^j::Send x", "hotkeys can't be converted; use a shortcut"),
        ("Sned x", "\"Sned\" can't be converted; did you mean Send?"),
        ("Send %name%", "what a variable holds is not known here"),
        ("Send \"a\" . b", "expected one text; what is computed can't be converted"),
        ("Send {Entr}", "there is no key \"Entr\"; did you mean Enter?"),
        ("Send {Enter", "a brace is not closed"),
        ("Send a^", "a modifier without a key; the sign itself is written in braces, {+}"),
        ("Sleep soon", "expected a number of milliseconds after Sleep"),
        ("Click here", "expected a button, a number, Down or Up, found \"here\""),
        ("WinActivate, Editor", "\"WinActivate\" can't be converted"),
    ];
    for (line, message) in refused {
        assert_eq!(refusal(Foreign::AutoHotkey, line), message, "{line}");
    }
    let (_, found) = from_foreign(Foreign::AutoHotkey, "#NoEnv\nSend x\nreturn");
    assert_eq!((found.errors, found.warnings), (0, 2));
}

#[test]
fn nothing_to_play_is_an_error() {
    for program in Foreign::ALL {
        assert_eq!(
            from_foreign(program, "\n").1.to_string(),
            "error: there is nothing in it that could be played"
        );
    }
    assert_eq!(Foreign::guess("#!/bin/sh\nxdotool key a"), Some(Foreign::Xdotool));
    assert_eq!(Foreign::guess("sudo ydotool type x"), Some(Foreign::Ydotool));
    assert_eq!(Foreign::guess("move abs 1 2"), None);
}

fn script(text: &str) -> Macro {
    Macro { script: from_lines(text).unwrap(), ..Macro::default() }
}

/// The lines of `[Events]`, and what was said.
fn events(text: &str) -> (Vec<String>, String) {
    let (content, found) = to_events(&script(text));
    let mut bytes = Vec::new();
    if write(&content, &mut bytes).is_err() {
        return (Vec::new(), found.to_string());
    }
    let text = String::from_utf8(bytes).unwrap();
    let lines = text.split("[Events]\n").nth(1).unwrap().lines().map(str::to_owned).collect();
    (lines, found.to_string())
}

#[test]
fn steps_become_events() {
    let text = "set n 2\ndelay 5\nfor i from 1 to $n {\nmove abs $i 7\nif $i == 2 {\nclick left\n}\nelse {\ndelay random 1..3\n}\n}\n\
                scroll up 2\nmove rel 3 0\ndown right\nup current right\ntap ctrl+alt+Delete\nkey down F5\ndelay 1.5ms";
    let expected = "WU,5000 M,abs,1,7 WR,1,3 M,abs,2,7 C,abs,2,7,Left C,0,0,ScrollUp C,0,0,ScrollUp M,rel-raw,3,0 \
                    P,rel-raw,0,0,Right R,0,0,Right,CurrentPosition KP,29 KP,56 KP,111 KR,111 KR,56 KR,29 KP,63";
    let (lines, found) = events(text);
    assert_eq!((lines.join(" "), found), (expected.to_owned(), String::new()));
    let (content, _) = to_events(&script(text));
    assert_eq!(content.trailing_us, 1500);
}

#[test]
fn what_can_not_become_events_is_told_with_its_line() {
    let table = [
        (
            "tap a\ntype hello",
            "error: line 2 (step 2): a text to type can't become events: its keys depend on the keyboard layout",
        ),
        (
            "click left\nwaitcolor 1 2 FF0000",
            "error: line 2 (step 2): this step can't become events: it needs a desktop",
        ),
        ("tap é", "no key of the American layout prints é"),
        ("clik left", "error: line 1 (step 1): there is no step kind \"clik\"; did you mean click?"),
        ("set a 1\nif $a > x {\n}", "must be whole numbers"),
        ("set n -1\nrepeat $n {\n}", "the count of a repeat is negative"),
        ("set x 1", "error: the script makes no event"),
    ];
    for (text, message) in table {
        let (_, found) = events(text);
        assert!(found.contains(message), "{text}: {found}");
    }
}

#[test]
fn events_become_steps() {
    let text = "# IsAbsolute: True\n# TrailingDelayUs: 7000\n[Events]\nWU,1500\nWR,2,4\nM,abs,1,2\nP,abs,1,2,Left\nR,abs,5,6,Left\n\
                C,0,0,ScrollUp\nC,0,0,ScrollUp\nWU,10\nC,0,0,ScrollUp\nC,1,1,Right,Live\nM,rel-logical,3,4\nC,rel-logical,0,0,Side1\nKP,30\nKR,250";
    let (content, found) = to_script(&read(text.as_bytes()).content);
    assert!(found.list.is_empty(), "{found}");
    let expected = "delay 1500us|delay random 2 4|move abs 1 2|down left|move abs 5 6|up left|scroll up 2|delay 10us|scroll up|\
                    click current right|move rel-logical 3 4|click side1|key down KEY_A|key up 250|delay 7";
    let steps: Vec<_> = content.script.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(steps.join("|"), expected);
    assert!(content.program().is_ok());
}

#[test]
fn a_file_of_steps_has_one_step_a_line() {
    let text = "[Script]\n# hello\ntype a\n| \n| b\nif 1 == 1 {\ntap x\n}\n# end\n";
    let (lines, found) = to_steps(&read(text.as_bytes()).content);
    assert!(found.list.is_empty());
    let expected =
        ["# hello", "type a", "tap Enter", "tap Enter", "type b", "if 1 == 1 {", "tap x", "}", "# end"];
    assert_eq!(lines, expected);
}

#[test]
fn differences_are_told() {
    let before = read(b"# Name: a\nKP,30\nW,20\nKR,30\nM,1,1\n").content;
    let after = read(b"# Name: b\nKP,30\nW,30\nKR,30\nKP,31\nWR,1,2\nM,1,1\n").content;
    let found = diff(&before, &after);
    assert_eq!(found.header[0].key, "Name");
    let lines: Vec<_> =
        found.events.iter().map(|change| (change.kind, change.number, change.text.as_str())).collect();
    let expected = [
        (ChangeKind::Retimed, 2, "release key A after 30 ms, was after 20 ms"),
        (ChangeKind::Added, 3, "press key S after 0 ms"),
        (ChangeKind::Retimed, 4, "move by (1, 1) raw after 1 to 2 ms, was after 0 ms"),
    ];
    assert_eq!(lines, expected);
    assert_eq!((found.removed, found.added, found.retimed), (0, 1, 2));
    assert!(diff(&before, &before).is_empty());
    let found = diff(&script("tap a\ntap b"), &script("tap b\ntap c"));
    let lines: Vec<_> =
        found.script.iter().map(|change| (change.kind, change.number, change.text.as_str())).collect();
    assert_eq!(lines, [(ChangeKind::Removed, 1, "tap a"), (ChangeKind::Added, 2, "tap c")]);
}

#[test]
fn risky_things_are_found() {
    let rules = |content: &Macro| -> Vec<(String, Option<usize>, Option<usize>)> {
        lint(content)
            .into_iter()
            .map(|found| (found.rule.name().to_owned(), found.line, found.event))
            .collect()
    };
    let own = |rule: &str, line, event| (rule.to_owned(), line, event);
    let events = read(b"KP,30\nM,abs,1,1\nW,10001\nKP,31\nKR,31\nP,abs,1,1,Left").content;
    let expected = [
        own("absolute-coordinates", None, Some(2)),
        own("long-wait", None, Some(3)),
        own("held-at-end", None, Some(1)),
        own("held-at-end", None, Some(5)),
    ];
    assert_eq!(rules(&events), expected);
    let steps = script(
        "\nmove abs 1 2\ndelay 10001\ndelay 10000\ndelay random 5 20000\nwaitcolor 1 1 FF0000\nmove ABS 3 4",
    );
    let expected = [
        own("absolute-coordinates", Some(2), None),
        own("long-wait", Some(3), None),
        own("long-wait", Some(5), None),
    ];
    assert_eq!(rules(&steps), expected);
    assert_eq!(rules(&script("shell \"ls $x\"")), [own("shell", Some(1), None)]);
    assert_eq!(rules(&script("tap a")), []);
    // Steps that look at nothing are the source of the events; those that look are played in their place.
    let both = read(b"[Script]\nmove abs 1 2\n[Events]\nM,abs,1,2\n").content;
    assert!(both.played_script().unwrap().is_none());
    assert_eq!(rules(&both), [own("absolute-coordinates", None, Some(1))]);
    let looks = read(b"[Script]\nmove abs 1 2\npixelcolor 1 2\n[Events]\nKP,1\n").content;
    assert!(looks.played_script().unwrap().is_some());
    assert_eq!(rules(&looks), [own("absolute-coordinates", Some(2), None)]);
}

// ---- properties

fn event() -> impl Strategy<Value = Event> {
    let space = prop::sample::select(vec![
        Space::Absolute,
        Space::RelativeLogical,
        Space::RelativeRaw,
        Space::Current,
    ]);
    let place = (-3..3, -3..3, space).prop_map(|(x, y, space)| Place { x, y, space });
    let button = prop::sample::select(Button::ALL.to_vec());
    let direction = || prop::sample::select(vec![Direction::Press, Direction::Release]);
    let action = prop_oneof![
        place.clone().prop_filter("has no form", |at| at.space != Space::Current).prop_map(Action::Move),
        (button.clone(), direction(), place.clone()).prop_map(|(button, direction, at)| Action::Button {
            button,
            direction,
            at
        }),
        (button, place).prop_map(|(button, at)| Action::Click { button, at }),
        prop::sample::select(Axis::ALL.to_vec()).prop_map(Action::Wheel),
        (1..=767_u16, direction())
            .prop_map(|(code, direction)| Action::Key { code: KeyCode(code), direction }),
    ];
    let random =
        prop::option::of((0..9_u32, 9..20_u32).prop_map(|(min_ms, max_ms)| RandomDelay { min_ms, max_ms }));
    (0..50_000_u64, random, action).prop_map(|(wait_us, random, action)| Event { wait_us, random, action })
}

/// Where the pointer is after each event, and everything but motions, with the waits before it.
fn effect(events: impl Iterator<Item = Event>) -> Vec<String> {
    let mut at = String::from("start");
    let mut waits: Vec<(u64, Option<RandomDelay>)> = Vec::new();
    let mut seen = Vec::new();
    for event in events {
        if event.wait_us > 0 || event.random.is_some() {
            waits.push((event.wait_us, event.random));
        }
        let mut action = event.action;
        if let Some(place) = action.place_mut() {
            match place.space {
                Space::Absolute => at = format!("{},{}", place.x, place.y),
                Space::Current => {}
                _ if (place.x, place.y) == (0, 0) => {}
                space => at = format!("{at} {space:?} {},{}", place.x, place.y),
            }
            *place = Place { x: 0, y: 0, space: Space::Current };
        }
        if !matches!(action, Action::Move(_)) {
            seen.push(format!("{action:?} at {at} after {waits:?}"));
            waits.clear();
        }
    }
    seen
}

proptest! {
    /// The steps of events do what the events do.
    #[test]
    fn steps_and_events_do_the_same(events in prop::collection::vec(event(), 1..12)) {
        let content = Macro { events, ..Macro::default() };
        let (script, found) = to_script(&content);
        prop_assert!(found.list.is_empty());
        let (again, found) = to_events(&script);
        prop_assert!(found.list.is_empty(), "{found}");
        prop_assert_eq!(effect(again.playable()), effect(content.playable()));
    }

    /// No text makes a reader panic, and what it makes is a script that can be read.
    #[test]
    fn any_text_is_converted(text in prop_oneof![
        any::<String>(),
        "((xdotool|ydotool|Send|Click|Sleep)( (key|type|mousemove|click|-d|--|ctrl\\+a|0x[0-9a-f]{1,3}|-?[0-9]{1,4}|[a-zA-Z_+^!#{}$'\"%]{1,8})){0,5}\n){0,6}",
    ]) {
        for program in Foreign::ALL {
            let (content, found) = from_foreign(program, &text);
            prop_assert!(content.program().is_ok(), "{:?} {:?} {found}", content.program(), content.script);
            let mut bytes = Vec::new();
            if write(&content, &mut bytes).is_ok() {
                let again = read(&bytes);
                prop_assert!(again.diagnostics.is_ok(), "{}", again.diagnostics);
            } else {
                prop_assert!(content.script.is_empty());
            }
        }
    }
}
