//! Hotkeys: a key or mouse button, and the modifiers that must be down with it.
//!
//! The match is exact: Space is not Shift+Space. `Ctrl` stands for either side; `RCtrl` only for the right one. Unlike
//! a [`crate::Chord`], which is tapped, a hotkey may name a mouse button, and has exactly one main key that is no
//! modifier.

use crate::chord::parts;
use crate::key::{KeyName, UnknownKey, is_modifier};
use crate::nearest::nearest;
use crate::{Fault, KeyCode};
use serde::{Deserialize, Deserializer, de};
use std::borrow::Cow;
use std::fmt;

/// Mouse buttons and their codes in `input-event-codes.h`.
const BUTTONS: &[(&str, u16)] = &[
    ("Mouse Left", 272),
    ("Mouse Right", 273),
    ("Mouse Middle", 274),
    ("Mouse Side", 275),
    ("Mouse Extra", 276),
    ("Mouse Forward", 277),
    ("Mouse Back", 278),
    ("Mouse Task", 279),
];

/// Left and right: every click would be one.
const NEEDS_MODIFIER: &[u16] = &[272, 273];

/// Names of the keypad that the other reader of the files knows, where ours are others.
const KEYPAD: &[(u16, &str)] =
    &[(74, "Numpad-"), (55, "Numpad*"), (98, "Numpad/"), (83, "Numpad."), (117, "Numpad=")];

/// Modifiers in canonical order: codes of one family, left and right.
const FAMILIES: &[&[u16]] = &[&[29, 97], &[42, 54], &[56], &[100], &[125, 126]];

/// The longest text that is looked at.
const LONGEST: usize = 200;

/// A hotkey.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hotkey {
    /// Modifiers in canonical order, one of a family.
    pub modifiers: Vec<KeyCode>,
    /// The key, or the mouse button by its code (272 to 279).
    pub key: KeyName,
}

/// Why a text is no hotkey.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HotkeyError {
    /// There is nothing between two `+`, or nothing at all.
    #[error("a key is missing in {text:?}; the + key itself is written Plus")]
    Empty {
        /// What was given.
        text: String,
    },
    /// A part that names no key.
    #[error("there is no key named {part:?}")]
    Unknown {
        /// The part.
        part: String,
        /// The names most like it.
        nearest: Vec<String>,
    },
    /// Two modifiers of one family.
    #[error("{text:?} names {family} twice")]
    Twice {
        /// What was given.
        text: String,
        /// The modifier.
        family: String,
    },
    /// Modifiers only.
    #[error("{text:?} has no key besides modifiers")]
    NoMainKey {
        /// What was given.
        text: String,
    },
    /// A second main key.
    #[error("{text:?} has a second key, {part:?}; a hotkey has one")]
    SecondMainKey {
        /// What was given.
        text: String,
        /// The second key.
        part: String,
    },
    /// A mouse button that people click all the time.
    #[error("{button} alone can't be a hotkey: add a modifier")]
    NeedsModifier {
        /// Its name.
        button: String,
    },
    /// Longer than any hotkey.
    #[error("a hotkey has at most {LONGEST} characters")]
    Long,
}

impl From<HotkeyError> for Fault {
    fn from(error: HotkeyError) -> Self {
        let fault = Self::arguments(error.to_string()).detail("argument", "hotkey");
        match error {
            HotkeyError::Unknown { nearest, .. } if !nearest.is_empty() => {
                let remedy = format!("did you mean {}?", nearest.join(" or "));
                fault.detail("nearest", nearest).remedy(remedy)
            }
            _ => fault.remedy("write it like Ctrl+Shift+F5 or Ctrl+Mouse Side"),
        }
    }
}

impl Hotkey {
    /// Reads names joined by `+`, in any case and order, with blanks around each.
    ///
    /// # Errors
    /// [`HotkeyError`] names the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, HotkeyError> {
        if text.len() > LONGEST {
            return Err(HotkeyError::Long);
        }
        let given = || text.trim().to_owned();
        let mut modifiers = Vec::new();
        let mut main = None;
        for (_, part) in parts(text) {
            if part.is_empty() {
                return Err(HotkeyError::Empty { text: given() });
            }
            match key(part)? {
                KeyName::Code(code) if is_modifier(code) => modifiers.push(code),
                _ if main.is_some() => {
                    return Err(HotkeyError::SecondMainKey { text: given(), part: part.to_owned() });
                }
                key => main = Some(key),
            }
        }
        let key = main.ok_or_else(|| HotkeyError::NoMainKey { text: given() })?;
        modifiers.sort_by_key(|code| family(*code));
        if let Some(pair) = modifiers.windows(2).find(|pair| family(pair[0]) == family(pair[1])) {
            let family = KeyName::Code(pair[0]).spell();
            return Err(HotkeyError::Twice { text: given(), family });
        }
        match key {
            KeyName::Code(code) if modifiers.is_empty() && NEEDS_MODIFIER.contains(&code.0) => {
                Err(HotkeyError::NeedsModifier { button: spell(key) })
            }
            _ => Ok(Self { modifiers, key }),
        }
    }

    /// Reads several, drops those that say the same as an earlier one, and tells how many these were.
    ///
    /// # Errors
    /// [`HotkeyError`] of the first that is wrong.
    pub fn parse_all<T: AsRef<str>>(texts: &[T]) -> Result<(Vec<Self>, usize), HotkeyError> {
        let mut all: Vec<Self> = Vec::new();
        for text in texts {
            let hotkey = Self::parse(text.as_ref())?;
            if !all.contains(&hotkey) {
                all.push(hotkey);
            }
        }
        let dropped = texts.len() - all.len();
        Ok((all, dropped))
    }

    /// Whether one press can be both: the same key, and modifiers that differ at most in the side.
    pub fn collides(&self, other: &Self) -> bool {
        let sides =
            |a: &KeyCode, b: &KeyCode| family(*a) == family(*b) && (a == b || is_left(*a) || is_left(*b));
        self.key == other.key
            && self.modifiers.len() == other.modifiers.len()
            && self.modifiers.iter().zip(&other.modifiers).all(|(a, b)| sides(a, b))
    }
}

fn key(part: &str) -> Result<KeyName, HotkeyError> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let joined = words.join(" ");
    if let Some((_, code)) = BUTTONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&joined)) {
        return Ok(KeyName::Code(KeyCode(*code)));
    }
    KeyName::parse(part).map_err(|UnknownKey { nearest: mut near }| {
        let buttons = nearest(&joined, BUTTONS.iter().map(|(name, _)| *name));
        near.splice(0..0, buttons);
        near.truncate(3);
        HotkeyError::Unknown { part: part.chars().take(64).collect(), nearest: near }
    })
}

fn family(code: KeyCode) -> usize {
    FAMILIES.iter().position(|codes| codes.contains(&code.0)).unwrap_or(FAMILIES.len())
}

/// The code that stands for either side.
fn is_left(code: KeyCode) -> bool {
    FAMILIES.iter().any(|codes| codes.first() == Some(&code.0))
}

/// Letters are shown as they stand on the key.
fn spell(key: KeyName) -> String {
    match key {
        KeyName::Character(letter) if letter != '+' => {
            let mut upper = letter.to_uppercase();
            match (upper.next(), upper.next()) {
                (Some(only), None) => only.to_string(),
                _ => letter.to_string(),
            }
        }
        KeyName::Code(code) => {
            let button = BUTTONS.iter().find(|(_, known)| *known == code.0).map(|(name, _)| *name);
            let keypad = || KEYPAD.iter().find(|(known, _)| *known == code.0).map(|(_, name)| *name);
            button.or_else(keypad).map_or_else(|| key.spell(), str::to_owned)
        }
        KeyName::Character(_) => key.spell(),
    }
}

impl fmt::Display for Hotkey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for modifier in &self.modifiers {
            write!(out, "{}+", KeyName::Code(*modifier))?;
        }
        out.write_str(&spell(self.key))
    }
}

impl<'de> Deserialize<'de> for Hotkey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        Hotkey::parse(text).map_or_else(|error| error.to_string(), |hotkey| hotkey.to_string())
    }

    #[test]
    fn the_order_is_canonical_whatever_was_written() {
        let table = [
            ("f8", "F8"),
            ("super+altgr+alt+shift+ctrl+x", "Ctrl+Shift+Alt+AltGr+Super+X"),
            (" CTRL + shift+ Escape ", "Ctrl+Shift+Escape"),
            ("Meta+Return", "Super+Enter"),
            ("ctrl+Plus", "Ctrl+Plus"),
            ("Ctrl+Numpad+", "Ctrl+NumpadPlus"),
            ("numpadminus", "Numpad-"),
            ("Ctrl+numpad*", "Ctrl+Numpad*"),
            ("shift+mouse  left", "Shift+Mouse Left"),
            ("Mouse Side", "Mouse Side"),
            ("ctrl+ö", "Ctrl+Ö"),
            ("ctrl+ß", "Ctrl+ß"),
            ("RCtrl+a", "RCtrl+A"),
            ("LShift+a", "Shift+A"),
            ("ctrl+5", "Ctrl+5"),
            ("KEY_A", "KEY_A"),
        ];
        for (given, expected) in table {
            assert_eq!(shown(given), expected, "{given}");
            assert_eq!(shown(expected), expected, "what is shown is read back");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let table = [
            ("", "a key is missing in \"\"; the + key itself is written Plus"),
            ("Ctrl++", "a key is missing in \"Ctrl++\"; the + key itself is written Plus"),
            ("Ctrl+Foo", "there is no key named \"Foo\""),
            ("Ctrl+Shift", "\"Ctrl+Shift\" has no key besides modifiers"),
            ("Ctrl", "\"Ctrl\" has no key besides modifiers"),
            ("a+b", "\"a+b\" has a second key, \"b\"; a hotkey has one"),
            ("ctrl+rctrl+a", "\"ctrl+rctrl+a\" names Ctrl twice"),
            ("Mouse Right", "Mouse Right alone can't be a hotkey: add a modifier"),
        ];
        for (given, expected) in table {
            assert_eq!(shown(given), expected, "{given}");
        }
        assert_eq!(Hotkey::parse(&"a+".repeat(200)), Err(HotkeyError::Long));
        let fault = Fault::from(Hotkey::parse("Ctrl+Mouse Lfet").unwrap_err());
        assert_eq!(fault.details["nearest"][0], "Mouse Left");
        assert_eq!(fault.remediation.unwrap(), "did you mean Mouse Left?");
    }

    #[test]
    fn either_side_collides_with_each_and_the_sides_not_with_one_another() {
        let collide = |a: &str, b: &str| Hotkey::parse(a).unwrap().collides(&Hotkey::parse(b).unwrap());
        assert!(collide("Ctrl+A", "ctrl+a"));
        assert!(collide("Ctrl+A", "RCtrl+a"));
        assert!(!collide("Ctrl+A", "A") && !collide("Ctrl+A", "Alt+A") && !collide("Ctrl+A", "Ctrl+Shift+A"));
        assert!(!collide("Alt+A", "AltGr+A"));
    }

    proptest! {
        #[test]
        fn no_text_breaks_it_and_what_is_read_is_read_back(text in "[ A-Za-z+0-9*/.=\\PC-]{0,24}") {
            if let Ok(hotkey) = Hotkey::parse(&text) {
                prop_assert_eq!(Hotkey::parse(&hotkey.to_string()), Ok(hotkey));
            }
        }

        #[test]
        fn any_mix_of_names_is_read_back(picks in proptest::collection::vec(0usize..20, 1..5)) {
            let names = ["ctrl", "Shift", "alt", "AltGr", "super", "RShift", "a", "F5", "Numpad+", "Numpad-",
                "Mouse Left", "Mouse Task", "Plus", "ä", "Space", "KEY_B", "212", "VolumeUp", ";", "Menu"];
            let text = picks.iter().map(|pick| names[*pick]).collect::<Vec<_>>().join("+");
            if let Ok(hotkey) = Hotkey::parse(&text) {
                prop_assert_eq!(Hotkey::parse(&hotkey.to_string()), Ok(hotkey));
            }
        }
    }
}
