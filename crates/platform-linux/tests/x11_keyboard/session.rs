//! An X server of the test's own, and the witness program that reports what arrives there.

use crossmacro_platform::{DesktopSource, Keyboard};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// No answer of a test takes longer on a machine that works.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

/// Ends its process.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// One Xvfb.
pub(crate) struct Session {
    server: Owned,
    pub(crate) display: String,
    pub(crate) keyboard: Arc<dyn Keyboard>,
}

impl Session {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "640x480x24", "-noreset", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb must be installed");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let display = format!(":{}", number.trim());
        let options = X11Options { display: Some(display.clone()), ..X11Options::default() };
        let keyboard = X11Source::new(options).desktop().unwrap().keyboard.clone().unwrap();
        Self { server: Owned(server), display, keyboard }
    }

    /// Stops the server, or lets it go on.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.server.0), signal).unwrap();
    }

    /// Runs a program on this display and gives back what it printed.
    pub(crate) fn run(&self, program: &str, words: &[&str]) -> String {
        let output = Command::new(program).args(words).env("DISPLAY", &self.display).output();
        let output = output.unwrap_or_else(|error| panic!("{program} must be installed: {error}"));
        assert!(output.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs the witness once.
    pub(crate) fn witness(&self, words: &[&str]) -> String {
        self.run(witness().to_str().unwrap(), words)
    }

    pub(crate) fn layout(&self, words: &[&str]) {
        self.run("setxkbmap", words);
    }

    /// Everything that typing must leave alone: keymap (two independent readers), locks, groups, held keys.
    pub(crate) fn snapshot(&self) -> String {
        let keymap = self.run("xkbcomp", &[&self.display, "-"]);
        keymap + &self.run("xmodmap", &["-pke"]) + &self.run("xmodmap", &["-pm"]) + &self.state()
    }

    /// Modifiers, groups, controls and held keys.
    pub(crate) fn state(&self) -> String {
        self.witness(&["state"])
    }

    pub(crate) fn window(&self, words: &[&str]) -> Window {
        let mut child = Command::new(witness())
            .arg("window")
            .args(words)
            .env("DISPLAY", &self.display)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = follow(child.stdout.take().unwrap());
        assert_eq!(lines.recv_timeout(LIMIT).unwrap(), "ready");
        Window { _child: Owned(child), lines }
    }

    /// Types and gives back what the window got.
    pub(crate) fn typed(&self, window: &Window, text: &str) -> String {
        self.keyboard.type_text(text, Duration::ZERO, &crossmacro_platform::Cancel::new()).unwrap();
        self.received(window)
    }

    /// What the window got so far. An end mark from another program comes after everything that was sent.
    pub(crate) fn received(&self, window: &Window) -> String {
        self.run("xdotool", &["key", "F12"]);
        window.until_mark()
    }
}

/// The witness's window.
pub(crate) struct Window {
    _child: Owned,
    lines: Receiver<String>,
}

impl Window {
    fn until_mark(&self) -> String {
        self.collect(|words, _| words[2] == "F12")
    }

    /// The text of the next `count` presses that give text.
    pub(crate) fn until_text(&self, count: usize) -> String {
        self.collect(|_, bytes| String::from_utf8_lossy(bytes).chars().count() == count)
    }

    /// Takes in presses until one that `is_last`.
    fn collect(&self, is_last: impl Fn(&[&str], &[u8]) -> bool) -> String {
        let mut bytes = Vec::new();
        loop {
            let line = self.lines.recv_timeout(LIMIT).expect("the witness went silent");
            let words: Vec<&str> = line.split(' ').collect();
            if words[0] != "down" {
                continue;
            }
            if words[2] != "F12" {
                bytes.extend(unhex(words[4]));
            }
            if is_last(&words, &bytes) {
                return String::from_utf8(bytes).unwrap();
            }
        }
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn follow(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The witness program, compiled once a run.
fn witness() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let (path, fresh) = (folder.join("x11-key-witness"), format!("witness-{}", std::process::id()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/x11_keyboard/witness.c");
        let made = Command::new("cc")
            .args(["-O1", "-o", folder.join(&fresh).to_str().unwrap(), source, "-lX11", "-lXtst", "-lXi"])
            .status()
            .expect("a C compiler, libx11-dev, libxtst-dev and libxi-dev must be installed");
        assert!(made.success(), "the witness does not compile");
        // Several test processes may do this at once; each puts a whole file there.
        std::fs::rename(folder.join(&fresh), &path).unwrap();
        path
    })
    .clone()
}
