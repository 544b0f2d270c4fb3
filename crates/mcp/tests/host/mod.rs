//! A host in the same process: a server on a thread, and the two pipes that join it to the test.
#![allow(dead_code, reason = "every test file uses its own part")]

use crossmacro_mcp::{End, Options, Pipes, serve};
use crossmacro_ops::Context;
use crossmacro_platform::{Desktop, DesktopSource, Unavailable};
use crossmacro_store::{Directories, SettingsHandle};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an answer may take on a busy machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

pub(crate) struct Host {
    input: Option<PipeWriter>,
    answers: Option<Receiver<Value>>,
    output: Option<PipeReader>,
    server: Option<JoinHandle<std::io::Result<()>>>,
    is_gone: Arc<AtomicBool>,
    pub(crate) end: End,
    _home: tempfile::TempDir,
}

/// A desktop that is not there.
pub(crate) struct Nothing;

impl DesktopSource for Nothing {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        Err(Unavailable::new("display", "test", "there is none"))
    }
}

impl Host {
    /// A server that nobody has spoken to, and whose output nobody reads yet.
    pub(crate) fn silent(desktop: Arc<dyn DesktopSource>, options: Options, is_restricted: bool) -> Self {
        let (their_input, input) = std::io::pipe().unwrap();
        let (output, their_output) = std::io::pipe().unwrap();
        let home = tempfile::tempdir().unwrap();
        let settings = SettingsHandle::open(&Directories::beneath(home.path()));
        let context = Arc::new(Context::new(desktop, Arc::new(settings), is_restricted));
        let (end, is_gone) = (End::default(), Arc::new(AtomicBool::new(false)));
        let (ended, gone) = (end.clone(), Arc::clone(&is_gone));
        let pipes = Pipes {
            input: Box::new(their_input),
            output: Box::new(their_output),
            is_gone: Box::new(move || gone.load(Ordering::Relaxed)),
            give_back: || {},
        };
        let server = std::thread::spawn(move || serve(context, &options, pipes, &ended));
        Self {
            input: Some(input),
            answers: None,
            output: Some(output),
            server: Some(server),
            is_gone,
            end,
            _home: home,
        }
    }

    pub(crate) fn new(desktop: Arc<dyn DesktopSource>, options: Options, is_restricted: bool) -> Self {
        let mut host = Self::silent(desktop, options, is_restricted);
        host.read();
        host
    }

    /// A server that has been greeted.
    pub(crate) fn greeted(desktop: Arc<dyn DesktopSource>) -> Self {
        let mut host = Self::new(desktop, Options::default(), false);
        host.greet("test");
        host
    }

    /// Starts to read the output.
    pub(crate) fn read(&mut self) {
        let output = BufReader::new(self.output.take().unwrap());
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let line = line.unwrap();
                let value = serde_json::from_str(&line).unwrap_or_else(|_| json!({ "not JSON": line }));
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        self.answers = Some(answers);
    }

    pub(crate) fn greet(&mut self, client: &str) -> Value {
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": client, "version": "1" },
        });
        let result = self.ask("initialize", hello);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        result
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        let mut bytes = line.as_bytes().to_vec();
        bytes.push(b'\n');
        self.input.as_mut().unwrap().write_all(&bytes).unwrap();
    }

    /// Sends a request and does not wait for its answer.
    pub(crate) fn request(&mut self, id: i64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// Sends a request and waits for its answer; the result, or the error.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(1_000_000, method, params);
        self.answer(&json!(1_000_000))
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    pub(crate) fn request_call(&mut self, id: i64, tool: &str, arguments: Value) {
        self.request(id, "tools/call", json!({ "name": tool, "arguments": arguments }));
    }

    /// The answer to the request `id`; others that come before it are dropped.
    pub(crate) fn answer(&self, id: &Value) -> Value {
        loop {
            let mut answer = self.next().unwrap_or_else(|| panic!("no answer to {id}"));
            if &answer["id"] == id {
                let key = if answer.get("result").is_some() { "result" } else { "error" };
                return answer[key].take();
            }
        }
    }

    /// The next message; `None` when the output has ended.
    pub(crate) fn next(&self) -> Option<Value> {
        match self.answers.as_ref().unwrap().recv_timeout(LIMIT) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the server is silent"),
        }
    }

    pub(crate) fn close_input(&mut self) {
        drop(self.input.take());
        self.is_gone.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of the server, and gives the time it took.
    pub(crate) fn wait_for_end(&mut self) -> Duration {
        let start = Instant::now();
        let server = self.server.take().unwrap();
        while !server.is_finished() {
            assert!(start.elapsed() < LIMIT, "the server does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
        server.join().unwrap().unwrap();
        start.elapsed()
    }
}

/// The code of a failed call.
pub(crate) fn code(result: &Value) -> &str {
    let outcome = &result["structuredContent"]["outcome"];
    assert_eq!(result["isError"], json!(true), "{result}");
    assert_eq!(outcome["success"], json!(false), "{result}");
    outcome["errors"][0]["code"].as_str().unwrap()
}

impl Host {
    /// The reason for which the server did not start.
    pub(crate) fn end_with_error(mut self) -> String {
        self.server.take().unwrap().join().unwrap().unwrap_err().to_string()
    }
}

impl Host {
    /// The writing end of the server's input.
    pub(crate) fn take_input(&mut self) -> PipeWriter {
        self.input.take().unwrap()
    }
}
