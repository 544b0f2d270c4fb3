//! `click [current] BUTTON`, `down [current] BUTTON`, `up [current] BUTTON`.

use super::{StepKind, Use};
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::Value;
use crate::run::words::Line;
use crate::{Button, Capability};
use std::fmt;

/// What happens to the button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PressKind {
    /// It goes down and comes up.
    Click,
    /// It goes down.
    Down,
    /// It comes up.
    Up,
}

/// Presses a mouse button, releases it, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// What happens to the button.
    pub kind: PressKind,
    /// Whether it acts wherever the pointer is, even after an absolute move.
    pub at_current: bool,
    /// The button.
    pub button: Value<Button>,
}

impl StepKind for Press {
    const NEEDS: &'static [Capability] = &[Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let kind = match line.keyword {
            keyword if keyword.is("click") => PressKind::Click,
            keyword if keyword.is("down") => PressKind::Down,
            _ => PressKind::Up,
        };
        let (at_current, button) = match line.words() {
            [current, button] if current.is("current") => (true, *button),
            [button] if !button.is("current") => (false, *button),
            words => return Err(line.unlike(words.len().min(2), "[current] left|right|middle|side1|side2")),
        };
        Ok(Self { kind, at_current, button: Value::parse(button)? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.button.names().for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        if words.first().is_some_and(|word| word.eq_ignore_ascii_case("current")) { 2 } else { 1 }
    }
}

impl fmt::Display for Press {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keyword = match self.kind {
            PressKind::Click => "click",
            PressKind::Down => "down",
            PressKind::Up => "up",
        };
        let current = if self.at_current { " current" } else { "" };
        write!(out, "{keyword}{current} {}", self.button)
    }
}
