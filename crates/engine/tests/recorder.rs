//! What becomes of what was heard: times and deeds in, the lines of a macro out. Nothing here takes time.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

use crossmacro_engine::recorder::{Control, Full, Mode, Tape, TapeOptions};
use crossmacro_model::macro_file::{Action, Event, Macro, Space, read, write};
use crossmacro_model::{Axis, Button, Direction, KeyCode, Point};
use crossmacro_platform::{Begun, Heard, Input};
use proptest::prelude::*;
use std::time::Duration;

/// `ms deed`, where a deed is `at X,Y`, `by DX,DY`, `+left`, `-left`, `up 120`, `+k30`, `-k30`, `=k30` (repeats).
fn heard(text: &str) -> Heard {
    let mut words = text.split_whitespace();
    let at_us = (words.next().unwrap().parse::<f64>().unwrap() * 1000.0).round();
    let (deed, value) = (words.next().unwrap(), words.next().unwrap_or_default());
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    let at_us = at_us as u64;
    Heard { at_us, input: input(deed, value), is_injected: false }
}

fn input(deed: &str, value: &str) -> Input {
    let pair = || value.split_once(',').unwrap();
    let code = |name: &str| KeyCode(name.strip_prefix('k').unwrap().parse().unwrap());
    let direction = if deed.starts_with('+') { Direction::Press } else { Direction::Release };
    match deed {
        "at" => Input::Place(Point::new(pair().0.parse().unwrap(), pair().1.parse().unwrap())),
        "by" => Input::Distance { dx: pair().0.parse().unwrap(), dy: pair().1.parse().unwrap() },
        _ if Axis::ALL.iter().any(|axis| axis.name() == deed) => {
            let axis = Axis::ALL.into_iter().find(|axis| axis.name() == deed).unwrap();
            Input::Wheel { axis, amount: value.parse().unwrap() }
        }
        _ if deed.starts_with('=') => Input::Repeat(code(&deed[1..])),
        _ if deed[1..].starts_with('k') => Input::Key { key: code(&deed[1..]), direction },
        _ => {
            let button = Button::ALL.into_iter().find(|button| button.name() == &deed[1..]).unwrap();
            Input::Button { button, direction }
        }
    }
}

fn lines(events: Vec<Event>) -> String {
    if events.is_empty() {
        return "nothing".into();
    }
    let mut text = Vec::new();
    write(&Macro { events, ..Macro::default() }, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.split_once("[Events]\n").unwrap().1.trim_end().replace('\n', " ")
}

struct Trial {
    options: TapeOptions,
    begun: Begun,
    later: Duration,
    stop: Option<Control>,
}

fn trial(mode: Mode) -> Trial {
    let begun = Begun { keys: Vec::new(), place: Some(Point::new(5, 5)) };
    Trial {
        options: TapeOptions { mode, ..TapeOptions::default() },
        begun,
        later: Duration::ZERO,
        stop: None,
    }
}

impl Trial {
    fn control(mut self, key: u16, modifiers: &[u16]) -> Self {
        self.options.controls.push(control(key, modifiers));
        self
    }

    fn run(&self, deeds: &str) -> String {
        let mut tape = Tape::new(self.options.clone(), &self.begun);
        for deed in deeds.split(';').map(str::trim).filter(|deed| !deed.is_empty()) {
            tape.feed(&heard(deed)).unwrap();
        }
        lines(tape.finish(self.later, self.stop.as_ref()))
    }
}

fn control(key: u16, modifiers: &[u16]) -> Control {
    Control { key: KeyCode(key), modifiers: modifiers.iter().copied().map(KeyCode).collect() }
}

fn absolute(deeds: &str) -> String {
    trial(Mode::Absolute).run(deeds)
}

#[test]
fn places_are_kept_once_each_and_the_corner_too() {
    assert_eq!(
        absolute("100 at 10,20; 101 at 10,20; 103.5 at 0,0; 104 at 10,20; 104 at 10,21"),
        "M,abs,10,20 WU,3500 M,abs,0,0 WU,500 M,abs,10,20 M,abs,10,21"
    );
    // Where it was at the start is no motion.
    assert_eq!(absolute("1 at 5,5; 2 +left; 3 -left"), "P,abs,5,5,Left WU,1000 R,abs,5,5,Left");
}

#[test]
fn waits_are_microseconds_of_the_source_and_never_negative() {
    assert_eq!(absolute("5 +k30; 5.001 -k30; 4 +k31; 6 -k31"), "KP,30 WU,1 KR,30 KP,31 WU,999 KR,31");
    // The time before the first event is not kept.
    assert_eq!(absolute("900000 +k30; 900001 -k30"), "KP,30 WU,1000 KR,30");
}

#[test]
fn every_button_is_recorded_where_it_was_used() {
    assert_eq!(
        absolute(
            "1 at 7,8; 2 +side1; 3 at 9,9; 4 -side1; 5 +side2; 5 -side2; 5 +middle; 5 -middle; 5 +right; 5 -right"
        ),
        "M,abs,7,8 WU,1000 P,abs,7,8,Side1 WU,1000 M,abs,9,9 WU,1000 R,abs,9,9,Side1 WU,1000 P,abs,9,9,Side2 \
         R,abs,9,9,Side2 P,abs,9,9,Middle R,abs,9,9,Middle P,abs,9,9,Right R,abs,9,9,Right"
    );
}

#[test]
fn the_wheel_keeps_its_magnitude_and_carries_what_is_less_than_a_notch() {
    assert_eq!(
        absolute("1 down 120; 2 down 360"),
        "C,0,0,ScrollDown WU,1000 C,0,0,ScrollDown C,0,0,ScrollDown C,0,0,ScrollDown"
    );
    assert_eq!(absolute("1 up 60; 2 up 50; 3 up 9; 4 up 1; 5 up 119"), "C,0,0,ScrollUp");
    assert_eq!(absolute("1 up 60; 2 down 60; 3 down 119; 4 down 1"), "C,0,0,ScrollDown");
    assert_eq!(
        absolute("1 left 120; 2 right 240"),
        "C,0,0,ScrollLeft WU,1000 C,0,0,ScrollRight C,0,0,ScrollRight"
    );
}

#[test]
fn keys_repeat_without_being_pressed_again_and_media_keys_are_keys() {
    assert_eq!(absolute("1 +k30; 2 =k30; 3 +k30; 4 -k30; 5 -k30"), "KP,30 WU,3000 KR,30");
    assert_eq!(
        absolute("1 +k113; 2 -k113; 3 +k164; 4 -k164"),
        "KP,113 WU,1000 KR,113 WU,1000 KP,164 WU,1000 KR,164"
    );
}

#[test]
fn what_was_down_at_the_start_is_not_released() {
    let mut trial = trial(Mode::Absolute);
    trial.begun.keys = vec![KeyCode(28), KeyCode(42)];
    // Enter, with which the command was started, comes up; Shift goes on repeating, comes up, and is pressed anew.
    assert_eq!(
        trial.run("1 -k28; 2 -left; 3 =k42; 4 +k30; 5 -k30; 6 -k42; 7 +k42; 8 -k42"),
        "KP,30 WU,1000 KR,30 WU,2000 KP,42 WU,1000 KR,42"
    );
}

#[test]
fn what_is_down_at_the_end_is_released_then_the_last_first() {
    let mut trial = trial(Mode::Absolute);
    trial.later = Duration::from_millis(250);
    assert_eq!(
        trial.run("1 +k42; 2 +left; 3 at 8,8; 4 +k30"),
        "KP,42 WU,1000 P,abs,5,5,Left WU,1000 M,abs,8,8 WU,1000 KP,30 WU,250000 KR,30 R,abs,8,8,Left KR,42"
    );
    assert_eq!(trial.run(""), "nothing");
}

#[test]
fn distances_of_the_device_keep_their_fractions() {
    let raw = trial(Mode::RelativeRaw);
    assert_eq!(
        raw.run("1 by 3,-4; 2 by 0.4,0.4; 3 by 0.4,0.4; 4 by 0.4,-0.9"),
        "M,rel-raw,3,-4 WU,3000 M,rel-raw,1,0"
    );
    assert_eq!(
        raw.run("1 by -1,0; 2 +left; 3 -left; 4 at 9,9"),
        "M,rel-raw,-1,0 WU,1000 P,0,0,Left,CurrentPosition WU,1000 R,0,0,Left,CurrentPosition"
    );
    assert_eq!(raw.run("1 by 1e300,NaN; 2 by 1e300,0"), "M,rel-raw,2147483647,0");
}

#[test]
fn distances_of_the_pointer_lead_from_place_to_place() {
    let mut logical = trial(Mode::RelativeLogical);
    let text = logical.run("1 at 5,5; 2 at 15,1; 3 at 0,0; 4 +right; 5 -right; 6 by 9,9");
    assert_eq!(
        text,
        "M,rel-logical,10,-4 WU,1000 M,rel-logical,-15,-1 WU,1000 P,0,0,Right,CurrentPosition WU,1000 R,0,0,Right,CurrentPosition"
    );
    logical.begun.place = None;
    assert_eq!(logical.run("1 at 100,100; 2 at 101,99"), "M,rel-logical,1,-1");
}

#[test]
fn only_the_exact_control_chord_is_left_out() {
    // Ctrl+F8 controls.
    let trial = || trial(Mode::Absolute).control(66, &[29]);
    assert_eq!(trial().run("1 +k29; 2 +k66; 3 -k66; 4 -k29; 5 +k30; 6 -k30"), "KP,30 WU,1000 KR,30");
    assert_eq!(trial().run("1 +k97; 2 +k66; 3 -k97; 4 -k66"), "nothing");
    // Its key alone, with another modifier, or with one more, is something else.
    assert_eq!(trial().run("1 +k66; 2 -k66"), "KP,66 WU,1000 KR,66");
    assert_eq!(
        trial().run("1 +k42; 2 +k66; 3 -k66; 4 -k42"),
        "KP,42 WU,1000 KP,66 WU,1000 KR,66 WU,1000 KR,42"
    );
    assert_eq!(
        trial().run("1 +k29; 2 +k42; 3 +k66; 4 -k66; 5 -k42; 6 -k29"),
        "KP,29 WU,1000 KP,42 WU,1000 KP,66 WU,1000 KR,66 WU,1000 KR,42 WU,1000 KR,29"
    );
}

#[test]
fn a_modifier_that_served_something_else_too_stays() {
    let trial = || trial(Mode::Absolute).control(66, &[29]);
    // Copied, then controlled, with the modifier held down all the time; and the other way round.
    let copied = "KP,29 WU,1000 KP,46 WU,1000 KR,46 WU,3000 KR,29";
    assert_eq!(trial().run("1 +k29; 2 +k46; 3 -k46; 4 +k66; 5 -k66; 6 -k29"), copied);
    assert_eq!(
        trial().run("1 +k29; 2 +k66; 3 -k66; 4 +k46; 5 -k46; 6 -k29"),
        "KP,29 WU,3000 KP,46 WU,1000 KR,46 WU,1000 KR,29"
    );
    // Ctrl+click, Ctrl+wheel.
    assert_eq!(
        trial().run("1 +k29; 2 +left; 3 -left; 4 +k66; 5 -k66; 6 -k29"),
        "KP,29 WU,1000 P,abs,5,5,Left WU,1000 R,abs,5,5,Left WU,3000 KR,29"
    );
    assert_eq!(
        trial().run("1 +k29; 2 up 120; 4 +k66; 5 -k66; 6 -k29"),
        "KP,29 WU,1000 C,0,0,ScrollUp WU,4000 KR,29"
    );
    // A motion meanwhile is none of its use.
    assert_eq!(trial().run("1 +k29; 2 at 9,9; 4 +k66; 5 -k66; 6 -k29"), "M,abs,9,9");
    // The recording ends while it is down.
    assert_eq!(trial().run("0 +k30; 1 -k30; 2 +k29; 3 +k66"), "KP,30 WU,1000 KR,30");
}

#[test]
fn two_modifiers_of_a_chord_go_together() {
    let trial = trial(Mode::Absolute).control(66, &[29, 42]);
    assert_eq!(
        trial.run("1 +k42; 2 +k29; 3 +k66; 4 -k66; 5 -k42; 6 -k29; 7 +k30; 8 -k30"),
        "KP,30 WU,1000 KR,30"
    );
}

#[test]
fn the_chord_that_ends_the_recording_is_left_out_at_the_end_only() {
    let mut trial = trial(Mode::Absolute);
    trial.stop = Some(control(46, &[29]));
    let copy = "0 +k29; 1 +k46; 2 -k46; 3 -k29;";
    let copied = "KP,29 WU,1000 KP,46 WU,1000 KR,46 WU,1000 KR,29";
    assert_eq!(
        trial.run(&format!("{copy} 10 +k29; 11 at 6,6; 12 +k46")),
        format!("{copied} WU,8000 M,abs,6,6")
    );
    assert_eq!(trial.run(&format!("{copy} 10 +k29; 12 +k46; 13 -k46; 14 -k29")), copied);
    // Not the last that was done; not alone; too long ago.
    assert_eq!(
        trial.run(&format!("{copy} 10 +left; 11 -left")),
        format!("{copied} WU,7000 P,abs,5,5,Left WU,1000 R,abs,5,5,Left")
    );
    assert_eq!(trial.run("10 +k46; 11 -k46"), "KP,46 WU,1000 KR,46");
    trial.later = Duration::from_secs(3);
    assert_eq!(trial.run(copy), copied);
    // The modifier was used before: it stays, with its release.
    trial.later = Duration::ZERO;
    assert_eq!(
        trial.run("0 +k29; 1 +k30; 2 -k30; 3 +k46"),
        "KP,29 WU,1000 KP,30 WU,1000 KR,30 WU,1000 KR,29"
    );
}

#[test]
fn a_full_tape_says_so_and_still_releases_everything() {
    let options = TapeOptions { limit: 5, ..TapeOptions::default() };
    let mut tape = Tape::new(options, &Begun::default());
    tape.feed(&heard("1 +k30")).unwrap();
    tape.feed(&heard("2 +k31")).unwrap();
    assert_eq!(tape.feed(&heard("3 +k32")), Err(Full));
    assert_eq!(tape.len(), 2);
    assert_eq!(lines(tape.finish(Duration::ZERO, None)), "KP,30 WU,1000 KP,31 WU,1000 KR,31 KR,30");
}

#[test]
fn moves_are_thinned_between_other_events_only() {
    let mut trial = trial(Mode::Absolute);
    trial.options.thin = Some(1.0);
    let line: String = (0..50).map(|i| format!("{} at {},{};", 10 + i, i * 2, 100 + i)).collect();
    let more: String = (50..100).map(|i| format!("{} at {},{};", 10 + i, i * 2, 100 + i)).collect();
    assert_eq!(
        trial.run(&format!("{line} 59 +left; 59 -left; {more}")),
        "M,abs,0,100 WU,49000 M,abs,98,149 P,abs,98,149,Left R,abs,98,149,Left WU,1000 M,abs,100,150 WU,49000 M,abs,198,199"
    );
    trial.options.mode = Mode::RelativeRaw;
    let raw: String = (0..50).map(|i| format!("{} by 2,1;", 10 + i)).collect();
    assert_eq!(trial.run(&raw), "M,rel-raw,2,1 WU,49000 M,rel-raw,98,49");
}

fn any_input() -> impl Strategy<Value = Input> {
    let direction = prop_oneof![Just(Direction::Press), Just(Direction::Release)];
    // Few keys, so that they meet: A, F8, left and right Ctrl, Shift.
    let key = prop::sample::select(vec![30, 66, 29, 97, 42]).prop_map(KeyCode);
    prop_oneof![
        1 => (0..40, 0..40).prop_map(|(x, y)| Input::Place(Point::new(x, y))),
        1 => (-9.0..9.0, -9.0..9.0).prop_map(|(dx, dy)| Input::Distance { dx, dy }),
        1 => (prop::sample::select(Button::ALL.to_vec()), direction.clone())
            .prop_map(|(button, direction)| Input::Button { button, direction }),
        1 => (prop::sample::select(Axis::ALL.to_vec()), 1_u32..400).prop_map(|(axis, amount)| Input::Wheel { axis, amount }),
        4 => (key, direction).prop_map(|(key, direction)| Input::Key { key, direction }),
    ]
}

proptest! {
    /// Whatever is heard: the macro presses nothing twice, releases what it presses and nothing else, keeps the
    /// time, and is a file that reads as it was written.
    #[test]
    fn a_recording_is_a_sound_macro(
        inputs in prop::collection::vec((0_u64..5000, any_input()), 0..120),
        mode in prop::sample::select(vec![Mode::Absolute, Mode::RelativeRaw, Mode::RelativeLogical]),
        thin in prop::option::of(0.5_f64..5.0),
        held in any::<bool>(),
        stops in any::<bool>(),
    ) {
        let controls = vec![control(66, &[29])];
        let keys = if held { vec![KeyCode(29), KeyCode(30)] } else { Vec::new() };
        let options = TapeOptions { mode, thin, controls, ..TapeOptions::default() };
        let mut tape = Tape::new(options, &Begun { keys, place: None });
        let (mut at_us, mut total) = (0, 0);
        for (wait, input) in inputs {
            at_us += wait;
            total += wait;
            tape.feed(&Heard { at_us, input, is_injected: false }).unwrap();
        }
        let stop = control(30, &[42]);
        let events = tape.finish(Duration::from_millis(1), Some(&stop).filter(|_| stops));
        let mut down: Vec<String> = Vec::new();
        for event in &events {
            let (what, direction) = match event.action {
                Action::Key { code, direction } => (format!("{code:?}"), direction),
                Action::Button { button, direction, .. } => (format!("{button:?}"), direction),
                Action::Move(place) => {
                    prop_assert_ne!(place.space, Space::Current);
                    continue;
                }
                Action::Wheel(_) | Action::Click { .. } => continue,
            };
            let at = down.iter().position(|other| *other == what);
            match direction {
                Direction::Press => {
                    prop_assert_eq!(at, None, "{} is pressed twice", what);
                    down.push(what);
                }
                Direction::Release => {
                    prop_assert!(at.is_some(), "{} is released and was not pressed", what);
                    down.remove(at.unwrap());
                }
            }
        }
        prop_assert_eq!(&down, &Vec::<String>::new());
        prop_assert!(events.iter().map(|event| event.wait_us).sum::<u64>() <= total + 1000);
        prop_assert_eq!(events.first().map_or(0, |first| first.wait_us), 0);
        if !events.is_empty() {
            let content = Macro { events, ..Macro::default() };
            let mut text = Vec::new();
            write(&content, &mut text).unwrap();
            let again = read(&text);
            prop_assert!(again.diagnostics.is_ok());
            prop_assert_eq!(again.content.events, content.events);
        }
    }
}
