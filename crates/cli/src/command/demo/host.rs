//! The host's side of MCP over the standard streams of a child: JSON-RPC lines, one request at a time.
//!
//! Source: Model Context Protocol, revision 2025-06-18, stdio transport.

use crossmacro_platform::{Cancel, clock};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long an answer may take. The longest question of the demo waits ten seconds by itself.
const LIMIT: Duration = Duration::from_secs(20);
/// Between two looks at whether the server has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

const PROTOCOL: &str = "2025-06-18";

/// A server in a child process.
pub(super) struct Host {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<Value>,
    last_id: u64,
}

impl Host {
    /// Takes the pipes of a child that was started with them.
    pub(super) fn new(mut child: Child) -> Result<Self, String> {
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server was started without pipes".into());
        };
        let (sender, answers) = channel();
        let listen = move || {
            for message in messages(stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new()
            .name("answers".into())
            .spawn(listen)
            .map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(Self { child, stdin, answers, last_id: 0 })
    }

    /// The handshake. Gives what the server says about itself.
    pub(super) fn initialize(&mut self) -> Result<Value, String> {
        let client = json!({"name": "crossmacro-demo", "version": env!("CARGO_PKG_VERSION")});
        let params = json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client});
        let result = self.request("initialize", &params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(result)
    }

    /// Sends a request and gives the result of its answer.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let deadline = clock::now() + LIMIT;
        loop {
            let left = deadline.saturating_duration_since(clock::now());
            let mut message = self.answers.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no answer came within {} s", LIMIT.as_secs()),
                RecvTimeoutError::Disconnected => "the server has ended".to_owned(),
            })?;
            // Notifications have no id.
            if message["id"] != id {
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(format!("the server refused: {error}")),
                None => Ok(message["result"].take()),
            };
        }
    }

    /// Closes the server's standard input, and checks that it ends well within `limit`. Gives the time it took.
    pub(super) fn end(self, limit: Duration) -> Result<Duration, String> {
        let Self { mut child, stdin, .. } = self;
        let start = clock::now();
        drop(stdin);
        loop {
            let took = clock::now().saturating_duration_since(start);
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(took),
                Ok(Some(status)) => return Err(format!("the server ended with {status}")),
                Ok(None) if took < limit => Cancel::new().sleep(LOOK_AGAIN),
                Ok(None) => return Err(format!("the server has not ended within {} s", limit.as_secs())),
                Err(error) => return Err(format!("the server can't be waited for: {error}")),
            };
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        let sent = self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.flush());
        sent.map_err(|error| format!("the server takes nothing any more: {error}"))
    }
}

/// The messages of the server until its standard output ends. Other lines are no business of a host.
fn messages(stdout: ChildStdout) -> impl Iterator<Item = Value> {
    let lines = BufReader::new(stdout).lines().map_while(Result::ok);
    lines.filter_map(|line| serde_json::from_str(&line).ok())
}
