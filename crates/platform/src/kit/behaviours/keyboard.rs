//! Single keys.

use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::keyboard::Keyboard;
use crate::kit::check::{Check, deeds, ensure, equal, eventually, text_of, window};
use crate::kit::{Failure, Held, Received, Witness};
use crossmacro_model::{Direction, KeyCode};

pub(super) const LEFT_SHIFT: KeyCode = KeyCode(42);
pub(super) const CAPS_LOCK: KeyCode = KeyCode(58);
const A: KeyCode = KeyCode(30);
const LEFT_CONTROL: KeyCode = KeyCode(29);
const F5: KeyCode = KeyCode(63);
const UP: KeyCode = KeyCode(103);
const KEYPAD_7: KeyCode = KeyCode(71);

/// A letter that the present layout gives without a modifier, and its key: Latin, Cyrillic or Greek.
pub(super) fn letter_key(keyboard: &dyn Keyboard) -> Result<(&'static str, KeyCode), Failure> {
    for letter in ["a", "ф", "α"] {
        if let Some(key) = letter.chars().next().map_or(Ok(None), |it| keyboard.key_for(it))? {
            return Ok((letter, key));
        }
    }
    Err(Failure("no key gives an a of any alphabet".to_owned()))
}

fn without_text(received: Vec<Received>) -> Vec<(KeyCode, Direction)> {
    let keys = received.into_iter().filter_map(|it| match it {
        Received::Key { key, direction, .. } => Some((key, direction)),
        _ => None,
    });
    keys.collect()
}

pub(super) fn keys(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let keyboard = desktop.keyboard.clone()?;
    let mut shown = witness.show(&window("keys"))?;
    shown.focus()?;
    for key in [A, F5, UP, KEYPAD_7, LEFT_SHIFT, LEFT_CONTROL] {
        shown.forget()?;
        keyboard.key(key, Direction::Press)?;
        equal("what the server says is pressed", witness.held()?, Held { keys: vec![key], buttons: vec![] })?;
        keyboard.key(key, Direction::Release)?;
        let expected = vec![(key, Direction::Press), (key, Direction::Release)];
        eventually("the key", expected, || Ok(without_text(deeds(&mut *shown)?)))?;
    }
    Ok(())
}

pub(super) fn modifier(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let keyboard = desktop.keyboard.clone()?;
    let mut shown = witness.show(&window("modifier"))?;
    shown.focus()?;
    shown.forget()?;
    let (letter, a) = letter_key(&*keyboard)?;
    for (key, direction) in [
        (a, Direction::Press),
        (a, Direction::Release),
        (LEFT_SHIFT, Direction::Press),
        (a, Direction::Press),
        (a, Direction::Release),
        (LEFT_SHIFT, Direction::Release),
    ] {
        keyboard.key(key, direction)?;
    }
    let expected = letter.chars().chain(letter.to_uppercase().chars()).collect::<String>();
    eventually("the text", expected, || Ok(text_of(&shown.received()?)))
}

pub(super) fn unknown_key(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let keyboard = desktop.keyboard.clone()?;
    for key in [KeyCode(248), KeyCode(u16::MAX)] {
        for direction in [Direction::Press, Direction::Release] {
            let answer = keyboard.key(key, direction);
            ensure(matches!(answer, Err(Error::Unsupported { .. })), || format!("{key:?} gave {answer:?}"))?;
        }
    }
    equal("pressed", witness.held()?, Held::default())
}

pub(super) fn key_for(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let keyboard = desktop.keyboard.clone()?;
    let mut shown = witness.show(&window("key for"))?;
    shown.focus()?;
    for character in ['a', 'z', 'y', '1', 'ф', 'α'] {
        let Some(key) = keyboard.key_for(character)? else { continue };
        shown.forget()?;
        keyboard.key(key, Direction::Press)?;
        keyboard.key(key, Direction::Release)?;
        eventually("the text", character.to_string(), || Ok(text_of(&shown.received()?)))?;
    }
    equal("the key for an emoji", keyboard.key_for('🙂')?, None)
}
