//! The driver of the witness program (`x11-witness`).

use crate::LIMIT;
use crossmacro_platform::{Cancel, clock};
use crossmacro_platform_linux::private_x::PrivateX;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Between two looks at what no event tells.
const LOOK_AGAIN: Duration = Duration::from_millis(3);

/// A running witness with its window. Both go when it is dropped.
#[derive(Debug)]
pub struct Witness {
    child: Child,
    stdin: Option<ChildStdin>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    heard: Mutex<Heard>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Heard {
    events: Vec<Value>,
    /// How many of them [`Witness::forget`] has hidden.
    forgotten: usize,
    has_ended: bool,
}

impl Witness {
    /// Starts one on a private display, with flags of the program, and waits until its window is there.
    ///
    /// # Errors
    /// Why it is not.
    pub fn start(session: &PrivateX, flags: &[&str]) -> Result<Self, String> {
        Self::start_with(flags, |command| session.spawn(command))
    }

    /// Starts one in an environment of the caller's making.
    ///
    /// # Errors
    /// Why it does not run.
    pub fn start_with(
        flags: &[&str],
        spawn: impl FnOnce(Command) -> std::io::Result<Child>,
    ) -> Result<Self, String> {
        let program = program()?;
        let mut command = Command::new(&program);
        command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = spawn(command).map_err(|error| format!("{}: {error}", program.display()))?;
        let shared = Arc::new(Shared::default());
        let stdin = child.stdin.take();
        if let Some(stdout) = child.stdout.take() {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || listen(stdout, &shared));
        }
        let witness = Self { child, stdin, shared };
        witness.wait_for("it is ready", LIMIT, |events| named(events, "ready").next().is_some())?;
        Ok(witness)
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The X id of its window.
    pub fn window(&self) -> u64 {
        let heard = self.heard();
        let ready = named(&heard.events, "ready").next();
        ready.and_then(|ready| ready["window"].as_u64()).unwrap_or_default()
    }

    /// Everything it reported since [`Witness::forget`].
    pub fn events(&self) -> Vec<Value> {
        let heard = self.heard();
        heard.events[heard.forgotten..].to_vec()
    }

    /// The events of one kind ("key", "button", "motion", "message").
    pub fn events_named(&self, name: &str) -> Vec<Value> {
        named(&self.events(), name).cloned().collect()
    }

    /// Hides what was reported until now from [`Witness::events`] and [`Witness::text`].
    pub fn forget(&self) {
        let mut heard = self.heard();
        heard.forgotten = heard.events.len();
    }

    /// The text that its keys gave. Enter is a carriage return, as libX11 has it.
    pub fn text(&self) -> String {
        let events = self.events();
        named(&events, "key").filter_map(|event| event["text"].as_str()).collect()
    }

    /// Waits until what was reported since [`Witness::forget`] is as `holds` wants it.
    ///
    /// # Errors
    /// After `limit`, or when the witness has ended: what was expected, and the last events.
    pub fn wait_for(
        &self,
        what: &str,
        limit: Duration,
        mut holds: impl FnMut(&[Value]) -> bool,
    ) -> Result<(), String> {
        self.wait(what, limit, |heard| holds(&heard.events[heard.forgotten..]))
    }

    fn wait(&self, what: &str, limit: Duration, mut holds: impl FnMut(&Heard) -> bool) -> Result<(), String> {
        let deadline = clock::now() + limit;
        let mut heard = self.heard();
        loop {
            if holds(&heard) {
                return Ok(());
            }
            let left = deadline.saturating_duration_since(clock::now());
            if heard.has_ended || left.is_zero() {
                let last = heard.events.iter().rev().take(5).map(Value::to_string).collect::<Vec<_>>();
                let end = if heard.has_ended { "it has ended" } else { "time is up" };
                return Err(format!("witness: {what}: {end}; the last events: {last:?}"));
            }
            let waited = self.shared.changed.wait_timeout(heard, left);
            heard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until exactly this text has come.
    ///
    /// # Errors
    /// What came instead.
    pub fn wait_for_text(&self, expected: &str) -> Result<(), String> {
        let mut seen = String::new();
        let result = self.wait_for("a text", LIMIT, |events| {
            seen = named(events, "key").filter_map(|event| event["text"].as_str()).collect();
            seen == expected
        });
        result.map_err(|_| format!("the text is {seen:?} instead of {expected:?}"))
    }

    /// Gives a command and waits for its end; everything that the server had sent until then is in
    /// [`Witness::events`] afterwards.
    ///
    /// # Errors
    /// When it does not end.
    pub fn command(&mut self, command: &Value) -> Result<Value, String> {
        let name = command["do"].as_str().unwrap_or_default().to_owned();
        let before = self.heard().events.len();
        let mut line = command.to_string();
        line.push('\n');
        let stdin = self.stdin.as_mut().ok_or("the witness takes no more commands")?;
        stdin.write_all(line.as_bytes()).map_err(|error| format!("the witness is gone: {error}"))?;
        let mut answer = Value::Null;
        let what = format!("the command {name:?} is carried out");
        self.wait(&what, LIMIT, |heard| {
            let done = named(&heard.events[before..], "done").find(|done| done["do"] == name.as_str());
            answer = done.cloned().unwrap_or_default();
            !answer.is_null()
        })?;
        Ok(answer)
    }

    /// Returns when everything that the server had sent is in [`Witness::events`].
    ///
    /// # Errors
    /// When it does not answer.
    pub fn sync(&mut self) -> Result<(), String> {
        self.command(&json!({ "do": "sync" })).map(|_| ())
    }

    /// How its window stands (`exists`, `visible`, `focused`, `net`, `wm`, `content`).
    ///
    /// # Errors
    /// When it does not answer.
    pub fn state(&mut self) -> Result<Value, String> {
        self.command(&json!({ "do": "state" }))
    }

    /// Waits until its state is as `holds` wants it.
    ///
    /// # Errors
    /// The last state that was seen.
    pub fn wait_for_state(&mut self, what: &str, holds: impl Fn(&Value) -> bool) -> Result<Value, String> {
        let (deadline, pause) = (clock::now() + LIMIT, Cancel::new());
        loop {
            let state = self.state()?;
            if holds(&state) {
                return Ok(state);
            }
            if clock::now() > deadline {
                return Err(format!("witness: {what}: time is up; the last state: {state}"));
            }
            pause.sleep(LOOK_AGAIN);
        }
    }

    /// Puts content on a selection: pairs of target and bytes.
    ///
    /// # Errors
    /// When it does not become the owner.
    pub fn own(&mut self, selection: &str, offers: &[(&str, &[u8])]) -> Result<(), String> {
        let offer = |(target, bytes): &(&str, &[u8])| json!({ "target": target, "base64": encode(bytes) });
        let offers = offers.iter().map(offer).collect::<Vec<_>>();
        self.become_owner(&json!({ "do": "own", "selection": selection, "offers": offers }))
    }

    /// Owns a selection and never answers.
    ///
    /// # Errors
    /// When it does not become the owner.
    pub fn own_silently(&mut self, selection: &str) -> Result<(), String> {
        self.become_owner(&json!({ "do": "own", "selection": selection, "silent": true }))
    }

    fn become_owner(&mut self, command: &Value) -> Result<(), String> {
        let done = self.command(command)?;
        if done["owns"] == true { Ok(()) } else { Err("the witness does not own the selection".to_owned()) }
    }

    /// Asks the owner of a selection for a target; `None` when it has none or refuses.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn read(&mut self, selection: &str, target: &str) -> Result<Option<Vec<u8>>, String> {
        let before = self.heard().events.len();
        self.command(&json!({ "do": "read", "selection": selection, "target": target }))?;
        let heard = self.heard();
        let answer = named(&heard.events[before..], "clipboard").next();
        let base64 = answer.and_then(|answer| answer["base64"].as_str()).map(str::to_owned);
        drop(heard);
        base64.map(|base64| decode(&base64)).transpose()
    }

    fn heard(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.shared.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        // Destroyed and confirmed, so that the next test finds no window of ours. It may be gone already.
        drop(self.command(&json!({ "do": "destroy" })));
        drop(self.stdin.take());
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn listen(stdout: ChildStdout, shared: &Shared) {
    for line in BufReader::new(stdout).lines().map_while(Result::ok) {
        let event =
            serde_json::from_str(&line).unwrap_or_else(|_| json!({ "event": "garbage", "line": line }));
        shared.heard.lock().unwrap_or_else(PoisonError::into_inner).events.push(event);
        shared.changed.notify_all();
    }
    shared.heard.lock().unwrap_or_else(PoisonError::into_inner).has_ended = true;
    shared.changed.notify_all();
}

fn named<'a>(events: &'a [Value], name: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| event["event"] == name)
}

fn encode(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn decode(text: &str) -> Result<Vec<u8>, String> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(text).map_err(|error| error.to_string())
}

/// The built witness program: beside the test that runs, where cargo has put it; built where it is missing
/// (another crate's tests don't make cargo build it).
fn program() -> Result<PathBuf, String> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PROGRAM.get_or_init(find_or_build).clone()
}

fn find_or_build() -> Result<PathBuf, String> {
    let test = std::env::current_exe().map_err(|error| error.to_string())?;
    let folders = test.ancestors().skip(1).take(2);
    let places = folders.map(|folder| folder.join("x11-witness")).collect::<Vec<_>>();
    if let Some(program) = places.iter().find(|place| place.is_file()) {
        return Ok(program.clone());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--package", "crossmacro-testkit", "--bin", "x11-witness"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .status();
    let program = places.into_iter().find(|place| place.is_file());
    program.ok_or_else(|| format!("x11-witness is neither built nor could it be built ({built:?})"))
}
