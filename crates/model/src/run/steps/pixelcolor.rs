//! `pixelcolor X Y [VAR]`, `pixelcolor rel DX DY [VAR]`.

use super::{StepKind, Use, is_variable};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::Value;
use crate::run::words::Line;
use std::fmt;

/// Reads the colour of a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelColor {
    /// Whether the place counts from the pointer.
    pub is_relative: bool,
    /// Distance to the right.
    pub x: Value<i32>,
    /// Distance down.
    pub y: Value<i32>,
    /// Gets the colour, `RRGGBB` in capitals.
    pub color: Option<Name>,
}

impl StepKind for PixelColor {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let is_relative = line.words().first().is_some_and(|word| word.is("rel"));
        let (x, y, color) = match &line.words()[usize::from(is_relative)..] {
            [x, y] => (*x, *y, None),
            [x, y, color] => (*x, *y, Some(Name::output(*color)?)),
            _ => {
                return Err(line.unlike(3 + usize::from(is_relative), "pixelcolor [rel] X Y [VAR]"));
            }
        };
        Ok(Self { is_relative, x: Value::parse(x)?, y: Value::parse(y)?, color })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.x.names().chain(self.y.names()).for_each(|name| seen(Use::Read, name));
        self.color.iter().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        let fixed = if words.first().is_some_and(|word| word.eq_ignore_ascii_case("rel")) { 3 } else { 2 };
        fixed + usize::from(words.get(fixed).is_some_and(|word| is_variable(word)))
    }
}

impl fmt::Display for PixelColor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.is_relative { "rel " } else { "" };
        write!(out, "pixelcolor {mode}{} {}", self.x, self.y)?;
        self.color.iter().try_for_each(|name| write!(out, " {name}"))
    }
}
