//! The real binary as a child process, driven by raw lines.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer may take on a busy machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);
/// How long the end may take: twice the promise, for a busy machine. Without our bounds the SDK would wait for
/// five seconds.
pub(crate) const END: Duration = Duration::from_secs(4);

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    home: tempfile::TempDir,
}

/// The command, in a home of its own and without a display.
pub(crate) fn command(home: &std::path::Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crossmacro"));
    command.arg("mcp").args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_STATE_HOME", home.join("state"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |_| {})
    }

    pub(crate) fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = command(home.path(), arguments);
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in output.split(b'\n') {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, answers, home }
    }

    pub(crate) fn greeted(arguments: &[&str]) -> Self {
        let mut server = Self::start(arguments);
        server.greet();
        server
    }

    pub(crate) fn greet(&mut self) {
        for line in HELLO {
            self.send(line.as_bytes());
        }
        assert_eq!(self.answer(&json!(0))["result"]["serverInfo"]["name"], "CrossMacro");
    }

    pub(crate) fn pid(&self) -> i32 {
        self.child.id().try_into().unwrap()
    }

    /// Sends a line; its end is added.
    pub(crate) fn send(&mut self, line: &[u8]) {
        let mut bytes = line.to_vec();
        bytes.push(b'\n');
        self.input.as_mut().unwrap().write_all(&bytes).unwrap();
    }

    /// The next line, which must be one message of JSON-RPC.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let line = match self.answers.recv_timeout(LIMIT) {
            Ok(line) => line,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("the server is silent"),
        };
        let value: Value = serde_json::from_slice(&line)
            .unwrap_or_else(|_| panic!("not JSON: {}", String::from_utf8_lossy(&line)));
        assert_eq!(value["jsonrpc"], "2.0", "{value}");
        Some(value)
    }

    /// The message that answers `id`; others before it are dropped.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.next().unwrap_or_else(|| panic!("the server ended without an answer to {id}"));
            if &message["id"] == id {
                return message;
            }
        }
    }

    /// Proves that the server still serves.
    pub(crate) fn still_serves(&mut self) {
        self.send(call(77_777, "automation.list", &json!({})).as_bytes());
        let answer = self.answer(&json!(77_777));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }

    pub(crate) fn close_input(&mut self) {
        drop(self.input.take());
    }

    /// Waits for the end and gives the exit code, the time it took, and what was logged.
    pub(crate) fn wait(mut self) -> (Option<i32>, Duration, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < LIMIT, "the server does not end");
            std::thread::sleep(Duration::from_millis(2));
        };
        let time = start.elapsed();
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        drop(self.home);
        (status.code(), time, log)
    }

    /// Waits for an end that must be the promised one.
    pub(crate) fn ends_well(self) {
        let (code, time, log) = self.wait();
        assert_eq!(code, Some(0), "{log}");
        assert!(time < END, "{time:?} {log}");
        assert!(!log.contains("panicked"), "{log}");
    }
}

pub(crate) const HELLO: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
];

/// A line that calls a tool.
pub(crate) fn call(id: i64, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}
