//! Pointer and keyboard of the simulation.

use super::{FakeDesktop, State};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::facets::keyboard::{Keyboard, Typed};
use crate::facets::pointer::Pointer;
use crossmacro_model::{Axis, Button, Direction, KeyCode, Logical, Point};
use std::time::Duration;

/// Evdev codes of the letters a to z on a US keyboard.
const LETTERS: [u16; 26] =
    [30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21, 44];

impl Pointer for FakeDesktop {
    fn position(&self) -> Result<Point<Logical>> {
        Ok(self.enter()?.pointer)
    }

    fn move_to(&self, to: Point<Logical>) -> Result<Point<Logical>> {
        let mut state = self.enter()?;
        if state.layout.at(to).is_none() {
            let region = crossmacro_model::Rect::new(to.x, to.y, 1, 1);
            return Err(Error::OutOfBounds { region, desktop: state.layout.bounds() });
        }
        state.pointer = to;
        state.note(format!("move {to}"));
        Ok(to)
    }

    fn move_by(&self, dx: i32, dy: i32) -> Result<Point<Logical>> {
        let mut state = self.enter()?;
        let desktop = state.layout.bounds();
        let stop = |at: i32, by: i32, edge: i32, end: i64| {
            i64::from(at).saturating_add(by.into()).clamp(edge.into(), (end - 1).max(edge.into()))
        };
        let x = stop(state.pointer.x, dx, desktop.x, desktop.right());
        let y = stop(state.pointer.y, dy, desktop.y, desktop.bottom());
        state.pointer = Point::new(i32::try_from(x).unwrap_or(0), i32::try_from(y).unwrap_or(0));
        state.note(format!("move by {dx},{dy}"));
        Ok(state.pointer)
    }

    fn button(&self, button: Button, direction: Direction) -> Result<()> {
        let mut state = self.enter()?;
        let word = match direction {
            Direction::Press => {
                state.buttons.insert(button);
                "press"
            }
            Direction::Release => {
                state.buttons.remove(&button);
                "release"
            }
        };
        let at = state.pointer;
        state.note(format!("{word} {button} at {at}"));
        if direction == Direction::Press {
            focus_under_pointer(&mut state);
        }
        Ok(())
    }

    fn scroll(&self, axis: Axis, count: u32) -> Result<()> {
        self.enter()?.note(format!("scroll {} {count}", axis.name()));
        Ok(())
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

fn focus_under_pointer(state: &mut State) {
    let at = state.pointer;
    let under =
        state.windows.iter().rposition(|window| !window.window.is_hidden && window.window.frame.contains(at));
    if let Some(index) = under {
        let window = state.windows.remove(index);
        state.focus = Some(window.window.id);
        state.windows.push(window);
    }
}

impl Keyboard for FakeDesktop {
    fn key(&self, key: KeyCode, direction: Direction) -> Result<()> {
        let mut state = self.enter()?;
        let word = match direction {
            Direction::Press => {
                state.keys.insert(key);
                "down"
            }
            Direction::Release => {
                state.keys.remove(&key);
                "up"
            }
        };
        state.note(format!("key {} {word}", key.0));
        Ok(())
    }

    fn key_for(&self, character: char) -> Result<Option<KeyCode>> {
        drop(self.enter()?);
        let index = u32::from(character).checked_sub(u32::from('a'));
        Ok(index.and_then(|index| LETTERS.get(index as usize)).map(|code| KeyCode(*code)))
    }

    /// Everything can be typed but characters of the private use area.
    fn check_text(&self, text: &str) -> Result<()> {
        drop(self.enter()?);
        let is_private = |character: char| ('\u{e000}'..='\u{f8ff}').contains(&character);
        let positions: Vec<usize> = text
            .chars()
            .enumerate()
            .filter(|(_, character)| is_private(*character))
            .map(|(index, _)| index)
            .collect();
        if positions.is_empty() {
            return Ok(());
        }
        Err(Error::Untypable { positions, why: "the simulated keyboard has no private use area".into() })
    }

    fn type_text(&self, text: &str, pause: Duration, cancel: &Cancel) -> Result<Typed> {
        self.check_text(text)?;
        let mut typed = Typed::default();
        for character in text.chars() {
            if cancel.is_cancelled() || (!pause.is_zero() && cancel.sleep(pause)) {
                return Err(Error::Cancelled);
            }
            let mut state = self.enter()?;
            state.note(format!("type {character:?}"));
            let focus = state.focus;
            if let Some(window) = state.windows.iter_mut().find(|window| Some(window.window.id) == focus) {
                window.text.push(character);
            }
            typed.characters += 1;
            typed.outside_layout += usize::from(!character.is_ascii());
        }
        Ok(typed)
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}
