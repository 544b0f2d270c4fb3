//! Events by RECORD: as programs get them, each with the place of the pointer.
//!
//! Once it is enabled, the connection carries nothing but one endless answer, so it is read without blocking
//! ([`TimedStream::hurry`](crate::x11::connection::TimedStream::hurry)) and waited for by its descriptor.
//!
//! The server itself turns fine steps of a wheel into whole notches here, and carries the rest. Buttons come before
//! the map that a person may have set, so it is applied here.
//!
//! Whoever listens must keep reading: Xorg 21.1 keeps what its socket holds, some 2,600 events, for an ear that lags
//! behind, and drops others then. A mouse of 1,000 Hz takes 2.6 s to make as many.

use super::keys::Keys;
use super::{BATCH, Clock, NOTCH, Protocol, button, wheel};
use crate::x11::connection::X11;
use crossmacro_model::{Direction, Logical, Point};
use crossmacro_platform::{Begun, Error, Heard, Input, ListenRequest, Result};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use x11rb::connection::SequenceNumber;
use x11rb::connection::{ReplyOrError, RequestConnection as _};
use x11rb::errors::{ConnectionError, ReplyOrIdError};
use x11rb::protocol::record::{self, CS, ConnectionExt as _, EnableContextReply, Range, Range8};
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, KEY_PRESS_EVENT, KEY_RELEASE_EVENT,
    MOTION_NOTIFY_EVENT,
};
use x11rb::x11_utils::TryParse as _;

const WHAT: &str = "listening by RECORD";

/// Categories of a reply (RECORD protocol, `RecordEnableContext`).
const FROM_SERVER: u8 = 0;
const END_OF_DATA: u8 = 5;

/// Bytes of one core event.
const EVENT: usize = 32;

pub(super) struct Recorded {
    request: ListenRequest,
    sequence: SequenceNumber,
    clock: Clock,
    keys: Keys,
    place: Option<Point<Logical>>,
    buttons: Buttons,
}

impl Recorded {
    /// `shared` is the connection that is told of a new button map.
    pub(super) fn new(request: ListenRequest, shared: &Arc<X11>) -> Self {
        let buttons = Buttons { shared: Arc::clone(shared), map: None };
        let (clock, keys) = (Clock::default(), Keys::default());
        Self { request, sequence: 0, clock, keys, place: None, buttons }
    }
}

/// What each button acts as.
struct Buttons {
    shared: Arc<X11>,
    /// [`X11::button_map_changes`] before it was read, and the map.
    map: Option<(u32, Vec<u8>)>,
}

impl Buttons {
    /// What a button acts as now; 0 for nothing.
    fn acts_as(&mut self, button: u8) -> Result<u32> {
        self.shared.pump()?;
        let changes = self.shared.button_map_changes();
        let map = match &mut self.map {
            Some((seen, map)) if *seen == changes => map,
            stale => {
                let cookie = self.shared.conn().get_pointer_mapping();
                &mut stale.insert((changes, self.shared.reply("the button map", cookie)?.map)).1
            }
        };
        let index = usize::from(button).checked_sub(1);
        Ok(index.and_then(|index| map.get(index)).copied().unwrap_or(0).into())
    }
}

impl Protocol for Recorded {
    fn begin(&mut self, x11: &X11) -> Result<()> {
        self.sequence = enable(x11).map_err(|error| x11.fault(WHAT, error))?;
        // The first reply says that it has begun.
        let first = self.reply(x11).map_err(|error| x11.fault(WHAT, error))?;
        x11.conn().stream().hurry();
        self.read(&first, &mut Vec::new())
    }

    fn take(&mut self, x11: &X11, heard: &mut Vec<Heard>) -> Result<()> {
        while heard.len() < BATCH {
            match self.reply(x11) {
                Ok(bytes) => self.read(&bytes, heard)?,
                Err(ReplyOrIdError::ConnectionError(ConnectionError::IoError(error)))
                    if error.kind() == ErrorKind::TimedOut =>
                {
                    return Ok(());
                }
                Err(error) => return Err(x11.fault(WHAT, error)),
            }
        }
        Ok(())
    }

    fn seen(&mut self, begun: &Begun) {
        self.keys = Keys::new(&begun.keys);
        self.place = begun.place;
    }

    fn pace(&self) -> Duration {
        Duration::ZERO
    }
}

/// Makes and enables a context for the events of devices; gives the number under which the replies come.
fn enable(x11: &X11) -> Result<SequenceNumber, ReplyOrIdError> {
    use x11rb::connection::Connection as _;
    let conn = x11.conn();
    conn.record_query_version(1, 13)?.reply()?;
    let context = conn.generate_id()?;
    let devices = Range8 { first: KEY_PRESS_EVENT, last: MOTION_NOTIFY_EVENT };
    let range = Range { device_events: devices, ..Range::default() };
    conn.record_create_context(context, 0, &[CS::ALL_CLIENTS.into()], &[range])?.check()?;
    let cookie = record::enable_context(conn, context)?;
    let sequence = cookie.sequence_number().unwrap_or_default();
    // Dropped, it would throw the replies away; and it can't wait for one without blocking.
    std::mem::forget(cookie);
    conn.flush()?;
    Ok(sequence)
}

impl Recorded {
    fn reply(&self, x11: &X11) -> Result<Vec<u8>, ReplyOrIdError> {
        match x11.conn().wait_for_reply_or_raw_error(self.sequence)? {
            ReplyOrError::Reply(bytes) => Ok(bytes.clone()),
            ReplyOrError::Error(error) => Err(x11.conn().parse_error(&error).map_or_else(
                |error| ReplyOrIdError::ConnectionError(error.into()),
                ReplyOrIdError::X11Error,
            )),
        }
    }

    fn read(&mut self, bytes: &[u8], heard: &mut Vec<Heard>) -> Result<()> {
        let (reply, _) = EnableContextReply::try_parse(bytes)
            .map_err(|error| Error::Malformed { what: "an answer of RECORD", why: error.to_string() })?;
        match reply.category {
            FROM_SERVER => reply.data.chunks_exact(EVENT).try_for_each(|event| self.event(event, heard)),
            END_OF_DATA => Err(Error::Lost { why: "the X server ended the recording".into() }),
            _ => Ok(()),
        }
    }

    fn event(&mut self, event: &[u8], heard: &mut Vec<Heard>) -> Result<()> {
        let Some(event) = Core::read(event) else { return Ok(()) };
        let at_us = self.clock.at_us(event.time);
        let mut tell = |input| heard.push(Heard { at_us, input, is_injected: false });
        let direction = match event.kind {
            KEY_PRESS_EVENT | BUTTON_PRESS_EVENT => Direction::Press,
            _ => Direction::Release,
        };
        if matches!(event.kind, KEY_PRESS_EVENT | KEY_RELEASE_EVENT) {
            let input = self.keys.turn(event.detail.into(), direction);
            input.filter(|_| self.request.keys).map(&mut tell);
            return Ok(());
        }
        if self.place != Some(event.place) {
            self.place = Some(event.place);
            tell(Input::Place(event.place));
        }
        let is_button = matches!(event.kind, BUTTON_PRESS_EVENT | BUTTON_RELEASE_EVENT);
        if !is_button || !self.request.buttons {
            return Ok(());
        }
        let number = self.buttons.acts_as(event.detail)?;
        if let Some(button) = button(number) {
            tell(Input::Button { button, direction });
        } else if let Some(axis) = wheel(number).filter(|_| direction == Direction::Press) {
            tell(Input::Wheel { axis, amount: NOTCH });
        }
        Ok(())
    }
}

/// What we read of a core event of a device (X11 protocol, appendix B, "Events").
struct Core {
    kind: u8,
    detail: u8,
    time: u32,
    place: Point<Logical>,
}

impl Core {
    fn read(event: &[u8]) -> Option<Self> {
        let &[kind, detail, _, _, t0, t1, t2, t3, ..] = event else { return None };
        let &[x0, x1, y0, y1] = event.get(20..24)? else { return None };
        let coordinate = |bytes| i32::from(i16::from_ne_bytes(bytes));
        Some(Self {
            // The high bit marks what SendEvent made, which no device does.
            kind: kind & 0x7f,
            detail,
            time: u32::from_ne_bytes([t0, t1, t2, t3]),
            place: Point::new(coordinate([x0, x1]), coordinate([y0, y1])),
        })
    }
}
