//! `scroll up|down|left|right [COUNT]`.

use super::{StepKind, Use, is_number};
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::{Notches, Value};
use crate::run::words::Line;
use crate::{Axis, Capability};
use std::fmt;

/// Turns the wheel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scroll {
    /// The direction.
    pub axis: Value<Axis>,
    /// How many notches.
    pub count: Value<Notches>,
}

impl StepKind for Scroll {
    const NEEDS: &'static [Capability] = &[Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let (axis, count) = match line.words() {
            [axis] => (*axis, Value::Fixed(Notches(1))),
            [axis, count] => (*axis, Value::parse(*count)?),
            _ => return Err(line.unlike(2, "scroll up|down|left|right [COUNT]")),
        };
        Ok(Self { axis: Value::parse(axis)?, count })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.axis.names().chain(self.count.names()).for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        if words.get(1).is_some_and(|word| is_number(word)) { 2 } else { 1 }
    }
}

impl fmt::Display for Scroll {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            Value::Fixed(Notches(1)) => write!(out, "scroll {}", self.axis),
            _ => write!(out, "scroll {} {}", self.axis, self.count),
        }
    }
}
