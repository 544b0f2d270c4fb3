//! `tap CHORD`.

use super::{StepKind, Use};
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::Value;
use crate::run::words::Line;
use crate::{Capability, Chord};
use std::fmt;

/// Taps a chord: modifiers down in order, the key down and up, modifiers up in reverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tap {
    /// The chord.
    pub chord: Value<Chord>,
}

impl StepKind for Tap {
    const NEEDS: &'static [Capability] = &[Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        if line.words().is_empty() {
            return Err(line.unlike(1, "tap KEY or tap MODIFIER+KEY"));
        }
        Ok(Self { chord: Value::parse(line.rest())? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.chord.names().for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, _: &[String]) -> usize {
        1
    }
}

impl fmt::Display for Tap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "tap {}", self.chord)
    }
}
