//! The operation slot: one at a time, every end told honestly, nothing left behind.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

mod stub;

use crossmacro_engine::held::Held;
use crossmacro_engine::interpreter::Progress;
use crossmacro_engine::operations::{Id, Kind, Operation, Operations, Refusal, State};
use crossmacro_model::{Code, Direction, Fault, KeyCode};
use crossmacro_platform::Cancel;
use serde_json::{Value, json};
use std::time::Duration;
use stub::Stub;

const LONG: Duration = Duration::from_secs(60);

fn ended(operations: &Operations, id: Id) -> Operation {
    let operation = operations.wait(id, LONG, &Cancel::new()).expect("it is remembered");
    assert_ne!(operation.state(), State::Running);
    operation
}

/// Work that goes on until it is stopped.
fn endless(cancel: &Cancel) -> Result<Value, Fault> {
    cancel.sleep(Duration::MAX);
    Err(Fault::new(Code::Cancelled, "cancelled"))
}

#[test]
fn work_that_ends_well_leaves_its_value() {
    let operations = Operations::new();
    let id = operations
        .start(Kind::Run, None, |_, reporter| {
            reporter.report(Progress { elapsed: LONG, events: 3, step: 2, next: None });
            Ok(json!({ "x": 1 }))
        })
        .unwrap();
    let operation = ended(&operations, id);
    assert_eq!(operation.state(), State::Succeeded);
    assert_eq!(operation.progress.unwrap().events, 3);
    assert!(operation.completed_at.unwrap() >= operation.started_at);
    assert!(!operation.cancellation_requested);
    let result = operation.result.unwrap();
    assert_eq!(result.as_ref().as_ref().unwrap()["x"], 1);
    assert!(operations.active().is_none());
}

#[test]
fn a_second_one_is_refused_with_the_id_of_the_first() {
    let operations = Operations::new();
    let first = operations.start(Kind::Record, None, |cancel, _| endless(cancel)).unwrap();
    let refusal = operations.start(Kind::Run, None, |cancel, _| endless(cancel)).unwrap_err();
    assert!(matches!(refusal, Refusal::Busy { id, kind: Kind::Record } if id == first));
    let fault = Fault::from(refusal);
    assert_eq!((fault.code, &fault.details["operationId"]), (Code::Busy, &json!(first.to_string())));
    assert_eq!(operations.active().unwrap().id, first);
    assert_eq!(operations.stop(first), Some(true));
    assert_eq!(operations.stop(first), Some(false));
    let operation = ended(&operations, first);
    assert_eq!((operation.state(), operation.cancellation_requested), (State::Cancelled, true));
    assert_eq!(operations.stop(first), Some(false));
    assert_eq!(operations.stop(Id::parse(&"0".repeat(32)).unwrap()), None);
    assert!(operations.start(Kind::Run, None, |_, _| Ok(Value::Null)).is_ok());
}

#[test]
fn work_that_had_finished_when_it_was_stopped_has_succeeded() {
    let operations = Operations::new();
    let work = |cancel: &Cancel, _: &_| {
        cancel.sleep(Duration::MAX);
        Ok(json!({ "stoppedByUser": true }))
    };
    let id = operations.start(Kind::Record, None, work).unwrap();
    operations.stop(id);
    assert_eq!(ended(&operations, id).state(), State::Succeeded);
}

#[test]
fn an_expired_limit_is_a_timeout() {
    let operations = Operations::new();
    let limit = Some(Duration::from_millis(10));
    let id = operations.start(Kind::Run, limit, |cancel, _| endless(cancel)).unwrap();
    let operation = ended(&operations, id);
    assert_eq!((operation.state(), operation.cancellation_requested), (State::Failed, false));
    let result = operation.result.unwrap();
    assert_eq!(result.as_ref().as_ref().unwrap_err().code, Code::Timeout);
}

#[test]
fn a_panic_is_a_failure_and_releases_what_was_held() {
    let stub = Stub::new();
    let operations = Operations::new();
    let desktop = stub.desktop();
    let id = operations
        .start(Kind::Play, None, move |_, _| {
            let mut held = Held::new(&desktop);
            held.key(KeyCode(42), Direction::Press).unwrap();
            panic!("secret text");
        })
        .unwrap();
    let operation = ended(&operations, id);
    assert_eq!(operation.state(), State::Failed);
    assert!(!format!("{:?}", operation.result).contains("secret"));
    assert_eq!(stub.timeline(), ["key 42 down", "key 42 up"]);
    assert!(operations.start(Kind::Run, None, |_, _| Ok(Value::Null)).is_ok());
}

#[test]
fn waiting_ends_with_the_time_or_the_cancellation_of_the_one_who_waits() {
    let operations = Operations::new();
    let id = operations.start(Kind::Run, None, |cancel, _| endless(cancel)).unwrap();
    let running = operations.wait(id, Duration::from_millis(5), &Cancel::new()).unwrap();
    assert_eq!(running.state(), State::Running);
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(operations.wait(id, Duration::MAX, &cancel).unwrap().state(), State::Running);
    assert!(operations.wait(Id::parse(&"1".repeat(32)).unwrap(), LONG, &Cancel::new()).is_none());
    operations.stop(id);
    ended(&operations, id);
}

#[test]
fn the_last_32_are_remembered() {
    let operations = Operations::new();
    let ids: Vec<Id> = (0..40)
        .map(|_| {
            let id = operations.start(Kind::Run, None, |_, _| Ok(Value::Null)).unwrap();
            ended(&operations, id);
            id
        })
        .collect();
    let listed: Vec<Id> = operations.list().iter().map(|operation| operation.id).collect();
    assert_eq!(listed, ids[8..]);
    assert!(operations.get(ids[7]).is_none());
}

#[test]
fn a_shutdown_stops_what_runs_and_lets_nothing_start() {
    let operations = Operations::new();
    let id = operations.start(Kind::Run, None, |cancel, _| endless(cancel)).unwrap();
    assert!(operations.shutdown(LONG));
    assert_eq!(operations.get(id).unwrap().state(), State::Cancelled);
    assert!(matches!(operations.start(Kind::Run, None, |_, _| Ok(Value::Null)), Err(Refusal::ShuttingDown)));
    assert!(operations.shutdown(Duration::ZERO));
}

#[test]
fn a_shutdown_does_not_wait_for_ever() {
    let operations = Operations::new();
    let release = Cancel::new();
    let stubborn = release.clone();
    operations
        .start(Kind::Run, None, move |_, _| {
            stubborn.sleep(Duration::MAX);
            Ok(Value::Null)
        })
        .unwrap();
    assert!(!operations.shutdown(Duration::from_millis(5)));
    release.cancel();
    assert!(operations.shutdown(LONG));
}
