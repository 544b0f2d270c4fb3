//! `waitcolor X Y COLOR [TIMEOUT_MS] [VAR]`.

use super::{StepKind, Use, is_number, is_variable};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::{Millis, Rgb, Value};
use crate::run::words::Line;
use std::fmt;

/// Waits until a pixel has a colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitColor {
    /// Distance to the right of the origin.
    pub x: Value<i32>,
    /// Distance below the origin.
    pub y: Value<i32>,
    /// The colour, exactly.
    pub color: Value<Rgb>,
    /// How long to wait; five seconds unless given.
    pub timeout: Option<Value<Millis>>,
    /// Gets `true` or `false`; without it, a wait in vain is a failure.
    pub found: Option<Name>,
}

impl StepKind for WaitColor {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let [x, y, color, more @ ..] = line.words() else {
            return Err(line.unlike(5, "waitcolor X Y COLOR [TIMEOUT_MS] [VAR]"));
        };
        let (timeout, found) = match more {
            [] => (None, None),
            [timeout] if is_number(timeout.text) => (Some(*timeout), None),
            [found] => (None, Some(*found)),
            [timeout, found] => (Some(*timeout), Some(*found)),
            _ => return Err(line.unlike(5, "waitcolor X Y COLOR [TIMEOUT_MS] [VAR]")),
        };
        Ok(Self {
            x: Value::parse(*x)?,
            y: Value::parse(*y)?,
            color: Value::parse(*color)?,
            timeout: timeout.map(Value::parse).transpose()?,
            found: found.map(Name::output).transpose()?,
        })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        let reads = self.x.names().chain(self.y.names()).chain(self.color.names());
        reads.chain(self.timeout.iter().flat_map(Value::names)).for_each(|name| seen(Use::Read, name));
        self.found.iter().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        let fixed = 3 + usize::from(words.get(3).is_some_and(|word| is_number(word)));
        fixed + usize::from(words.get(fixed).is_some_and(|word| is_variable(word)))
    }
}

impl fmt::Display for WaitColor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "waitcolor {} {} {}", self.x, self.y, self.color)?;
        self.timeout.iter().try_for_each(|timeout| write!(out, " {timeout}"))?;
        self.found.iter().try_for_each(|name| write!(out, " {name}"))
    }
}
