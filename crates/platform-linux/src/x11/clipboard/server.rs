//! The process that keeps the clipboard after ours has ended: starting it, and what it runs.

use super::offer::Offer;
use super::own::Owner;
use super::{SETTING, wire};
use crate::x11::connection::X11;
use crossmacro_platform::{ClipboardContent, Error, Result, clock};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use x11rb::protocol::xproto::Window;

/// How long the serving process may take to own the clipboard.
const START: Duration = Duration::from_secs(3);
/// Who is waited for, in messages.
const SERVER: &str = "the process that serves the clipboard";

/// Serves one clipboard content until another program takes the clipboard over or the X server goes away:
/// the whole work of the program in [`X11Options::clipboard_server`](crate::x11::X11Options). It idles
/// without using the processor.
///
/// Call it in a process of its own, with its standard input and output: it leaves the session and the working
/// directory of the process that started it, so that neither a closed terminal ends it nor it keeps a file
/// system busy.
///
/// `input` gives the display and the content, in the format of the caller in this crate; `confirm` takes one
/// line that says whether the clipboard is owned.
///
/// # Errors
/// What went wrong before the clipboard was owned; it is written to `confirm` too. The end of the X server
/// is no error.
pub fn serve(mut input: impl Read, mut confirm: impl Write) -> io::Result<()> {
    // Fails where this process already leads a session, which is as good.
    let _leads_already = rustix::process::setsid();
    rustix::process::chdir("/")?;
    let (display, content) = wire::decode(&mut input)?;
    drop(input);
    let (owner, offer) = match own(&display, content) {
        Ok(owned) => owned,
        Err(why) => {
            confirm.write_all(wire::encode_answer(Err(&why)).as_bytes())?;
            return Err(io::Error::other(why));
        }
    };
    confirm.write_all(wire::encode_answer(Ok(owner.window())).as_bytes())?;
    confirm.flush()?;
    drop(confirm);
    match owner.serve(&offer) {
        Ok(()) | Err(Error::Lost { .. }) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn own(display: &str, content: ClipboardContent) -> std::result::Result<(Owner, Offer), String> {
    let x11 = X11::connect(Some(display)).map_err(|error| error.to_string())?;
    let owner = Owner::take(x11).map_err(|error| error.to_string())?;
    let offer = Offer::new(owner.atoms(), content);
    Ok((owner, offer))
}

/// Starts the serving process and waits until it owns the clipboard. Gives back the window that owns it.
///
/// # Errors
/// [`Error::Unsupported`] when it can't be started; [`Error::TooLarge`]; [`Error::Timeout`] and
/// [`Error::NoEffect`], after which it no longer runs.
pub(super) fn start(
    command: &[OsString],
    display: &str,
    content: &ClipboardContent,
) -> Result<(Window, Child)> {
    let frame = wire::encode(display, content).map_err(|_| Error::TooLarge {
        what: "the clipboard content",
        limit: crossmacro_model::limits::PNG_BYTES.value,
        unit: "bytes",
    })?;
    let mut child = spawn(command).map_err(|error| Error::Unsupported {
        what: SETTING,
        why: format!("{SERVER} did not start: {error}"),
    })?;
    match converse(&mut child, &frame) {
        Ok(window) => Ok((window, child)),
        Err(error) => {
            // It did not do its work, so nobody else will end it.
            let _ended_already = child.kill();
            let _status = child.wait();
            Err(error)
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a platform crate, at its own door")]
fn spawn(command: &[OsString]) -> io::Result<Child> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

fn converse(child: &mut Child, frame: &[u8]) -> Result<Window> {
    let deadline = clock::now() + START;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Error::NoEffect { what: SETTING, why: format!("{SERVER} has no pipes") });
    };
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::TimedOut => Error::Timeout { what: SERVER, limit: START },
        _ => Error::NoEffect { what: SETTING, why: format!("{SERVER} ended early ({error})") },
    };
    // A reader that closes early has usually said why.
    let written = write_all(input, frame, deadline);
    let line = read_line(output, deadline).map_err(failed)?;
    if line.is_empty() {
        written.map_err(failed)?;
    }
    wire::decode_answer(&line).map_err(|why| Error::NoEffect { what: SETTING, why })
}

/// Writes all of `bytes` before `deadline`, then closes the pipe.
fn write_all(mut pipe: impl Write + AsFd, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    rustix::io::ioctl_fionbio(&pipe, true)?;
    while !bytes.is_empty() {
        match pipe.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                wait_for(&pipe, PollFlags::OUT, deadline)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads one line, of bounded length, before `deadline`; what there is when the pipe closes earlier.
fn read_line(mut pipe: impl Read + AsFd, deadline: Instant) -> io::Result<String> {
    let mut line = Vec::new();
    let mut buffer = [0; wire::LINE];
    while !line.contains(&b'\n') && line.len() < wire::LINE {
        wait_for(&pipe, PollFlags::IN, deadline)?;
        match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => line.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let text = String::from_utf8_lossy(&line);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

fn wait_for(pipe: &impl AsFd, flags: PollFlags, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(clock::now());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        match rustix::event::poll(&mut [PollFd::new(pipe, flags)], Some(&left)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
}
