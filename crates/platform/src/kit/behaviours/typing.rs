//! Whole texts.

use super::keyboard::{CAPS_LOCK, LEFT_SHIFT, letter_key};
use crate::cancel::Cancel;
use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::keyboard::Typed;
use crate::kit::check::{Check, SOON, ensure, equal, eventually, text_of, window};
use crate::kit::{Failure, Held, Shown, Witness};
use crossmacro_model::Direction;
use std::time::Duration;

fn focused(witness: &mut dyn Witness) -> Result<Box<dyn Shown>, Failure> {
    let mut shown = witness.show(&window("typing"))?;
    shown.focus()?;
    shown.forget()?;
    Ok(shown)
}

/// Types, and checks that `expected` arrives.
fn types(desktop: &Desktop, shown: &mut dyn Shown, text: &str, expected: &str) -> Result<Typed, Failure> {
    shown.forget()?;
    let keyboard = desktop.keyboard.clone()?;
    keyboard.check_text(text)?;
    let typed = keyboard.type_text(text, Duration::ZERO, &Cancel::new())?;
    eventually("the text that arrived", expected.to_owned(), || Ok(text_of(&shown.received()?)))?;
    Ok(typed)
}

pub(super) fn ascii(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    let text = (' '..='~').collect::<String>();
    let typed = types(desktop, &mut *shown, &text, &text)?;
    equal("typed", typed.characters, text.chars().count())?;
    let empty = types(desktop, &mut *shown, "", "")?;
    equal("typed of nothing", empty, Typed::default())
}

pub(super) fn control(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    types(desktop, &mut *shown, "a\tb\nc\r\nd\re", "a\tb\nc\nd\ne").map(|_| ())
}

pub(super) fn backspace(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    types(desktop, &mut *shown, "ab\u{8}c", "ab\u{8}c").map(|_| ())
}

pub(super) fn unicode(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    for text in ["äöüß ÄÖÜ", "€ñåø¿", "Привет, мир", "日本語の文字", "🙂👍", "a€b€c€€€", "ẞ‰…—“”", "e\u{301}"]
    {
        types(desktop, &mut *shown, text, text)?;
    }
    Ok(())
}

pub(super) fn long(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    let line = "The quick brown fox jumps over the lazy dog 0123456789 äöü €. ";
    let text = line.repeat(16);
    types(desktop, &mut *shown, &text, &text).map(|_| ())
}

pub(super) fn held_modifier(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    let keyboard = desktop.keyboard.clone()?;
    keyboard.key(LEFT_SHIFT, Direction::Press)?;
    types(desktop, &mut *shown, "aB1!", "aB1!")?;
    equal("held afterwards", witness.held()?, Held { keys: vec![LEFT_SHIFT], buttons: vec![] })?;
    keyboard.key(LEFT_SHIFT, Direction::Release)?;
    Ok(())
}

pub(super) fn caps_lock(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    let keyboard = desktop.keyboard.clone()?;
    let tap = |key| {
        keyboard.key(key, Direction::Press)?;
        keyboard.key(key, Direction::Release)
    };
    tap(CAPS_LOCK)?;
    let typed = types(desktop, &mut *shown, "aBcÄ", "aBcÄ");
    shown.forget()?;
    let (letter, key) = letter_key(&*keyboard)?;
    tap(key)?;
    let still_on =
        eventually("the key with caps lock", letter.to_uppercase(), || Ok(text_of(&shown.received()?)));
    tap(CAPS_LOCK)?;
    typed.map(|_| ()).and(still_on)
}

pub(super) fn untypable(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    let keyboard = desktop.keyboard.clone()?;
    let text = "ab\0c";
    for answer in
        [keyboard.check_text(text), keyboard.type_text(text, Duration::ZERO, &Cancel::new()).map(|_| ())]
    {
        let is_right = matches!(&answer, Err(Error::Untypable { positions, .. }) if positions == &[2]);
        ensure(is_right, || format!("the answer is {answer:?}"))?;
    }
    equal("what arrived", shown.received()?, vec![])
}

pub(super) fn cancelled(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut shown = focused(witness)?;
    let keyboard = desktop.keyboard.clone()?;
    let cancel = Cancel::new();
    let text = "Ab€".repeat(400);
    let answer = std::thread::scope(|scope| {
        let typing = scope.spawn(|| keyboard.type_text(&text, Duration::from_millis(20), &cancel));
        let started = eventually("something arrives", true, || Ok(text_of(&shown.received()?).len() > 3));
        let asked = crate::clock::now();
        cancel.cancel();
        let answer = typing.join().map_err(|_| Failure("typing panicked".to_owned()))?;
        ensure(asked.elapsed() < SOON, || format!("it took {:?} to stop", asked.elapsed()))?;
        started.map(|()| answer)
    })?;
    ensure(matches!(answer, Err(Error::Cancelled)), || format!("the answer is {answer:?}"))?;
    equal("held afterwards", witness.held()?, Held::default())?;
    let arrived = text_of(&shown.received()?);
    ensure(text.starts_with(&arrived), || format!("what arrived is no beginning of the text: {arrived:?}"))
}
