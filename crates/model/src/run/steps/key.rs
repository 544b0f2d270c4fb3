//! `key down KEY`, `key up KEY`.

use super::{StepKind, Use};
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::Value;
use crate::run::words::Line;
use crate::{Capability, Direction, KeyName};
use std::fmt;

/// Presses or releases a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Down or up.
    pub direction: Value<Direction>,
    /// The key.
    pub key: Value<KeyName>,
}

impl StepKind for Key {
    const NEEDS: &'static [Capability] = &[Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let [direction, key] = line.exactly("key down|up KEY")?;
        Ok(Self { direction: Value::parse(direction)?, key: Value::parse(key)? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.direction.names().chain(self.key.names()).for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, _: &[String]) -> usize {
        2
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "key {} {}", self.direction, self.key)
    }
}
