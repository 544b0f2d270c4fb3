//! Hearing what a person does, by two protocols, each for what it tells best.
//!
//! * RECORD tells every event of the pointer and the keyboard as programs get it, in order, with the place of the
//!   pointer at that very event, and without a question to the server. So places are heard through it.
//! * XInput 2 raw events tell what the device said, before acceleration and the button map. So distances, and
//!   keys or buttons alone, are heard through them. Where a server lacks RECORD, places are too: the server is
//!   then asked for the place after each burst of motion.
//!
//! Both see what XTEST injects, and go on while another program grabs the input. Each ear has a connection of its
//! own. Times are the server's milliseconds, in microseconds.
//!
//! Sources: the RECORD protocol, version 1.13; the X Input Extension 2.3, "Raw events" and "Scroll events".

mod devices;
mod keys;
mod raw;
mod recorded;

use super::connection::{X11, XINPUT};
use crossmacro_model::{Axis, Button};
use crossmacro_platform::{
    Begun, Cancel, Error, Heard, ListenRequest, Listener, Listening, MotionDetail, Result, Slot, Unavailable,
    clock,
};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::sync::Arc;
use std::time::Duration;
use x11rb::protocol::record;
use x11rb::protocol::xinput::{self, ConnectionExt as _};
use x11rb::protocol::xproto::ConnectionExt as _;

/// How often a wait looks at the request to stop.
const GLANCE: Duration = Duration::from_millis(40);
/// Events that are given at once; the rest is given by the next call.
const BATCH: usize = 4096;
/// Of a whole notch of the wheel.
const NOTCH: u32 = 120;

pub(super) fn open(x11: &Arc<X11>) -> Slot<dyn Listener> {
    let unavailable = |why: String| Unavailable::new("listener", "x11-xinput2", why);
    match version(x11) {
        Ok(version) if version >= (2, 2) => {}
        Ok((0, 0)) => {
            return Err(unavailable("the X server lacks the XInput extension".into())
                .remedy("start the X server without \"-extension XInputExtension\""));
        }
        Ok((major, minor)) => {
            let why = format!("the X server has XInput {major}.{minor}; 2.2 is needed");
            return Err(unavailable(why).remedy("update the X server"));
        }
        Err(error) => return Err(unavailable(error.to_string())),
    }
    let has_record = x11.has(record::X11_EXTENSION_NAME).map_err(|error| unavailable(error.to_string()))?;
    Ok(Arc::new(Ears { x11: Arc::clone(x11), has_record }))
}

/// The version of XInput; zeros where there is none.
fn version(x11: &X11) -> Result<(u16, u16)> {
    if !x11.has(xinput::X11_EXTENSION_NAME)? {
        return Ok((0, 0));
    }
    let reply = x11.reply("the version of XInput", x11.conn().xinput_xi_query_version(XINPUT.0, XINPUT.1))?;
    Ok((reply.major_version, reply.minor_version))
}

struct Ears {
    x11: Arc<X11>,
    has_record: bool,
}

impl Listener for Ears {
    fn listen(&self, request: ListenRequest) -> Result<Box<dyn Listening>> {
        let x11 = self.x11.another()?;
        if self.has_record && request.motion == Some(MotionDetail::Places) {
            return Ok(Box::new(self.open(x11, recorded::Recorded::new(request, &self.x11))?));
        }
        version(&x11)?;
        Ok(Box::new(self.open(x11, raw::Raw::new(request))?))
    }

    fn backend(&self) -> &'static str {
        if self.has_record { "x11-record" } else { "x11-xinput2" }
    }
}

impl Ears {
    fn open<P: Protocol>(&self, x11: X11, mut protocol: P) -> Result<Ear<P>> {
        protocol.begin(&x11)?;
        // Asked over the shared connection: on one that RECORD uses, the server answers nothing else. And asked
        // after it has begun, so that no release is missed that would leave a key down for ever.
        let begun = begun(&self.x11)?;
        protocol.seen(&begun);
        tracing::debug!("listening to input");
        Ok(Ear { x11, protocol, begun })
    }
}

/// One of the two protocols on a connection of its own.
trait Protocol: Send {
    /// Begins; everything that happens after it has returned is heard.
    fn begin(&mut self, x11: &X11) -> Result<()>;

    /// Takes in what has come, without waiting. On an error, what came before it is in `heard`.
    fn take(&mut self, x11: &X11, heard: &mut Vec<Heard>) -> Result<()>;

    /// How things stood at the beginning.
    fn seen(&mut self, begun: &Begun);

    /// How long what follows the first event is waited for, to be given with it.
    fn pace(&self) -> Duration;
}

struct Ear<P> {
    x11: X11,
    protocol: P,
    begun: Begun,
}

impl<P: Protocol> Ear<P> {
    /// Waits until the server has said something or hung up, for `time` at most.
    fn poll(&self, time: Duration) -> Result<bool> {
        let mut fds = [PollFd::new(self.x11.conn().stream(), PollFlags::IN)];
        match rustix::event::poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(errno) => Err(Error::Lost { why: errno.to_string() }),
        }
    }
}

impl<P: Protocol> Listening for Ear<P> {
    fn begun(&self) -> &Begun {
        &self.begun
    }

    fn next(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Heard>> {
        let until = clock::now().checked_add(limit);
        let mut heard = Vec::new();
        loop {
            let taken = self.protocol.take(&self.x11, &mut heard);
            if !heard.is_empty() {
                // An error comes back at the next call.
                return Ok(heard);
            }
            taken?;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let left = until.map_or(GLANCE, |until| until.saturating_duration_since(clock::now()));
            if left.is_zero() {
                return Ok(heard);
            }
            let pace = self.protocol.pace();
            if self.poll(left.min(GLANCE))? && !pace.is_zero() {
                // Whether it was cut short is seen above, after what has come is given.
                cancel.sleep(pace);
            }
        }
    }
}

fn begun(x11: &X11) -> Result<Begun> {
    const WHAT: &str = "what is held";
    let conn = x11.conn();
    let keys = conn.query_keymap();
    let pointer = x11.reply(WHAT, conn.query_pointer(x11.root()))?;
    let keys = keys::down(&x11.reply(WHAT, keys)?.keys);
    let place = pointer
        .same_screen
        .then(|| crossmacro_model::Point::new(pointer.root_x.into(), pointer.root_y.into()));
    Ok(Begun { keys, place })
}

/// The button that programs see under this number.
const fn button(number: u32) -> Option<Button> {
    Some(match number {
        1 => Button::Left,
        2 => Button::Middle,
        3 => Button::Right,
        8 => Button::Side1,
        9 => Button::Side2,
        _ => return None,
    })
}

/// The direction of the wheel that programs see under this number.
const fn wheel(number: u32) -> Option<Axis> {
    Some(match number {
        4 => Axis::Up,
        5 => Axis::Down,
        6 => Axis::Left,
        7 => Axis::Right,
        _ => return None,
    })
}

/// Turns the server's milliseconds, which wrap after 49 days, into microseconds that never go back.
#[derive(Debug, Default)]
struct Clock {
    last: Option<u32>,
    now_us: u64,
}

impl Clock {
    fn at_us(&mut self, time: u32) -> u64 {
        let passed = time.wrapping_sub(self.last.unwrap_or(time));
        // More than half the circle is a step back: a device whose times lag behind another's.
        if passed <= u32::MAX / 2 {
            self.now_us += u64::from(passed) * 1000;
            self.last = Some(time);
        }
        self.now_us
    }
}

#[cfg(test)]
mod fallback;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_wrap_and_never_go_back() {
        let mut clock = Clock::default();
        let times = [u32::MAX - 1, u32::MAX, 2, 1, 2, 5];
        assert_eq!(times.map(|time| clock.at_us(time)), [0, 1000, 4000, 4000, 4000, 7000]);
    }
}
