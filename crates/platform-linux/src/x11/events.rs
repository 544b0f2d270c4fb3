//! Waiting for events on a connection of one's own ([`X11::another`]); never on the shared one, whose events
//! belong to nobody. Times are the server's milliseconds, which wrap after 49 days.

use super::connection::{ANSWER, X11};
use crossmacro_platform::{Error, Result, clock};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::time::Instant;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{AtomEnum, PropMode, Timestamp, Window};
use x11rb::wrapper::ConnectionExt as _;

/// The next event; `None` when none came before `until`. Without a limit it waits for as long as it takes,
/// and costs nothing meanwhile.
///
/// # Errors
/// [`Error::Lost`].
pub(super) fn next(x11: &X11, until: Option<Instant>) -> Result<Option<Event>> {
    loop {
        let event = x11.conn().poll_for_event().map_err(|error| x11.fault("its events", error))?;
        if event.is_some() {
            return Ok(event);
        }
        x11.conn().flush().map_err(|error| x11.fault("its events", error))?;
        if !readable(x11, until)? {
            return Ok(None);
        }
    }
}

/// Waits until the server has sent something (or hung up, which the next read reports).
fn readable(x11: &X11, until: Option<Instant>) -> Result<bool> {
    loop {
        let left = until.map(|until| until.saturating_duration_since(clock::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut fds = [PollFd::new(x11.conn().stream(), PollFlags::IN)];
        match rustix::event::poll(&mut fds, left.as_ref()) {
            Ok(ready) => return Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(Error::Lost { why: errno.to_string() }),
        }
    }
}

/// The server's present time, by the way ICCCM 2.1 names: append nothing to a property and read the time of
/// the event. `window` is ours and has `PropertyChange` selected. Other events that come first are dropped.
///
/// # Errors
/// [`Error::Lost`] and [`Error::Timeout`].
pub(super) fn server_time(x11: &X11, window: Window) -> Result<Timestamp> {
    let property = x11.atom("CROSSMACRO_TIME")?;
    x11.conn()
        .change_property8(PropMode::APPEND, window, property, AtomEnum::STRING, &[])
        .map_err(|error| x11.fault("its time", error))?;
    let deadline = clock::now() + ANSWER;
    loop {
        match next(x11, Some(deadline))? {
            Some(Event::PropertyNotify(event)) if event.window == window && event.atom == property => {
                return Ok(event.time);
            }
            Some(_) => {}
            None => return Err(Error::Timeout { what: "the display server", limit: ANSWER }),
        }
    }
}
