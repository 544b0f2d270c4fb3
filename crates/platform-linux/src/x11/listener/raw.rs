//! Raw events by XInput 2: what the device said.
//!
//! They tell no place. Where places are asked for (the server lacks RECORD), the server is asked after each burst
//! of motion, so what lies between two answers is not seen, and a button is placed where the pointer was soon
//! after. They also don't tell whether a program that injects by XTEST moved *to* a place or *by* a distance; the
//! place of the pointer afterwards does.

use super::devices::{Devices, value};
use super::keys::Keys;
use super::{BATCH, Clock, NOTCH, Protocol, button, wheel};
use crate::x11::connection::X11;
use crossmacro_model::{Direction, Logical, Point};
use crossmacro_platform::{Begun, Heard, Input, ListenRequest, MotionDetail, Result};
use std::time::Duration;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::{
    ConnectionExt as _, Device, EventMask, PointerEventFlags, RawButtonPressEvent, RawKeyPressEvent,
    RawMotionEvent, XIEventMask,
};
use x11rb::protocol::xproto::{ConnectionExt as _, Mapping};

const WHAT: &str = "listening by XInput";

/// How long a burst of motion is collected before the server is asked where it led. A thousand questions a second
/// cost several percent of a core, five hundred half of that, and a person does not see the difference.
const PACE: Duration = Duration::from_millis(2);

pub(super) struct Raw {
    request: ListenRequest,
    clock: Clock,
    keys: Keys,
    devices: Devices,
    /// What each button acts as.
    map: Vec<u8>,
    /// Where the pointer was last, if nothing has moved it since.
    place: Option<Point<Logical>>,
    /// The last place that was told.
    told: Option<Point<Logical>>,
}

/// How the motion of one batch is told.
#[derive(Clone, Copy)]
enum Motion {
    /// Each event tells its distance.
    Own,
    /// Those of devices that tell places count together, and led this far.
    Jump(f64, f64),
    /// The pointer is here afterwards.
    Place(Point<Logical>),
}

impl Raw {
    pub(super) fn new(request: ListenRequest) -> Self {
        Self {
            request,
            clock: Clock::default(),
            keys: Keys::default(),
            devices: Devices::default(),
            map: Vec::new(),
            place: None,
            told: None,
        }
    }
}

impl Protocol for Raw {
    fn begin(&mut self, x11: &X11) -> Result<()> {
        let mut mask = XIEventMask::from(0_u32);
        if self.request.keys {
            mask |= XIEventMask::RAW_KEY_PRESS | XIEventMask::RAW_KEY_RELEASE;
        }
        if self.request.buttons {
            mask |= XIEventMask::RAW_BUTTON_PRESS | XIEventMask::RAW_BUTTON_RELEASE;
        }
        if self.request.motion.is_some() {
            mask |= XIEventMask::RAW_MOTION;
        }
        let masks = [
            EventMask { deviceid: Device::ALL_MASTER.into(), mask: vec![mask] },
            EventMask { deviceid: Device::ALL.into(), mask: vec![XIEventMask::HIERARCHY] },
        ];
        let sent = x11.conn().xinput_xi_select_events(x11.root(), &masks);
        let checked =
            sent.map_err(x11rb::errors::ReplyError::from).and_then(x11rb::cookie::VoidCookie::check);
        checked.map_err(|error| x11.fault(WHAT, error))?;
        self.learn(x11)
    }

    fn take(&mut self, x11: &X11, heard: &mut Vec<Heard>) -> Result<()> {
        let mut events = Vec::new();
        let mut end = Ok(());
        while events.len() < BATCH {
            match x11.conn().poll_for_event() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => break,
                Err(error) => {
                    end = Err(x11.fault(WHAT, error));
                    break;
                }
            }
        }
        if end.is_ok() && !events.is_empty() {
            end = self.translate(x11, &events, heard);
        }
        end
    }

    fn seen(&mut self, begun: &Begun) {
        self.keys = Keys::new(&begun.keys);
        self.place = begun.place;
        self.told = begun.place;
    }

    fn pace(&self) -> Duration {
        if self.request.motion == Some(MotionDetail::Places) { PACE } else { Duration::ZERO }
    }
}

impl Raw {
    fn learn(&mut self, x11: &X11) -> Result<()> {
        self.devices = Devices::read(x11)?;
        self.map = x11.reply("the button map", x11.conn().get_pointer_mapping())?.map;
        Ok(())
    }

    fn translate(&mut self, x11: &X11, events: &[Event], heard: &mut Vec<Heard>) -> Result<()> {
        let mut motion = self.motion(x11, events)?;
        for event in events {
            match event {
                Event::XinputRawMotion(event) => self.moved(event, &mut motion, heard),
                Event::XinputRawButtonPress(event) => self.button(event, Direction::Press, heard),
                Event::XinputRawButtonRelease(event) => self.button(event, Direction::Release, heard),
                Event::XinputRawKeyPress(event) => self.key(event, Direction::Press, heard),
                Event::XinputRawKeyRelease(event) => self.key(event, Direction::Release, heard),
                Event::XinputHierarchy(event) => {
                    self.learn(x11)?;
                    self.tell(event.time, 0, Input::Devices, heard);
                }
                Event::MappingNotify(event) if event.request == Mapping::POINTER => self.learn(x11)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Asks for the place of the pointer where the events alone don't tell what their motion means.
    fn motion(&mut self, x11: &X11, events: &[Event]) -> Result<Motion> {
        let moved = events.iter().filter_map(|event| match event {
            Event::XinputRawMotion(event) => Some(event),
            _ => None,
        });
        let mut last_unclear = None;
        let (mut has_moved, mut is_absolute, mut is_relative) = (false, false, false);
        for event in moved.filter(|event| value(event, 0).is_some() || value(event, 1).is_some()) {
            has_moved = true;
            match self.devices.get(event.sourceid) {
                Some(device) if device.is_absolute => is_absolute = true,
                Some(device) if device.is_injector => last_unclear = Some(event),
                _ => is_relative = true,
            }
        }
        let wants_places = self.request.motion == Some(MotionDetail::Places);
        if !has_moved || (!wants_places && !is_absolute && last_unclear.is_none()) {
            self.place = self.place.filter(|_| !has_moved);
            return Ok(Motion::Own);
        }
        let before = self.place;
        let reply = x11.reply("the pointer", x11.conn().query_pointer(x11.root()))?;
        let place = Point::new(reply.root_x.into(), reply.root_y.into());
        self.place = reply.same_screen.then_some(place);
        if wants_places {
            return Ok(Motion::Place(place));
        }
        let led_there = last_unclear.is_some_and(|event| leads_to(event, place));
        let went_by = |event| before.is_some_and(|before| leads_by(event, before, place));
        if !is_absolute && (!led_there || last_unclear.is_some_and(went_by)) {
            return Ok(Motion::Own);
        }
        // Moved by others too, or from a place not known: the way there can't be told apart.
        let from = before.filter(|_| !is_relative).unwrap_or(place);
        Ok(Motion::Jump(f64::from(place.x) - f64::from(from.x), f64::from(place.y) - f64::from(from.y)))
    }

    fn moved(&mut self, event: &RawMotionEvent, motion: &mut Motion, heard: &mut Vec<Heard>) {
        if self.request.buttons {
            for (axis, amount) in self.devices.turned(event) {
                self.tell(event.time, event.sourceid, Input::Wheel { axis, amount }, heard);
            }
        }
        let (dx, dy) = match (value(event, 0), value(event, 1)) {
            (None, None) => return,
            (dx, dy) => (dx.unwrap_or(0.0), dy.unwrap_or(0.0)),
        };
        let tells_places = |device: &super::devices::Facts| device.is_absolute || device.is_injector;
        let input = match *motion {
            Motion::Place(place) if self.told.replace(place) == Some(place) => return,
            Motion::Place(place) => Input::Place(place),
            Motion::Jump(dx, dy) if self.devices.get(event.sourceid).is_some_and(tells_places) => {
                // Told once, at the first.
                *motion = Motion::Jump(0.0, 0.0);
                Input::Distance { dx, dy }
            }
            Motion::Own | Motion::Jump(..) => Input::Distance { dx, dy },
        };
        if input != (Input::Distance { dx: 0.0, dy: 0.0 }) {
            self.tell(event.time, event.sourceid, input, heard);
        }
    }

    fn button(&mut self, event: &RawButtonPressEvent, direction: Direction, heard: &mut Vec<Heard>) {
        // Raw events come before the map that a person may have set.
        let index = event.detail.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let number = index.and_then(|index| self.map.get(index)).copied().unwrap_or(0).into();
        if let Some(button) = button(number) {
            self.tell(event.time, event.sourceid, Input::Button { button, direction }, heard);
        }
        // A wheel with fine steps is told by its motion, where that is listened to.
        let is_emulated =
            event.flags & PointerEventFlags::POINTER_EMULATED == PointerEventFlags::POINTER_EMULATED;
        let is_told = is_emulated && self.request.motion.is_some();
        if let Some(axis) = wheel(number).filter(|_| direction == Direction::Press && !is_told) {
            self.tell(event.time, event.sourceid, Input::Wheel { axis, amount: NOTCH }, heard);
        }
    }

    fn key(&mut self, event: &RawKeyPressEvent, direction: Direction, heard: &mut Vec<Heard>) {
        if let Some(input) = self.keys.turn(event.detail, direction) {
            self.tell(event.time, event.sourceid, input, heard);
        }
    }

    fn tell(&mut self, time: u32, device: u16, input: Input, heard: &mut Vec<Heard>) {
        let is_injected = self.devices.get(device).is_some_and(|device| device.is_injector);
        heard.push(Heard { at_us: self.clock.at_us(time), input, is_injected });
    }
}

/// Whether the event, read as a place, is where the pointer is.
fn leads_to(event: &RawMotionEvent, place: Point<Logical>) -> bool {
    let is = |axis, at: i32| value(event, axis).is_none_or(|value| value.floor() == f64::from(at));
    is(0, place.x) && is(1, place.y)
}

/// Whether the event, read as a distance, leads from one place to the other.
fn leads_by(event: &RawMotionEvent, from: Point<Logical>, to: Point<Logical>) -> bool {
    let is = |axis, from: i32, to: i32| {
        f64::from(from) + value(event, axis).unwrap_or(0.0).trunc() == f64::from(to)
    };
    is(0, from.x, to.x) && is(1, from.y, to.y)
}
