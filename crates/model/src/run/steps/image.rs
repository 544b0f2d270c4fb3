//! The part of `imagesearch`, `waitimage` and `imageclick` that is the same: where to look, for what, and how
//! alike it must be.

use super::seen::{Options, SeenAt, Wording};
use crate::run::diagnostic::{Trouble, quoted};
use crate::run::name::Name;
use crate::run::value::{MatchMode, Similarity, Value};
use crate::run::variables::Variables;
use crate::run::words::{Line, Word};
use crate::{Logical, Rect};
use std::fmt;

/// A part of the desktop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Region {
    /// The top left corner and the one at the bottom right, which is exclusive: x, y, x, y.
    Corners([Value<i32>; 4]),
    /// Left, top, width, height.
    Sized([Value<i32>; 4]),
}

impl Region {
    /// The rectangle, with the variables as they are now.
    ///
    /// # Errors
    /// [`Trouble`] as [`Value::get`], and for a rectangle without a pixel.
    pub fn get(&self, variables: &Variables) -> Result<Rect<Logical>, Trouble> {
        let [a, b, c, d] = self.values();
        let [x, y, c, d] = [a.get(variables)?, b.get(variables)?, c.get(variables)?, d.get(variables)?];
        let (width, height) = match self {
            Self::Sized(_) => (i64::from(c), i64::from(d)),
            Self::Corners(_) => (i64::from(c) - i64::from(x), i64::from(d) - i64::from(y)),
        };
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) if width > 0 && height > 0 => Ok(Rect::new(x, y, width, height)),
            _ => Err(Trouble::new(0, EMPTY)),
        }
    }

    pub(super) fn values(&self) -> &[Value<i32>; 4] {
        match self {
            Self::Corners(values) | Self::Sized(values) => values,
        }
    }
}

/// Which picture, where, and how alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where to look; everywhere unless given.
    pub region: Option<Region>,
    /// Name of the picture among those given to the run. Its case counts.
    pub asset: String,
    /// The variables that are filled.
    pub at: SeenAt,
    /// Least similarity; 0.95 unless given.
    pub similarity: Option<Value<Similarity>>,
    /// How to choose among places; auto unless given.
    pub mode: Option<Value<MatchMode>>,
}

impl Target {
    /// Reads it, and the options that are the step's own.
    pub(super) fn parse<'a>(line: &Line<'a>, wording: &Wording) -> Result<(Self, Options<'a>), Trouble> {
        let (region, rest) = region(line, wording)?;
        let Some((asset, rest)) = rest.split_first() else {
            return Err(line.unlike(usize::MAX, wording.usage));
        };
        if Name::parse(asset.text).is_err() {
            let wanted = "expected the name of a picture (a letter or _, then letters, digits and _)";
            return Err(Trouble::new(asset.at, format!("{wanted}, found {}", quoted(asset.text))));
        }
        let (variables, options) = wording.split(rest);
        let options = Options::parse(options, wording)?;
        let target = Self {
            region,
            asset: asset.text.to_owned(),
            at: SeenAt::parse(variables, false, wording)?,
            similarity: options.get("similarity")?,
            mode: options.get("matchmode")?,
        };
        Ok((target, options))
    }

    pub(super) fn reads(&self) -> impl Iterator<Item = &Name> {
        let region = self.region.iter().flat_map(|region| region.values().iter().flat_map(Value::names));
        let similarity = self.similarity.iter().flat_map(Value::names);
        region.chain(similarity).chain(self.mode.iter().flat_map(Value::names))
    }

    /// How many words of the positional form belong to such a step.
    pub(super) fn arity(words: &[String], wording: &Wording) -> usize {
        let first = words.first().map_or("", String::as_str);
        let after_region = words.get(1).is_some_and(|word| super::is_number(word));
        let region = match first {
            word if word.eq_ignore_ascii_case("region") && after_region => 5,
            word if super::is_number(word) => 4,
            _ => 0,
        };
        region + 1 + wording.arity(words.get(region + 1..).unwrap_or_default())
    }
}

const EMPTY: &str = "the region is empty: its width and height must be at least 1";

type Rest<'a, 'b> = &'b [Word<'a>];

fn region<'a, 'b>(line: &'b Line<'a>, wording: &Wording) -> Result<(Option<Region>, Rest<'a, 'b>), Trouble> {
    let words = line.words();
    let is_number = |index: usize| words.get(index).is_some_and(|word| super::is_number(word.text));
    let (is_sized, start) = match words.first() {
        // A picture may have that name.
        Some(word) if word.is("region") && is_number(1) => (true, 1),
        Some(_) if is_number(0) => (false, 0),
        _ => return Ok((None, words)),
    };
    let Some(numbers) = words.get(start..start + 4) else {
        return Err(line.unlike(usize::MAX, wording.usage));
    };
    let read = |index: usize| Value::<i32>::parse(numbers[index]);
    let values = [read(0)?, read(1)?, read(2)?, read(3)?];
    let fixed = |index: usize| values[index].fixed().copied();
    let region = if is_sized { Region::Sized(values.clone()) } else { Region::Corners(values.clone()) };
    let is_empty = |start: Option<i32>, end: Option<i32>| match (is_sized, start, end) {
        (true, _, Some(extent)) => extent <= 0,
        (false, Some(start), Some(end)) => start >= end,
        _ => false,
    };
    if is_empty(fixed(0), fixed(2)) || is_empty(fixed(1), fixed(3)) {
        return Err(Trouble::new(numbers[2].at, EMPTY));
    }
    Ok((Some(region), &words[start + 4..]))
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(region) = &self.region {
            if matches!(region, Region::Sized(_)) {
                write!(out, " region")?;
            }
            region.values().iter().try_for_each(|value| write!(out, " {value}"))?;
        }
        write!(out, " {}{}", self.asset, self.at)?;
        self.similarity.iter().try_for_each(|similarity| write!(out, " similarity {similarity}"))?;
        self.mode.iter().try_for_each(|mode| write!(out, " matchmode {mode}"))
    }
}
