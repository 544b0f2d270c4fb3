//! Recordings: what is saved, how they end, and what is refused before they begin.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test, with files of its own and a limit on every wait"
)]

mod desk;

use crossmacro_engine::recorder::{Options, Wanted, record};
use crossmacro_model::{Button, Code, Direction, KeyCode, Point};
use crossmacro_ops::{Call, Surface, guard};
use crossmacro_platform::{Cancel, Error, Input};
use desk::Desk;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const PRESS: Input = Input::Button { button: Button::Left, direction: Direction::Press };
const RELEASE: Input = Input::Button { button: Button::Left, direction: Direction::Release };

fn place(x: i32, y: i32) -> Input {
    Input::Place(Point::new(x, y))
}

fn key(code: u16, direction: Direction) -> Input {
    Input::Key { key: KeyCode(code), direction }
}

struct Recording {
    desk: Desk,
    path: PathBuf,
}

impl Recording {
    fn new() -> Self {
        let desk = Desk::new();
        let path = desk.home.path().join("Open the menu.macro");
        Self { desk, path }
    }

    fn arguments(&self, more: &Value) -> Value {
        let mut arguments = json!({"kind": "record", "outputPath": self.path});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    /// Starts one and waits until it listens.
    fn start(&self, more: &Value) -> String {
        let listens = || self.desk.fake.timeline().lines().filter(|line| *line == "listen").count();
        let before = listens();
        let answer = self.desk.ok("automation.start", self.arguments(more));
        let limit = Instant::now() + Duration::from_secs(20);
        while listens() == before {
            assert!(Instant::now() < limit, "it never listens");
            std::thread::yield_now();
        }
        answer["operation"]["operationId"].as_str().unwrap().to_owned()
    }

    /// Changes a setting, as the person may.
    fn set(&self, key: &str, value: &str) {
        let (cancel, arguments) = (Cancel::new(), json!({"key": key, "value": value}));
        let call = Call::new(Surface::Cli, &cancel);
        assert!(guard::call(&self.desk.context, &call, "settings.set", arguments).outcome.success);
    }

    fn act(&self, acts: &[(u64, Input)]) {
        acts.iter().for_each(|(at_us, input)| self.desk.fake.act(*at_us, *input));
    }

    /// Waits until it has recorded so many events.
    fn until(&self, id: &str, events: u64) {
        let limit = Instant::now() + Duration::from_secs(20);
        loop {
            let answer = self.desk.ok("automation.get", json!({"operationId": id}));
            if answer["operation"]["eventsDelivered"].as_u64().is_some_and(|count| count >= events) {
                return;
            }
            assert!(Instant::now() < limit, "{answer}");
            std::thread::yield_now();
        }
    }

    fn ended(&self, id: &str) -> Value {
        let answer = self.desk.ok("automation.get", json!({"operationId": id, "waitMs": 20_000}));
        assert_ne!(answer["operation"]["state"], "running");
        answer["operation"].clone()
    }

    fn stop(&self, id: &str) -> Value {
        assert_eq!(
            self.desk.ok("automation.stop", json!({"operationId": id}))["cancellationInitiated"],
            true
        );
        self.ended(id)
    }

    /// The header without its moment, and the events, a blank between lines.
    fn file(&self) -> (String, String) {
        let text = std::fs::read_to_string(&self.path).unwrap();
        let (header, events) = text.split_once("[Script]\n[Events]\n").unwrap();
        let header: Vec<_> = header.lines().filter(|line| !line.starts_with("# Created: 2")).collect();
        assert_eq!(header.len() + 1, text.lines().position(|line| line == "[Script]").unwrap());
        (header.join("\n"), events.trim_end().replace('\n', " "))
    }

    /// Records these acts until it is stopped, and gives the events of the file.
    fn record(&self, more: &Value, acts: &[(u64, Input)], events: u64) -> String {
        let id = self.start(more);
        self.act(acts);
        self.until(&id, events);
        let operation = self.stop(&id);
        assert_eq!(operation["state"], "succeeded", "{operation}");
        self.file().1
    }

    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.desk.home.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains("macro")).collect()
    }
}

#[test]
fn a_stopped_recording_has_succeeded_and_is_saved() {
    let recording = Recording::new();
    std::fs::write(&recording.path, "an old file").unwrap();
    let id = recording.start(&json!({}));
    recording.act(&[(5_000, place(640, 360)), (17_250, place(0, 0)), (17_250, PRESS), (82_000, RELEASE)]);
    recording.act(&[
        (82_000, Input::Devices),
        (90_000, key(113, Direction::Press)),
        (91_000, Input::Repeat(KeyCode(113))),
    ]);
    recording.act(&[(95_500, key(113, Direction::Release))]);
    recording.until(&id, 6);
    let operation = recording.stop(&id);
    assert_eq!(operation["state"], "succeeded");
    assert_eq!(operation["cancellationRequested"], true);
    assert_eq!((&operation["stoppedByUser"], &operation["eventCount"]), (&json!(true), &json!(6)));
    assert_eq!(operation["outcome"]["message"], "The recording is done: 6 events were recorded and saved.");
    assert_eq!(operation["outcome"]["warnings"], json!([]));
    // No path leaves with it.
    assert!(!operation.to_string().contains("menu"), "{operation}");
    let (header, events) = recording.file();
    assert_eq!(
        header,
        "# Name: Open the menu\n# DurationMs: 91\n# IsAbsolute: True\n# SkipInitialZero: False\n# Format: CrossMacroFormatV2"
    );
    assert_eq!(
        events,
        "M,abs,640,360 WU,12250 M,abs,0,0 P,abs,0,0,Left WU,64750 R,abs,0,0,Left WU,8000 KP,113 WU,5500 KR,113"
    );
    assert_eq!(recording.files().len(), 1, "{:?}", recording.files());
    assert!(recording.desk.fake.timeline().ends_with("listen no more"));
    assert_eq!(
        recording.desk.ok("automation.stop", json!({"operationId": id}))["cancellationInitiated"],
        false
    );
}

#[test]
fn a_recording_ends_by_itself_when_its_time_is_over() {
    let recording = Recording::new();
    let id = recording.start(&json!({"durationSeconds": 1}));
    recording.act(&[(1, key(30, Direction::Press))]);
    let operation = recording.ended(&id);
    assert_eq!((&operation["state"], &operation["stoppedByUser"]), (&json!("succeeded"), &json!(false)));
    // What was down is released when the time is over.
    let events = recording.file().1;
    let wait: u64 =
        events.strip_prefix("KP,30 WU,").unwrap().strip_suffix(" KR,30").unwrap().parse().unwrap();
    assert!((500_000..1_000_000).contains(&wait), "{events}");
}

#[test]
fn nothing_recorded_is_a_failure_and_leaves_the_old_file() {
    let recording = Recording::new();
    std::fs::write(&recording.path, "an old file").unwrap();
    let id = recording.start(&json!({"recordMouse": false}));
    recording.act(&[(1, PRESS), (2, RELEASE), (3, key(28, Direction::Release))]);
    let operation = recording.stop(&id);
    assert_eq!(operation["state"], "failed");
    assert_eq!(operation["outcome"]["errors"][0]["code"], "runtime_error");
    assert_eq!((&operation["eventCount"], &operation["stoppedByUser"]), (&Value::Null, &Value::Null));
    assert_eq!(std::fs::read_to_string(&recording.path).unwrap(), "an old file");
    assert_eq!(recording.files().len(), 1);
}

#[test]
fn a_relative_recording_starts_in_the_corner_unless_told_otherwise() {
    let far = Input::Distance { dx: 15.0, dy: -4.0 };
    let recording = Recording::new();
    recording.desk.fake.act(0, place(500, 300));
    let events =
        recording.record(&json!({"coordinateMode": "relative"}), &[(1, far), (2, PRESS), (3, RELEASE)], 3);
    assert_eq!(events, "M,rel-raw,15,-4 WU,1 P,0,0,Left,CurrentPosition WU,1 R,0,0,Left,CurrentPosition");
    assert!(recording.file().0.contains("# IsAbsolute: False\n# SkipInitialZero: False"));
    assert_eq!(recording.desk.fake.timeline(), "move 0,0\nlisten\nlisten no more");

    let recording = Recording::new();
    let more = json!({"coordinateMode": "Relative", "skipInitialZero": true});
    recording.record(&more, &[(1, far)], 1);
    assert!(recording.file().0.contains("# SkipInitialZero: True"));
    assert_eq!(recording.desk.fake.timeline(), "listen\nlisten no more");
}

#[test]
fn the_settings_ask_for_distances_too() {
    let recording = Recording::new();
    recording.set("recording.forceRelative", "true");
    recording.set("recording.skipInitialZeroZero", "true");
    let far = Input::Distance { dx: 3.0, dy: 3.0 };
    assert_eq!(recording.record(&json!({}), &[(1, far)], 1), "M,rel-raw,3,3");
    assert!(recording.file().0.contains("# SkipInitialZero: True"));
    recording.set("recording.logicalRelative", "true");
    let recording = Recording { desk: recording.desk, path: recording.path.with_file_name("two.macro") };
    recording.desk.fake.act(0, place(10, 10));
    assert_eq!(recording.record(&json!({}), &[(1, place(13, 9))], 1), "M,rel-logical,3,-1");
    // What is asked for goes before what is set.
    let recording = Recording { desk: recording.desk, path: recording.path.with_file_name("three.macro") };
    assert_eq!(
        recording.record(&json!({"coordinateMode": "absolute"}), &[(1, place(20, 20))], 1),
        "M,abs,20,20"
    );
}

#[test]
fn without_places_distances_are_recorded_and_a_warning_says_so() {
    for (mode, warnings) in [("absolute", 2), ("auto", 1)] {
        let recording = Recording::new();
        recording.desk.fake.refuse("pointer", "no position provider");
        let id = recording.start(&json!({"coordinateMode": mode}));
        recording.act(&[(1, Input::Distance { dx: 1.0, dy: 1.0 })]);
        recording.until(&id, 1);
        let operation = recording.stop(&id);
        // One that the places are missing, and one that the corner could not be reached.
        assert_eq!(operation["outcome"]["warnings"].as_array().unwrap().len(), warnings, "{operation}");
        assert_eq!(recording.file().1, "M,rel-raw,1,1");
        assert!(recording.file().0.contains("# SkipInitialZero: True"));
    }
    // It means nothing in an absolute recording.
    let recording = Recording::new();
    let id = recording.start(&json!({"skipInitialZero": true}));
    recording.act(&[(1, place(7, 7))]);
    recording.until(&id, 1);
    let operation = recording.stop(&id);
    assert_eq!(operation["outcome"]["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn moves_are_left_out_within_the_bound() {
    let recording = Recording::new();
    let line: Vec<_> =
        (0..40_i32).map(|i| (u64::from(i.unsigned_abs()) * 1000, place(100 + i, 100 + i))).collect();
    let events = recording.record(&json!({"thinPixels": 1}), &line, 40);
    assert_eq!(events, "M,abs,100,100 WU,39000 M,abs,139,139");
}

#[test]
fn what_was_recorded_is_saved_when_the_desktop_is_lost() {
    let recording = Recording::new();
    let id = recording.start(&json!({}));
    recording.act(&[(1, key(30, Direction::Press)), (2, key(30, Direction::Release))]);
    recording.until(&id, 2);
    recording.desk.fake.fail_next(Error::Lost { why: "the server is gone".into() });
    let operation = recording.ended(&id);
    assert_eq!(operation["state"], "failed");
    let error = &operation["outcome"]["errors"][0];
    assert_eq!(error["code"], "environment_error");
    assert!(error["message"].as_str().unwrap().contains("the 2 events until then are saved"), "{error}");
    assert_eq!(recording.file().1, "KP,30 WU,1 KR,30");
}

#[test]
fn a_request_to_stop_before_it_listens_is_a_cancellation() {
    let desk = Desk::new();
    let (desktop, cancel) = (desk.fake.source().desktop().unwrap(), Cancel::new());
    cancel.cancel();
    let options = Options { wanted: Wanted::Relative, ..Options::default() };
    let fault = record(&desktop, &options, &cancel, &mut |_| {}).unwrap_err();
    assert_eq!(fault.code, Code::Cancelled);
    // The pointer was not moved to the corner either.
    assert_eq!(desk.fake.timeline(), "");
}

#[test]
fn what_can_not_work_is_refused_before_anything_happens() {
    let recording = Recording::new();
    let refuse = |more: Value| recording.desk.fault("automation.start", recording.arguments(&more));
    assert_eq!(refuse(json!({"recordMouse": false, "recordKeyboard": false})).0, "invalid_arguments");
    for stray in [
        json!({"steps": ["tap a"]}),
        json!({"dryRun": true}),
        json!({"speedMultiplier": 2}),
        json!({"timeoutSeconds": 5}),
    ] {
        let (code, message) = refuse(stray);
        assert_eq!(code, "invalid_arguments");
        assert!(message.contains("run, not to record"), "{message}");
    }
    let run = json!({"kind": "run", "steps": ["tap a"], "thinPixels": 2});
    assert!(recording.desk.fault("automation.start", run).1.contains("belongs to kind record"));
    for wrong in [
        json!({"durationSeconds": 0}),
        json!({"durationSeconds": 3601}),
        json!({"coordinateMode": "sideways"}),
        json!({"thinPixels": 0}),
    ] {
        assert_eq!(refuse(wrong).0, "invalid_arguments");
    }
    for (path, expected) in [
        ("relative.macro", "invalid_arguments"),
        ("/tmp/../x.macro", "invalid_arguments"),
        ("/tmp/x.txt", "invalid_arguments"),
        ("/nowhere/at/all/x.macro", "file_error"),
    ] {
        assert_eq!(refuse(json!({"outputPath": path})).0, expected, "{path}");
    }
    std::os::unix::fs::symlink("/etc/hosts", recording.path.with_file_name("link.macro")).unwrap();
    assert_eq!(
        refuse(json!({"outputPath": recording.path.with_file_name("link.macro")})).0,
        "path_not_allowed"
    );
    assert_eq!(recording.desk.fault("automation.start", json!({"kind": "record"})).0, "invalid_arguments");
    assert_eq!(recording.desk.fake.timeline(), "");
    recording.desk.fake.refuse("listener", "nobody hears here");
    let (code, message) = refuse(json!({}));
    assert_eq!(code, "environment_error");
    assert!(message.contains("nobody hears here"), "{message}");
    assert_eq!(recording.files(), ["link.macro"]);
}

#[test]
fn both_capabilities_and_the_roots_are_needed() {
    for denied in ["mcp.recording", "mcp.fileWrite"] {
        let recording = Recording::new();
        recording.set(denied, "false");
        let (code, _) = recording.desk.fault("automation.start", recording.arguments(&json!({})));
        assert_eq!(code, "capability_denied", "{denied}");
        assert_eq!(recording.desk.fake.timeline(), "");
    }
    let recording = Recording::new();
    recording.set("mcp.paths.macroWrite", "/usr");
    let (code, _) = recording.desk.fault("automation.start", recording.arguments(&json!({})));
    assert_eq!(code, "path_not_allowed");
    // Nobody who may only record needs to be able to act.
    let recording = Recording::new();
    for other in ["mcp.inputAutomation", "mcp.commandExecute"] {
        recording.set(other, "false");
    }
    recording.record(&json!({}), &[(1, place(7, 7))], 1);
}
