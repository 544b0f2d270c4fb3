//! `mouse position XVAR YVAR`.

use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::{Trouble, quoted};
use crate::run::name::Name;
use crate::run::words::Line;
use std::fmt;

/// Reads where the pointer is into two variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MousePosition {
    /// Gets the distance to the right of the origin.
    pub x: Name,
    /// Gets the distance below the origin.
    pub y: Name,
}

impl StepKind for MousePosition {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let wanted = "mouse position XVAR YVAR";
        let [position, x_word, y_word] = line.exactly(wanted)?;
        if !position.is("position") {
            let message = format!("expected {wanted}, found {}", quoted(position.text));
            return Err(Trouble::new(position.at, message));
        }
        // Here, as in the other steps that fill variables, the $ may be written.
        let name = |word: &str| Name::parse(word.strip_prefix('$').unwrap_or(word));
        let x = name(x_word.text).map_err(|trouble| trouble.moved(x_word.at))?;
        let y = name(y_word.text).map_err(|trouble| trouble.moved(y_word.at))?;
        if x.key() == y.key() {
            return Err(Trouble::new(y_word.at, "the two variables must be different"));
        }
        Ok(Self { x, y })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        seen(Use::Write, &self.x);
        seen(Use::Write, &self.y);
    }

    fn arity(_: &str, _: &[String]) -> usize {
        3
    }
}

impl fmt::Display for MousePosition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "mouse position {} {}", self.x, self.y)
    }
}
