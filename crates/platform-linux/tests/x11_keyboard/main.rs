//! The typing rules on a real X server, as an Xlib program sees them. Every test has a server of its own.
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test starts its own programs, and fails where they do"
)]

mod session;

use crossmacro_model::{Direction, KeyCode};
use crossmacro_platform::{Cancel, Error};
use rustix::process::Signal;
use session::{LIMIT, Session};
use std::time::Duration;

const LAYOUTS: [&[&str]; 10] = [
    &["us"],
    &["gb"],
    &["de"],
    &["fr"],
    &["us", "-variant", "dvorak"],
    &["es"],
    &["tr"],
    &["ru"],
    &["us,ru"],
    &["de", "-variant", "neo"],
];
const MIXED: &str = "żółw – naïve 日本 😀";

fn printable_ascii() -> String {
    (' '..='~').collect()
}

/// Types `text` and checks that it arrives, and that nothing else changed.
#[track_caller]
fn exact(session: &Session, window: &session::Window, text: &str, circumstances: &str) {
    let before = session.snapshot();
    let got = session.typed(window, text);
    assert_eq!(got, text.replace('\n', "\r"), "{circumstances}");
    assert_eq!(session.snapshot(), before, "{circumstances}");
}

#[test]
fn printable_ascii_is_exact_in_every_layout() {
    let session = Session::start();
    let window = session.window(&[]);
    for layout in LAYOUTS {
        session.layout(layout);
        exact(&session, &window, &printable_ascii(), &format!("{layout:?}"));
    }
}

#[test]
fn the_second_group_is_honoured_and_stays_locked() {
    let session = Session::start();
    let window = session.window(&[]);
    session.layout(&["us,ru"]);
    for group in ["0", "1"] {
        session.witness(&["group", group]);
        exact(&session, &window, "Yes Да, нет/no. Ё \"№\" @#", &format!("group {group}"));
    }
    let typed = session.keyboard.type_text("Да", Duration::ZERO, &Cancel::new()).unwrap();
    assert_eq!((typed.characters, typed.outside_layout), (2, 0));
}

#[test]
fn characters_outside_the_layout_arrive_and_the_keymap_stays_as_it_was() {
    let session = Session::start();
    for words in [&[][..], &["--ping"], &["--slow", "2"], &["--ping", "--slow", "4"]] {
        let window = session.window(words);
        exact(&session, &window, MIXED, &format!("{words:?}"));
        exact(&session, &window, "e\u{301} 👩‍👩‍👧 \u{a0}\u{ad}ÿŸ€ ДдαΩ", &format!("{words:?}"));
    }
}

#[test]
fn more_characters_than_spare_keys_arrive() {
    let session = Session::start();
    let text: String = ('一'..).take(300).chain('A'..='C').chain('丁'..'三').collect();
    for words in [&["--ping", "--slow", "1"][..], &[]] {
        let window = session.window(words);
        exact(&session, &window, &text, &format!("{words:?}"));
    }
}

#[test]
fn locks_do_not_change_the_text_and_stay_as_they_are() {
    let session = Session::start();
    let window = session.window(&[]);
    let text = printable_ascii() + "\tß straße ÄÖÜ éè ıİ" + MIXED;
    for layout in ["us", "de", "fr", "tr"] {
        session.layout(&[layout]);
        // Lock, Num Lock, both, Shift, Control, AltGr, everything.
        for locks in [2, 16, 18, 1, 4, 128, 255] {
            session.witness(&["lock", &locks.to_string()]);
            exact(&session, &window, &text, &format!("{layout}, locks {locks}"));
        }
        session.witness(&["lock", "0"]);
    }
}

#[test]
fn latches_do_not_change_the_text_and_stay_as_they_are() {
    let session = Session::start();
    let window = session.window(&[]);
    for latches in ["1", "4", "129"] {
        session.witness(&["latch", latches]);
        let before = session.snapshot();
        assert!(before.contains(&format!("latched {latches} ")), "{}", session.state());
        session.keyboard.type_text("Latched é", Duration::ZERO, &Cancel::new()).unwrap();
        assert_eq!(session.snapshot(), before);
        session.witness(&["latch", "0"]);
        assert_eq!(session.received(&window), "Latched é");
    }
}

#[test]
fn held_modifiers_do_not_change_the_text_and_stay_held() {
    let session = Session::start();
    let window = session.window(&[]);
    session.layout(&["de"]);
    for keys in
        [&["shift"][..], &["ctrl"], &["alt"], &["super"], &["ISO_Level3_Shift"], &["shift", "ctrl", "alt"]]
    {
        for key in keys {
            session.run("xdotool", &["keydown", key]);
        }
        exact(&session, &window, "Grüße, 10€ [ok] 日本", &format!("{keys:?}"));
        for key in keys {
            session.run("xdotool", &["keyup", key]);
        }
    }
}

#[test]
fn a_modifier_held_on_a_real_keyboard_is_given_back_to_that_keyboard() {
    const KEYBOARD: &str = "Xvfb keyboard";
    let session = Session::start();
    let window = session.window(&[]);
    session.witness(&["device", KEYBOARD, "50", "1"]);
    assert!(
        session.state().contains("base 1 ") && session.state().contains("down 50"),
        "{}",
        session.state()
    );
    exact(&session, &window, "lower UPPER", "Shift held on a device");
    // Letting go of it must have its usual effect.
    session.witness(&["device", KEYBOARD, "50", "0"]);
    assert!(
        session.state().starts_with("base 0 ") && !session.state().contains("down"),
        "{}",
        session.state()
    );
}

#[test]
fn a_modifier_that_is_let_go_of_meanwhile_is_not_pressed_again() {
    const KEYBOARD: &str = "Xvfb keyboard";
    let session = Session::start();
    let window = session.window(&[]);
    session.witness(&["device", KEYBOARD, "37", "1"]);
    let (cancel, keyboard) = (Cancel::new(), session.keyboard.clone());
    let typing =
        std::thread::spawn(move || keyboard.type_text("abcdefgh", Duration::from_millis(100), &cancel));
    // The first character shows that the typing has begun.
    while !session.state().starts_with("base 0 ") {}
    session.witness(&["device", KEYBOARD, "37", "0"]);
    typing.join().unwrap().unwrap();
    assert_eq!(session.received(&window), "abcdefgh");
    assert!(
        session.state().starts_with("base 0 ") && !session.state().contains("down"),
        "{}",
        session.state()
    );
}

#[test]
fn a_keyboard_with_a_layout_of_its_own_does_not_change_the_text() {
    let session = Session::start();
    let window = session.window(&["--ping"]);
    let devices = session.run("xinput", &["list", "--id-only", "Xvfb keyboard"]);
    session.layout(&["-device", devices.trim(), "fr"]);
    // Its keys bring in its keymap; the next of ours bring in theirs.
    for _ in 0..3 {
        for down in ["1", "0"] {
            session.witness(&["device", "Xvfb keyboard", "50", down]);
        }
        let text = format!("{} {MIXED}", printable_ascii());
        assert_eq!(session.typed(&window, &text), text);
    }
}

#[test]
fn a_held_letter_loses_no_character() {
    let session = Session::start();
    session.run("xset", &["r", "off"]);
    let window = session.window(&[]);
    session.run("xdotool", &["keydown", "a"]);
    assert_eq!(session.typed(&window, "banana"), "abanana");
}

#[test]
fn keyboard_aids_do_not_change_the_text_and_stay_on() {
    let session = Session::start();
    let window = session.window(&[]);
    // Slow keys, bounce keys and sticky keys.
    session.witness(&["controls", "14"]);
    exact_with_aids(&session, &window);
}

/// The end mark can't be typed with slow keys on, so they are switched off before it.
fn exact_with_aids(session: &Session, window: &session::Window) {
    session.witness(&["lock", "2"]);
    let before = session.snapshot();
    session.keyboard.type_text("Hello, book äß", Duration::ZERO, &Cancel::new()).unwrap();
    assert_eq!(session.snapshot(), before);
    session.witness(&["controls", "0"]);
    assert_eq!(session.received(window), "Hello, book äß");
}

#[test]
fn a_change_of_the_layout_is_followed() {
    let session = Session::start();
    let window = session.window(&[]);
    for layout in ["us", "de", "fr", "ru", "us"] {
        session.layout(&[layout]);
        let text = format!("zyx {layout} {{[]}}");
        assert_eq!(session.typed(&window, &text), text);
    }
}

#[test]
fn what_the_user_changes_meanwhile_is_followed_and_stays_changed() {
    let session = Session::start();
    let window = session.window(&["--ping"]);
    let change_after_three = |change: &dyn Fn()| {
        let (cancel, keyboard) = (Cancel::new(), session.keyboard.clone());
        let typing =
            std::thread::spawn(move || keyboard.type_text("Zyżx YzÄ!", Duration::from_millis(60), &cancel));
        let begun = window.until_text(3);
        change();
        typing.join().unwrap().unwrap();
        begun + &session.received(&window)
    };
    assert_eq!(change_after_three(&|| session.layout(&["de"])), "Zyżx YzÄ!");
    session.layout(&["us,de"]);
    assert_eq!(change_after_three(&|| drop(session.witness(&["group", "1"]))), "Zyżx YzÄ!");
    assert!(session.state().contains("locked 1 controls"), "{}", session.state());
    assert_eq!(change_after_three(&|| drop(session.run("xdotool", &["key", "Caps_Lock"]))), "Zyżx YzÄ!");
    assert!(session.state().contains("locked 2 group"), "{}", session.state());
    assert_eq!(change_after_three(&|| drop(session.run("xdotool", &["keydown", "ctrl"]))), "Zyżx YzÄ!");
    assert!(session.state().starts_with("base 4 "), "{}", session.state());
}

#[test]
fn a_thousand_characters_are_exact() {
    let session = Session::start();
    let window = session.window(&["--ping"]);
    let text: String = printable_ascii().chars().cycle().take(1_000).collect();
    assert_eq!(session.typed(&window, &text), text);
    let text: String = "aA1 ж\n".chars().cycle().take(1_000).collect();
    exact(&session, &window, &text, "mixed");
}

#[test]
fn line_ends_tabs_and_backspaces_are_keys() {
    let session = Session::start();
    let window = session.window(&[]);
    assert_eq!(session.typed(&window, "a\r\nb\rc\n\td\u{8}"), "a\rb\rc\r\td\u{8}");
}

#[test]
fn what_cannot_be_typed_is_named_and_nothing_is_typed() {
    let session = Session::start();
    let window = session.window(&[]);
    for text in ["ab\u{1b}c\u{0}d\u{7f}", "日\u{85}\u{9}\u{ffff}"] {
        let expected: Vec<usize> = text
            .chars()
            .enumerate()
            .filter(|(_, c)| (c.is_control() && *c != '\t') || *c == '\u{ffff}')
            .map(|(position, _)| position)
            .collect();
        for result in [
            session.keyboard.check_text(text),
            session.keyboard.type_text(text, Duration::ZERO, &Cancel::new()).map(drop),
        ] {
            let Err(Error::Untypable { positions, .. }) = result else { panic!("{result:?}") };
            assert_eq!(positions, expected);
        }
    }
    session.keyboard.check_text(MIXED).unwrap();
    assert_eq!(session.received(&window), "");
}

#[test]
fn without_a_spare_key_the_layout_is_all_there_is() {
    let session = Session::start();
    let window = session.window(&[]);
    let unused: String = session
        .run("xmodmap", &["-pke"])
        .lines()
        .filter(|line| line.trim_end().ends_with('='))
        .map(|line| format!("{line} F20\n"))
        .collect();
    let file = std::env::temp_dir().join(format!("unused-keys-{}", std::process::id()));
    std::fs::write(&file, unused).unwrap();
    session.run("xmodmap", &[file.to_str().unwrap()]);
    std::fs::remove_file(file).unwrap();
    let result = session.keyboard.type_text("a日b本", Duration::ZERO, &Cancel::new());
    let Err(Error::Untypable { positions, .. }) = result else { panic!("{result:?}") };
    assert_eq!(positions, [1, 3]);
    assert_eq!(session.typed(&window, "plain"), "plain");
}

#[test]
fn a_cancellation_releases_everything() {
    let session = Session::start();
    let window = session.window(&[]);
    for pause in [Duration::ZERO, Duration::from_millis(5)] {
        let before = session.snapshot();
        let text: String = "AżBą ".chars().cycle().take(100_000).collect();
        let (cancel, keyboard) = (Cancel::new(), session.keyboard.clone());
        let (ours, sent) = (cancel.clone(), text.clone());
        let typing = std::thread::spawn(move || keyboard.type_text(&sent, pause, &ours));
        // The keymap differs as soon as keys are lent.
        while session.run("xmodmap", &["-pke"]) == before {}
        cancel.cancel();
        assert!(matches!(typing.join().unwrap(), Err(Error::Cancelled)));
        assert_eq!(session.snapshot(), before);
        session.received(&window);
    }
}

/// Stops the server in mid-text for longer than it may take to answer, and checks that everything is given back.
#[track_caller]
fn stopped_in_mid_text(session: &Session, text: &str) {
    let before = session.snapshot();
    let keymap = session.run("xmodmap", &["-pke"]);
    let (cancel, keyboard) = (Cancel::new(), session.keyboard.clone());
    let text = text.repeat(100_000);
    let typing = std::thread::spawn(move || keyboard.type_text(&text, Duration::ZERO, &cancel));
    // The keymap differs as soon as keys are lent.
    while session.run("xmodmap", &["-pke"]) == keymap {}
    session.signal(Signal::STOP);
    std::thread::sleep(Duration::from_secs(7));
    session.signal(Signal::CONT);
    let result = typing.join().unwrap();
    assert!(result.as_ref().is_err_and(Error::is_lost), "{result:?}");
    assert_eq!(session.snapshot(), before);
}

#[test]
fn a_server_that_stops_in_mid_text_gets_everything_back() {
    let session = Session::start();
    let window = session.window(&[]);
    stopped_in_mid_text(&session, "AŻBĄ ");
    assert!(!session.state().contains("down"), "{}", session.state());
    // And the keyboard works as before.
    session.received(&window);
    exact(&session, &window, MIXED, "afterwards");
}

#[test]
fn a_server_that_stops_in_mid_text_gets_back_what_was_held_and_locked() {
    let session = Session::start();
    let _window = session.window(&["--ping"]);
    session.layout(&["us,de"]);
    session.witness(&["lock", "2"]);
    session.run("xdotool", &["keydown", "ctrl"]);
    stopped_in_mid_text(&session, "AŻBĄ ß€");
    assert!(session.state().contains("down 37"), "{}", session.state());
}

#[test]
fn keys_go_down_and_up_one_by_one() {
    let session = Session::start();
    session.keyboard.key(KeyCode(30), Direction::Press).unwrap();
    session.keyboard.key(KeyCode(42), Direction::Press).unwrap();
    let state = session.state();
    assert!(
        state.starts_with("base 1 ") && state.contains("down 38") && state.contains("down 50"),
        "{state}"
    );
    session.keyboard.key(KeyCode(30), Direction::Release).unwrap();
    session.keyboard.key(KeyCode(42), Direction::Release).unwrap();
    assert!(!session.state().contains("down"), "{}", session.state());
    for code in [248, 300, u16::MAX] {
        let refused = session.keyboard.key(KeyCode(code), Direction::Press);
        assert!(matches!(refused, Err(Error::Unsupported { .. })), "{code}: {refused:?}");
    }
}

#[test]
fn the_key_of_a_character_follows_the_layout() {
    let session = Session::start();
    let key = |character| session.keyboard.key_for(character).unwrap().map(|key| key.0);
    assert_eq!((key('z'), key('y'), key('Z'), key('ß')), (Some(44), Some(21), None, None));
    session.layout(&["de"]);
    assert_eq!((key('z'), key('y'), key('ß'), key('\n')), (Some(21), Some(44), Some(12), Some(28)));
    session.layout(&["us,ru"]);
    session.witness(&["group", "1"]);
    assert_eq!((key('я'), key('z')), (Some(44), None));
}

#[test]
fn a_terminal_gets_the_text_too() {
    let session = Session::start();
    let file = std::env::temp_dir().join(format!("terminal-{}", std::process::id()));
    let shell = format!("stty -icanon -echo; cat > {}", file.display());
    let mut terminal = std::process::Command::new("xterm")
        .args(["-u8", "-title", "t", "-e", "sh", "-c", &shell])
        .env("DISPLAY", &session.display)
        .env("LC_ALL", "C.UTF-8")
        .spawn()
        .expect("xterm must be installed");
    let window = session.run("xdotool", &["search", "--sync", "--onlyvisible", "--class", "xterm"]);
    session.run("xdotool", &["windowfocus", "--sync", window.lines().next().unwrap()]);
    until(|| file.exists());
    let text = format!("{}\n{MIXED}\n", printable_ascii()).repeat(3);
    let before = session.snapshot();
    session.keyboard.type_text(&text, Duration::ZERO, &Cancel::new()).unwrap();
    assert_eq!(session.snapshot(), before);
    let got = || std::fs::read_to_string(&file).unwrap_or_default();
    until(|| got().chars().count() >= text.chars().count());
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    assert_eq!(got(), text);
    std::fs::remove_file(&file).unwrap();
}

fn until(condition: impl Fn() -> bool) {
    let begin = std::time::Instant::now();
    while !condition() {
        assert!(begin.elapsed() < LIMIT, "it did not happen in time");
        std::thread::yield_now();
    }
}
