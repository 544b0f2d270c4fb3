//! Words that are known when the script is read, or only when the step runs because a variable is in them.

mod seen;

use super::diagnostic::{Trouble, quoted};
use super::name::Name;
use super::template::{Template, escape};
use super::variables::Variables;
use super::words::Word;
use crate::chord::ChordError;
use crate::limits::SCROLL_COUNT;
use crate::nearest::nearest;
use crate::{Axis, Button, Chord, Direction, KeyName};
pub use seen::{MainButton, MatchMode, Rgb, Similarity, Tolerance};
use std::fmt;
use std::time::Duration;

/// What can be written as a word.
pub trait Spelling: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// [`Trouble`] saying what is expected. The message does not repeat the text, which may be the value of a
    /// variable.
    fn read(text: &str) -> Result<Self, Trouble>;

    /// The text that is read as this again.
    fn spell(&self) -> String;
}

/// A word with or without variables in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<T> {
    /// Known.
    Fixed(T),
    /// Read when the step runs.
    Later(Template),
}

impl<T: Spelling> Value<T> {
    /// Reads a word of a script.
    pub(crate) fn parse(word: Word<'_>) -> Result<Self, Trouble> {
        let template = Template::parse(word.text).map_err(|trouble| trouble.moved(word.at))?;
        let Some(text) = template.literal() else { return Ok(Self::Later(template)) };
        match T::read(text) {
            Ok(value) => Ok(Self::Fixed(value)),
            Err(mut trouble) => {
                if !text.is_empty() {
                    trouble.message = format!("{}, found {}", trouble.message, quoted(text));
                }
                Err(trouble.moved(word.at))
            }
        }
    }

    /// The value, where it is known without running.
    pub fn fixed(&self) -> Option<&T> {
        match self {
            Self::Fixed(value) => Some(value),
            Self::Later(_) => None,
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        let template = match self {
            Self::Fixed(_) => None,
            Self::Later(template) => Some(template),
        };
        template.into_iter().flat_map(Template::names)
    }
}

impl<T: Spelling + Clone> Value<T> {
    /// The value, with the variables as they are now.
    ///
    /// # Errors
    /// [`Trouble`] for an unknown variable, or one that holds something else than is needed here.
    pub fn get(&self, variables: &Variables) -> Result<T, Trouble> {
        match self {
            Self::Fixed(value) => Ok(value.clone()),
            Self::Later(template) => T::read(template.expand(variables)?.trim()),
        }
    }
}

impl<T: Spelling> fmt::Display for Value<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(value) => out.write_str(&escape(&value.spell())),
            Self::Later(template) => template.fmt(out),
        }
    }
}

/// Whether `text` is a decimal number, of any size.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Spelling for i32 {
    fn read(text: &str) -> Result<Self, Trouble> {
        text.parse().map_err(|_| {
            let wanted =
                if is_decimal(text) { "expected a number within 32 bits" } else { "expected a whole number" };
            Trouble::new(0, wanted)
        })
    }

    fn spell(&self) -> String {
        self.to_string()
    }
}

/// Number of wheel notches: 1 to [`SCROLL_COUNT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notches(pub u32);

impl Spelling for Notches {
    fn read(text: &str) -> Result<Self, Trouble> {
        let count = text.parse().ok().filter(|count| (1..=SCROLL_COUNT.value).contains(&u64::from(*count)));
        count.map(Self).ok_or_else(|| {
            Trouble::new(0, format!("expected a number of notches from 1 to {}", SCROLL_COUNT.value))
        })
    }

    fn spell(&self) -> String {
        self.0.to_string()
    }
}

/// A whole number of milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u32);

impl Spelling for Millis {
    fn read(text: &str) -> Result<Self, Trouble> {
        let value = i32::read(text).ok().and_then(|value| u32::try_from(value).ok());
        value.map(Self).ok_or_else(|| Trouble::new(0, "expected whole milliseconds, 0 or more"))
    }

    fn spell(&self) -> String {
        self.0.to_string()
    }
}

/// A whole number of microseconds; spelled in milliseconds where it is a whole number of those.
impl Spelling for Duration {
    fn read(text: &str) -> Result<Self, Trouble> {
        let wrong =
            || Trouble::new(0, "expected a time such as 250, 2.5ms or 900us (whole microseconds, 0 or more)");
        let length = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = (&text[..length], text[length..].trim_matches([' ', '\t']).to_lowercase());
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        // Digits after the point that are worth a microsecond. U+00B5 and U+03BC are both in use as the sign.
        let places = match unit.as_str() {
            "" | "ms" => 3,
            "us" | "µs" | "μs" => 0,
            _ => return Err(wrong()),
        };
        let fraction_digits = fraction.trim_end_matches('0');
        let has_point_alone = number.contains('.') && fraction.is_empty();
        if whole.is_empty()
            || has_point_alone
            || fraction_digits.contains('.')
            || fraction_digits.len() > places
        {
            return Err(wrong());
        }
        let digits = format!("{whole}{fraction_digits:0<places$}");
        let micros: u64 = digits.parse().map_err(|_| wrong())?;
        Ok(Self::from_micros(micros))
    }

    fn spell(&self) -> String {
        match (self.as_micros(), self.subsec_nanos() % 1_000_000) {
            (micros, 0) => (micros / 1000).to_string(),
            (micros, _) => format!("{micros}us"),
        }
    }
}

/// Spellings of one thing: the first is the one that is written.
fn choose<T: Copy>(text: &str, table: &[(T, &[&str])], what: &str) -> Result<T, Trouble> {
    let is_named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
    table.iter().find(|(_, names)| is_named(names)).map(|(value, _)| *value).ok_or_else(|| {
        let first: Vec<&str> = table.iter().map(|(_, names)| names[0]).collect();
        let all = table.iter().flat_map(|(_, names)| names.iter().copied());
        Trouble::new(0, format!("expected {what} ({})", first.join(", "))).nearest(nearest(text, all))
    })
}

const BUTTONS: &[(Button, &[&str])] = &[
    (Button::Left, &["left", "l"]),
    (Button::Right, &["right", "r"]),
    (Button::Middle, &["middle", "m"]),
    (Button::Side1, &["side1", "side", "back"]),
    (Button::Side2, &["side2", "extra", "forward"]),
];

impl Spelling for Button {
    fn read(text: &str) -> Result<Self, Trouble> {
        choose(text, BUTTONS, "a mouse button")
    }

    fn spell(&self) -> String {
        self.name().to_owned()
    }
}

const AXES: &[(Axis, &[&str])] =
    &[(Axis::Up, &["up"]), (Axis::Down, &["down"]), (Axis::Left, &["left"]), (Axis::Right, &["right"])];

impl Spelling for Axis {
    fn read(text: &str) -> Result<Self, Trouble> {
        choose(text, AXES, "a direction")
    }

    fn spell(&self) -> String {
        self.name().to_owned()
    }
}

impl Spelling for Direction {
    fn read(text: &str) -> Result<Self, Trouble> {
        choose(text, &[(Self::Press, &["down"]), (Self::Release, &["up"])], "what the key does")
    }

    fn spell(&self) -> String {
        match self {
            Self::Press => "down".to_owned(),
            Self::Release => "up".to_owned(),
        }
    }
}

impl Spelling for KeyName {
    fn read(text: &str) -> Result<Self, Trouble> {
        Self::parse(text)
            .map_err(|unknown| Trouble::new(0, "expected the name of a key").nearest(unknown.nearest))
    }

    fn spell(&self) -> String {
        KeyName::spell(*self)
    }
}

impl Spelling for Chord {
    fn read(text: &str) -> Result<Self, Trouble> {
        Self::parse(text).map_err(|error| {
            let trouble = Trouble::new(error.at(), error.to_string());
            match error {
                ChordError::Unknown { source, .. } => trouble.nearest(source.nearest),
                ChordError::Empty { .. } | ChordError::NoMainKey | ChordError::SecondMainKey { .. } => {
                    trouble
                }
            }
        })
    }

    fn spell(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_whole_microseconds() {
        let micros = |text| Duration::read(text).ok().map(|time| time.as_micros());
        let good = [
            ("5", 5000),
            ("2.375ms", 2375),
            ("900us", 900),
            ("7 µs", 7),
            ("1.50", 1500),
            ("0", 0),
            ("3.0us", 3),
        ];
        for (text, value) in good {
            assert_eq!(micros(text), Some(value), "{text}");
        }
        for text in [
            "",
            "-1",
            "2.3755",
            "0.5us",
            "5s",
            "1,5",
            ".5",
            "5.",
            "1.2.3",
            "ms",
            "1e3",
            "18446744073709551615",
            "NaN",
        ] {
            assert_eq!(micros(text), None, "{text}");
        }
        assert_eq!(Duration::from_micros(2375).spell(), "2375us");
        assert_eq!(Duration::from_millis(40).spell(), "40");
    }

    #[test]
    fn a_wrong_word_is_named_but_a_wrong_value_is_not() {
        let word = |text| Word { text, at: 6 };
        let trouble = Value::<i32>::parse(word("12x")).unwrap_err();
        assert_eq!((trouble.at, trouble.message.as_str()), (6, "expected a whole number, found \"12x\""));
        let mut variables = Variables::default();
        variables.set(&Name::parse("v").unwrap(), "secret".into()).unwrap();
        let trouble = Value::<i32>::parse(word("$v")).unwrap().get(&variables).unwrap_err();
        assert_eq!(trouble.message, "expected a whole number");
        assert_eq!(Value::<Button>::parse(word("lft")).unwrap_err().nearest, ["left"]);
        assert!(Value::<i32>::parse(word("2147483648")).unwrap_err().message.contains("32 bits"));
    }
}
