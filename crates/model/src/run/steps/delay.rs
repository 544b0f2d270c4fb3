//! `delay TIME`, `delay random MIN MAX`, `delay random MIN..MAX`.

use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::{Millis, Value};
use crate::run::variables::Variables;
use crate::run::words::{Line, Word};
use std::fmt;
use std::time::Duration;

/// Waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delay {
    /// For a time.
    Fixed(Value<Duration>),
    /// For a time between two, both included.
    Random {
        /// The least.
        min: Value<Millis>,
        /// The most.
        max: Value<Millis>,
    },
}

impl Delay {
    /// The least and the most time, with the variables as they are now; equal for a fixed delay.
    ///
    /// # Errors
    /// [`Trouble`] as [`Value::get`], and when the least is more than the most.
    pub fn range(&self, variables: &Variables) -> Result<(Duration, Duration), Trouble> {
        match self {
            Self::Fixed(time) => time.get(variables).map(|time| (time, time)),
            Self::Random { min, max } => {
                let (min, max) = (min.get(variables)?, max.get(variables)?);
                in_order(min, max)?;
                Ok((Duration::from_millis(min.0.into()), Duration::from_millis(max.0.into())))
            }
        }
    }

    /// Whether it differs from run to run.
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Random { .. })
    }
}

fn in_order(min: Millis, max: Millis) -> Result<(), Trouble> {
    if min <= max { Ok(()) } else { Err(Trouble::new(0, "the least delay is more than the most")) }
}

fn bounds<'a>(line: &Line<'a>) -> Result<(Word<'a>, Word<'a>), Trouble> {
    match line.words() {
        [_, min, max] => Ok((*min, *max)),
        [_, both] if both.text.contains("..") => {
            let (min, max) = both.text.split_once("..").unwrap_or_default();
            Ok((Word { text: min, at: both.at }, Word { text: max, at: both.at + min.len() + 2 }))
        }
        _ => Err(line.unlike(3, "delay random MIN MAX or delay random MIN..MAX")),
    }
}

impl StepKind for Delay {
    const NEEDS: &'static [Capability] = &[];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        match line.words() {
            [random, ..] if random.is("random") => {
                let (min_word, max_word) = bounds(line)?;
                let (min, max) = (Value::parse(min_word)?, Value::parse(max_word)?);
                if let (Value::Fixed(min), Value::Fixed(max)) = (&min, &max) {
                    in_order(*min, *max).map_err(|trouble| trouble.moved(min_word.at))?;
                }
                Ok(Self::Random { min, max })
            }
            [_] | [_, _] => Value::parse(line.rest()).map(Self::Fixed),
            _ => Err(line.unlike(2, "delay TIME (in ms, or with the unit ms or us)")),
        }
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        match self {
            Self::Fixed(time) => time.names().for_each(|name| seen(Use::Read, name)),
            Self::Random { min, max } => {
                min.names().chain(max.names()).for_each(|name| seen(Use::Read, name));
            }
        }
    }

    fn arity(_: &str, words: &[String]) -> usize {
        match words {
            [random, first, ..] if random.eq_ignore_ascii_case("random") => {
                if first.contains("..") {
                    2
                } else {
                    3
                }
            }
            _ => 1,
        }
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(time) => write!(out, "delay {time}"),
            Self::Random { min, max } => write!(out, "delay random {min} {max}"),
        }
    }
}
