//! A driver for an MCP server in a child process, over its standard streams.
//!
//! It knows JSON-RPC lines and no more: what is sent may be malformed on purpose, and what comes back is
//! handed over as it is. A line of the server's standard output that is not JSON is kept as a stray.

use crate::LIMIT;
use crossmacro_platform::{Cancel, clock};
use crossmacro_platform_linux::children::Children;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of standard error that are kept.
const STDERR: usize = 1 << 20;
/// Between two looks at whether the process has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// A running server. It is killed when this is dropped.
pub struct Mcp {
    child: Child,
    stdin: Option<ChildStdin>,
    shared: Arc<Shared>,
    next_id: i64,
    // Its threads' end would kill the child, so it goes last.
    _children: Children,
}

#[derive(Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
}

#[derive(Default)]
struct Inbox {
    messages: Vec<Value>,
    strays: Vec<String>,
    stderr: Vec<u8>,
    has_ended: bool,
}

impl Mcp {
    /// Starts `command` with pipes for its standard streams.
    ///
    /// # Errors
    /// What starting it said.
    pub fn spawn(mut command: Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let children = Children::new().map_err(|error| error.to_string())?;
        let mut child = children.spawn(command, Signal::KILL).map_err(|error| error.to_string())?;
        let shared = Arc::new(Shared::default());
        let stdin = child.stdin.take();
        if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
            let (one, two) = (Arc::clone(&shared), Arc::clone(&shared));
            std::thread::spawn(move || listen(stdout, &one));
            std::thread::spawn(move || collect(stderr, &two));
        }
        Ok(Self { child, stdin, shared, next_id: 0, _children: children })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// When the server does not take them any more.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("standard input is closed")?;
        stdin.write_all(bytes).and_then(|()| stdin.flush()).map_err(|error| error.to_string())
    }

    /// Sends one line; the line feed is added.
    ///
    /// # Errors
    /// When the server does not take it any more.
    pub fn send_line(&mut self, line: &str) -> Result<(), String> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends one message.
    ///
    /// # Errors
    /// When the server does not take it any more.
    pub fn send(&mut self, message: &Value) -> Result<(), String> {
        self.send_line(&message.to_string())
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// When the server does not take it any more.
    pub fn notify(&mut self, method: &str, params: &Value) -> Result<(), String> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Sends a request without waiting; gives back its id.
    ///
    /// # Errors
    /// When the server does not take it any more.
    pub fn begin(&mut self, method: &str, params: &Value) -> Result<i64, String> {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        Ok(id)
    }

    /// Waits for the response to a request: the whole message, with `result` or `error`.
    ///
    /// # Errors
    /// When none comes.
    pub fn response(&self, id: i64, limit: Duration) -> Result<Value, String> {
        self.wait(&format!("the response {id}"), limit, |message| {
            message["id"] == id && message.get("method").is_none()
        })
    }

    /// A request and its response.
    ///
    /// # Errors
    /// When none comes.
    pub fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.begin(method, params)?;
        self.response(id, LIMIT)
    }

    /// The handshake. Gives back the result of `initialize`.
    ///
    /// # Errors
    /// When the server refuses it.
    pub fn initialize(&mut self, protocol: &str) -> Result<Value, String> {
        let client = json!({ "name": "testkit", "version": "1" });
        let params = json!({ "protocolVersion": protocol, "capabilities": {}, "clientInfo": client });
        let response = self.request("initialize", &params)?;
        self.notify("notifications/initialized", &json!({}))?;
        result_of(&response)
    }

    /// Calls a tool and gives back its result (`content`, `structuredContent`, `isError`).
    ///
    /// # Errors
    /// When the answer is a protocol error, or none comes.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let params = json!({ "name": tool, "arguments": arguments });
        result_of(&self.request("tools/call", &params)?)
    }

    /// Waits for a message that is as `holds` wants it, the ones that have come included.
    ///
    /// # Errors
    /// When the server has ended or time is up: what it said on standard error.
    pub fn wait(&self, what: &str, limit: Duration, holds: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let deadline = clock::now() + limit;
        let mut inbox = self.inbox();
        loop {
            if let Some(message) = inbox.messages.iter().find(|message| holds(message)) {
                return Ok(message.clone());
            }
            let left = deadline.saturating_duration_since(clock::now());
            if inbox.has_ended || left.is_zero() {
                let end = if inbox.has_ended { "the server has ended" } else { "time is up" };
                let said = String::from_utf8_lossy(&inbox.stderr).into_owned();
                return Err(format!("{what}: {end}; it said: {said}"));
            }
            let waited = self.shared.changed.wait_timeout(inbox, left);
            inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Everything that came, in order.
    pub fn messages(&self) -> Vec<Value> {
        self.inbox().messages.clone()
    }

    /// The notifications that came, in order.
    pub fn notifications(&self) -> Vec<Value> {
        let messages = self.messages().into_iter();
        messages.filter(|it| it.get("method").is_some() && it.get("id").is_none()).collect()
    }

    /// Lines of standard output that are not JSON. There must never be one.
    pub fn strays(&self) -> Vec<String> {
        self.inbox().strays.clone()
    }

    /// What came on standard error, at most the first megabyte.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.inbox().stderr).into_owned()
    }

    /// Closes its standard input.
    pub fn close_stdin(&mut self) {
        drop(self.stdin.take());
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When it still runs after `limit`.
    pub fn wait_exit(&mut self, limit: Duration) -> Result<ExitStatus, String> {
        let (deadline, cancel) = (clock::now() + limit, Cancel::new());
        loop {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return Ok(status);
            }
            if clock::now() > deadline {
                return Err(format!("the server still runs after {limit:?}; it said: {}", self.stderr()));
            }
            cancel.sleep(LOOK_AGAIN);
        }
    }

    /// Sends a signal (SIGTERM, SIGINT, SIGKILL).
    ///
    /// # Errors
    /// When there is no such process any more.
    pub fn signal(&self, signal: Signal) -> Result<(), String> {
        let pid = i32::try_from(self.pid()).ok().and_then(rustix::process::Pid::from_raw);
        let pid = pid.ok_or("no process id")?;
        rustix::process::kill_process(pid, signal).map_err(|error| error.to_string())
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.shared.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn result_of(response: &Value) -> Result<Value, String> {
    match response.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err(format!("the server answers {response}")),
    }
}

fn listen(stdout: ChildStdout, shared: &Shared) {
    let update = |change: &dyn Fn(&mut Inbox)| {
        change(&mut shared.inbox.lock().unwrap_or_else(PoisonError::into_inner));
        shared.changed.notify_all();
    };
    for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
        update(&|inbox| match serde_json::from_slice::<Value>(&line) {
            Ok(message) => inbox.messages.push(message),
            Err(_) => inbox.strays.push(String::from_utf8_lossy(&line).into_owned()),
        });
    }
    update(&|inbox| inbox.has_ended = true);
}

fn collect(mut stderr: ChildStderr, shared: &Shared) {
    let mut chunk = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut chunk) {
        let mut inbox = shared.inbox.lock().unwrap_or_else(PoisonError::into_inner);
        let room = STDERR.saturating_sub(inbox.stderr.len());
        inbox.stderr.extend(&chunk[..count.min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that answers every line with what the script makes of it.
    fn script(script: &str) -> Mcp {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Mcp::spawn(command).unwrap()
    }

    #[test]
    fn requests_find_their_responses_among_other_lines() {
        let mut server = script(
            r#"read line
               echo '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'
               echo 'not json'
               echo 'on standard error' >&2
               echo '{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}'
               echo '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'
               read line && exit 3; exit 0"#,
        );
        let response = server.request("ping", &json!({})).unwrap();
        assert_eq!(response["result"]["ok"], true);
        assert_eq!(server.notifications().len(), 1);
        assert_eq!(server.strays(), ["not json"]);
        server.close_stdin();
        assert_eq!(server.wait_exit(LIMIT).unwrap().code(), Some(0));
        assert_eq!(
            server.wait("more", LIMIT, |_| false).unwrap_err().split(';').next(),
            Some("more: the server has ended")
        );
    }

    #[test]
    fn silence_is_an_error_after_the_limit() {
        let mut server = script("read line; read line");
        let id = server.begin("ping", &json!({})).unwrap();
        assert!(server.response(id, Duration::from_millis(20)).unwrap_err().contains("time is up"));
        assert!(server.wait_exit(Duration::from_millis(20)).is_err());
        server.signal(Signal::KILL).unwrap();
        assert!(!server.wait_exit(LIMIT).unwrap().success());
    }
}
