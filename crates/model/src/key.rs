//! Key names of the run language: text to [`KeyCode`] and back.
//!
//! Names are case-insensitive on every system. A single character names the key that *prints* it in the
//! present layout, so it can only be resolved where the keyboard is known; [`KeyName::Character`] keeps it
//! until then, and [`qwerty`] is the fallback.

mod table;

use crate::KeyCode;
use crate::nearest::nearest;
use std::fmt;
use table::{Entry, KEYS};

/// Highest code of the evdev key space (`KEY_MAX`).
pub const HIGHEST: u16 = 0x2ff;

/// Words for characters that are hard to write where blanks and `+` separate. As the characters
/// themselves, they follow the layout.
const CHARACTERS: &[(&str, char)] = &[
    ("Plus", '+'),
    ("Minus", '-'),
    ("Equal", '='),
    ("Equals", '='),
    ("Comma", ','),
    ("Dot", '.'),
    ("Period", '.'),
    ("Slash", '/'),
    ("Backslash", '\\'),
    ("Semicolon", ';'),
    ("Apostrophe", '\''),
    ("Grave", '`'),
];

/// The keypad's plus: the only key that prints `+` without a modifier on the American layout.
const KEYPAD_PLUS: KeyCode = KeyCode(78);

/// A key as a script names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyName {
    /// A certain key, wherever it is and whatever it prints.
    Code(KeyCode),
    /// The key that prints this character, in lower case.
    Character(char),
}

/// A key name that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no key of this name")]
pub struct UnknownKey {
    /// The known names nearest to it.
    pub nearest: Vec<String>,
}

impl KeyName {
    /// Reads a name, ignoring blanks around it: a name of the table, a `KEY_*` name with or without its
    /// prefix, a decimal code of two digits or more (one digit is the key that prints it), or one character.
    ///
    /// # Errors
    /// [`UnknownKey`] with the nearest names.
    pub fn parse(text: &str) -> Result<Self, UnknownKey> {
        let name = text.trim();
        by_character(name)
            .or_else(|| by_name(name).map(Self::Code))
            .or_else(|| by_code(name).map(Self::Code))
            .ok_or_else(|| UnknownKey { nearest: nearest(name, known()) })
    }

    /// The text that [`KeyName::parse`] reads as this key again.
    pub fn spell(self) -> String {
        match self {
            Self::Character('+') => "Plus".to_owned(),
            Self::Character(character) => character.to_string(),
            Self::Code(code) => match entry(code) {
                Some(entry) if entry.names[0].len() == 1 => entry.kernel.to_owned(),
                Some(entry) => entry.names[0].to_owned(),
                // Two digits at least: one digit is a character.
                None => format!("{:02}", code.0),
            },
        }
    }

    /// Whether it is one of the modifier keys.
    pub fn is_modifier(self) -> bool {
        matches!(self, Self::Code(code) if is_modifier(code))
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.spell())
    }
}

/// Whether `code` is Ctrl, Shift, Alt, AltGr or Super, left or right.
pub const fn is_modifier(code: KeyCode) -> bool {
    matches!(code.0, 29 | 97 | 42 | 54 | 56 | 100 | 125 | 126)
}

/// The name to show for a key ("Ctrl", "A", "KEY_WWW"); `None` for a code without a name.
pub fn display_name(code: KeyCode) -> Option<&'static str> {
    entry(code).map(|entry| entry.names[0])
}

/// The key that prints `character` without a modifier on the American layout: the fallback for a character
/// that no key of the present layout prints.
pub fn qwerty(character: char) -> Option<KeyCode> {
    if character == '+' {
        return Some(KEYPAD_PLUS);
    }
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    KEYS.iter().find(|entry| entry.names[0].eq_ignore_ascii_case(text)).map(|entry| entry.code)
}

fn entry(code: KeyCode) -> Option<&'static Entry> {
    KEYS.binary_search_by_key(&code, |entry| entry.code).ok().map(|index| &KEYS[index])
}

fn by_character(name: &str) -> Option<KeyName> {
    let word = CHARACTERS.iter().find(|(word, _)| word.eq_ignore_ascii_case(name));
    if let Some((_, character)) = word {
        return Some(KeyName::Character(*character));
    }
    let mut characters = name.chars();
    let character = characters.next().filter(|first| !first.is_control() && !first.is_whitespace())?;
    if characters.next().is_some() {
        return None;
    }
    Some(KeyName::Character(lower(character)))
}

/// Lower case where that is one character: a key prints small letters.
fn lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

fn by_name(name: &str) -> Option<KeyCode> {
    let is_name = |entry: &&Entry| entry.names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_kernel = |entry: &&Entry| {
        entry.kernel.eq_ignore_ascii_case(name)
            || entry.kernel.strip_prefix("KEY_").is_some_and(|bare| bare.eq_ignore_ascii_case(name))
    };
    // Names first: "Menu" is the key between AltGr and Ctrl, not KEY_MENU.
    KEYS.iter().find(is_name).or_else(|| KEYS.iter().find(is_kernel)).map(|entry| entry.code)
}

fn by_code(name: &str) -> Option<KeyCode> {
    if name.len() < 2 || !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    name.parse().ok().filter(|code| (1..=HIGHEST).contains(code)).map(KeyCode)
}

fn known() -> impl Iterator<Item = &'static str> {
    let names = KEYS.iter().flat_map(|entry| entry.names.iter().copied().chain([entry.kernel]));
    names.chain(CHARACTERS.iter().map(|(word, _)| *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str) -> Option<u16> {
        match KeyName::parse(name) {
            Ok(KeyName::Code(code)) => Some(code.0),
            _ => None,
        }
    }

    #[test]
    fn names_of_the_reference_have_their_codes() {
        let table = "Ctrl 29 Shift 42 Alt 56 AltGr 100 Super 125 Meta 125 F1 59 F10 68 F11 87 F12 88 F13 183 F20 190 \
            F24 194 Space 57 Enter 28 Return 28 Tab 15 Backspace 14 Escape 1 Esc 1 Delete 111 Del 111 Insert 110 \
            Ins 110 Home 102 End 107 PageUp 104 PgUp 104 PageDown 109 PgDn 109 CapsLock 58 NumLock 69 ScrollLock 70 \
            Up 103 Down 108 Left 105 Right 106 PrintScreen 99 PrtSc 99 Pause 119 Numpad0 82 Numpad1 79 Numpad2 80 \
            Numpad3 81 Numpad4 75 Numpad5 76 Numpad6 77 Numpad7 71 Numpad8 72 Numpad9 73 Numpad- 74 Numpad+ 78 \
            NumpadPlus 78 Numpad. 83 NumpadEnter 96 Numpad/ 98 Numpad* 55 Numpad= 117 LCtrl 29 RCtrl 97 LShift 42 \
            RShift 54 LAlt 56 RAlt 100 LSuper 125 RSuper 126 Menu 127 KEY_MENU 139 KEY_A 30 KEY_VOLUMEUP 115 \
            VolumeUp 115 playpause 164 30 30 07 7 767 767";
        let words: Vec<&str> = table.split_whitespace().collect();
        for pair in words.chunks(2) {
            assert_eq!(code(pair[0]), pair[1].parse().ok(), "{}", pair[0]);
            assert_eq!(code(&pair[0].to_uppercase()), code(&pair[0].to_lowercase()), "{}", pair[0]);
        }
    }

    #[test]
    fn the_american_layout_is_the_fallback() {
        let rows = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'`", "\\zxcvbnm,./"];
        for (row, first) in rows.iter().zip([2, 16, 30, 43]) {
            for (code, character) in (first..).zip(row.chars()) {
                assert_eq!(qwerty(character), Some(KeyCode(code)), "{character}");
            }
        }
        assert_eq!(qwerty('+'), Some(KeyCode(78)));
        assert_eq!(qwerty('ä'), None);
    }

    #[test]
    fn one_character_waits_for_the_layout() {
        assert_eq!(KeyName::parse(" Z "), Ok(KeyName::Character('z')));
        assert_eq!(KeyName::parse("Ä"), Ok(KeyName::Character('ä')));
        assert_eq!(KeyName::parse("5"), Ok(KeyName::Character('5')));
        assert_eq!(KeyName::parse("plus"), Ok(KeyName::Character('+')));
    }

    #[test]
    fn unknown_names_suggest_the_nearest() {
        assert_eq!(KeyName::parse("Entr").unwrap_err().nearest[0], "Enter");
        for wrong in ["", "-1", "00", "768", "99999999999", "Foo Bar", "\u{7}", "KEY_"] {
            assert!(KeyName::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn every_code_is_read_back_from_its_spelling() {
        assert!(KEYS.is_sorted_by_key(|entry| entry.code));
        for code in 1..=HIGHEST {
            let key = KeyName::Code(KeyCode(code));
            assert_eq!(KeyName::parse(&key.spell()), Ok(key));
        }
    }
}
