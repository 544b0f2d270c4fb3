//! The keyboard through XTEST, with the typing rules that make a text arrive as it was asked for.
//!
//! Before a text is typed, the keymap is read and every character gets a key, a group and modifiers; what no key
//! gives gets an unused keycode lent to it. Then held modifiers are let go of, locks and latches that matter are
//! taken off, the keys are sent, and everything is put back. Nothing is remembered from one call to the next, so a
//! change of the layout is followed at once.

mod delivery;
mod keymap;
mod keysym;
mod line;
mod neutral;
mod plan;
mod rescue;
mod spare;
mod typing;

use super::connection::X11;
use crossmacro_model::{Direction, KeyCode};
use crossmacro_platform::{Cancel, Error, Keyboard, Result, Slot, Typed, Unavailable};
use line::{Devices, Line};
use plan::{Planner, Step};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use typing::Manner;
use x11rb::connection::Connection;
use x11rb::protocol::xkb;
use x11rb::protocol::xproto::{KEY_PRESS_EVENT, KEY_RELEASE_EVENT};
use x11rb::protocol::xtest::{self, ConnectionExt as _};

/// X keycodes are evdev codes plus this (xkeyboard-config, keycodes/evdev).
const EVDEV_OFFSET: u16 = 8;

pub(super) fn open(x11: &Arc<X11>) -> Slot<dyn Keyboard> {
    let missing = |why: String| Unavailable::new("keyboard", "x11-xtest", why);
    for name in [xtest::X11_EXTENSION_NAME, xkb::X11_EXTENSION_NAME] {
        if !x11.has(name).map_err(|error| missing(error.to_string()))? {
            let why = format!("the X server lacks the {name} extension");
            return Err(missing(why).remedy("start the X server without switching the extension off"));
        }
    }
    let devices = line::prepare(x11).map_err(|error| missing(error.to_string()))?;
    Ok(Arc::new(XtestKeyboard { x11: Arc::clone(x11), devices, line: Mutex::new(None) }))
}

struct XtestKeyboard {
    x11: Arc<X11>,
    devices: Devices,
    /// The connection that texts are typed over, from the first text on.
    line: Mutex<Option<Line>>,
}

impl XtestKeyboard {
    /// Plans with the keymap as it is at this moment.
    fn planned<T>(&self, plan: impl FnOnce(&mut Planner<'_>) -> T) -> Result<T> {
        let (keymap, state) = line::keymap_and_state(&self.x11, self.devices)?;
        Ok(plan(&mut Planner::new(&keymap, u8::from(state.group), !keymap.free().is_empty())))
    }

    /// The X keycode of `key`.
    fn keycode(&self, key: KeyCode) -> Result<u8> {
        let setup = self.x11.conn().setup();
        // Evdev's code 0 is KEY_RESERVED: no key, although X would have a keycode for it.
        let code = Some(key.0)
            .filter(|code| *code > 0)
            .and_then(|code| code.checked_add(EVDEV_OFFSET))
            .and_then(|code| u8::try_from(code).ok());
        code.filter(|code| (setup.min_keycode..=setup.max_keycode).contains(code)).ok_or_else(|| {
            let last = u16::from(setup.max_keycode).saturating_sub(EVDEV_OFFSET);
            Error::Unsupported { what: "this key", why: format!("X11 keyboards end at key code {last}") }
        })
    }
}

impl Keyboard for XtestKeyboard {
    fn key(&self, key: KeyCode, direction: Direction) -> Result<()> {
        let code = self.keycode(key)?;
        let kind = match direction {
            Direction::Press => KEY_PRESS_EVENT,
            Direction::Release => KEY_RELEASE_EVENT,
        };
        let sent = self.x11.conn().xtest_fake_input(kind, code, 0, 0, 0, 0, 0);
        let checked =
            sent.map_err(x11rb::errors::ReplyError::from).and_then(x11rb::cookie::VoidCookie::check);
        checked.map_err(|error| self.x11.fault("a key event", error))
    }

    fn key_for(&self, character: char) -> Result<Option<KeyCode>> {
        let stroke = self.planned(|planner| planner.unmodified(character))?;
        Ok(stroke.and_then(|stroke| u16::from(stroke.code).checked_sub(EVDEV_OFFSET)).map(KeyCode))
    }

    fn check_text(&self, text: &str) -> Result<()> {
        self.planned(|planner| planner.steps(plan::characters(text)))?.map(|_: Vec<Step>| ())
    }

    fn type_text(&self, text: &str, pause: Duration, cancel: &Cancel) -> Result<Typed> {
        let mut slot = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = match slot.take() {
            Some(line) => line,
            None => Line::open(&self.x11)?,
        };
        let typed = typing::type_text(&mut line, text, Manner { pause, cancel });
        // A connection that was lost is not kept: the next text gets a new one.
        *slot = line.x11.is_alive().then_some(line);
        typed
    }

    fn backend(&self) -> &'static str {
        "x11-xtest"
    }
}
