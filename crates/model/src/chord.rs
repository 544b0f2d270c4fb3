//! Keys pressed together: `ctrl+shift+t`.

use crate::KeyCode;
use crate::key::{KeyName, UnknownKey};
use std::fmt;

/// One key, and the modifiers that are down while it is tapped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Chord {
    /// Modifiers in the order in which they go down; none twice.
    pub modifiers: Vec<KeyCode>,
    /// The key that is tapped: the main key, or a modifier that stands alone.
    pub key: KeyName,
}

/// Why a text is no chord. Offsets are bytes from the start of the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChordError {
    /// There is nothing between two `+`, or nothing at all.
    #[error("a key is missing here; the + key itself is written Plus")]
    Empty {
        /// Where the key should be.
        at: usize,
    },
    /// A part that names no key.
    #[error("{source}")]
    Unknown {
        /// Where it starts.
        at: usize,
        /// The nearest names.
        source: UnknownKey,
    },
    /// There are modifiers only.
    #[error("a chord of several modifiers needs a main key as well")]
    NoMainKey,
    /// A second main key.
    #[error("a chord has one main key; this is a second one")]
    SecondMainKey {
        /// Where it starts.
        at: usize,
    },
}

impl ChordError {
    /// Where in the text the trouble is.
    pub fn at(&self) -> usize {
        match self {
            Self::Empty { at } | Self::Unknown { at, .. } | Self::SecondMainKey { at } => *at,
            Self::NoMainKey => 0,
        }
    }
}

impl Chord {
    /// Reads key names joined by `+`, with blanks allowed around each; modifiers given twice count once.
    ///
    /// # Errors
    /// [`ChordError`] naming the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, ChordError> {
        let mut modifiers: Vec<KeyCode> = Vec::new();
        let mut main = None;
        for (at, part) in parts(text) {
            if part.is_empty() {
                return Err(ChordError::Empty { at });
            }
            match KeyName::parse(part).map_err(|source| ChordError::Unknown { at, source })? {
                KeyName::Code(code) if crate::key::is_modifier(code) => {
                    if !modifiers.contains(&code) {
                        modifiers.push(code);
                    }
                }
                _ if main.is_some() => return Err(ChordError::SecondMainKey { at }),
                key => main = Some(key),
            }
        }
        match (main, modifiers.as_slice()) {
            (Some(key), _) => Ok(Self { modifiers, key }),
            (None, [lone]) => Ok(Self { key: KeyName::Code(*lone), modifiers: Vec::new() }),
            (None, _) => Err(ChordError::NoMainKey),
        }
    }
}

/// The parts and where they start, blanks trimmed. `Numpad+` is one part.
pub(crate) fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('+').chain([(text.len(), "")]) {
        if at < start {
            continue;
        }
        let raw = &text[start..at];
        let part = raw.trim();
        let offset = start + (raw.len() - raw.trim_start().len());
        let ends_here = text[at..].strip_prefix('+').map(str::trim_start);
        if part.eq_ignore_ascii_case("numpad")
            && ends_here.is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
        {
            parts.push((offset, "Numpad+"));
            match text[at + 1..].find('+') {
                Some(next) => start = at + 1 + next + 1,
                None => return parts,
            }
            continue;
        }
        parts.push((offset, part));
        start = at + 1;
    }
    parts
}

impl fmt::Display for Chord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in &self.modifiers {
            write!(out, "{}+", KeyName::Code(*modifier))?;
        }
        self.key.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> (Vec<u16>, KeyName) {
        let chord = Chord::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (chord.modifiers.iter().map(|code| code.0).collect(), chord.key)
    }

    #[test]
    fn modifiers_keep_their_order_and_count_once() {
        assert_eq!(codes("shift + CTRL+ lctrl +t"), (vec![42, 29], KeyName::Character('t')));
        assert_eq!(codes("rctrl+ctrl+F4"), (vec![97, 29], KeyName::Code(KeyCode(62))));
        assert_eq!(codes("t+ctrl"), (vec![29], KeyName::Character('t')));
    }

    #[test]
    fn a_modifier_may_stand_alone() {
        assert_eq!(codes("super+meta"), (vec![], KeyName::Code(KeyCode(125))));
    }

    #[test]
    fn the_keypad_plus_is_one_part() {
        let plus = KeyName::Code(KeyCode(78));
        assert_eq!(codes("Numpad+"), (vec![], plus));
        assert_eq!(codes("ctrl+numpad+"), (vec![29], plus));
        assert_eq!(codes("numpad++ctrl"), (vec![29], plus));
        assert_eq!(codes("ctrl+Plus"), (vec![29], KeyName::Character('+')));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = Chord::parse("ctrl+Entre").unwrap_err();
        assert_eq!(error.at(), 5);
        assert!(
            matches!(error, ChordError::Unknown { source, .. } if source.nearest.contains(&"Enter".to_owned()))
        );
        assert_eq!(Chord::parse("ctrl++"), Err(ChordError::Empty { at: 5 }));
        assert_eq!(Chord::parse("+"), Err(ChordError::Empty { at: 0 }));
        assert_eq!(Chord::parse(""), Err(ChordError::Empty { at: 0 }));
        assert_eq!(Chord::parse("a+ctrl+b"), Err(ChordError::SecondMainKey { at: 7 }));
        assert_eq!(Chord::parse("ctrl+shift"), Err(ChordError::NoMainKey));
    }
}
