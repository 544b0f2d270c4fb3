//! Carrying out the single steps: one function a kind, and one line each in the match.

use super::{Anchor, Interpreter};
use crate::random;
use crossmacro_model::run::{
    Assign, Change, Delay, Key, MousePosition, Move, MoveMode, Press, PressKind, Scroll, Step, Tap, Type,
};
use crossmacro_model::{Chord, Code, Direction, Fault, KeyCode, Point};
use std::time::Duration;

impl Interpreter<'_> {
    /// Carries out one step.
    pub(super) fn perform(&mut self, step: &Step) -> Result<(), Fault> {
        match step {
            Step::Move(step) => self.do_move(step),
            Step::Press(step) => self.do_press(step),
            Step::Scroll(step) => self.do_scroll(step),
            Step::Key(step) => self.do_key(step),
            Step::Tap(step) => self.do_tap(step),
            Step::Type(step) => self.do_type(step),
            Step::Delay(step) => self.do_delay(step),
            Step::MousePosition(step) => self.do_mouse_position(step),
            Step::PixelColor(step) => self.do_pixel_color(step),
            Step::WaitColor(step) => self.do_wait_color(step),
            Step::PixelSearch(step) => self.do_pixel_search(step),
            Step::ImageSearch(step) => self.do_image_search(step),
            Step::WaitImage(step) => self.do_wait_image(step),
            Step::ImageClick(step) => self.do_image_click(step),
            Step::Clipboard(step) => self.do_clipboard(step),
            Step::Window(step) => self.do_window(step),
            Step::Assign(step) => self.do_assign(step),
            Step::Change(step) => self.do_change(step),
        }
    }

    fn do_move(&mut self, step: &Move) -> Result<(), Fault> {
        let x = step.x.get(&self.variables)?;
        let y = step.y.get(&self.variables)?;
        match step.mode {
            MoveMode::Absolute => self.hands.move_to(Point::new(x, y))?,
            MoveMode::RelativeRaw => self.hands.move_by(x, y)?,
            MoveMode::RelativeLogical => self.hands.move_logically(x, y)?,
        }
        self.anchor = match step.mode {
            MoveMode::Absolute => Anchor::At(Point::new(x, y)),
            MoveMode::RelativeRaw | MoveMode::RelativeLogical => Anchor::Live,
        };
        self.tally.moved(step.mode);
        self.tally.event(1);
        Ok(())
    }

    /// After an absolute move, buttons act at its place, even if something moved the pointer meanwhile.
    fn assert_anchor(&mut self) -> Result<(), Fault> {
        let Anchor::At(point) = self.anchor else { return Ok(()) };
        match self.hands.position()? {
            Some(position) if position != point => self.hands.move_to(point),
            _ => Ok(()),
        }
    }

    fn do_press(&mut self, step: &Press) -> Result<(), Fault> {
        let button = step.button.get(&self.variables)?;
        if !step.at_current {
            self.assert_anchor()?;
        }
        if step.kind != PressKind::Up {
            self.hands.button(button, Direction::Press)?;
        }
        if step.kind != PressKind::Down {
            self.hands.button(button, Direction::Release)?;
        }
        self.tally.event(1);
        Ok(())
    }

    fn do_scroll(&mut self, step: &Scroll) -> Result<(), Fault> {
        let axis = step.axis.get(&self.variables)?;
        let count = step.count.get(&self.variables)?.0;
        self.hands.scroll(axis, count)?;
        self.tally.event(count.into());
        Ok(())
    }

    fn do_key(&mut self, step: &Key) -> Result<(), Fault> {
        let direction = step.direction.get(&self.variables)?;
        let key = self.hands.resolve(step.key.get(&self.variables)?)?;
        self.send_key(key, direction)
    }

    fn send_key(&mut self, key: KeyCode, direction: Direction) -> Result<(), Fault> {
        self.hands.key(key, direction)?;
        self.tally.event(1);
        Ok(())
    }

    pub(super) fn do_tap(&mut self, step: &Tap) -> Result<(), Fault> {
        let Chord { mut modifiers, key } = step.chord.get(&self.variables)?;
        let key = self.hands.resolve(key)?;
        // A modifier that an earlier step put down is down already, and stays so.
        modifiers.retain(|modifier| !self.hands.holds(*modifier));
        for modifier in &modifiers {
            self.send_key(*modifier, Direction::Press)?;
        }
        self.send_key(key, Direction::Press)?;
        self.send_key(key, Direction::Release)?;
        modifiers.iter().rev().try_for_each(|modifier| self.send_key(*modifier, Direction::Release))
    }

    fn do_type(&mut self, step: &Type) -> Result<(), Fault> {
        let text = step.text.expand(&self.variables).map_err(|_| {
            // What follows a dollar sign in a text may be a part of a password.
            Fault::new(
                Code::RuntimeError,
                "a variable in this text is not set, or the text is too long with it",
            )
        })?;
        if text.is_empty() {
            return Ok(());
        }
        self.hands.type_text(&text, self.schedule.scaled(self.options.key_delay), &self.cancel)?;
        self.schedule.resume();
        let characters = text.replace("\r\n", "\n").chars().count();
        self.tally.event(2 * u64::try_from(characters).unwrap_or(u64::MAX / 2));
        let pauses = u32::try_from(characters.saturating_sub(1)).unwrap_or(u32::MAX);
        self.tally.within(self.options.key_delay.saturating_mul(pauses));
        Ok(())
    }

    fn do_delay(&mut self, step: &Delay) -> Result<(), Fault> {
        let (min, max) = step.range(&self.variables)?;
        let time = if self.hands.is_rehearsal() { min } else { random_between(min, max) };
        self.tally.wait(step, time, (min, max));
        if !self.hands.is_rehearsal() && self.schedule.wait(time, &self.cancel) {
            return self.go_on();
        }
        Ok(())
    }

    fn do_mouse_position(&mut self, step: &MousePosition) -> Result<(), Fault> {
        let position = self.hands.position()?;
        if position.is_none() {
            self.estimate();
        }
        let position = position.unwrap_or(Point::new(0, 0));
        self.tally.has_acted = true;
        self.variables.set(&step.x, position.x.to_string())?;
        self.variables.set(&step.y, position.y.to_string()).map_err(Fault::from)
    }

    /// From here on, a rehearsal can only guess.
    pub(super) fn estimate(&mut self) {
        if !std::mem::replace(&mut self.is_estimate, true) {
            let warning =
                "This script reads the desktop; what follows from that is an estimate in a dry run.";
            self.tally.warnings.push(warning.to_owned());
        }
    }

    fn do_assign(&mut self, step: &Assign) -> Result<(), Fault> {
        let value = step.evaluate(&self.variables)?;
        self.variables.set(&step.name, value).map_err(Fault::from)
    }

    fn do_change(&mut self, step: &Change) -> Result<(), Fault> {
        let value = step.evaluate(&self.variables)?;
        self.variables.set(&step.name, value.to_string()).map_err(Fault::from)
    }
}

fn random_between(min: Duration, max: Duration) -> Duration {
    if min == max { min } else { random::between(min, max) }
}
