//! `pixelsearch X1 Y1 X2 Y2 COLOR [FOUND XVAR YVAR | XVAR YVAR] [timeout MS] [tolerance 0..255]`.

use super::seen::{Options, SeenAt, Wording};
use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::{Millis, Rgb, Tolerance, Value};
use crate::run::words::Line;
use std::fmt;

/// Finds the first pixel of a colour, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelSearch {
    /// Two opposite corners, right and bottom exclusive: x, y, x, y.
    pub corners: [Value<i32>; 4],
    /// The colour.
    pub color: Value<Rgb>,
    /// The variables that are filled.
    pub at: SeenAt,
    /// How long to look again; five seconds unless given.
    pub timeout: Option<Value<Millis>>,
    /// Largest difference accepted in each of red, green and blue; none unless given.
    pub tolerance: Option<Value<Tolerance>>,
}

const WORDING: Wording = Wording {
    options: &["timeout", "tolerance"],
    usage: "pixelsearch X1 Y1 X2 Y2 COLOR [FOUND XVAR YVAR | XVAR YVAR] [timeout MS] [tolerance 0..255]",
};

impl StepKind for PixelSearch {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let [x1, y1, x2, y2, color, more @ ..] = line.words() else {
            return Err(line.unlike(5, WORDING.usage));
        };
        let (variables, options) = WORDING.split(more);
        let options = Options::parse(options, &WORDING)?;
        Ok(Self {
            corners: [Value::parse(*x1)?, Value::parse(*y1)?, Value::parse(*x2)?, Value::parse(*y2)?],
            color: Value::parse(*color)?,
            at: SeenAt::parse(variables, true, &WORDING)?,
            timeout: options.get("timeout")?,
            tolerance: options.get("tolerance")?,
        })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        let reads = self.corners.iter().flat_map(Value::names).chain(self.color.names());
        let options = self.timeout.iter().flat_map(Value::names);
        let more = self.tolerance.iter().flat_map(Value::names);
        reads.chain(options).chain(more).for_each(|name| seen(Use::Read, name));
        self.at.names().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        5 + WORDING.arity(words.get(5..).unwrap_or_default())
    }
}

impl fmt::Display for PixelSearch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x1, y1, x2, y2] = &self.corners;
        write!(out, "pixelsearch {x1} {y1} {x2} {y2} {}{}", self.color, self.at)?;
        self.timeout.iter().try_for_each(|timeout| write!(out, " timeout {timeout}"))?;
        self.tolerance.iter().try_for_each(|tolerance| write!(out, " tolerance {tolerance}"))
    }
}
