//! Keycodes as keys, and which of them are down.

use crossmacro_model::{Direction, KeyCode};
use crossmacro_platform::Input;

/// X keycodes are evdev codes plus this (xkeyboard-config, keycodes/evdev).
const EVDEV_OFFSET: u16 = 8;

/// The key of a keycode; none for those below the first.
fn key(keycode: u32) -> Option<KeyCode> {
    let code = u16::try_from(keycode).ok()?.checked_sub(EVDEV_OFFSET)?;
    // Evdev's code 0 is KEY_RESERVED.
    (code > 0).then_some(KeyCode(code))
}

/// The keys of a `QueryKeymap` reply, one bit a keycode.
pub(super) fn down(bits: &[u8; 32]) -> Vec<KeyCode> {
    let is_down = |code: &u32| {
        let (byte, bit) = (*code as usize / 8, code % 8);
        bits.get(byte).is_some_and(|byte| byte >> bit & 1 == 1)
    };
    (0..256).filter(is_down).filter_map(key).collect()
}

/// Tells a press from the repetition of a key that is down.
#[derive(Debug, Default)]
pub(super) struct Keys {
    down: Vec<KeyCode>,
}

impl Keys {
    pub(super) fn new(down: &[KeyCode]) -> Self {
        Self { down: down.to_vec() }
    }

    /// What became of a keycode.
    pub(super) fn turn(&mut self, keycode: u32, direction: Direction) -> Option<Input> {
        let key = key(keycode)?;
        let was_down = self.down.contains(&key);
        match direction {
            Direction::Press if was_down => return Some(Input::Repeat(key)),
            Direction::Press => self.down.push(key),
            Direction::Release => self.down.retain(|other| *other != key),
        }
        Some(Input::Key { key, direction })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_press_is_a_repetition() {
        let mut keys = Keys::new(&[KeyCode(30)]);
        let (press, release) = (Direction::Press, Direction::Release);
        assert_eq!(keys.turn(38, press), Some(Input::Repeat(KeyCode(30))));
        assert_eq!(keys.turn(38, release), Some(Input::Key { key: KeyCode(30), direction: release }));
        assert_eq!(keys.turn(38, press), Some(Input::Key { key: KeyCode(30), direction: press }));
        for nothing in [0, 7, 8, u32::MAX] {
            assert_eq!(keys.turn(nothing, press), None);
        }
    }

    #[test]
    fn the_keymap_is_read_bit_by_bit() {
        let mut bits = [0; 32];
        bits[4] = 0b0100_0000;
        bits[31] = 0b1000_0000;
        bits[0] = 0xff;
        assert_eq!(down(&bits), [KeyCode(30), KeyCode(247)]);
    }
}
