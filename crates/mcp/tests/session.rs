//! How a session lives and ends: many calls at once, cancellation, hosts that misbehave.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::cast_possible_truncation,
    clippy::cast_lossless,
    reason = "a test may fail loudly, starts its own programs and files, and measures real time"
)]

mod host;

use crossmacro_mcp::{LONGEST_END, Options, Reason};
use crossmacro_model::{Frame, Rect, Size};
use crossmacro_platform::fake::FakeDesktop;
use crossmacro_platform::{
    Cancel, Capture, CaptureRequest, Clipboard, ClipboardContent, Desktop, DesktopSource, Error, Session,
    SessionKind, Unavailable, Watch,
};
use host::{Host, LIMIT, Nothing, code};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Twice the promise, for a busy machine; without our bounds the SDK would wait for five seconds.
const PROMPT: Duration = LONGEST_END.saturating_mul(2);

/// A desktop with two facets that can be made to misbehave.
struct Odd {
    capture: fn(CaptureRequest) -> Frame,
    clipboard: Arc<Slow>,
}

struct Screen(fn(CaptureRequest) -> Frame);

#[derive(Default)]
struct Slow {
    seen: Mutex<Vec<usize>>,
}

impl DesktopSource for Odd {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let none = || Unavailable::new("facet", "odd", "there is none");
        Ok(Arc::new(Desktop {
            session: Session { kind: SessionKind::Fake, name: "odd".into(), is_private: false },
            displays: Err(none()),
            capture: Ok(Arc::new(Screen(self.capture))),
            pointer: Err(none()),
            keyboard: Err(none()),
            listener: Err(none()),
            windows: Err(none()),
            clipboard: Ok(self.clipboard.clone()),
            self_test: Err(none()),
        }))
    }
}

impl Capture for Screen {
    fn capture(&self, request: CaptureRequest) -> Result<Frame, Error> {
        Ok((self.0)(request))
    }

    fn watch(&self, _region: Rect) -> Result<Box<dyn Watch>, Error> {
        Ok(Box::new(Still))
    }

    fn backend(&self) -> &'static str {
        "odd"
    }
}

/// A watch on a screen where nothing is ever drawn.
struct Still;

impl Watch for Still {
    fn wait(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Rect>, Error> {
        if cancel.sleep(limit) { Err(Error::Cancelled) } else { Ok(Vec::new()) }
    }

    fn backend(&self) -> &'static str {
        "odd"
    }
}

impl Clipboard for Slow {
    fn text(&self, _limit: usize, _cancel: &Cancel) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn png(&self, _limit: usize, _cancel: &Cancel) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }

    /// The earlier texts take longer, so calls that overtake each other are seen.
    fn set(&self, content: ClipboardContent) -> Result<(), Error> {
        let ClipboardContent::Text(text) = content else { return Ok(()) };
        let before = self.seen.lock().unwrap().len() as u64;
        std::thread::sleep(Duration::from_millis(20_u64.saturating_sub(before)));
        self.seen.lock().unwrap().push(text.parse().unwrap());
        Ok(())
    }

    fn formats(&self, _cancel: &Cancel) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    fn backend(&self) -> &'static str {
        "odd"
    }
}

fn black(request: CaptureRequest) -> Frame {
    let region = request.region.unwrap_or(Rect::new(0, 0, 1, 1));
    let size: Size<_> = Size::new(region.size().width, region.size().height);
    let bytes = vec![0_u8; size.width as usize * size.height as usize * 4];
    Frame::new(region, size, size.width as usize * 4, Box::new(bytes)).unwrap()
}

fn hang(_request: CaptureRequest) -> Frame {
    loop {
        std::thread::park();
    }
}

fn defect(_request: CaptureRequest) -> Frame {
    panic!("a defect");
}

fn odd(capture: fn(CaptureRequest) -> Frame) -> Arc<Odd> {
    Arc::new(Odd { capture, clipboard: Arc::default() })
}

/// A call that waits for half a minute.
fn long_wait() -> Value {
    json!({ "mode": "wait_color", "x": 0, "y": 0, "color": "FFFFFF", "timeoutMs": 30_000 })
}

fn cancel(host: &mut Host, id: i64) {
    let params = json!({ "requestId": id, "reason": "test" });
    host.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
}

#[test]
fn a_call_that_waits_holds_up_no_other() {
    let mut host = Host::greeted(odd(black));
    for id in 0..20 {
        host.request_call(id, "screen.read", long_wait());
    }
    let start = Instant::now();
    assert_eq!(host.call("screen.read", json!({ "mode": "pixel", "x": 0, "y": 0 }))["isError"], false);
    assert_eq!(host.call("clipboard.set_text", json!({ "text": "1" }))["isError"], false);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_cancelled_call_ends_at_once_and_is_not_answered() {
    let mut host = Host::greeted(odd(black));
    for id in 0..64 {
        host.request_call(id, "screen.read", long_wait());
    }
    // All 64 places are taken: another call is refused rather than queued.
    assert_eq!(code(&host.call("help.get", json!({}))), "rate_limited");
    cancel(&mut host, 17);
    let start = Instant::now();
    // The place is free again when the thread of the call has ended.
    while host.call("help.get", json!({}))["isError"] == true {
        assert!(start.elapsed() < LIMIT, "the call does not end");
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    // The id is free as well, and the only answer to it is that of the second call.
    host.request_call(17, "screen.read", json!({ "mode": "pixel", "x": 0, "y": 0 }));
    assert_eq!(host.answer(&json!(17))["structuredContent"]["mode"], "pixel");
}

#[test]
fn calls_that_act_on_one_thing_keep_their_order() {
    let desktop = odd(black);
    let mut host = Host::greeted(desktop.clone());
    for id in 0..20 {
        host.request_call(id, "clipboard.set_text", json!({ "text": id.to_string() }));
    }
    for id in 0..20 {
        assert_eq!(host.answer(&json!(id))["isError"], false);
    }
    assert_eq!(*desktop.clipboard.seen.lock().unwrap(), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_defect_in_a_call_is_its_answer_and_nothing_more() {
    let mut host = Host::greeted(odd(defect));
    let failed = host.call("screen.read", json!({ "mode": "pixel", "x": 0, "y": 0 }));
    assert_eq!(code(&failed), "runtime_error");
    assert_eq!(host.call("status.get", json!({}))["structuredContent"]["runtime"], "mcp");
}

#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    let mut host = Host::greeted(FakeDesktop::new().source());
    for id in 0..10 {
        host.request_call(id, "cursor.position", json!({}));
    }
    host.close_input();
    let mut answered: Vec<i64> =
        std::iter::from_fn(|| host.next()).map(|answer| answer["id"].as_i64().unwrap()).collect();
    answered.sort_unstable();
    assert_eq!(answered, (0..10).collect::<Vec<_>>());
    assert!(host.wait_for_end() < PROMPT);
}

#[test]
fn a_wait_ends_with_the_session_and_says_why() {
    for by_signal in [false, true] {
        let mut host = Host::greeted(odd(black));
        host.request_call(1, "screen.read", long_wait());
        // Its thread runs when a call that came after it is answered.
        host.call("screen.read", json!({ "mode": "pixel", "x": 0, "y": 0 }));
        if by_signal {
            host.end.request(Reason::Signal);
        } else {
            host.close_input();
        }
        assert_eq!(code(&host.answer(&json!(1))), "cancelled");
        assert!(host.wait_for_end() < PROMPT);
    }
}

#[test]
fn a_call_that_hangs_does_not_keep_the_session() {
    for by_signal in [false, true] {
        let mut host = Host::greeted(odd(hang));
        host.request_call(1, "screen.read", json!({ "mode": "pixel", "x": 0, "y": 0 }));
        host.call("automation.list", json!({}));
        if by_signal {
            host.end.request(Reason::Signal);
        } else {
            host.close_input();
        }
        assert!(host.wait_for_end() < PROMPT);
    }
}

#[test]
fn a_session_that_never_began_ends_as_well() {
    for by_signal in [false, true] {
        let mut host = Host::new(Arc::new(Nothing), Options::default(), false);
        if by_signal {
            host.end.request(Reason::Signal);
        } else {
            host.close_input();
        }
        assert!(host.wait_for_end() < PROMPT);
    }
}

#[test]
fn a_host_that_does_not_read_is_not_served_beyond_a_bound_and_may_still_leave() {
    let mut host = Host::silent(Arc::new(Nothing), Options::default(), false);
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    host.request(0, "initialize", hello);
    // Each of these lines is answered by tens of thousands of bytes, so the server must soon stop reading.
    let (sender, fed) = std::sync::mpsc::channel();
    let mut input = host.take_input();
    let feeder = std::thread::spawn(move || {
        use std::io::Write;
        let mut total = 0;
        for id in 1.. {
            // The blanks keep what waits in pipes and buffers down to a few requests.
            let blanks = " ".repeat(8_000);
            let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}{blanks}\n");
            if input.write_all(line.as_bytes()).is_err() {
                return;
            }
            total += line.len();
            sender.send(total).unwrap();
        }
    });
    let mut total = 0;
    while let Ok(now) = fed.recv_timeout(Duration::from_secs(3)) {
        total = now;
        assert!(total < 64 << 20, "the server reads on and on");
    }
    assert!(total > 0);
    host.close_input();
    assert!(host.wait_for_end() < PROMPT);
    drop(host);
    feeder.join().unwrap();
}

#[test]
fn messages_before_the_greeting_and_ids_that_are_taken_do_no_harm() {
    let mut host = Host::new(odd(black), Options::default(), false);
    host.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    cancel(&mut host, 5);
    host.send(&json!({ "jsonrpc": "2.0", "id": 9, "result": {} }));
    host.send(&json!({ "jsonrpc": "2.0", "error": { "code": 1, "message": "x" } }));
    assert_eq!(host.call("status.get", json!({}))["code"], -32602);
    assert_eq!(host.ask("ping", json!({})), json!({}));
    host.greet("test");
    host.request_call(3, "screen.read", long_wait());
    host.request_call(3, "status.get", json!({}));
    assert_eq!(host.answer(&Value::Null)["code"], -32600);
    cancel(&mut host, 3);
    assert_eq!(host.call("status.get", json!({}))["isError"], false);
}
