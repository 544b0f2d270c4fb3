//! Whether the program that has the keyboard focus has read the keys that were sent to it.
//!
//! Programs fetch the keymap when they handle the news of its change, and look a key up when they handle its
//! event. A lent key that is given back before that gives no character, or a wrong one. So we ask the window
//! (`_NET_WM_PING`, which is answered in turn), or, where it does not take part, watch its process go to
//! sleep, or wait.

use super::line::Line;
use crossmacro_platform::{Cancel, Result, clock};
use std::time::{Duration, Instant};
use x11rb::cookie::VoidCookie;
use x11rb::errors::ReplyError;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask, Window,
};

/// How long a program may take to read its keys: a fixed part, and a part for each character of ours.
const PATIENCE: Duration = Duration::from_secs(5);
const PATIENCE_EACH: Duration = Duration::from_millis(20);
/// The same after a cancellation, which has to end soon.
pub(super) const HASTE: Duration = Duration::from_millis(30);
/// How long we wait for a program that can neither be asked nor watched, and the least for one that is watched.
const BLIND: Duration = Duration::from_millis(250);
const WATCHED: Duration = Duration::from_millis(60);
/// How often we look at a process or for a cancellation, and how often in a row the process must be asleep.
const LOOK: Duration = Duration::from_millis(10);
const ASLEEP: usize = 5;
/// Windows have fewer ancestors than this.
const DEPTH: usize = 16;

/// The program that has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// A window that answers pings.
    Answers(Window),
    /// A process on this machine that does not.
    Process(u32),
    /// A program that we can't observe.
    Unknown,
    /// Nobody has the focus.
    Nobody,
}

/// Finds out who reads the keyboard now.
pub(super) fn reader(line: &Line) -> Result<Reader> {
    let focus = line.x11.reply("the focus", line.x11.conn().get_input_focus())?.focus;
    // 0 is "none"; 1 is "whatever is under the pointer".
    let focus = if focus == 1 { under_pointer(line)? } else { focus };
    if focus == 0 || focus == line.x11.root() {
        return Ok(if focus == 0 { Reader::Nobody } else { Reader::Unknown });
    }
    match answering(line, focus) {
        Some(window) => Ok(Reader::Answers(window)),
        None => Ok(process(line, focus).map_or(Reader::Unknown, Reader::Process)),
    }
}

fn under_pointer(line: &Line) -> Result<Window> {
    let root = line.x11.root();
    Ok(line.x11.reply("the pointer", line.x11.conn().query_pointer(root))?.child)
}

/// The window itself or the nearest ancestor that says it answers pings. Windows may vanish: that is no error.
fn answering(line: &Line, mut window: Window) -> Option<Window> {
    let [protocols, ping] = line.x11.atoms(["WM_PROTOCOLS", "_NET_WM_PING"]).ok()?;
    let conn = line.x11.conn();
    for _ in 0..DEPTH {
        let property = conn.get_property(false, window, protocols, AtomEnum::ATOM, 0, 64).ok()?;
        let tree = conn.query_tree(window).ok()?;
        if property.reply().ok()?.value32().is_some_and(|mut atoms| atoms.any(|atom| atom == ping)) {
            return Some(window);
        }
        window = tree.reply().ok().map(|tree| tree.parent).filter(|parent| *parent != 0)?;
    }
    None
}

/// The process of the window's program, if it runs on this machine.
fn process(line: &Line, window: Window) -> Option<u32> {
    let spec = [ClientIdSpec { client: window, mask: ClientIdMask::LOCAL_CLIENT_PID }];
    let reply = line.x11.conn().res_query_client_ids(&spec).ok()?.reply().ok()?;
    let pid = reply.ids.first()?.value.first().copied()?;
    state_of(pid).is_some().then_some(pid)
}

/// The patience for a program that was sent so many characters.
pub(super) fn patience(characters: usize) -> Duration {
    PATIENCE + PATIENCE_EACH.saturating_mul(u32::try_from(characters).unwrap_or(u32::MAX))
}

/// Waits until `reader` has read what was sent, at most for `patience` and not beyond a cancellation; `false`
/// when it is known not to have.
pub(super) fn wait(line: &mut Line, reader: Reader, patience: Duration, cancel: &Cancel) -> Result<bool> {
    let until = clock::now() + patience;
    match reader {
        Reader::Answers(window) => wait_for_answer(line, window, until, cancel),
        Reader::Process(pid) => wait_for_sleep(line, pid, until, cancel),
        Reader::Unknown => Ok(!cancel.sleep_until(until.min(clock::now() + BLIND))),
        Reader::Nobody => Ok(true),
    }
}

fn wait_for_answer(line: &mut Line, window: Window, until: Instant, cancel: &Cancel) -> Result<bool> {
    let stamp = u32::try_from(clock::unix().as_millis() & 0xffff_ffff).unwrap_or(1).max(1);
    listen(line, true)?;
    line.answers.clear();
    // The window may have closed at the last key: nobody is left to read then.
    let answered =
        if ask(line, window, stamp)? { await_answer(line, (window, stamp), until, cancel) } else { Ok(true) };
    listen(line, false)?;
    answered
}

fn await_answer(line: &mut Line, answer: (Window, u32), until: Instant, cancel: &Cancel) -> Result<bool> {
    loop {
        line.take_events()?;
        if line.answers.contains(&answer) {
            return Ok(true);
        }
        if cancel.is_cancelled() || clock::now() >= until {
            return Ok(false);
        }
        line.answers.clear();
        line.wait(until.min(clock::now() + LOOK))?;
    }
}

/// Answers go to the root window.
fn listen(line: &Line, on: bool) -> Result<()> {
    let mask = if on { EventMask::SUBSTRUCTURE_NOTIFY } else { EventMask::NO_EVENT };
    let wanted = ChangeWindowAttributesAux::new().event_mask(mask);
    let cookie = line.x11.conn().change_window_attributes(line.x11.root(), &wanted);
    line.send("events of the root window", cookie)
}

/// Sends the question; `false` when the window is gone.
fn ask(line: &Line, window: Window, stamp: u32) -> Result<bool> {
    let [protocols, ping] = line.x11.atoms(["WM_PROTOCOLS", "_NET_WM_PING"])?;
    let event = ClientMessageEvent::new(32, window, protocols, [ping, stamp, window, 0, 0]);
    let sent = line.x11.conn().send_event(false, window, EventMask::NO_EVENT, event);
    match sent.map_err(ReplyError::from).and_then(VoidCookie::check) {
        Ok(()) => Ok(true),
        Err(ReplyError::X11Error(_)) => Ok(false),
        Err(error) => Err(line.x11.fault("a ping", error)),
    }
}

/// A program with keys in its queue is running, or wants to run, or waits for an answer of the server (which
/// therefore gets its turn between two looks); one that has read them all sleeps.
fn wait_for_sleep(line: &mut Line, pid: u32, until: Instant, cancel: &Cancel) -> Result<bool> {
    let (least, mut asleep) = (clock::now() + WATCHED, 0);
    while asleep < ASLEEP || clock::now() < least {
        if clock::now() >= until || cancel.sleep_until(until.min(clock::now() + LOOK)) {
            return Ok(false);
        }
        line.sync()?;
        asleep = if matches!(state_of(pid), Some('S') | None) { asleep + 1 } else { 0 };
    }
    Ok(true)
}

/// The scheduling state of a process, from `/proc/PID/stat`: the letter after the name in parentheses.
fn state_of(pid: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next()
}
