//! A private X server for one test, and the programs that run on it. All end with the test. What can't be
//! started fails the test.
#![allow(dead_code, reason = "each test program uses a part")]

use crossmacro_platform::{Desktop, DesktopSource};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long anything may take to appear.
pub(crate) const LIMIT: Duration = Duration::from_secs(15);

/// A program that is killed at the end.
pub(crate) struct Program(pub(crate) Child);

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// An X server without a window manager.
pub(crate) struct Session {
    // Dropped first to last: the programs before their server.
    programs: Vec<Program>,
    server: Option<Program>,
    pub(crate) display: String,
}

impl Session {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// With more arguments for the server.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb must be installed");
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let server = Program(server);
        let number: u32 = line.trim().parse().expect("Xvfb names its display");
        Self { programs: Vec::new(), server: Some(server), display: format!(":{number}") }
    }

    /// Ends the server under its clients.
    pub(crate) fn kill_server(&mut self) {
        self.server = None;
    }

    /// A command with this display and no other.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY");
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    /// Starts a program that runs until the end; gives back its process id.
    pub(crate) fn spawn(&mut self, program: &str, arguments: &[&str]) -> u32 {
        let mut command = self.command(program, arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| panic!("{program} must be installed: {error}"));
        let pid = child.id();
        self.programs.push(Program(child));
        pid
    }

    /// What a program prints.
    pub(crate) fn output(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program, arguments).stdin(Stdio::null()).output();
        let output = output.unwrap_or_else(|error| panic!("{program} must be installed: {error}"));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Our desktop of this server.
    pub(crate) fn desktop(&self, clipboard_server: Option<Vec<OsString>>) -> Arc<Desktop> {
        let options =
            X11Options { display: Some(self.display.clone()), clipboard_server, ..X11Options::default() };
        X11Source::new(options).desktop().expect("the desktop opens")
    }
}

/// Waits until `look` finds something.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not happen in time");
        std::thread::sleep(Duration::from_millis(10));
    }
}
