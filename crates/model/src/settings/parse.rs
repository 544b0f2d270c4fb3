//! From what a person types to a value. Strict: what has two readings is an error, never a guess.

use super::{Choice, Kind, OnSet, Row, Value};
use crate::{Fault, limits};
use std::path::{Component, Path};

/// A value, and what the person should know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The value.
    pub value: Value,
    /// What was changed in it, or what it won't do.
    pub warning: Option<String>,
}

/// Why a text is no value of a setting. The text itself is not repeated: it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValueFault {
    /// It is not of the type.
    #[error("the value must be {accepts}")]
    Malformed {
        /// What is accepted.
        accepts: String,
    },
    /// It is of the type, and outside the bounds.
    #[error("the value is out of range; it must be {accepts}")]
    OutOfRange {
        /// What is accepted.
        accepts: String,
    },
    /// It is no member of the list.
    #[error("the value must be one of: {accepts}")]
    NoSuchChoice {
        /// The list.
        accepts: String,
    },
    /// A text with nothing in it.
    #[error("the value must not be blank")]
    Blank,
    /// Too much of it.
    #[error("the value is longer than {limit} {unit}")]
    TooLong {
        /// The most that is accepted.
        limit: u64,
        /// Of what.
        unit: &'static str,
    },
    /// A folder that is not absolute.
    #[error("folder {position} must be an absolute path without `..`")]
    NotAbsolute {
        /// Its place in the list, from 1.
        position: usize,
    },
    /// A secret can't be set by hand.
    #[error("the value can't be set, only reset")]
    ReadOnly,
}

impl From<ValueFault> for Fault {
    fn from(fault: ValueFault) -> Self {
        Self::arguments(fault.to_string())
    }
}

impl Row {
    /// The value that `text` stands for.
    ///
    /// # Errors
    /// [`ValueFault`] when it is none.
    pub fn parse(&self, text: &str) -> Result<Parsed, ValueFault> {
        let plain = |value| Parsed { value, warning: None };
        match self.kind {
            Kind::Bool => {
                boolean(text).map(|value| plain(Value::Bool(value))).ok_or_else(|| self.malformed())
            }
            Kind::Integer { min, max, .. } => self.integer(text, min, max).map(plain),
            Kind::Number { min, max, on_set, .. } => self.number(text, min, max, on_set),
            Kind::Choice { choices, .. } => choice(text, choices)
                .map(|name| plain(Value::Choice(name)))
                .ok_or_else(|| ValueFault::NoSuchChoice { accepts: self.kind.accepts() }),
            Kind::Text { known } => words(text, known),
            Kind::Paths => paths(text).map(plain),
            Kind::Secret => Err(ValueFault::ReadOnly),
        }
    }

    fn malformed(&self) -> ValueFault {
        ValueFault::Malformed { accepts: self.kind.accepts() }
    }

    fn integer(&self, text: &str, min: i64, max: i64) -> Result<Value, ValueFault> {
        let text = text.trim();
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.malformed());
        }
        match text.parse::<i64>() {
            Ok(value) if (min..=max).contains(&value) => Ok(Value::Integer(value)),
            _ => Err(ValueFault::OutOfRange { accepts: self.kind.accepts() }),
        }
    }

    fn number(&self, text: &str, min: f64, max: f64, on_set: OnSet) -> Result<Parsed, ValueFault> {
        let text = text.trim();
        // Rust's own grammar also knows `inf` and `nan`.
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let value = match text.parse::<f64>() {
            Ok(value) if plain && value.is_finite() => value,
            _ => return Err(self.malformed()),
        };
        if (min..=max).contains(&value) {
            return Ok(Parsed { value: Value::Number(value), warning: None });
        }
        if on_set == OnSet::Refuse {
            return Err(ValueFault::OutOfRange { accepts: self.kind.accepts() });
        }
        let taken = value.clamp(min, max);
        let warning = Some(format!("{value} is outside {min} to {max}; {taken} was taken"));
        Ok(Parsed { value: Value::Number(taken), warning })
    }
}

/// The boolean that `text` names, in any case.
fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// The name of the choice that `text` spells, in any case.
pub(super) fn choice(text: &str, choices: &[Choice]) -> Option<&'static str> {
    let text = text.trim();
    choices
        .iter()
        .find(|choice| {
            choice.name.eq_ignore_ascii_case(text)
                || choice.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(text))
        })
        .map(|choice| choice.name)
}

fn words(text: &str, known: &[&str]) -> Result<Parsed, ValueFault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ValueFault::Blank);
    }
    too_long(text.chars().count(), limits::SETTING_TEXT)?;
    if text.chars().any(char::is_control) {
        return Err(ValueFault::Malformed { accepts: "a text without control characters".to_owned() });
    }
    let warning =
        (!known.contains(&text)).then(|| format!("it is none of the built-in ones: {}", known.join(", ")));
    Ok(Parsed { value: Value::Text(text.to_owned()), warning })
}

/// Absolute folders joined by `;`: trimmed, blanks and repetitions dropped.
fn paths(text: &str) -> Result<Value, ValueFault> {
    let mut folders: Vec<String> = Vec::new();
    for (index, folder) in text.split(';').map(str::trim).enumerate() {
        if folder.is_empty() || folders.iter().any(|known| known == folder) {
            continue;
        }
        if !is_root(folder) {
            return Err(ValueFault::NotAbsolute { position: index + 1 });
        }
        too_long(folder.len(), limits::PATH)?;
        folders.push(folder.to_owned());
        too_long(folders.len(), limits::PATH_ROOTS)?;
    }
    Ok(Value::Paths(folders))
}

fn is_root(folder: &str) -> bool {
    let path = Path::new(folder);
    path.is_absolute()
        && !folder.contains('\0')
        && !path.components().any(|part| part == Component::ParentDir)
}

fn too_long(length: usize, limit: limits::Limit) -> Result<(), ValueFault> {
    if u64::try_from(length).is_ok_and(|length| length <= limit.value) {
        return Ok(());
    }
    Err(ValueFault::TooLong { limit: limit.value, unit: limit.unit })
}

#[cfg(test)]
mod tests {
    use super::super::{Value, row};
    use super::ValueFault;

    fn set(key: &str, text: &str) -> Result<Value, ValueFault> {
        row(key).unwrap().parse(text).map(|parsed| parsed.value)
    }

    #[test]
    fn booleans_have_eight_spellings_and_no_more() {
        for text in ["true", "TRUE", "1", "yes", "on", " On "] {
            assert_eq!(set("playback.loop", text), Ok(Value::Bool(true)), "{text}");
        }
        for text in ["false", "False", "0", "no", "off"] {
            assert_eq!(set("playback.loop", text), Ok(Value::Bool(false)), "{text}");
        }
        for text in ["", "2", "y", "n", "truee", "null", "01", "t", "-1", "ｔｒｕｅ"] {
            assert!(set("playback.loop", text).is_err(), "{text}");
        }
    }

    #[test]
    fn integers_are_whole_and_within_bounds() {
        assert_eq!(set("playback.loopCount", "0"), Ok(Value::Integer(0)));
        assert_eq!(set("playback.loopCount", "+12"), Ok(Value::Integer(12)));
        for text in ["", "1,5", "1.0", "1e3", "0x10", "1_000", "1 000", "one", "+", "-", "--1", "١"] {
            let fault = set("playback.loopCount", text);
            assert!(matches!(fault, Err(ValueFault::Malformed { .. })), "{text}");
        }
        for text in ["-1", "2147483648", "9223372036854775808", "99999999999999999999999999999999"] {
            let fault = set("playback.loopCount", text);
            assert!(matches!(fault, Err(ValueFault::OutOfRange { .. })), "{text}");
        }
        assert!(set("mcp.approvalTimeoutSeconds", "300").is_ok());
        assert!(set("mcp.approvalTimeoutSeconds", "301").is_err());
        assert!(set("playback.precisionMotionEventsPerSecond", "0").is_err());
    }

    #[test]
    fn numbers_are_finite_and_have_a_point() {
        assert_eq!(set("playback.speed", "1.5"), Ok(Value::Number(1.5)));
        assert_eq!(set("playback.speed", "5e-1"), Ok(Value::Number(0.5)));
        for text in ["", "1,5", "1,000.5", "NaN", "inf", "-Infinity", "1e999", "1.5x", "0x1p3", ".", "e"] {
            assert!(set("playback.speed", text).is_err(), "{text}");
        }
        let fast = row("playback.speed").unwrap().parse("11").unwrap();
        assert_eq!(fast.value, Value::Number(10.0));
        assert_eq!(fast.warning.as_deref(), Some("11 is outside 0.1 to 10; 10 was taken"));
        assert!(set("playback.maximumMotionErrorPixels", "0.2").is_err(), "this one is refused, not clamped");
    }

    #[test]
    fn choices_have_aliases() {
        for text in ["strict-speed", "StrictSpeed", "STRICT"] {
            assert_eq!(set("playback.motionMode", text), Ok(Value::Choice("StrictSpeed")), "{text}");
        }
        assert_eq!(set("logging.level", "warning"), Ok(Value::Choice("Warning")));
        assert_eq!(
            set("logging.level", "loud").unwrap_err().to_string(),
            "the value must be one of: Debug, Information, Warning, Error"
        );
    }

    #[test]
    fn texts_outside_the_list_are_taken_with_a_warning() {
        let row = row("ui.theme").unwrap();
        assert_eq!(row.parse("Nord").unwrap().warning, None);
        assert!(row.parse("Mine").unwrap().warning.is_some());
        assert_eq!(row.parse("  "), Err(ValueFault::Blank));
        assert!(row.parse("a\nb").is_err());
        assert!(row.parse(&"x".repeat(5_000)).is_err());
    }

    #[test]
    fn folders_are_absolute() {
        let paths = |list: &[&str]| Ok(Value::Paths(list.iter().map(|&path| path.to_owned()).collect()));
        assert_eq!(set("mcp.paths.fileRead", " /a ; ;/b;/a;"), paths(&["/a", "/b"]));
        assert_eq!(set("mcp.paths.fileRead", ""), paths(&[]));
        assert_eq!(set("mcp.paths.fileRead", "/a;b"), Err(ValueFault::NotAbsolute { position: 2 }));
        for text in ["~", "./a", "/a/../b", "/a\0"] {
            assert!(set("mcp.paths.fileRead", text).is_err(), "{text}");
        }
        let many = (0..65).map(|n| format!("/{n}")).collect::<Vec<_>>().join(";");
        assert!(set("mcp.paths.fileRead", &many).is_err());
    }

    #[test]
    fn a_secret_can_not_be_set() {
        assert_eq!(set("screen.portalRestoreToken", "x"), Err(ValueFault::ReadOnly));
    }
}
