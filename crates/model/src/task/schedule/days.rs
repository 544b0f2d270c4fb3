//! A set of days of the week.

use super::words::WordError;
use crate::nearest::nearest;
use jiff::civil::Weekday;
use serde::de::{Deserializer, Error, Visitor};
use std::fmt;

/// Days of the week: Monday is bit 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Days(u8);

const NAMES: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const GROUPS: &[(&str, Days)] = &[
    ("weekdays", Days::WEEKDAYS),
    ("weekends", Days::WEEKENDS),
    ("everyday", Days::EVERY),
    ("daily", Days::EVERY),
    ("all", Days::EVERY),
];

impl Days {
    /// None.
    pub const NONE: Self = Self(0);
    /// Monday to Friday.
    pub const WEEKDAYS: Self = Self(31);
    /// Saturday and Sunday.
    pub const WEEKENDS: Self = Self(96);
    /// All.
    pub const EVERY: Self = Self(127);

    /// The set of these bits; `None` where one is no day.
    pub const fn from_bits(bits: u64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        if bits < 128 { Some(Self(bits as u8)) } else { None }
    }

    /// The bits, as files have them.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a day is in it.
    pub fn contains(self, day: Weekday) -> bool {
        let bit = u8::try_from(day.to_monday_zero_offset()).unwrap_or(0);
        self.0 & (1 << bit) != 0
    }

    /// Reads names separated by commas, in any case: `mon`, `monday`, `weekdays`, `weekends`, `everyday`, `daily`,
    /// `all`.
    ///
    /// # Errors
    /// [`WordError`] names the word that is none.
    pub fn parse(text: &str) -> Result<Self, WordError> {
        let mut days = Self::NONE;
        for word in text.split(',').map(str::trim) {
            days.0 |= Self::word(word)?.0;
        }
        Ok(days)
    }

    fn word(word: &str) -> Result<Self, WordError> {
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        let group = GROUPS.iter().find(|(name, _)| is(name)).map(|(_, days)| *days);
        let day = || NAMES.iter().position(|name| is(name) || is(&name[..3])).map(|index| Self(1 << index));
        group.or_else(day).ok_or_else(|| WordError::Day {
            word: word.chars().take(32).collect(),
            nearest: nearest(word, NAMES.into_iter().chain(GROUPS.iter().map(|(name, _)| *name))),
        })
    }
}

impl fmt::Display for Days {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => out.write_str("None"),
            Self::WEEKDAYS => out.write_str("Weekdays"),
            Self::WEEKENDS => out.write_str("Weekends"),
            Self::EVERY => out.write_str("EveryDay"),
            Self(bits) => {
                let chosen = NAMES.iter().enumerate().filter(|(index, _)| bits & (1 << index) != 0);
                out.write_str(&chosen.map(|(_, name)| *name).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl<'de> serde::Deserialize<'de> for Days {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BitsOrNames)
    }
}

struct BitsOrNames;

impl Visitor<'_> for BitsOrNames {
    type Value = Days;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("names of days, or a number below 128")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Days, E> {
        if text.trim().eq_ignore_ascii_case("none") {
            return Ok(Days::NONE);
        }
        Days::parse(text).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, bits: u64) -> Result<Days, E> {
        Days::from_bits(bits).ok_or_else(|| E::custom("there are only seven days"))
    }
}
