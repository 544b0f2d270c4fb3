//! A private X session: an X server that nobody sees (Xvfb) with a small window manager, for the demo, for
//! tests and for a host that must not touch the user's desktop.
//!
//! What it is not: a back end. It hands out a display name, and the X11 back end connects to it as to any
//! other. Everything that knows Xvfb is in this folder, so that another server can take its place.
//!
//! Nothing is written to disk. The server reads its access key from an anonymous file and logs to another
//! one of bounded size, so there is nothing to clean up after SIGKILL. Access: the key, and this user's own
//! processes (server-interpreted access "localuser", X.Org); other users of the machine are refused.
//!
//! Sources: Xserver(1), Xvfb(1), Xsecurity(7); the file format of Xau(3); EWMH 1.5 for the readiness of the
//! window manager.

mod manager;
mod server;

use crate::children::Children;
use crate::x11::connection::X11;
use crossmacro_model::{Physical, Size};
use crossmacro_platform::{Unavailable, clock};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};
use server::Server;
use std::ffi::OsStr;
use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a server or a window manager may take to start on a busy machine.
const START: Duration = Duration::from_secs(20);
/// How long a program gets to end by itself before it is killed.
const END: Duration = Duration::from_secs(2);
/// The core protocol counts pixels in 15 bits.
const LONGEST_SIDE: u32 = 32_767;

/// What kind of private session to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateXOptions {
    /// Size of the one monitor in pixels.
    pub size: Size<Physical>,
    /// Bits a pixel: 24, or 16 and 30 for tests.
    pub depth: u8,
    /// More arguments for the server (`-extension`, `MIT-SHM`).
    pub extra_args: Vec<String>,
    /// Whether a window manager is started.
    pub window_manager: bool,
}

impl Default for PrivateXOptions {
    fn default() -> Self {
        Self { size: Size::new(1920, 1080), depth: 24, extra_args: Vec::new(), window_manager: true }
    }
}

/// A running private X session. All of it ends when this is dropped, and when this process ends in any way.
pub struct PrivateX {
    // Fields are dropped in this order, after `drop` has ended everything properly.
    launched: Mutex<Vec<Child>>,
    manager: Option<(&'static str, Child)>,
    server: Server,
    children: Children,
    warnings: Vec<String>,
}

impl PrivateX {
    /// Starts a server on a free display and, where asked for, a window manager; returns when both are
    /// ready.
    ///
    /// # Errors
    /// [`Unavailable`] when there is no Xvfb or it does not start. A missing window manager is a warning.
    pub fn start(options: &PrivateXOptions) -> Result<Self, Unavailable> {
        check(options)?;
        let children = Children::new().map_err(|error| unavailable(error.to_string()))?;
        let (server, x11) = Server::start(&children, options)?;
        let mut session =
            Self { launched: Mutex::default(), manager: None, server, children, warnings: Vec::new() };
        if options.window_manager {
            session.start_manager(&x11);
        }
        Ok(session)
    }

    fn start_manager(&mut self, x11: &X11) {
        match manager::start(self, x11) {
            Ok(manager) => self.manager = Some(manager),
            Err(why) => self.warnings.push(format!(
                "the private desktop has no window manager ({why}), so windows cannot be moved, focused or \
                 minimised reliably; {}",
                server::REMEDY
            )),
        }
    }

    /// The display name (":99").
    pub fn display(&self) -> &str {
        self.server.display()
    }

    /// Name of the window manager that runs, if one does.
    pub fn manager(&self) -> Option<&'static str> {
        self.manager.as_ref().map(|(name, _)| *name)
    }

    /// What is not as it should be, for a person.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether the server still runs.
    pub fn is_running(&self) -> bool {
        self.server.is_running()
    }

    /// Environment of a program that must appear here and nowhere else: a value to set, or `None` for a
    /// variable to take away. Beside the display it names what would lead the program to the user's own
    /// session: Wayland, the session bus (one-instance programs open their window where their first instance
    /// is), the session manager and the input method.
    pub fn envs(&self) -> Vec<(&'static str, Option<String>)> {
        let set = |name, value: &str| (name, Some(value.to_owned()));
        vec![
            set("DISPLAY", self.display()),
            set("XDG_SESSION_TYPE", "x11"),
            // Without these two, toolkits try the socket "wayland-0" even where no variable names it.
            set("GDK_BACKEND", "x11"),
            set("QT_QPA_PLATFORM", "xcb"),
            set("DBUS_SESSION_BUS_ADDRESS", "disabled:"),
            ("XAUTHORITY", None),
            ("WAYLAND_DISPLAY", None),
            ("WAYLAND_SOCKET", None),
            ("SESSION_MANAGER", None),
            ("DESKTOP_STARTUP_ID", None),
            ("XDG_ACTIVATION_TOKEN", None),
            ("XMODIFIERS", None),
        ]
    }

    /// Gives `command` the environment of this session.
    pub fn apply_envs(&self, command: &mut Command) {
        for (name, value) in self.envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }

    /// Starts a program on this desktop, with nothing on its standard streams. It ends with the session.
    /// Gives back its process id.
    ///
    /// # Errors
    /// What starting it said.
    #[expect(clippy::disallowed_methods, reason = "a platform crate starts processes")]
    pub fn launch<A: AsRef<OsStr>>(&self, program: impl AsRef<OsStr>, args: &[A]) -> io::Result<u32> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = self.spawn(command)?;
        let pid = child.id();
        let mut launched = self.launched.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that have ended are reaped here, so that a long session collects no zombies.
        launched.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        launched.push(child);
        Ok(pid)
    }

    /// Starts `command` on this desktop with the standard streams that it names. It gets SIGKILL when the
    /// session ends; it is the caller's to wait for.
    ///
    /// # Errors
    /// What starting it said.
    pub fn spawn(&self, mut command: Command) -> io::Result<Child> {
        self.apply_envs(&mut command);
        self.children.spawn(command, Signal::KILL)
    }
}

impl Drop for PrivateX {
    fn drop(&mut self) {
        let launched = std::mem::take(self.launched.get_mut().unwrap_or_else(PoisonError::into_inner));
        end_all(launched);
        end_all(self.manager.take().map(|(_, child)| child).into_iter().collect());
        self.server.end();
    }
}

impl std::fmt::Debug for PrivateX {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "PrivateX({}, {})", self.display(), self.manager().unwrap_or("no window manager"))
    }
}

fn unavailable(why: impl Into<String>) -> Unavailable {
    Unavailable::new("private desktop", "xvfb", why)
}

fn check(options: &PrivateXOptions) -> Result<(), Unavailable> {
    let Size { width, height, .. } = options.size;
    if options.size.is_empty() || width > LONGEST_SIDE || height > LONGEST_SIDE {
        return Err(unavailable(format!("a screen of {width}x{height} is not possible"))
            .remedy(format!("use a width and height from 1 to {LONGEST_SIDE}")));
    }
    Ok(())
}

/// Asks all of them to end, and kills, with their process groups, those that don't within [`END`].
fn end_all(children: Vec<Child>) {
    let deadline = clock::now() + END;
    for child in &children {
        signal_group(child, Signal::TERM);
    }
    for mut child in children {
        end(&mut child, deadline);
    }
}

fn end(child: &mut Child, deadline: Instant) {
    if !wait_until(child, deadline) {
        tracing::warn!(pid = child.id(), "a program of the private desktop did not end and is killed");
    }
    // What it had started stays in its group and must not outlive the desktop either.
    signal_group(child, Signal::KILL);
    if let Err(error) = child.wait() {
        tracing::warn!(pid = child.id(), %error, "a program of the private desktop can't be waited for");
    }
}

/// Whether `child` has ended (it is not reaped yet) by `deadline`.
fn wait_until(child: &Child, deadline: Instant) -> bool {
    let Some(handle) = pid(child).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else {
        return false;
    };
    readable(&mut PollFd::new(&handle, PollFlags::IN), deadline)
}

fn readable(fd: &mut PollFd<'_>, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(clock::now());
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        match rustix::event::poll(std::slice::from_mut(fd), Some(&timeout)) {
            Err(rustix::io::Errno::INTR) => {}
            other => return matches!(other, Ok(count) if count > 0),
        }
    }
}

fn pid(child: &Child) -> Option<Pid> {
    Pid::from_raw(i32::try_from(child.id()).ok()?)
}

/// Signals the group that [`Children::spawn`] gave the child, while the child is not reaped: its id can't
/// belong to anybody else.
fn signal_group(child: &Child, signal: Signal) {
    if let Some(pid) = pid(child)
        && kill_process_group(pid, signal).is_err()
    {
        // Gone already, or never a group: then there is only the process itself.
        let _gone = kill_process(pid, signal);
    }
}

#[cfg(test)]
mod tests;
