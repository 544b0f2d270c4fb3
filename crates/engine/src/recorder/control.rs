//! Chords that control the program: exactly these keys, and nothing that merely resembles them.

use crossmacro_model::key::is_modifier;
use crossmacro_model::{Chord, KeyCode, KeyName};
use crossmacro_platform::{Keyboard, Result};

/// A chord by its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The key that is pressed last.
    pub key: KeyCode,
    /// The modifiers that are down then, and no others. The left one stands for either side; the right one for
    /// itself.
    pub modifiers: Vec<KeyCode>,
}

impl Control {
    /// The keys of a chord on this keyboard; `None` where it has no key for the character.
    ///
    /// # Errors
    /// Those of [`Keyboard::key_for`].
    pub fn of(chord: &Chord, keyboard: &dyn Keyboard) -> Result<Option<Self>> {
        let key = match chord.key {
            KeyName::Code(code) => Some(code),
            KeyName::Character(character) => keyboard.key_for(character)?,
        };
        Ok(key.map(|key| Self { key, modifiers: chord.modifiers.clone() }))
    }

    /// Whether pressing `key` while `held` are down is this chord.
    pub(super) fn is(&self, key: KeyCode, held: &[KeyCode]) -> bool {
        self.key == key && self.has_exactly(held)
    }

    /// Whether `code` is one of its modifiers.
    pub(super) fn has_modifier(&self, code: KeyCode) -> bool {
        self.modifiers.iter().any(|modifier| stands_for(*modifier, code))
    }

    fn has_exactly(&self, held: &[KeyCode]) -> bool {
        let down = || held.iter().copied().filter(|code| is_modifier(*code) && *code != self.key);
        self.modifiers.iter().all(|modifier| down().any(|code| stands_for(*modifier, code)))
            && down().all(|code| self.has_modifier(code))
    }
}

/// Whether `named` in a chord means the key `code`.
fn stands_for(named: KeyCode, code: KeyCode) -> bool {
    named == code || matches!((named.0, code.0), (29, 97) | (42, 54) | (56, 100) | (125, 126))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(codes: &[u16]) -> Vec<KeyCode> {
        codes.iter().copied().map(KeyCode).collect()
    }

    #[test]
    fn a_chord_has_exactly_its_modifiers() {
        let control = Control { key: KeyCode(66), modifiers: keys(&[29, 42]) };
        assert!(control.is(KeyCode(66), &keys(&[42, 29])));
        assert!(control.is(KeyCode(66), &keys(&[54, 97, 30])), "either side, and other keys don't count");
        assert!(!control.is(KeyCode(66), &keys(&[29])));
        assert!(!control.is(KeyCode(66), &keys(&[29, 42, 56])));
        assert!(!control.is(KeyCode(67), &keys(&[29, 42])));
        let right = Control { key: KeyCode(66), modifiers: keys(&[97]) };
        assert!(right.is(KeyCode(66), &keys(&[97])));
        assert!(!right.is(KeyCode(66), &keys(&[29])));
        let lone = Control { key: KeyCode(66), modifiers: Vec::new() };
        assert!(lone.is(KeyCode(66), &[]));
        assert!(!lone.is(KeyCode(66), &keys(&[125])));
    }
}
