//! Events to steps that do the same.

use super::super::diagnostic::{Diagnostic, Diagnostics};
use super::super::document::Macro;
use super::super::event::{Action, Event, Place, RandomDelay, Space};
use crate::limits::{MACRO_STEPS, SCROLL_COUNT};
use crate::run::{Delay, Millis, SourceStep, Value};
use crate::{Axis, Button, Direction, KeyName};
use std::time::Duration;

/// The macro with its events as steps; one that has steps stays as it is.
pub fn to_script(content: &Macro) -> (Macro, Diagnostics) {
    let mut found = Diagnostics::default();
    if !content.script.is_empty() {
        if !content.events.is_empty() {
            found.push(Diagnostic::warning(None, "it has steps already; its events are not made into steps"));
        }
        return (content.clone(), found);
    }
    let mut work = Work { steps: Vec::new(), at: None, last_notch: None };
    for event in content.playable() {
        work.event(&event);
    }
    work.wait(content.trailing_us, content.trailing_random);
    if work.steps.len() as u64 > MACRO_STEPS.value {
        let limit = &MACRO_STEPS;
        let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
        found.push(Diagnostic::error(None, message));
        return (content.clone(), found);
    }
    if !content.text_boundaries.is_empty() {
        let message = "the notes about typed texts are left out: the keys stay keys";
        found.push(Diagnostic::warning(None, message));
    }
    let script = work.steps.into_iter().map(|text| SourceStep { text, line: None }).collect();
    let mut done = Macro { script, events: Vec::new(), comments: Vec::new(), ..content.clone() };
    done.text_boundaries.clear();
    (done.trailing_us, done.trailing_random) = (0, None);
    (done, found)
}

struct Work {
    steps: Vec<String>,
    /// Where a button without a place of its own acts: after the last motion. Relative places are (0,0).
    at: Option<Place>,
    /// The last step, where it turns the wheel: it can take more notches.
    last_notch: Option<(Axis, u64)>,
}

impl Work {
    fn push(&mut self, step: String) {
        self.last_notch = None;
        self.steps.push(step);
    }

    fn event(&mut self, event: &Event) {
        self.wait(event.wait_us, event.random);
        match event.action {
            Action::Move(to) => self.go(to),
            Action::Button { button, direction: Direction::Press, at } => self.button("down", button, at),
            Action::Button { button, direction: Direction::Release, at } => self.button("up", button, at),
            Action::Click { button, at } => self.button("click", button, at),
            Action::Wheel(axis) => self.notch(axis),
            Action::Key { code, direction } => {
                let word = if direction == Direction::Press { "down" } else { "up" };
                self.push(format!("key {word} {}", KeyName::Code(code).spell()));
            }
        }
    }

    fn wait(&mut self, us: u64, random: Option<RandomDelay>) {
        if us > 0 {
            self.push(Delay::Fixed(Value::Fixed(Duration::from_micros(us))).to_string());
        }
        if let Some(RandomDelay { min_ms, max_ms }) = random {
            let (min, max) = (Value::Fixed(Millis(min_ms)), Value::Fixed(Millis(max_ms)));
            self.push(Delay::Random { min, max }.to_string());
        }
    }

    fn go(&mut self, to: Place) {
        let mode = match to.space {
            Space::Absolute => "abs",
            Space::RelativeLogical => "rel-logical",
            _ => "rel",
        };
        self.push(format!("move {mode} {} {}", to.x, to.y));
        self.at = Some(if to.space == Space::Absolute { to } else { Place { x: 0, y: 0, ..to } });
    }

    fn button(&mut self, word: &str, button: Button, at: Place) {
        if at.space == Space::Current {
            return self.push(format!("{word} current {button}"));
        }
        let is_distance = at.space != Space::Absolute;
        if is_distance && (at.x, at.y) == (0, 0) {
            // Nowhere else than where the pointer is.
            let current = if self.at == Some(at) { "" } else { "current " };
            return self.push(format!("{word} {current}{button}"));
        }
        if is_distance || self.at != Some(at) {
            self.go(at);
        }
        self.push(format!("{word} {button}"));
    }

    fn notch(&mut self, axis: Axis) {
        if let Some((same, count)) =
            self.last_notch.filter(|(last, count)| *last == axis && *count < SCROLL_COUNT.value)
        {
            self.steps.pop();
            self.push(format!("scroll {} {}", same.name(), count + 1));
            self.last_notch = Some((axis, count + 1));
        } else {
            self.push(format!("scroll {}", axis.name()));
            self.last_notch = Some((axis, 1));
        }
    }
}
