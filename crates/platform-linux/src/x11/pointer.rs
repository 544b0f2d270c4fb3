//! Pointer, buttons and wheel through XTEST, each confirmed by the server before the call returns.
//!
//! Buttons are logical: a person who has swapped the buttons (`xmodmap -e 'pointer = 3 2 1'`) has told the
//! server to turn one number into another, so the number that *becomes* the wanted one is sent. The wheel
//! is buttons 4 to 7.
//!
//! Source: the XTEST protocol, version 2.2; `QueryPointer` and `GetPointerMapping` of the core protocol.

use super::connection::X11;
use super::displays::Monitors;
use crossmacro_model::{Axis, Button, Direction, Logical, Point, Rect, limits};
use crossmacro_platform::{Cancel, Error, Pointer, Result, Slot, Unavailable, clock};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, MOTION_NOTIFY_EVENT, QueryPointerReply,
};
use x11rb::protocol::xtest::{self, ConnectionExt as _};

/// How long the server may take to show an effect. It does so at once, except while another program (most
/// often a window manager that decides about a click) holds the pointer's events back.
const EFFECT: Duration = Duration::from_millis(250);

/// Time between two looks at it.
const LOOK: Duration = Duration::from_millis(1);

const MOVE: &str = "moving the pointer";

pub(super) fn open(x11: &Arc<X11>) -> Slot<dyn Pointer> {
    let unavailable = |why: String| Unavailable::new("pointer", "x11-xtest", why);
    match x11.has(xtest::X11_EXTENSION_NAME) {
        Ok(true) => {}
        Ok(false) => {
            return Err(unavailable("the X server lacks the XTEST extension".into())
                .remedy("start the X server without \"-extension XTEST\""));
        }
        Err(error) => return Err(unavailable(error.to_string())),
    }
    Ok(Arc::new(Mouse {
        x11: Arc::clone(x11),
        monitors: Monitors::open(x11),
        map: Mutex::new(None),
        held: Mutex::new(HashMap::new()),
    }))
}

struct Mouse {
    x11: Arc<X11>,
    monitors: Monitors,
    /// The button map, and [`X11::button_map_changes`] before it was read.
    map: Mutex<Option<(u32, Vec<u8>)>>,
    /// Logical buttons that we hold, and what was sent for each: the map may change before the release.
    held: Mutex<HashMap<u8, u8>>,
}

impl Pointer for Mouse {
    fn position(&self) -> Result<Point<Logical>> {
        self.x11.pump()?;
        self.place(&self.query(&[])?)
    }

    fn move_to(&self, to: Point<Logical>) -> Result<Point<Logical>> {
        let layout = self.monitors.read()?.layout;
        let target = layout.at(to).and_then(|_| Some((i16::try_from(to.x).ok()?, i16::try_from(to.y).ok()?)));
        let Some((x, y)) = target else {
            return Err(Error::OutOfBounds { region: Rect::new(to.x, to.y, 1, 1), desktop: layout.bounds() });
        };
        let there = |seen: &QueryPointerReply| seen.same_screen && (seen.root_x, seen.root_y) == (x, y);
        match self.settle(MOVE, Fake::absolute(x, y), there)? {
            Ok(_) => Ok(to),
            Err(seen) => Err(Error::NoEffect { what: MOVE, why: format!("it is at {}", self.place(&seen)?) }),
        }
    }

    fn move_by(&self, dx: i32, dy: i32) -> Result<Point<Logical>> {
        let limit = u64::from(i16::MAX.unsigned_abs());
        let too_large = |_| Error::TooLarge { what: "the distance of one move", limit, unit: "pixels" };
        let (dx, dy) = (i16::try_from(dx).map_err(too_large)?, i16::try_from(dy).map_err(too_large)?);
        self.x11.pump()?;
        self.place(&self.send(MOVE, &[Fake::relative(dx, dy)])?)
    }

    fn button(&self, button: Button, direction: Direction) -> Result<()> {
        let logical = number(button);
        match direction {
            Direction::Press => self.press(logical),
            Direction::Release => self.release(logical),
        }
    }

    fn scroll(&self, axis: Axis, count: u32) -> Result<()> {
        let limit = limits::SCROLL_COUNT.value;
        if u64::from(count) > limit {
            return Err(Error::TooLarge { what: "the wheel count", limit, unit: limits::SCROLL_COUNT.unit });
        }
        let notch = self.physical(wheel(axis))?;
        let turns: Vec<_> = (0..count).flat_map(|_| [Fake::press(notch), Fake::release(notch)]).collect();
        self.send("turning the wheel", &turns).map(drop)
    }

    fn backend(&self) -> &'static str {
        "x11-xtest"
    }
}

impl Mouse {
    fn press(&self, logical: u8) -> Result<()> {
        const WHAT: &str = "pressing a button";
        let physical = self.physical(logical)?;
        let bit = state_bit(logical);
        let down = |seen: &QueryPointerReply| u16::from(seen.mask) & bit == bit;
        if self.settle(WHAT, Fake::press(physical), down)?.is_ok() {
            self.held().insert(logical, physical);
            return Ok(());
        }
        // It may still come into effect, once whoever holds the events back lets go of them.
        self.send(WHAT, &[Fake::release(physical)])?;
        let why = "the server does not show it as pressed; it was released again".into();
        Err(Error::NoEffect { what: WHAT, why })
    }

    fn release(&self, logical: u8) -> Result<()> {
        let held = self.held().get(&logical).copied();
        let physical = match held {
            Some(physical) => physical,
            None => self.physical(logical)?,
        };
        // Not judged by the server's state: a person may hold the same button on a device of their own.
        self.send("releasing a button", &[Fake::release(physical)])?;
        self.held().remove(&logical);
        Ok(())
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<u8, u8>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The button that the server turns into `logical`.
    fn physical(&self, logical: u8) -> Result<u8> {
        self.x11.pump()?;
        let changes = self.x11.button_map_changes();
        let mut known = self.map.lock().unwrap_or_else(PoisonError::into_inner);
        let map = match &mut *known {
            Some((seen, map)) if *seen == changes => map,
            stale => {
                let cookie = self.x11.conn().get_pointer_mapping();
                let map = self.x11.reply("the button map", cookie)?.map;
                &mut stale.insert((changes, map)).1
            }
        };
        find(map, logical).ok_or_else(|| Error::Unsupported {
            what: "this button",
            why: format!("the pointer of the X server has no button that acts as number {logical}"),
        })
    }

    /// Sends one event and looks until `effect` is seen: the state that shows it, or (as the inner error)
    /// the last one that did not.
    fn settle(
        &self,
        what: &'static str,
        event: Fake,
        effect: impl Fn(&QueryPointerReply) -> bool,
    ) -> Result<Result<QueryPointerReply, QueryPointerReply>> {
        let mut seen = self.send(what, &[event])?;
        let deadline = clock::now() + EFFECT;
        while !effect(&seen) {
            if clock::now() >= deadline {
                return Ok(Err(seen));
            }
            Cancel::new().sleep(LOOK);
            seen = self.query(&[])?;
        }
        Ok(Ok(seen))
    }

    /// Sends events and asks where the pointer is, all in one round trip.
    fn send(&self, what: &'static str, events: &[Fake]) -> Result<QueryPointerReply> {
        match self.query(events) {
            Err(Error::Refused { why, .. }) => Err(Error::Refused { what, why }),
            other => other,
        }
    }

    fn query(&self, events: &[Fake]) -> Result<QueryPointerReply> {
        const WHAT: &str = "the pointer";
        let (conn, root) = (self.x11.conn(), self.x11.root());
        let mut sent = Vec::with_capacity(events.len());
        for event in events {
            let Fake { kind, detail, x, y } = *event;
            let cookie = conn.xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, root, x, y, 0);
            sent.push(cookie.map_err(|error| self.x11.fault(WHAT, error))?);
        }
        let reply = self.x11.reply(WHAT, conn.query_pointer(root))?;
        for cookie in sent {
            cookie.check().map_err(|error| self.x11.fault(WHAT, error))?;
        }
        Ok(reply)
    }

    fn place(&self, seen: &QueryPointerReply) -> Result<Point<Logical>> {
        if seen.same_screen {
            return Ok(Point::new(seen.root_x.into(), seen.root_y.into()));
        }
        let why = format!("it is on another screen than {}", self.x11.display_name());
        Err(Error::Unsupported { what: "the position of the pointer", why })
    }
}

/// One event that XTEST makes up.
#[derive(Clone, Copy)]
struct Fake {
    kind: u8,
    detail: u8,
    x: i16,
    y: i16,
}

impl Fake {
    const fn absolute(x: i16, y: i16) -> Self {
        Self { kind: MOTION_NOTIFY_EVENT, detail: 0, x, y }
    }

    const fn relative(x: i16, y: i16) -> Self {
        Self { kind: MOTION_NOTIFY_EVENT, detail: 1, x, y }
    }

    const fn press(button: u8) -> Self {
        Self { kind: BUTTON_PRESS_EVENT, detail: button, x: 0, y: 0 }
    }

    const fn release(button: u8) -> Self {
        Self { kind: BUTTON_RELEASE_EVENT, detail: button, x: 0, y: 0 }
    }
}

/// The number that programs get to see.
const fn number(button: Button) -> u8 {
    match button {
        Button::Left => 1,
        Button::Middle => 2,
        Button::Right => 3,
        Button::Side1 => 8,
        Button::Side2 => 9,
    }
}

const fn wheel(axis: Axis) -> u8 {
    match axis {
        Axis::Up => 4,
        Axis::Down => 5,
        Axis::Left => 6,
        Axis::Right => 7,
    }
}

/// The bit of a held button in the pointer's state; the protocol has none beyond button 5.
const fn state_bit(button: u8) -> u16 {
    if button <= 5 { 1 << (button + 7) } else { 0 }
}

fn find(map: &[u8], logical: u8) -> Option<u8> {
    // Two buttons may act as one; the one in its own place is the natural choice.
    if map.get(usize::from(logical) - 1) == Some(&logical) {
        return Some(logical);
    }
    let index = map.iter().position(|&acts_as| acts_as == logical)?;
    u8::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_button_map_is_read_backwards() {
        assert_eq!(find(&[1, 2, 3], 1), Some(1));
        assert_eq!(find(&[3, 2, 1], 1), Some(3));
        assert_eq!(find(&[1, 2, 1], 1), Some(1));
        assert_eq!(find(&[3, 0, 1], 2), None);
        assert_eq!(find(&[], 9), None);
        assert_eq!(find(&[9; 255], 8), None);
    }

    #[test]
    fn state_bits_are_those_of_the_protocol() {
        use x11rb::protocol::xproto::KeyButMask;
        assert_eq!(state_bit(1), u16::from(KeyButMask::BUTTON1));
        assert_eq!(state_bit(3), u16::from(KeyButMask::BUTTON3));
        assert_eq!(state_bit(9), 0);
    }
}
