//! Macros on a stub desktop and a clock that is moved by hand: what is delivered, and when.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

mod stub;

use crossmacro_engine::held;
use crossmacro_engine::player::{Motion, Options, Pause, Summary, plan, play};
use crossmacro_engine::time::Time;
use crossmacro_model::macro_file::{Action, Macro, read};
use crossmacro_model::{Code, Delivered, Down, Fault};
use crossmacro_platform::{Cancel, clock};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use stub::{Stub, Trap};

/// A clock that moves when it is waited for.
#[derive(Clone)]
struct Hand {
    start: Instant,
    now: Arc<Mutex<Instant>>,
}

impl Hand {
    fn new() -> Self {
        let start = clock::now();
        Self { start, now: Arc::new(Mutex::new(start)) }
    }

    fn elapsed(&self) -> Duration {
        self.now() - self.start
    }

    fn advance(&self, time: Duration) {
        *self.now.lock().unwrap() += time;
    }
}

impl Time for Hand {
    fn now(&self) -> Instant {
        *self.now.lock().unwrap()
    }

    fn wait_until(&self, due: Instant, cancel: &Cancel) -> bool {
        let mut now = self.now.lock().unwrap();
        *now = (*now).max(due);
        cancel.is_cancelled()
    }
}

fn content(text: &str) -> Macro {
    read(text.as_bytes()).strict().unwrap_or_else(|wrong| panic!("{text}\n{wrong}"))
}

/// A macro of events after a header that starts where the pointer is.
fn events(lines: &str) -> Macro {
    content(&format!(
        "# IsAbsolute: True\n# SkipInitialZero: True\n# Format: CrossMacroFormatV2\n[Events]\n{lines}"
    ))
}

fn timed() -> (Stub, Hand) {
    let hand = Hand::new();
    let clock = hand.clone();
    let stub = Stub::new().stamped(move || format!("{} ", clock.elapsed().as_micros()));
    (stub, hand)
}

fn options(hand: &Hand) -> Options {
    Options { time: Arc::new(hand.clone()), ..Options::default() }
}

fn play_on(stub: &Stub, content: &Macro, options: &Options, cancel: &Cancel) -> Result<Summary, Fault> {
    let result = play(content, &stub.desktop(), options, cancel, &mut |_| {});
    assert_eq!(stub.down(), Vec::<String>::new(), "{result:?}");
    result
}

/// The microseconds and the line of everything that was delivered.
fn timeline(content: &Macro, change: impl FnOnce(&mut Options)) -> Vec<String> {
    let (stub, hand) = timed();
    let mut options = options(&hand);
    change(&mut options);
    play_on(&stub, content, &options, &Cancel::new()).unwrap();
    stub.timeline()
}

const CLICK: &str = "M,abs,10,20\nWU,5000\nP,abs,10,20,Left\nW,20\nR,abs,10,20,Left\nWU,1500\nKP,30\nW,3\nKR,30\nC,0,0,ScrollDown\n";

#[test]
fn every_event_comes_at_its_time() {
    let at = [
        "0 move 10,20",
        "5000 left down",
        "25000 left up",
        "26500 key 30 down",
        "29500 key 30 up",
        "29500 scroll down 1",
    ];
    assert_eq!(timeline(&events(CLICK), |_| {}), at);
    let twice = [
        "0 move 10,20",
        "2500 left down",
        "12500 left up",
        "13250 key 30 down",
        "14750 key 30 up",
        "14750 scroll down 1",
    ];
    assert_eq!(timeline(&events(CLICK), |options| options.speed = 2.0), twice);
}

#[test]
fn passes_pauses_and_the_wait_at_the_end() {
    let text = "# SkipInitialZero: True\n# TrailingDelayUs: 4000\n# Format: CrossMacroFormatV2\n[Events]\nW,2\nKP,30\nKR,30\n";
    let lines = timeline(&content(text), |options| {
        options.passes = Some(2);
        options.speed = 2.0;
        options.between = (Duration::from_millis(100), Duration::from_millis(100));
        options.countdown = Duration::from_secs(1);
    });
    // The countdown and the pause between passes are not scaled.
    assert_eq!(
        lines,
        ["1001000 key 30 down", "1001000 key 30 up", "1104000 key 30 down", "1104000 key 30 up"]
    );
}

#[test]
fn distances_go_from_the_pointer_and_buttons_from_where_they_say() {
    let lines = "M,rel-raw,3,-4\nM,rel-logical,5,6\nM,abs,50,60\nC,abs,50,60,Right\nC,abs,70,80,Left\nC,1,2,Middle,CurrentPosition\nC,rel-raw,7,0,Side1\n";
    let expected = [
        "0 move by 3,-4",
        "0 move 8,2",
        "0 move 50,60",
        "0 right down",
        "0 right up",
        "0 move 70,80",
        "0 left down",
        "0 left up",
        "0 middle down",
        "0 middle up",
        "0 move by 7,0",
        "0 side1 down",
        "0 side1 up",
    ];
    let lines = events(lines);
    let (stub, hand) = timed();
    stub.put(0, 0);
    play_on(&stub, &lines, &options(&hand), &Cancel::new()).unwrap();
    assert_eq!(stub.timeline(), expected);
}

#[test]
fn errors_of_single_waits_do_not_add_up() {
    let lines: String = (0..3000).map(|_| "WU,1001\nKP,30\nKR,30\n").collect();
    let (stub, hand) = timed();
    let options = Options { speed: 3.0, ..options(&hand) };
    play_on(&stub, &events(&lines), &options, &Cancel::new()).unwrap();
    let late = hand.elapsed().as_micros().abs_diff(1_001_000);
    assert!(late <= 2, "three thousand waits are rounded to nanoseconds: {late} us");
}

#[test]
fn random_waits_are_picked_within_their_bounds_each_time() {
    let lines = events("WR,10,20\nKP,30\nKR,30\n");
    let picked: std::collections::BTreeSet<String> =
        (0..200).map(|_| timeline(&lines, |_| {})[0].clone()).collect();
    let times: Vec<u64> =
        picked.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(times.iter().all(|time| (10_000..=20_000).contains(time) && time % 1000 == 0), "{times:?}");
    assert_eq!(times.len(), 11, "all of them come up in two hundred tries");
}

#[test]
fn after_a_stall_keys_do_not_bunch_up() {
    let hand = Hand::new();
    let (clock, stalled) = (hand.clone(), Mutex::new(false));
    let stub = Stub::new().stamped(move || {
        let at = clock.elapsed().as_millis();
        // The machine sleeps for half a second while the first key goes down.
        if !std::mem::replace(&mut *stalled.lock().unwrap(), true) {
            clock.advance(Duration::from_millis(500));
        }
        format!("{at} ")
    });
    let lines = events("W,10\nKP,30\nW,10\nKR,30\nW,10\nKP,31\nW,10\nKR,31\n");
    play_on(&stub, &lines, &options(&hand), &Cancel::new()).unwrap();
    assert_eq!(stub.timeline(), ["10 key 30 down", "520 key 30 up", "530 key 31 down", "540 key 31 up"]);
}

#[test]
fn precision_keeps_every_point_and_says_that_it_takes_longer() {
    let lines: String = (0..100).map(|x| format!("W,1\nM,abs,{x},0\n")).collect();
    let (stub, hand) = timed();
    let summary = play_on(&stub, &events(&lines), &options(&hand), &Cancel::new()).unwrap();
    assert_eq!(summary.event_count, 100);
    // A thousand moves a second at 300 a second: 100 ms take 333.
    assert_eq!(hand.elapsed().as_millis(), 333);
    assert!(
        summary.warnings[0].contains("1000 moves a second") && summary.warnings[0].contains("0.30"),
        "{summary:?}"
    );
    let (stub, hand) = timed();
    let options = Options { motion: Motion::Precision { rate: 1000 }, ..options(&hand) };
    let summary = play_on(&stub, &events(&lines), &options, &Cancel::new()).unwrap();
    assert_eq!((hand.elapsed().as_millis(), summary.warnings), (100, vec![]));
}

/// The places of a plan with their times in microseconds.
fn path(content: &Macro, speed: f64, motion: Motion) -> (Vec<(u64, f64, f64)>, Vec<String>) {
    let plan = plan(content, speed, motion);
    let mut at = 0;
    let places = plan.events.iter().map(|event| {
        at += event.wait_us;
        let Action::Move(place) = event.action else { panic!("{event:?}") };
        (at, f64::from(place.x), f64::from(place.y))
    });
    (places.collect(), plan.warnings)
}

/// How far a point is from a way of straight lines, by looking at very many points of it.
fn away((x, y): (f64, f64), way: &[(u64, f64, f64)]) -> f64 {
    let steps = |pair: &[(u64, f64, f64)]| {
        let (a, b) = (pair[0], pair[1]);
        (0..=400)
            .map(move |step| {
                let share = f64::from(step) / 400.0;
                (a.1 + (b.1 - a.1) * share - x).hypot(a.2 + (b.2 - a.2) * share - y)
            })
            .fold(f64::MAX, f64::min)
    };
    way.windows(2).map(steps).fold(f64::MAX, f64::min)
}

#[test]
fn strict_speed_keeps_the_time_and_the_path_within_the_budget() {
    // A circle with a sharp peak in it, a thousand points a second for a second.
    let place = |step: i32| {
        let angle = f64::from(step) / 1000.0 * std::f64::consts::TAU;
        let peak = if step == 333 { 40.0 } else { 0.0 };
        ((500.0 + 300.0 * angle.cos() + peak).round(), (400.0 + 300.0 * angle.sin()).round())
    };
    let lines: String = (0..=1000)
        .map(|step| {
            let (x, y) = place(step);
            format!("WU,1000\nM,abs,{x},{y}\n")
        })
        .collect();
    let content = events(&lines);
    let (way, warnings) = path(&content, 1.0, Motion::StrictSpeed { rate: 100, error: 2.0 });
    assert_eq!(way.len(), 101);
    assert_eq!((way[0].0, way[100].0), (1000, 1_001_000));
    assert_eq!(warnings, Vec::<String>::new());
    let worst = (0..=1000).map(|step| away(place(step), &way)).fold(0.0, f64::max);
    // Half a pixel on each side for rounding to whole ones.
    assert!(worst <= 2.0 + 0.75, "{worst}");
    // Twice as fast leaves half of the samples; a tenth of the samples can't keep to a narrow path.
    assert_eq!(path(&content, 2.0, Motion::StrictSpeed { rate: 100, error: 2.0 }).0.len(), 51);
    let (few, warnings) = path(&content, 1.0, Motion::StrictSpeed { rate: 4, error: 0.25 });
    assert_eq!((few.len(), warnings.len()), (5, 1));
    // Nothing is left out where the recording is slower than the rate.
    assert_eq!(path(&content, 1.0, Motion::StrictSpeed { rate: 5000, error: 2.0 }).0.len(), 1001);
}

#[test]
fn distances_are_sampled_to_the_same_end() {
    let lines: String = (0..500).map(|step| format!("WU,500\nM,rel-logical,{},1\n", step % 3)).collect();
    let (way, _) = path(&events(&lines), 1.0, Motion::StrictSpeed { rate: 200, error: 5.0 });
    assert!(way.len() < 60, "{}", way.len());
    let sum = way.iter().fold((0.0, 0.0), |(x, y), (_, dx, dy)| (x + dx, y + dy));
    assert_eq!(sum, (499.0, 500.0));
}

#[test]
fn an_event_that_fails_is_passed_over_and_eleven_are_the_end() {
    let (stub, hand) = timed();
    let stub = stub.trap(1, Trap::Refuse, &Cancel::new());
    let summary = play_on(&stub, &events(CLICK), &options(&hand), &Cancel::new()).unwrap();
    assert_eq!((summary.event_count, summary.failed), (5, 1));
    assert!(summary.warnings.iter().any(|warning| warning.contains("event 2 (press left")), "{summary:?}");
    let bad: String = "M,abs,5000000,0\n".repeat(30);
    let (stub, hand) = timed();
    let fault = play_on(&stub, &events(&bad), &options(&hand), &Cancel::new()).unwrap_err();
    assert_eq!(fault.code, Code::RuntimeError);
    assert!(fault.message.contains("more than 10"), "{fault}");
    // Where nothing worked, that is no success.
    let (stub, hand) = timed();
    let fault = play_on(&stub, &events("M,abs,5000000,0\n"), &options(&hand), &Cancel::new()).unwrap_err();
    assert_eq!(fault.delivered, Delivered::Nothing);
}

#[test]
fn wherever_it_is_stopped_or_breaks_nothing_stays_down() {
    let lines = events(
        "KP,29\nM,abs,1,1\nP,abs,1,1,Left\nM,abs,9,9\nKP,30\nKR,30\nR,abs,9,9,Left\nC,0,0,ScrollUp\nKR,29\n",
    );
    for call in 0..9 {
        for trap in [Trap::Cancel, Trap::Lose, Trap::Panic, Trap::Refuse] {
            let (stub, hand) = timed();
            let cancel = Cancel::new();
            let stub = stub.trap(call, trap, &cancel);
            let played = std::panic::catch_unwind(|| {
                play(&lines, &stub.desktop(), &options(&hand), &cancel, &mut |_| {})
            });
            assert_eq!(stub.down(), Vec::<String>::new(), "{trap:?} at {call}");
            match (trap, played) {
                (Trap::Panic, Err(_)) => {}
                (Trap::Refuse, Ok(Ok(summary))) => assert!(summary.failed > 0),
                // The last event may be delivered before anybody looks.
                (Trap::Cancel, Ok(result)) => {
                    assert!(call == 8 || result.unwrap_err().code == Code::Cancelled);
                }
                (Trap::Lose, Ok(Err(fault))) => assert_eq!(fault.code, Code::EnvironmentError),
                (trap, played) => panic!("{trap:?} at {call}: {:?}", played.map(drop)),
            }
        }
    }
}

#[test]
fn what_is_left_down_is_released_after_each_pass_and_told() {
    let (stub, hand) = timed();
    let options = Options { passes: Some(2), ..options(&hand) };
    let summary = play_on(&stub, &events("KP,30\n"), &options, &Cancel::new()).unwrap();
    assert_eq!(stub.timeline(), ["0 key 30 down", "0 key 30 up", "0 key 30 down", "0 key 30 up"]);
    assert_eq!(summary.warnings.len(), 1);
}

#[test]
fn without_end_it_goes_on_until_it_is_stopped() {
    let (stub, hand) = timed();
    let cancel = Cancel::new();
    let stub = stub.trap(1999, Trap::Cancel, &cancel);
    let options = Options { passes: None, ..options(&hand) };
    let fault = play_on(&stub, &events("KP,30\nKR,30\n"), &options, &cancel).unwrap_err();
    assert_eq!((fault.code, &fault.partial["eventCount"]), (Code::Cancelled, &2000.into()));
    // A pass takes a millisecond at least.
    assert_eq!(hand.elapsed().as_millis(), 999);
}

#[test]
fn a_pause_lets_go_and_the_end_of_it_takes_buttons_and_modifiers_again() {
    let (stub, hand) = timed();
    let pause = Pause::default();
    let options = Options { pause: pause.clone(), ..options(&hand) };
    let content =
        events("KP,29\nKP,30\nP,abs,0,0,Left\nW,50\nKP,48\nW,50\nKR,48\nR,abs,0,0,Left\nKR,30\nKR,29\n");
    let (asked, watched) = (pause.clone(), stub.clone());
    let other = std::thread::spawn(move || {
        // Everything is released when the pause is seen.
        let limit = clock::now() + Duration::from_secs(20);
        while !(asked.is_paused() && watched.down().is_empty()) {
            assert!(clock::now() < limit);
            Cancel::new().sleep(Duration::from_millis(1));
        }
        hand.advance(Duration::from_secs(7));
        asked.resume();
    });
    let mut pressed = false;
    play(&content, &stub.desktop(), &options, &Cancel::new(), &mut |at| {
        if at.events == 3 && !std::mem::replace(&mut pressed, true) {
            pause.pause();
        }
    })
    .unwrap();
    other.join().unwrap();
    let expected = [
        "0 key 29 down",
        "0 key 30 down",
        "0 left down",
        "0 left up",
        "0 key 30 up",
        "0 key 29 up",
        // Not key 30: it would act once more.
        "7000000 key 29 down",
        "7000000 left down",
        "7050000 key 48 down",
        "7100000 key 48 up",
        "7100000 left up",
        "7100000 key 30 up",
        "7100000 key 29 up",
    ];
    assert_eq!(stub.timeline(), expected);
}

#[test]
fn a_pause_can_be_stopped() {
    let (stub, hand) = timed();
    let (pause, cancel) = (Pause::default(), Cancel::new());
    pause.pause();
    let options = Options { pause, ..options(&hand) };
    let stop = cancel.clone();
    let other = std::thread::spawn(move || stop.cancel());
    let fault = play_on(&stub, &events(CLICK), &options, &cancel).unwrap_err();
    other.join().unwrap();
    assert_eq!(fault.code, Code::Cancelled);
    assert_eq!(stub.timeline(), Vec::<String>::new());
}

#[test]
fn a_script_without_events_is_run() {
    let text = "# Format: CrossMacroFormatV2\n[Script]\nrepeat 2 {\ntap a\ndelay 10\n}\n[Events]\n";
    let lines = timeline(&content(text), |options| options.speed = 2.0);
    assert_eq!(lines, ["0 key 30 down", "0 key 30 up", "5000 key 30 down", "5000 key 30 up"]);
}

#[test]
fn many_short_waits_catch_up_after_a_hitch() {
    let hand = Hand::new();
    let (clock, hitched) = (hand.clone(), Mutex::new(false));
    let stub = Stub::new().stamped(move || {
        if !std::mem::replace(&mut *hitched.lock().unwrap(), true) {
            clock.advance(Duration::from_millis(5));
        }
        String::new()
    });
    let lines: String = (0..50).map(|_| "W,1\nKP,30\nW,1\nKR,30\n").collect();
    play_on(&stub, &events(&lines), &options(&hand), &Cancel::new()).unwrap();
    assert_eq!(hand.elapsed().as_millis(), 100, "the hitch of 5 ms is made good");
}

/// Of what is not played, nothing is planned or told.
#[test]
fn the_events_beside_a_script_that_is_played_do_not_count() {
    let dense: String = (0..100).map(|x| format!("W,1\nM,abs,{x},0\n")).collect();
    let text = format!(
        "# Format: CrossMacroFormatV2\n[Script]\nmouse position x y\ntap a\ndelay 10\ntap a\n[Events]\n{dense}"
    );
    let (stub, hand) = timed();
    let summary = play_on(&stub, &content(&text), &options(&hand), &Cancel::new()).unwrap();
    assert_eq!(summary.warnings, Vec::<String>::new());
    assert_eq!(stub.timeline().last().unwrap(), "10000 key 30 up");
}

/// A ledger that counts its pages.
#[derive(Default)]
struct Pages(Mutex<usize>);

struct Page;

impl held::Page for Page {
    fn write(&mut self, _: &[Down]) {}
}

impl held::Ledger for Pages {
    fn page(&self, _: &str) -> Option<Box<dyn held::Page>> {
        *self.0.lock().unwrap() += 1;
        Some(Box::new(Page))
    }
}

#[test]
fn only_what_holds_something_is_written_down_and_once() {
    let (stub, hand) = timed();
    let pages = Arc::new(Pages::default());
    let options = Options { ledger: Some(pages.clone()), passes: Some(3), ..options(&hand) };
    play_on(&stub, &events("M,abs,1,1\nC,0,0,ScrollDown\n"), &options, &Cancel::new()).unwrap();
    assert_eq!(*pages.0.lock().unwrap(), 0);
    play_on(&stub, &events("KP,30\nKR,30\nC,abs,1,1,Left\n"), &options, &Cancel::new()).unwrap();
    assert_eq!(*pages.0.lock().unwrap(), 1);
}
