//! Pointer, buttons and wheel.

use crate::desktop::Desktop;
use crate::error::Error;
use crate::kit::check::{Check, deeds, ensure, equal, eventually, inside, overlay, window};
use crate::kit::{Held, Pattern, Received, Witness};
use crossmacro_model::{Axis, Button, Direction, Point, Rect};

pub(super) fn arrives(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    for display in desktop.displays.clone()?.layout()?.displays {
        let region = display.region;
        let corner = |right: bool, bottom: bool| {
            let edge = |at: i32, length: u32, far: bool| {
                at + if far { i32::try_from(length).unwrap_or(i32::MAX) - 1 } else { 0 }
            };
            Point::new(edge(region.x, region.width, right), edge(region.y, region.height, bottom))
        };
        let places = [corner(false, false), region.center(), corner(true, true), corner(true, false)];
        for place in places {
            equal("where it is put", pointer.move_to(place)?, place)?;
            equal("where others see it", witness.pointer()?, place)?;
            equal("where it says it is", pointer.position()?, place)?;
        }
    }
    Ok(())
}

pub(super) fn outside(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    let bounds = desktop.displays.clone()?.layout()?.bounds();
    let center = pointer.move_to(bounds.center())?;
    let right = i32::try_from(bounds.right()).unwrap_or(i32::MAX);
    let places = [
        Point::new(right, bounds.y),
        Point::new(bounds.x - 1, bounds.y),
        Point::new(i32::MAX, i32::MAX),
        Point::new(i32::MIN, i32::MIN),
        // Beyond 16 bits, with low bits that would lie inside.
        Point::new(bounds.center().x + 65_536, bounds.center().y),
    ];
    for place in places {
        let answer = pointer.move_to(place);
        ensure(matches!(answer, Err(Error::OutOfBounds { .. })), || format!("{place:?} gave {answer:?}"))?;
        equal("where the pointer is then", witness.pointer()?, center)?;
    }
    Ok(())
}

pub(super) fn distance(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    let from = pointer.move_to(desktop.displays.clone()?.layout()?.bounds().center())?;
    for (dx, dy) in [(12, 7), (-12, -7)] {
        let before = witness.pointer()?;
        let told = pointer.move_by(dx, dy)?;
        let seen = witness.pointer()?;
        equal("where it says it is", told, seen)?;
        let way = |from: i32, to: i32| (to - from).signum();
        equal("the way", (way(before.x, seen.x), way(before.y, seen.y)), (dx.signum(), dy.signum()))?;
    }
    let back = pointer.move_to(from)?;
    equal("where it is put back", back, from)
}

pub(super) fn buttons(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    let mut shown = witness.show(&overlay(Rect::new(120, 100, 300, 200), Pattern::Grid))?;
    let at = inside(shown.content()?, 37, 41)?;
    pointer.move_to(at)?;
    for button in Button::ALL {
        shown.forget()?;
        pointer.button(button, Direction::Press)?;
        equal("what the server says is pressed", witness.held()?.buttons, vec![button])?;
        pointer.button(button, Direction::Release)?;
        let expected = [Direction::Press, Direction::Release].map(|direction| Received::Button {
            button,
            direction,
            at,
        });
        eventually(button.name(), expected.to_vec(), || deeds(&mut *shown))?;
    }
    Ok(())
}

pub(super) fn wheel(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    let mut shown = witness.show(&overlay(Rect::new(120, 100, 300, 200), Pattern::Grid))?;
    pointer.move_to(inside(shown.content()?, 20, 20)?)?;
    for axis in Axis::ALL {
        for count in [0, 1, 3, 10] {
            shown.forget()?;
            pointer.scroll(axis, count)?;
            let expected = vec![Received::Scroll(axis); count as usize];
            eventually(axis.name(), expected, || deeds(&mut *shown))?;
        }
    }
    Ok(())
}

pub(super) fn drag(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    let mut shown = witness.show(&overlay(Rect::new(120, 100, 300, 200), Pattern::Grid))?;
    let content = shown.content()?;
    let (from, way, to) = (inside(content, 10, 10)?, inside(content, 60, 80)?, inside(content, 200, 150)?);
    pointer.move_to(from)?;
    shown.forget()?;
    pointer.button(Button::Left, Direction::Press)?;
    pointer.move_to(way)?;
    equal("pressed on the way", witness.held()?, Held { keys: vec![], buttons: vec![Button::Left] })?;
    pointer.move_to(to)?;
    pointer.button(Button::Left, Direction::Release)?;
    let button = |direction, at| Received::Button { button: Button::Left, direction, at };
    let expected = [
        button(Direction::Press, from),
        Received::Motion(way),
        Received::Motion(to),
        button(Direction::Release, to),
    ];
    eventually("the drag", expected.to_vec(), || Ok(shown.received()?))
}

pub(super) fn on_top(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let pointer = desktop.pointer.clone()?;
    let mut below = witness.show(&window("below"))?;
    let content = below.content()?;
    let cover = Rect::new(content.x + 50, content.y + 50, 100, 100);
    let mut above = witness.show(&overlay(cover, Pattern::Solid([200, 0, 0])))?;
    let at = pointer.move_to(inside(cover, 30, 30)?)?;
    below.forget()?;
    above.forget()?;
    pointer.button(Button::Left, Direction::Press)?;
    pointer.button(Button::Left, Direction::Release)?;
    let expected = [Direction::Press, Direction::Release].map(|direction| Received::Button {
        button: Button::Left,
        direction,
        at,
    });
    eventually("the window on top", expected.to_vec(), || deeds(&mut *above))?;
    equal("the window below", deeds(&mut *below)?, vec![])
}
