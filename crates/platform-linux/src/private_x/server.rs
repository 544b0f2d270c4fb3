//! The X server process of a private session.

use super::{END, PrivateXOptions, START, end, readable, signal_group, unavailable};
use crate::children::Children;
use crate::x11::connection::X11;
use crossmacro_platform::{Unavailable, clock};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::process::Signal;
use rustix::rand::{GetRandomFlags, getrandom};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use x11rb::protocol::xproto::{ConnectionExt as _, Family, HostMode};

pub(super) const REMEDY: &str = "apt-get install xvfb openbox";
/// Bytes of the server's messages that are kept.
const LOG: u64 = 64 << 10;
/// The address family that matches every address (Xau(3), FamilyWild).
const FAMILY_WILD: u16 = 0xffff;
const COOKIE_NAME: &[u8] = b"MIT-MAGIC-COOKIE-1";

pub(super) struct Server {
    pub(super) child: Mutex<Child>,
    display: String,
}

impl Server {
    /// Starts the server, and opens it to the processes of this user.
    pub(super) fn start(children: &Children, options: &PrivateXOptions) -> Result<(Self, X11), Unavailable> {
        let failed = |error: io::Error| unavailable(format!("the access key can't be made: {error}"));
        let cookie = random_cookie().map_err(failed)?;
        let key = key_file(&cookie).map_err(failed)?;
        let log = log_file().map_err(failed)?;
        let mut child = spawn(children, options, key, &log)?;
        let stdout = child.stdout.take();
        match ready(stdout, clock::now() + START).and_then(|display| admit(&display, &cookie)) {
            Ok((display, x11)) => Ok((Self { child: Mutex::new(child), display }, x11)),
            Err(why) => {
                stop(&mut child);
                Err(unavailable(format!("Xvfb did not start: {why}{}", said(&log))).remedy(REMEDY))
            }
        }
    }

    pub(super) fn display(&self) -> &str {
        &self.display
    }

    pub(super) fn is_running(&self) -> bool {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(child.try_wait(), Ok(None))
    }

    pub(super) fn end(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        let pid = child.id();
        stop(child);
        remove_leftovers(&self.display, pid);
    }
}

fn stop(child: &mut Child) {
    if matches!(child.try_wait(), Ok(None)) {
        signal_group(child, Signal::TERM);
        end(child, clock::now() + END);
    }
}

/// The three standard streams carry all that the server needs, so no other descriptor has to be inherited:
/// the key comes in on one, the display number goes out on the next, and messages on the last.
#[expect(clippy::disallowed_methods, reason = "a platform crate starts processes")]
fn spawn(
    children: &Children,
    options: &PrivateXOptions,
    key: File,
    log: &File,
) -> Result<Child, Unavailable> {
    let size = options.size;
    let screen = format!("{}x{}x{}", size.width, size.height, options.depth);
    let log = log.try_clone().map_err(|error| unavailable(error.to_string()))?;
    let mut command = Command::new("Xvfb");
    command
        .args(["-displayfd", "1", "-auth", "/proc/self/fd/0", "-noreset", "-nolisten", "tcp"])
        .args(["-screen", "0", &screen])
        .args(&options.extra_args)
        .stdin(Stdio::from(key))
        .stdout(Stdio::piped())
        .stderr(Stdio::from(log));
    // SIGTERM rather than SIGKILL: the server removes its socket and lock by itself.
    children.spawn(command, Signal::TERM).map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "Xvfb is not installed".to_owned(),
            _ => format!("Xvfb can't be started: {error}"),
        };
        unavailable(why).remedy(REMEDY)
    })
}

/// The display name, when the server has written it: from then on it takes connections.
fn ready(stdout: Option<ChildStdout>, deadline: Instant) -> Result<String, String> {
    let mut stdout = stdout.ok_or("its output is missing")?;
    let mut line = Vec::new();
    while !line.contains(&b'\n') {
        if !readable(&mut PollFd::new(&stdout, PollFlags::IN), deadline) {
            return Err(format!("no display after {} s", START.as_secs()));
        }
        let mut chunk = [0; 32];
        match stdout.read(&mut chunk) {
            Ok(0) => return Err("it ended at once".to_owned()),
            Ok(count) if line.len() < 64 => line.extend(&chunk[..count]),
            Ok(_) => return Err("it names no display".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
    }
    let number = String::from_utf8_lossy(&line).trim().parse::<u32>();
    number.map(|number| format!(":{number}")).map_err(|_| "it names no display".to_owned())
}

/// Lets this user's processes in without the key, over the local socket, where the kernel vouches for them.
fn admit(display: &str, cookie: &[u8]) -> Result<(String, X11), String> {
    let x11 = X11::connect_with_cookie(display, cookie).map_err(|error| error.to_string())?;
    let address = format!("localuser\0#{}", rustix::process::getuid().as_raw());
    x11.conn()
        .change_hosts(HostMode::INSERT, Family::SERVER_INTERPRETED, address.as_bytes())
        .map_err(|error| error.to_string())?
        .check()
        .map_err(|error| error.to_string())?;
    Ok((display.to_owned(), x11))
}

fn random_cookie() -> io::Result<[u8; 16]> {
    let mut cookie = [0; 16];
    let filled = getrandom(&mut cookie, GetRandomFlags::empty())?;
    if filled == cookie.len() { Ok(cookie) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn key_file(cookie: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("private-x-key", MemfdFlags::CLOEXEC)?);
    file.write_all(&key_entry(cookie))?;
    Ok(file)
}

/// One entry of an authority file: family, then address, display number, name and data, each with its length.
fn key_entry(cookie: &[u8]) -> Vec<u8> {
    let mut entry = FAMILY_WILD.to_be_bytes().to_vec();
    for field in [&b""[..], b"", COOKIE_NAME, cookie] {
        entry.extend(u16::try_from(field.len()).unwrap_or_default().to_be_bytes());
        entry.extend(field);
    }
    entry
}

/// A file in memory that can't grow: what does not fit is lost, and costs nothing.
fn log_file() -> io::Result<File> {
    let log = memfd_create("private-x-log", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    ftruncate(&log, LOG)?;
    fcntl_add_seals(&log, SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    Ok(File::from(log))
}

/// The last lines that the server wrote.
fn said(log: &File) -> String {
    let mut bytes = vec![0; usize::try_from(LOG).unwrap_or_default()];
    let read = log.read_at(&mut bytes, 0).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[..read]);
    let lines = text.trim_matches(['\0', '\n']).lines().rev().take(3).collect::<Vec<_>>();
    let lines = lines.into_iter().rev().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    if lines.is_empty() { String::new() } else { format!(" ({})", lines.join("; ")) }
}

/// A server that had to be killed leaves its socket, and some versions a lock. Only ours are removed: nobody
/// listens on the socket any more, and the lock holds the process id.
#[expect(clippy::disallowed_methods, reason = "the files of the server that this module started")]
fn remove_leftovers(display: &str, pid: u32) {
    let number = display.trim_start_matches(':');
    let (socket, lock) = (format!("/tmp/.X11-unix/X{number}"), format!("/tmp/.X{number}-lock"));
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    let is_dead = UnixStream::connect(&socket).is_err_and(refused);
    let is_ours = std::fs::read_to_string(&lock).is_ok_and(|owner| owner.trim().parse() == Ok(pid));
    // The socket first: while the lock stands, no new server takes this number.
    for (path, _) in [(&socket, is_dead), (&lock, is_ours)].into_iter().filter(|(_, remove)| *remove) {
        if let Err(error) = std::fs::remove_file(path) {
            tracing::warn!(%error, "a file of the private X server can't be removed");
        }
    }
}
