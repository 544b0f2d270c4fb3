//! `move abs X Y`, `move rel DX DY`, `move rel-logical DX DY`, `move rel-raw DX DY`.

use super::{StepKind, Use};
use crate::Capability;
use crate::nearest::nearest;
use crate::run::diagnostic::{Trouble, quoted};
use crate::run::name::Name;
use crate::run::value::Value;
use crate::run::words::{Line, Word};
use std::fmt;

/// What the two numbers of a move mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveMode {
    /// A place on the logical desktop.
    Absolute,
    /// A distance in logical units.
    RelativeLogical,
    /// A distance in units of the device, as a mouse reports them.
    RelativeRaw,
}

const MODES: &[(&str, MoveMode)] = &[
    ("abs", MoveMode::Absolute),
    ("rel-logical", MoveMode::RelativeLogical),
    ("rel", MoveMode::RelativeRaw),
    ("absolute", MoveMode::Absolute),
    ("relative-logical", MoveMode::RelativeLogical),
    ("rel-raw", MoveMode::RelativeRaw),
    ("relative", MoveMode::RelativeRaw),
    ("relative-raw", MoveMode::RelativeRaw),
];

impl MoveMode {
    fn parse(word: Word<'_>) -> Result<Self, Trouble> {
        let known = MODES.iter().find(|(name, _)| word.is(name));
        known.map(|(_, mode)| *mode).ok_or_else(|| {
            let wanted = "expected abs, rel, rel-logical or rel-raw";
            let names = MODES.iter().map(|(name, _)| *name);
            Trouble::new(word.at, format!("{wanted}, found {}", quoted(word.text)))
                .nearest(nearest(word.text, names))
        })
    }

    /// The word that is written for it.
    pub fn word(self) -> &'static str {
        MODES.iter().find(|(_, mode)| *mode == self).map_or("abs", |(name, _)| name)
    }
}

/// Moves the pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What the numbers mean.
    pub mode: MoveMode,
    /// To the right.
    pub x: Value<i32>,
    /// Down.
    pub y: Value<i32>,
}

impl StepKind for Move {
    const NEEDS: &'static [Capability] = &[Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let [mode, x, y] = line.exactly("move abs|rel|rel-logical|rel-raw X Y")?;
        Ok(Self { mode: MoveMode::parse(mode)?, x: Value::parse(x)?, y: Value::parse(y)? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.x.names().chain(self.y.names()).for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, _: &[String]) -> usize {
        3
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "move {} {} {}", self.mode.word(), self.x, self.y)
    }
}
