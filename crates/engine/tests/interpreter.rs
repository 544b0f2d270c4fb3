//! Scripts on a stub desktop: what is delivered, in which order, and what is left when they end.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

mod stub;

use crossmacro_engine::interpreter::{Options, Progress, Summary, rehearse, run};
use crossmacro_model::run::{Program, from_lines, from_steps, parse};
use crossmacro_model::{Code, Delivered, Fault};
use crossmacro_platform::{Cancel, Desktop, DesktopSource, Unavailable, clock};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use stub::{Stub, Trap};

fn program(script: &str) -> Program {
    from_lines(script).and_then(|steps| parse(&steps)).unwrap_or_else(|wrong| panic!("{script}\n{wrong}"))
}

fn play_on(stub: &Stub, script: &str, options: &Options, cancel: &Cancel) -> Result<Summary, Fault> {
    run(&program(script), &stub.desktop(), options, cancel, &mut |_| {})
}

fn play(script: &str) -> (Vec<String>, Result<Summary, Fault>) {
    let stub = Stub::new();
    let result = play_on(&stub, script, &Options::default(), &Cancel::new());
    assert_eq!(stub.down(), Vec::<String>::new());
    (stub.timeline(), result)
}

fn timeline(script: &str) -> Vec<String> {
    let (timeline, result) = play(script);
    result.unwrap_or_else(|fault| panic!("{script}\n{fault}"));
    timeline
}

fn fault(script: &str) -> Fault {
    play(script).1.expect_err(script)
}

#[test]
fn each_step_delivers_its_events_in_order() {
    let script = "move abs 10 20\nmove rel 1 -2\nclick right\ndown side1\nup side1\nscroll left 3\nkey down shift\n\
        key up shift\ntap ctrl+ALT+z\ntap super\ntype hi\n";
    let expected = [
        "move 10,20",
        "move by 1,-2",
        "right down",
        "right up",
        "side1 down",
        "side1 up",
        "scroll left 3",
        "key 42 down",
        "key 42 up",
        "key 29 down",
        "key 56 down",
        "key 21 down",
        "key 21 up",
        "key 56 up",
        "key 29 up",
        "key 125 down",
        "key 125 up",
        "type 'h'",
        "type 'i'",
    ];
    assert_eq!(timeline(script), expected);
}

#[test]
fn characters_follow_the_layout_and_then_the_american_one() {
    assert_eq!(
        timeline("tap z\ntap ä\ntap q\ntap 5\ntap Plus")[..],
        [
            "key 21 down",
            "key 21 up",
            "key 40 down",
            "key 40 up",
            "key 16 down",
            "key 16 up",
            "key 6 down",
            "key 6 up",
            "key 27 down",
            "key 27 up",
        ]
    );
    let fault = fault("tap ł");
    assert_eq!((fault.code, fault.delivered), (Code::RuntimeError, Delivered::Nothing));
}

#[test]
fn a_modifier_that_is_held_stays_down_through_a_tap() {
    let expected = ["key 29 down", "key 46 down", "key 46 up", "key 47 down", "key 47 up", "key 29 up"];
    assert_eq!(timeline("key down ctrl\ntap ctrl+c\ntap ctrl+v\nkey up ctrl"), expected);
}

#[test]
fn buttons_act_at_the_place_of_the_last_absolute_move() {
    let stub = Stub::new();
    let cancel = Cancel::new();
    let script = program("move abs 5 5\ndelay 0\nclick left\nclick current left\nmove rel 1 1\nclick left");
    let meddler = stub.clone();
    // Something else moves the pointer before each step but the first.
    let mut meddle = |progress: &Progress| {
        if progress.step > 1 {
            meddler.put(50, 50);
        }
    };
    run(&script, &stub.desktop(), &Options::default(), &cancel, &mut meddle).unwrap();
    assert_eq!(
        stub.timeline(),
        [
            "move 5,5",
            "move 5,5",
            "left down",
            "left up",
            "left down",
            "left up",
            "move by 1,1",
            "left down",
            "left up",
        ]
    );
}

#[test]
fn a_logical_move_starts_where_the_pointer_is() {
    let stub = Stub::new();
    stub.put(100, 50);
    play_on(&stub, "move rel-logical 5 -60", &Options::default(), &Cancel::new()).unwrap();
    assert_eq!(stub.timeline(), ["move 105,-10"]);
    let fault =
        play_on(&stub, "move rel-logical 2147483647 0", &Options::default(), &Cancel::new()).unwrap_err();
    assert_eq!(fault.code, Code::InvalidArguments);
}

#[test]
fn variables_and_blocks() {
    let script = "set x=37\nset y -5+105\nmove abs $x $y\nset n 0\nwhile $n < 10 {\n  inc n\n  if $n % 2 == 0 {\n    \
        continue\n  }\n  if $n > 5 {\n    break\n  }\n  else {\n    scroll up $n\n  }\n}\nfor i from 3 to 1 {\n  type $i\n}\n\
        for j from 1 to 9 step 4 {\n repeat $j - 4 * {\n }\n}";
    assert!(from_lines(script).and_then(|steps| parse(&steps)).is_err());
    let script = script.replace("$j - 4 *", "0");
    let (timeline, result) = play(&script);
    assert_eq!(
        timeline,
        ["move 37,100", "scroll up 1", "scroll up 3", "scroll up 5", "type '3'", "type '2'", "type '1'",]
    );
    let variables: Vec<String> =
        result.unwrap().variables.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(variables, ["i=1", "j=9", "n=7", "x=37", "y=100"]);
}

#[test]
fn counting_stops_at_the_ends_of_32_bits() {
    let script = "for i from 2147483646 to 2147483647 {\ntype .\n}\nfor i from -2147483647 to -2147483648 step -2147483648 {\ntype -\n}";
    assert_eq!(timeline(script), ["type '.'", "type '.'", "type '-'"]);
    assert!(
        fault("set a 2147483647\ntap a\ninc a")
            .message
            .contains("Step 3 (line 3): the result is beyond 32 bits")
    );
    assert!(fault("set a -2147483648\ndiv a -1").message.contains("beyond 32 bits"));
    assert!(fault("set a 5\nset b 0\ndiv a $b").message.contains("division by zero"));
    assert!(fault("set c -1\nrepeat $c {\n}").message.contains("negative"));
    assert!(fault("set c 0\nfor i from 1 to 2 step $c {\n}").message.contains("step of a for"));
}

#[test]
fn values_of_any_kind_may_be_variables() {
    let script = "set b right\nset d down\nset k ctrl+c\nset w key\nset t 2us\nclick $b\nscroll $d 2\ntap $k\nkey $d a\ndelay $t\n\
        set m 1\ndelay random $m..$m\ntype [$w]";
    let timeline = timeline(script);
    assert_eq!(
        timeline[..8],
        [
            "right down",
            "right up",
            "scroll down 2",
            "key 29 down",
            "key 46 down",
            "key 46 up",
            "key 29 up",
            "key 30 down",
        ]
    );
    // Still down at the end, so it was released then.
    assert_eq!(timeline.last().unwrap(), "key 30 up");
    let fault = fault("set b lefft\nclick $b");
    assert_eq!(
        fault.message,
        "Step 2 (line 2): expected a mouse button (left, right, middle, side1, side2); did you mean left?"
    );
}

#[test]
fn the_pointer_can_be_read() {
    let stub = Stub::new();
    stub.put(-7, 9);
    let summary =
        play_on(&stub, "mouse position x y\nset z $x * 2", &Options::default(), &Cancel::new()).unwrap();
    assert_eq!(summary.to_json()["variables"], json!({ "x": "-7", "y": "9", "z": "-14" }));
}

#[test]
fn the_summary_counts_events_and_waits() {
    let script = "delay 2\ndelay random 1 1\nmove abs 1 1\ndelay 3\nclick left\nmove rel 1 1\ntap ctrl+a\nscroll up 2\ntype ab\ndelay 4.6";
    let expected = json!({
        "stepCount": 10, "eventCount": 13, "totalDurationMs": 3, "initialDelayMs": 2, "initialHasRandomDelay": true,
        "initialRandomDelayMinMs": 1, "initialRandomDelayMaxMs": 1, "trailingDelayMs": 5, "coordinateMode": "mixed",
        "variables": {},
    });
    let played = play(script).1.unwrap();
    assert_eq!(serde_json::Value::Object(played.to_json()), expected);
    assert_eq!(rehearse(&program(script), &Options::default(), &Cancel::new()).unwrap(), played);
}

#[test]
fn a_rehearsal_touches_nothing_and_waits_for_nothing() {
    let script = program("delay 3600000\nmouse position x y\nset q 10/$x\ntap ł");
    let summary = rehearse(&script, &Options::default(), &Cancel::new()).unwrap();
    assert_eq!(summary.initial_delay, Duration::from_secs(3600));
    assert_eq!(summary.warnings.len(), 1);
    let fault = rehearse(&program("set x 0\nset q 10/$x"), &Options::default(), &Cancel::new()).unwrap_err();
    assert!(fault.message.starts_with("Step 2 (line 2): division"));
}

#[test]
fn waits_are_scaled_and_never_shorter_than_written() {
    let stub = Stub::new();
    let options = Options { speed: 4.0, countdown: Duration::from_millis(20), ..Options::default() };
    let start = clock::now();
    play_on(&stub, "repeat 20 {\n delay 8\n tap a\n}", &options, &Cancel::new()).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(60));
    let options = Options { key_delay: Duration::from_millis(10), speed: 0.5, ..Options::default() };
    let start = clock::now();
    let summary = play_on(&stub, "type abc", &options, &Cancel::new()).unwrap();
    assert!(start.elapsed() >= Duration::from_millis(40));
    assert_eq!(summary.total, Duration::from_millis(20));
    for speed in [0.0, 0.09, 10.1, f64::NAN, f64::INFINITY, -1.0] {
        let options = Options { speed, ..Options::default() };
        let fault = play_on(&stub, "tap a", &options, &Cancel::new()).unwrap_err();
        assert_eq!(fault.code, Code::InvalidArguments);
    }
}

#[test]
fn a_script_that_does_nothing_says_so() {
    for script in ["set a 1", "if 1 == 2 {\ntap a\n}", "set e \"\"\nrepeat 0 {\n}", "# nothing"] {
        assert!(fault(script).message.contains("nothing to execute"), "{script}");
    }
    assert!(play("delay 0").1.is_ok());
}

#[test]
fn loops_are_capped_over_the_whole_script() {
    let endless = "mouse position x y\nwhile 1 == 1 {\n repeat 99 {\n }\n}";
    let fault = fault(endless);
    assert_eq!(fault.details["limit"], "LOOP_ITERATIONS_WAITING");
    // A hundred iterations a pass: the first one too many is one of the while.
    assert_eq!(fault.details["step"], 2);
    let message = "At most 100000 iterations.";
    assert!(fault.message.ends_with(message), "{}", fault.message);
}

#[test]
fn a_fault_names_its_place_and_what_was_delivered() {
    let fault = fault("# first\n\ntap a\nrepeat 1 {\n  type x\u{1f6ab}\n}");
    assert_eq!((fault.code, fault.delivered), (Code::RuntimeError, Delivered::Done));
    assert_eq!(fault.details["step"], 3);
    assert_eq!(fault.details["line"], 5);
    assert_eq!(fault.details["positions"], json!([1]));
    assert_eq!(fault.partial["eventCount"], 2);
    assert!(fault.message.starts_with("Step 3 (line 5): "));
    let stub = Stub::new().trap(0, Trap::Refuse, &Cancel::new());
    let first = play_on(&stub, "tap a", &Options::default(), &Cancel::new()).unwrap_err();
    assert_eq!(first.delivered, Delivered::Nothing);
    let stub = Stub::new().trap(1, Trap::Refuse, &Cancel::new());
    let half = play_on(&stub, "click left", &Options::default(), &Cancel::new()).unwrap_err();
    assert_eq!((half.delivered, stub.timeline().len()), (Delivered::Done, 2));
    let stub = Stub::new().trap(0, Trap::Lose, &Cancel::new());
    let lost = play_on(&stub, "tap a", &Options::default(), &Cancel::new()).unwrap_err();
    assert_eq!((lost.code, lost.delivered), (Code::EnvironmentError, Delivered::Uncertain));
}

#[test]
fn typed_text_and_values_are_in_no_fault() {
    for script in [
        "set v hunter2\nmove abs $v 1",
        "type hunter2\u{1f6ab}",
        "set v hunter2\nif $v < 1 {\n}\ntap a",
        "set v hunter2\ninc v",
    ] {
        let fault = fault(script);
        assert!(!format!("{fault:?}").contains("hunter2"), "{fault:?}");
    }
}

#[test]
fn a_missing_facet_is_named() {
    let mut desktop = Stub::new().desktop();
    desktop.keyboard = Err(Unavailable::new("keyboard", "stub", "no keys").remedy("plug one in"));
    let script = program("tap enter");
    let fault = run(&script, &desktop, &Options::default(), &Cancel::new(), &mut |_| {}).unwrap_err();
    assert_eq!((fault.code, fault.delivered), (Code::EnvironmentError, Delivered::Nothing));
    assert_eq!(fault.remediation.as_deref(), Some("plug one in"));
    let rest = program("move abs 1 1\nclick left");
    assert!(run(&rest, &desktop, &Options::default(), &Cancel::new(), &mut |_| {}).is_ok());
}

#[test]
fn what_is_left_down_is_released_at_the_end_and_said() {
    let (timeline, result) = play("key down shift\ndown left\nkey down ctrl\nkey up ctrl");
    assert_eq!(timeline[4..], ["left up", "key 42 up"]);
    assert_eq!(result.unwrap().warnings, ["2 keys or buttons were still down at the end and were released."]);
}

#[test]
fn a_cancellation_ends_waits_and_typing_at_once() {
    for script in ["key down a\ndelay 3600000", "key down a\ntype abc", "key down a\nwhile 1 == 1 {\n}"] {
        let stub = Stub::new();
        let cancel = Cancel::new();
        let options = Options { key_delay: Duration::from_secs(3600), ..Options::default() };
        let (watched, other) = (stub.clone(), cancel.clone());
        let watcher = std::thread::spawn(move || {
            while watched.down().is_empty() {
                std::thread::yield_now();
            }
            other.cancel();
        });
        let fault = play_on(&stub, script, &options, &cancel).unwrap_err();
        watcher.join().unwrap();
        assert_eq!(fault.code, Code::Cancelled, "{script}");
        assert_ne!(fault.delivered, Delivered::Nothing);
        assert_eq!(stub.down(), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn an_expired_deadline_is_a_timeout_everywhere() {
    for script in ["key down a\ndelay 3600000", "key down a\ntype abc", "key down a\nwhile 1 == 1 {\n}"] {
        let stub = Stub::new();
        let deadline = Some(clock::now() + Duration::from_millis(30));
        let options = Options { key_delay: Duration::from_secs(3600), deadline, ..Options::default() };
        let fault = play_on(&stub, script, &options, &Cancel::new()).unwrap_err();
        assert_eq!(fault.code, Code::Timeout, "{script}");
        assert_eq!(stub.down(), Vec::<String>::new(), "{script}");
    }
    let deadline = Some(clock::now());
    let options = Options { deadline, countdown: Duration::from_secs(3600), ..Options::default() };
    let stub = Stub::new();
    let fault = play_on(&stub, "tap a", &options, &Cancel::new()).unwrap_err();
    assert_eq!((fault.code, fault.delivered, stub.timeline().len()), (Code::Timeout, Delivered::Nothing, 0));
}

/// A desktop that is there again after the connection was lost.
struct Again(Stub);

impl DesktopSource for Again {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        Ok(Arc::new(self.0.desktop()))
    }
}

/// Pressing works, everything after it meets a dead connection.
struct Dying(Stub);

impl crossmacro_platform::Keyboard for Dying {
    fn key(
        &self,
        key: crossmacro_model::KeyCode,
        direction: crossmacro_model::Direction,
    ) -> crossmacro_platform::Result<()> {
        match direction {
            crossmacro_model::Direction::Press => self.0.key(key, direction),
            crossmacro_model::Direction::Release => {
                Err(crossmacro_platform::Error::Lost { why: "gone".into() })
            }
        }
    }

    fn key_for(&self, character: char) -> crossmacro_platform::Result<Option<crossmacro_model::KeyCode>> {
        self.0.key_for(character)
    }

    fn check_text(&self, _: &str) -> crossmacro_platform::Result<()> {
        Ok(())
    }

    fn type_text(
        &self,
        _: &str,
        _: Duration,
        _: &Cancel,
    ) -> crossmacro_platform::Result<crossmacro_platform::Typed> {
        Err(crossmacro_platform::Error::Lost { why: "gone".into() })
    }

    fn backend(&self) -> &'static str {
        "dying"
    }
}

#[test]
fn what_is_held_is_released_over_a_new_connection() {
    let stub = Stub::new();
    let mut desktop = stub.desktop();
    desktop.keyboard = Ok(Arc::new(Dying(stub.clone())));
    let script = program("key down shift\nkey down a\ntype x");
    let run_with = |source| {
        let options = Options { source, ..Options::default() };
        run(&script, &desktop, &options, &Cancel::new(), &mut |_| {}).unwrap_err()
    };
    let stuck = run_with(None);
    assert_eq!(stuck.details["stillHeld"], 2);
    assert_eq!(stuck.warnings.len(), 1);
    assert_eq!(stub.down(), ["key 30", "key 42"]);
    let freed = run_with(Some(Arc::new(Again(stub.clone()))));
    assert_eq!(freed.code, Code::EnvironmentError);
    assert!(freed.warnings.is_empty());
    assert_eq!(stub.down(), Vec::<String>::new());
}

#[test]
fn what_a_person_holds_is_left_alone() {
    let stub = Stub::new();
    stub.press_by_hand("key 56");
    play_on(&stub, "tap a\nclick left", &Options::default(), &Cancel::new()).unwrap();
    assert_eq!(stub.down(), ["key 56"]);
}

#[test]
fn the_deepest_script_runs() {
    let steps = [vec!["repeat 1 {"; 128], vec!["tap a"], vec!["}"; 128]].concat();
    let stub = Stub::new();
    let deepest = parse(&from_steps(steps)).unwrap();
    run(&deepest, &stub.desktop(), &Options::default(), &Cancel::new(), &mut |_| {}).unwrap();
    assert_eq!(stub.timeline().len(), 2);
}

fn step() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "key down shift",
        "key up shift",
        "key down a",
        "key up a",
        "down left",
        "up left",
        "down right",
        "click left",
        "tap ctrl+shift+a",
        "tap b",
        "type xy",
        "move abs 3 4",
        "move rel 1 1",
        "scroll up",
        "delay 0",
    ])
}

fn trap() -> impl Strategy<Value = Trap> {
    prop::sample::select(vec![Trap::Refuse, Trap::Lose, Trap::Panic, Trap::Cancel])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_ends_a_script_nothing_stays_down(
        steps in prop::collection::vec(step(), 1..12), call in 0..30_usize, trap in trap(),
    ) {
        let cancel = Cancel::new();
        let stub = Stub::new().trap(call, trap, &cancel);
        stub.press_by_hand("key 56");
        let script = steps.join("\n");
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            play_on(&stub, &script, &Options::default(), &cancel).is_ok()
        }));
        prop_assert_eq!(stub.down(), ["key 56"], "{:?} {:?}", result.is_err(), stub.timeline());
    }

    #[test]
    fn no_script_that_is_read_is_a_danger(lines in prop::collection::vec(
        "(set|inc|div|mul) [ab]( [0-9]{1,10}| \\$[ab])?|set [ab] \\$[ab][-*/%+]\\$[ab]|(while|if) \\$a [<=>]=? \\$b \\{|\\}|repeat [0-9] \\{|break|type \\$a|move rel \\$a \\$b|scroll up \\$a",
        0..12,
    )) {
        if let Ok(program) = parse(&from_steps(lines)) {
            let cancel = Cancel::new();
            let options = Options { deadline: Some(clock::now() + Duration::from_millis(50)), ..Options::default() };
            drop(run(&program, &Stub::new().desktop(), &options, &cancel, &mut |_| {}));
            drop(rehearse(&program, &options, &cancel));
        }
    }
}
