//! `demo`: the main job, as an MCP host does it, on a desktop that is started for it and ended after it.
//!
//! A real application, the server as a child process on that desktop, and every call over its standard streams.
//! The first thing that does not hold ends the demo with exit status 1.

mod host;
mod story;

use super::absolute;
use crate::arguments::Demo;
use crate::render::{self, Answer, Format};
use crossmacro_model::Size;
use crossmacro_platform::DesktopSource;
use crossmacro_platform_linux::private_x::{PrivateX, PrivateXOptions};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_policy::{PathClass, Roots};
use crossmacro_store::paths;
use host::Host;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// Title of the application's window.
const TITLE: &str = "CrossMacro demo";
/// Colour of everything that the shell's commands print, and of nothing else on that desktop.
const GREEN: &str = "A6E3A1";
/// How long a server may take to end.
const END: Duration = Duration::from_secs(2);
const DESKTOP: Size<crossmacro_model::Physical> = Size::new(1000, 640);

pub(super) fn run(arguments: &Demo, format: Format) -> ExitCode {
    let folder = absolute(&arguments.output);
    let mut calls = Vec::new();
    let mut show = |call: Shown| {
        if format == Format::Text {
            render::say(&call.line(calls.len() + 1));
        }
        calls.push(call.data());
    };
    let result = play(&folder, &mut show);
    let answer = match result {
        Ok(pictures) => {
            let count = calls.len();
            let mut answer = Answer::ok(
                format!("{count} calls, and the desktop is left clean."),
                json!({"calls": calls, "pictures": pictures}),
            );
            let list: String = pictures.iter().map(|path| format!("  {}\n", path.display())).collect();
            answer.raw = Some(format!("\n{}\nPictures:\n{list}", answer.message));
            answer
        }
        Err(why) => {
            let step = format!("this came after {} exchanges", calls.len());
            let mut answer = Answer::failed(1, why, vec![step]);
            if format == Format::Json {
                answer.data = json!({"calls": calls});
            }
            answer
        }
    };
    render::answer(&answer, format)
}

/// One exchange, as it is shown.
struct Shown {
    asked: String,
    answered: String,
    time: Duration,
}

impl Shown {
    fn line(&self, number: usize) -> String {
        let ms = self.time.as_secs_f64() * 1000.0;
        format!("{number:>2}  {}\n    {ms:>7.1} ms  {}", self.asked, self.answered)
    }

    fn data(&self) -> Value {
        json!({"asked": self.asked, "answered": self.answered, "microseconds": u64::try_from(self.time.as_micros()).unwrap_or(u64::MAX)})
    }
}

/// The whole demo. Gives the pictures.
fn play(folder: &Path, show: &mut dyn FnMut(Shown)) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("{} can't be made: {error}", folder.display()))?;
    let typed = folder.join("typed.txt");
    // What an earlier demo typed is no proof of this one.
    write(PathClass::FileWrite, &typed, b"")?;
    let options = PrivateXOptions { size: DESKTOP, ..PrivateXOptions::default() };
    let session = PrivateX::start(&options).map_err(|error| error.to_string())?;
    session.warnings().iter().for_each(|warning| render::note(&format!("Warning: {warning}")));
    let display = session.display().to_owned();
    open_terminal(&session, folder, &typed)?;
    let host = Host::new(start_server(&session, folder)?)?;
    let mut story = story::Story { host, show, folder, pictures: Vec::new() };
    story.tell(&typed)?;
    let story::Story { host, pictures, .. } = story;
    let took = host.end(END)?;
    show(Shown {
        asked: "end of standard input".into(),
        answered: "The server ended with 0.".into(),
        time: took,
    });
    drop(session);
    is_gone(&display)?;
    Ok(pictures)
}

/// A shell whose commands print in green, and whose history says what arrived.
fn open_terminal(session: &PrivateX, folder: &Path, typed: &Path) -> Result<(), String> {
    let resource = |name: &str, value: &str| format!("XTerm*{name}: {value}");
    let resources = [
        resource("color2", &format!("#{GREEN}")),
        resource("cursorColor", "#89b4fa"),
        resource("internalBorder", "12"),
    ];
    let arguments = [
        "-u8",
        "-fa",
        "DejaVu Sans Mono",
        "-fs",
        "14",
        "-bg",
        "#1e1e2e",
        "-fg",
        "#cdd6f4",
        "-T",
        TITLE,
        "-geometry",
        "60x12+40+40",
        "-xrm",
        &resources[0],
        "-xrm",
        &resources[1],
        "-xrm",
        &resources[2],
        "-e",
        "bash",
        "--norc",
        "--noprofile",
        "-i",
    ];
    let mut command = program("xterm");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .envs([
            ("LC_ALL", "C.UTF-8"),
            ("PS1", r"\[\e[0m\]$ "),
            ("PS0", r"\e[32m"),
            ("PROMPT_COMMAND", "history -a"),
        ])
        .env("HISTFILE", typed)
        .env_remove("BASH_ENV")
        .current_dir(folder);
    let child = session.spawn(command);
    // It ends with the session; nobody waits for it before.
    child.map(drop).map_err(|error| {
        format!("xterm can't be started: {error}; `scripts/packages demo` installs what the demo needs")
    })
}

/// Our own binary, with the settings of a new user: the demo shows the product, not the settings of its person.
fn start_server(session: &PrivateX, folder: &Path) -> Result<std::process::Child, String> {
    let us = std::env::current_exe().map_err(|error| format!("our own program can't be found: {error}"))?;
    let mut command = program(us);
    command.arg("mcp").env("XDG_CONFIG_HOME", folder.join("no-settings"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    session.spawn(command).map_err(|error| format!("the server can't be started: {error}"))
}

#[expect(clippy::disallowed_methods, reason = "a binary starts processes")]
fn program(name: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(name)
}

/// Nobody answers on that display any more.
fn is_gone(display: &str) -> Result<(), String> {
    let options = X11Options { display: Some(display.to_owned()), ..X11Options::default() };
    match X11Source::new(options).desktop() {
        Err(_) => Ok(()),
        Ok(_) => Err(format!("the private X server {display} is still there")),
    }
}

fn write(class: PathClass, path: &Path, bytes: &[u8]) -> Result<(), String> {
    let fail = |why: String| format!("{} can't be written: {why}", path.display());
    let mut file =
        paths::create_replace(class, path, &Roots::UNLIMITED).map_err(|fault| fail(fault.to_string()))?;
    file.write_all(bytes).map_err(|error| fail(error.to_string()))?;
    file.commit().map_err(|fault| fail(fault.to_string()))
}
