//! A desktop of three facets that writes down what it receives, and fails when and how it is told.
#![allow(dead_code, reason = "each test file uses its part")]

use crossmacro_model::{Axis, Button, Direction, KeyCode, Logical, Point};
use crossmacro_platform::{
    Cancel, Desktop, Error, Keyboard, Pointer, Result, Session, SessionKind, Slot, Typed, Unavailable,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a call goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trap {
    /// Refused: nothing happens.
    Refuse,
    /// It happens, and the answer is lost.
    Lose,
    /// Nothing happens, and a bug panics.
    Panic,
    /// It happens, and somebody asks to stop.
    Cancel,
}

#[derive(Default)]
struct State {
    timeline: Vec<String>,
    /// What an X server would have down.
    down: BTreeSet<String>,
    at: (i32, i32),
    calls: usize,
    trap: Option<(usize, Trap, Cancel)>,
    stamp: Option<Arc<dyn Fn() -> String + Send + Sync>>,
}

/// The stub; clones are the same desktop.
#[derive(Clone, Default)]
pub(crate) struct Stub {
    state: Arc<Mutex<State>>,
}

impl Stub {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Springs `trap` at the call number `call` (from 0) that has an effect.
    pub(crate) fn trap(self, call: usize, trap: Trap, cancel: &Cancel) -> Self {
        self.with(|state| state.trap = Some((call, trap, cancel.clone())));
        self
    }

    /// Writes what `stamp` says before each line.
    pub(crate) fn stamped(self, stamp: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.with(|state| state.stamp = Some(Arc::new(stamp)));
        self
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    pub(crate) fn timeline(&self) -> Vec<String> {
        self.with(|state| state.timeline.clone())
    }

    pub(crate) fn down(&self) -> Vec<String> {
        self.with(|state| state.down.iter().cloned().collect())
    }

    /// A person presses something.
    pub(crate) fn press_by_hand(&self, name: &str) {
        self.with(|state| state.down.insert(name.to_owned()));
    }

    pub(crate) fn put(&self, x: i32, y: i32) {
        self.with(|state| state.at = (x, y));
    }

    fn effect(&self, line: String, act: impl FnOnce(&mut State)) -> Result<()> {
        let sprung = self.with(|state| {
            let call = state.calls;
            state.calls += 1;
            state.trap.clone().filter(|(at, ..)| *at == call)
        });
        match sprung {
            Some((_, Trap::Refuse, _)) => {
                return Err(Error::Refused { what: "a stub", why: "told to".into() });
            }
            Some((_, Trap::Panic, _)) => panic!("told to"),
            _ => {}
        }
        let stamp = self.with(|state| state.stamp.clone());
        let line = match stamp {
            Some(stamp) => stamp() + &line,
            None => line,
        };
        self.with(|state| {
            state.timeline.push(line);
            act(state);
        });
        match sprung {
            Some((_, Trap::Lose, _)) => Err(Error::Lost { why: "told to".into() }),
            Some((_, Trap::Cancel, cancel)) => {
                cancel.cancel();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn hold(&self, name: &str, direction: Direction) -> Result<()> {
        let verb = if direction == Direction::Press { "down" } else { "up" };
        self.effect(format!("{name} {verb}"), |state| match direction {
            Direction::Press => drop(state.down.insert(name.to_owned())),
            Direction::Release => drop(state.down.remove(name)),
        })
    }

    pub(crate) fn desktop(&self) -> Desktop {
        fn none<T: ?Sized>() -> Slot<T> {
            Err(Unavailable::new("facet", "stub", "not part of it"))
        }
        Desktop {
            session: Session { kind: SessionKind::Fake, name: "stub".into(), is_private: true },
            displays: none(),
            capture: none(),
            pointer: Ok(Arc::new(self.clone())),
            keyboard: Ok(Arc::new(self.clone())),
            listener: none(),
            windows: none(),
            clipboard: none(),
            self_test: none(),
        }
    }
}

impl Pointer for Stub {
    fn position(&self) -> Result<Point<Logical>> {
        Ok(self.with(|state| Point::new(state.at.0, state.at.1)))
    }

    fn move_to(&self, to: Point<Logical>) -> Result<Point<Logical>> {
        if to.x > 1_000_000 {
            let region = crossmacro_model::Rect::new(to.x, to.y, 1, 1);
            return Err(Error::OutOfBounds {
                region,
                desktop: crossmacro_model::Rect::new(0, 0, 1_000_000, 1_000_000),
            });
        }
        self.effect(format!("move {to}"), |state| state.at = (to.x, to.y))?;
        Ok(to)
    }

    fn move_by(&self, dx: i32, dy: i32) -> Result<Point<Logical>> {
        self.effect(format!("move by {dx},{dy}"), |state| {
            state.at = (state.at.0.wrapping_add(dx), state.at.1.wrapping_add(dy));
        })?;
        self.position()
    }

    fn button(&self, button: Button, direction: Direction) -> Result<()> {
        self.hold(button.name(), direction)
    }

    fn scroll(&self, axis: Axis, count: u32) -> Result<()> {
        self.effect(format!("scroll {} {count}", axis.name()), |_| {})
    }

    fn backend(&self) -> &'static str {
        "stub"
    }
}

impl Keyboard for Stub {
    fn key(&self, key: KeyCode, direction: Direction) -> Result<()> {
        self.hold(&format!("key {}", key.0), direction)
    }

    /// A German layout: z and y are swapped, ä has a key, + too.
    fn key_for(&self, character: char) -> Result<Option<KeyCode>> {
        Ok([('z', 21), ('y', 44), ('ä', 40), ('+', 27)]
            .iter()
            .find(|(known, _)| *known == character)
            .map(|(_, code)| KeyCode(*code)))
    }

    fn check_text(&self, _: &str) -> Result<()> {
        Ok(())
    }

    fn type_text(&self, text: &str, pause: Duration, cancel: &Cancel) -> Result<Typed> {
        if let Some(position) = text.find('\u{1f6ab}') {
            return Err(Error::Untypable { positions: vec![position], why: "no key".into() });
        }
        for character in text.chars() {
            if cancel.sleep(pause) {
                return Err(Error::Cancelled);
            }
            self.effect(format!("type {character:?}"), |_| {})?;
        }
        Ok(Typed { characters: text.chars().count(), outside_layout: 0 })
    }

    fn backend(&self) -> &'static str {
        "stub"
    }
}
