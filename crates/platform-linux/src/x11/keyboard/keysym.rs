//! Keysyms and the characters they stand for. Not a keyboard layout: that is [`super::keymap`].
//!
//! Source: X11 protocol, appendix A ("KEYSYM encoding"): Latin-1 is itself, every other character is
//! 0x0100_0000 + its code point, and older layouts use one of the legacy sets (Cyrillic, Greek, kana, ...).

use xkeysym::Keysym;

/// No symbol at all.
pub(super) const NO_SYMBOL: u32 = 0;
/// The keysym of the Return key.
const RETURN: u32 = 0xff0d;
/// The keysym of the Num Lock key.
pub(super) const NUM_LOCK: u32 = 0xff7f;
/// From here to [`FUNCTIONS_END`] keysyms name functions, dead keys and the keypad rather than characters.
const FUNCTIONS_BEGIN: u32 = 0xfd00;
const FUNCTIONS_END: u32 = 0xffff;

/// What a program that reads `keysym` puts into its text, if it is a character.
///
/// Tab, Backspace and Return stand for themselves (Return for line feed). The keypad is left out: what it
/// gives depends on Num Lock, and every character it has is elsewhere too.
pub(super) fn character(keysym: u32) -> Option<char> {
    match keysym {
        RETURN => Some('\n'),
        0xff09 => Some('\t'),
        0xff08 => Some('\u{8}'),
        NO_SYMBOL | FUNCTIONS_BEGIN..=FUNCTIONS_END => None,
        _ => Keysym::new(keysym).key_char().filter(|&character| is_text(character)),
    }
}

/// The keysym that stands for `character` on a key of our own, if it may be typed at all.
pub(super) fn for_spare(character: char) -> Option<u32> {
    let code = u32::from(character);
    match code {
        _ if !is_text(character) => None,
        0x20..=0xff => Some(code),
        _ => Some(0x0100_0000 + code),
    }
}

/// Whether it is a character of a text: no control character, and no code point that Unicode keeps out of texts.
fn is_text(character: char) -> bool {
    let code = u32::from(character);
    !character.is_control() && code & 0xfffe != 0xfffe && !(0xfdd0..=0xfdef).contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_latin_and_unicode_keysyms_give_their_character() {
        let cases = [
            (0x41, 'A'),
            (0xe4, 'ä'),
            (0x6c4, 'д'),
            (0x7e1, 'α'),
            (0x4b1, 'ア'),
            (0x20ac, '€'),
            (0x13be, 'Ÿ'),
            (0x0100_20bd, '₽'),
            (0x0101_f600, '😀'),
            (0xff0d, '\n'),
        ];
        for (keysym, expected) in cases {
            assert_eq!(character(keysym), Some(expected), "{keysym:#x}");
        }
    }

    #[test]
    fn dead_keys_functions_and_the_keypad_are_no_characters() {
        for keysym in [0, 0xfe51, 0xffb1, 0xff1b, 0xffff, 0x0100_d800, 0x0100_0007, 0x0111_0000, u32::MAX] {
            assert_eq!(character(keysym), None, "{keysym:#x}");
        }
    }

    #[test]
    fn controls_and_noncharacters_have_no_keysym() {
        for refused in ['\u{0}', '\u{7}', '\u{1b}', '\u{7f}', '\u{85}', '\u{fdd0}', '\u{ffff}', '\u{1fffe}'] {
            assert_eq!(for_spare(refused), None, "{refused:?}");
        }
        for typed in ['a', 'ß', '\u{301}', '日', '😀', '\u{ad}', '\u{feff}', '\u{10fffd}'] {
            assert_eq!(for_spare(typed).and_then(character), Some(typed), "{typed:?}");
        }
    }
}
