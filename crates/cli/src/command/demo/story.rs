//! What the host asks, and what must be true of each answer.

use super::host::Host;
use super::{GREEN, Shown, TITLE, write};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crossmacro_platform::{Cancel, clock};
use crossmacro_policy::PathClass;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is typed: letters of four alphabets that no single keyboard layout has.
const LINE: &str = "echo 'Grüße, Привет, Γειά σου, 42 €  ✓'";
const COPIED: &str = "Grüße, Привет, 日本 ✓";
/// How long the shell may take to write its history.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longest question that is shown whole.
const SHOWN: usize = 150;

/// The demo as far as it has come.
pub(super) struct Story<'a> {
    pub(super) host: Host,
    pub(super) show: &'a mut dyn FnMut(Shown),
    pub(super) folder: &'a Path,
    pub(super) pictures: Vec<PathBuf>,
}

impl Story<'_> {
    pub(super) fn tell(&mut self, typed: &Path) -> Result<(), String> {
        self.meet()?;
        let window = self.arrange()?;
        let before = self.look("1-before.png")?;
        let seen = self.green(&window, 0)?;
        must(seen["found"] == false, "green text is on the screen before anything was typed")?;
        self.act(&window)?;
        let seen = self.green(&window, 5000)?;
        must(seen["found"] == true, "no green text appeared after typing")?;
        arrived(typed)?;
        let after = self.look("2-after.png")?;
        must(before != after, "the pixels did not change after typing")?;
        self.share()?;
        self.close(&window)
    }

    /// Who is there, and what it can do.
    fn meet(&mut self) -> Result<(), String> {
        let start = clock::now();
        let server = self.host.initialize()?;
        let text = |path: &str| server.pointer(path).and_then(Value::as_str).unwrap_or("?").to_owned();
        let who = format!(
            "{} {}, protocol {}",
            text("/serverInfo/name"),
            text("/serverInfo/version"),
            text("/protocolVersion")
        );
        self.shown("initialize", who, start);
        let start = clock::now();
        let list = self.host.request("tools/list", &json!({}))?;
        let count = list["tools"].as_array().map_or(0, Vec::len);
        self.shown("tools/list", format!("{count} tools"), start);
        must(count > 0, "the server has no tools")?;
        let status = self.call("status.get", &json!({}))?;
        must(status["monitors"].as_array().is_some_and(|all| all.len() == 1), "there is not one monitor")
    }

    /// Waits for the application, and puts its window in the middle. Gives the window.
    fn arrange(&mut self) -> Result<Value, String> {
        let by_title = json!({"mode": "wait", "selectorKind": "title", "selectorValue": format!("exact:{TITLE}"), "timeoutMs": 10_000});
        let found = self.call("window.query", &by_title)?;
        must(found["found"] == true, "the terminal's window did not appear; is xterm installed?")?;
        let address = found["windows"][0]["address"].clone();
        let on_window = |mut arguments: Value| {
            arguments["selectorKind"] = "address".into();
            arguments["selectorValue"] = address.clone();
            arguments
        };
        self.call("window.control", &on_window(json!({"action": "resize", "width": 820, "height": 420})))?;
        self.call("window.control", &on_window(json!({"action": "move", "x": 20, "y": 20})))?;
        let centred = self.call("window.control", &on_window(json!({"action": "center"})))?;
        let window = centred["window"].clone();
        must(window["x"].as_i64() > found["windows"][0]["x"].as_i64(), "the window did not move")?;
        Ok(window)
    }

    /// A picture of the desktop, written to the folder. Gives its bytes.
    fn look(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let arguments = json!({"includeImage": true, "includeCursor": true});
        let result = self.exchange("screenshot.capture", &arguments)?;
        let image = result["content"].as_array().into_iter().flatten().find(|one| one["type"] == "image");
        let data = image.and_then(|image| image["data"].as_str()).ok_or("no picture came with the answer")?;
        let png = STANDARD.decode(data).map_err(|error| format!("the picture is not base64: {error}"))?;
        let path = self.folder.join(name);
        write(PathClass::ImageWrite, &path, &png)?;
        self.pictures.push(path);
        Ok(png)
    }

    /// Looks for the colour of the shell's output inside the window.
    fn green(&mut self, window: &Value, timeout_ms: u32) -> Result<Value, String> {
        let number = |name: &str| window[name].as_i64().unwrap_or(0);
        let (x, y) = (number("x"), number("y"));
        let arguments = json!({
            "mode": "search_color", "color": GREEN, "x": x, "y": y, "x2": x + number("width"), "y2": y + number("height"),
            "tolerance": 16, "timeoutMs": timeout_ms, "failOnTimeout": false,
        });
        self.call("screen.read", &arguments)
    }

    /// Clicks into the window and types.
    fn act(&mut self, window: &Value) -> Result<(), String> {
        let middle = |from: &str, length: &str| {
            window[from].as_i64().unwrap_or(0) + window[length].as_i64().unwrap_or(0) / 2
        };
        let (x, y) = (middle("x", "width"), middle("y", "height"));
        let steps =
            [format!("move abs {x} {y}"), "click left".into(), format!("type {LINE}"), "tap Enter".into()];
        let started = self.call("automation.start", &json!({"kind": "run", "steps": steps}))?;
        let id = started["operation"]["operationId"].clone();
        let ended = self.call("automation.get", &json!({"operationId": id, "waitMs": 10_000}))?;
        must(ended["operation"]["state"] == "succeeded", "the script did not succeed")
    }

    /// The clipboard, both ways.
    fn share(&mut self) -> Result<(), String> {
        self.call("clipboard.set_text", &json!({"text": COPIED}))?;
        let back = self.call("clipboard.get_text", &json!({}))?;
        must(back["text"] == COPIED, "the clipboard gave back something else")
    }

    fn close(&mut self, window: &Value) -> Result<(), String> {
        let arguments =
            json!({"action": "close", "selectorKind": "address", "selectorValue": window["address"]});
        self.call("window.control", &arguments)?;
        let left = self.call("window.query", &json!({"mode": "list"}))?;
        must(left["totalCount"] == 0, "a window is left over")
    }

    /// The structured answer of a call that must succeed.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        self.exchange(tool, arguments).map(|mut result| result["structuredContent"].take())
    }

    fn exchange(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let start = clock::now();
        let result = self.host.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let text = result["content"][0]["text"].as_str().unwrap_or("no text").to_owned();
        self.shown(&question(tool, arguments), text.clone(), start);
        must(result["isError"] != true, &format!("{tool} failed: {text}"))?;
        Ok(result)
    }

    fn shown(&mut self, asked: &str, answered: String, start: std::time::Instant) {
        let time = clock::now().saturating_duration_since(start);
        (self.show)(Shown { asked: asked.to_owned(), answered: answered.replace('\n', " "), time });
    }
}

fn question(tool: &str, arguments: &Value) -> String {
    let text = format!("{tool} {arguments}");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// The shell's own word for what was typed: an independent witness.
fn arrived(typed: &Path) -> Result<(), String> {
    let deadline = clock::now() + PATIENCE;
    loop {
        let history = std::fs::read_to_string(typed).unwrap_or_default();
        if history.lines().any(|line| line == LINE) {
            return Ok(());
        }
        if clock::now() >= deadline {
            return Err(format!("the shell did not get the line that was typed, but {history:?}"));
        }
        Cancel::new().sleep(Duration::from_millis(10));
    }
}

fn must(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}
