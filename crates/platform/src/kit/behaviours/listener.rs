//! Hearing what a person does; the witness is the person.

use crate::cancel::Cancel;
use crate::clock;
use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::listener::{Heard, Input, ListenRequest, Listening, MotionDetail};
use crate::kit::check::{Check, SOON, ensure, equal, overlay};
use crate::kit::{Act, Failure, Pattern, Shown, Witness};
use crossmacro_model::{Axis, Button, Direction, KeyCode, Point};
use std::time::Duration;

const PLACES: ListenRequest = ListenRequest { motion: Some(MotionDetail::Places), buttons: true, keys: true };
const DISTANCES: ListenRequest =
    ListenRequest { motion: Some(MotionDetail::Distances), buttons: true, keys: true };
const KEYS: ListenRequest = ListenRequest { motion: None, buttons: false, keys: true };

/// A, S, left Shift, and Mute as a key that prints nothing.
const SOME_KEYS: [KeyCode; 4] = [KeyCode(30), KeyCode(31), KeyCode(42), KeyCode(113)];
/// F12: marks the end of what is to be heard.
const MARK: KeyCode = KeyCode(88);
const BOTH: [Direction; 2] = [Direction::Press, Direction::Release];

fn listen(desktop: &Desktop, request: ListenRequest) -> Result<Box<dyn Listening>, Failure> {
    Ok(desktop.listener.clone()?.listen(request)?)
}

/// What is heard until the witness has tapped the mark. Repetitions and news of devices are nobody's deed.
fn hear(ear: &mut dyn Listening, witness: &mut dyn Witness) -> Result<Vec<Input>, Failure> {
    tap(witness, MARK)?;
    let deadline = clock::now() + SOON;
    let mut all: Vec<Heard> = Vec::new();
    let end = |heard: &Heard| heard.input == Input::Key { key: MARK, direction: Direction::Release };
    while !all.last().is_some_and(end) {
        let left = deadline.saturating_duration_since(clock::now());
        let more = ear.next(left, &Cancel::new())?;
        ensure(!more.is_empty(), || format!("the end is not heard; what is: {all:?}"))?;
        all.extend(more);
    }
    ensure(all.is_sorted_by_key(|heard| heard.at_us), || format!("times go back: {all:?}"))?;
    let deed =
        |input: &Input| !matches!(input, Input::Repeat(_) | Input::Devices | Input::Key { key: MARK, .. });
    Ok(all.into_iter().map(|heard| heard.input).filter(deed).collect())
}

/// A window over the whole desktop, so that no click opens a menu.
fn cover(witness: &mut dyn Witness) -> Result<Box<dyn Shown>, Failure> {
    let desktop = witness.desktop()?;
    Ok(witness.show(&overlay(desktop, Pattern::Solid([40, 80, 120])))?)
}

fn tap(witness: &mut dyn Witness, key: KeyCode) -> Check {
    Ok(BOTH.into_iter().try_for_each(|direction| witness.act(Act::Key(key, direction)))?)
}

fn click(witness: &mut dyn Witness, button: Button) -> Check {
    Ok(BOTH.into_iter().try_for_each(|direction| witness.act(Act::Button(button, direction)))?)
}

fn taps(key: KeyCode) -> [Input; 2] {
    BOTH.map(|direction| Input::Key { key, direction })
}

fn clicks(button: Button) -> [Input; 2] {
    BOTH.map(|direction| Input::Button { button, direction })
}

pub(super) fn order(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let (_cover, bounds) = (cover(witness)?, witness.desktop()?);
    witness.act(Act::Move(bounds.center()))?;
    let mut ear = listen(desktop, PLACES)?;
    equal("where the pointer is at the beginning", ear.begun().place, Some(bounds.center()))?;
    let places = [Point::new(101, 57), bounds.origin(), Point::new(102, 57), bounds.origin()];
    let mut expected = Vec::new();
    for (place, key) in places.into_iter().zip(SOME_KEYS) {
        witness.act(Act::Move(place))?;
        tap(witness, key)?;
        click(witness, Button::Left)?;
        expected.push(Input::Place(place));
        expected.extend(taps(key));
        expected.extend(clicks(Button::Left));
    }
    equal("what is heard", hear(&mut *ear, witness)?, expected)
}

pub(super) fn buttons(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let _cover = cover(witness)?;
    for request in [PLACES, DISTANCES, ListenRequest { motion: None, ..PLACES }] {
        let mut ear = listen(desktop, request)?;
        let mut expected = Vec::new();
        for button in Button::ALL {
            click(witness, button)?;
            expected.extend(clicks(button));
        }
        for axis in Axis::ALL {
            witness.act(Act::Wheel(axis))?;
            expected.push(Input::Wheel { axis, amount: 120 });
        }
        equal("what is heard", hear(&mut *ear, witness)?, expected)?;
    }
    Ok(())
}

pub(super) fn distances(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let from = witness.desktop()?.center();
    witness.act(Act::Move(from))?;
    let mut ear = listen(desktop, DISTANCES)?;
    for (dx, dy) in [(12, -7), (40, 3), (-30, 9)] {
        let to = from.offset(dx, dy).unwrap_or(from);
        let before = witness.pointer()?;
        witness.act(Act::Move(to))?;
        let (mut x, mut y) = (0.0, 0.0);
        for input in hear(&mut *ear, witness)? {
            let Input::Distance { dx, dy } = input else {
                return Err(Failure(format!("{input:?} is heard instead of a distance")));
            };
            (x, y) = (x + dx, y + dy);
        }
        let way = (f64::from(to.x - before.x), f64::from(to.y - before.y));
        equal("the sum of the distances", (x, y), way)?;
    }
    Ok(())
}

pub(super) fn asked(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let (_cover, center) = (cover(witness)?, witness.desktop()?.center());
    let mut ear = listen(desktop, KEYS)?;
    witness.act(Act::Move(center))?;
    click(witness, Button::Left)?;
    witness.act(Act::Wheel(Axis::Down))?;
    tap(witness, SOME_KEYS[0])?;
    equal("what is heard", hear(&mut *ear, witness)?, taps(SOME_KEYS[0]).to_vec())
}

pub(super) fn between(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut ear = listen(desktop, KEYS)?;
    for key in SOME_KEYS {
        // Nobody waits while this happens.
        tap(witness, key)?;
        equal("what is heard afterwards", hear(&mut *ear, witness)?, taps(key).to_vec())?;
    }
    Ok(())
}

pub(super) fn ends(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut ear = listen(desktop, KEYS)?;
    let cancel = Cancel::new();
    equal("what is heard while nothing happens", ear.next(Duration::from_millis(30), &cancel)?, Vec::new())?;
    cancel.cancel();
    let (begun, answer) = (clock::now(), ear.next(SOON, &cancel));
    ensure(matches!(answer, Err(Error::Cancelled)), || format!("a cancelled wait gives {answer:?}"))?;
    let took = clock::now().saturating_duration_since(begun);
    ensure(took < Duration::from_millis(500), || format!("it took {took:?} to cancel"))?;
    // And it still hears.
    tap(witness, SOME_KEYS[1])?;
    equal("what is heard after that", hear(&mut *ear, witness)?, taps(SOME_KEYS[1]).to_vec())
}
