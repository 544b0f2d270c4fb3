//! The pointer loop: motion arrives with the exact coordinates, a button goes down and up.

use super::witness::{Turn, Witness};
use crossmacro_model::{Button, Direction, Logical, Point};
use crossmacro_platform::{Error, Pointer, Result};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt as _, EventMask, GrabMode};

/// Moves the pointer into the window and back, while the witness holds it: other windows see neither the motion
/// nor the button.
pub(super) fn run(turn: &Turn<'_>, pointer: &dyn Pointer) -> Result<String> {
    let before = pointer.position()?;
    turn.grab("holding the pointer for a moment", || grab(turn.witness))?;
    let seen = exercise(turn, pointer, before);
    let back = put_back(turn.witness, pointer, before);
    let released = turn.witness.x11.conn().ungrab_pointer(x11rb::CURRENT_TIME);
    released.map_err(|error| turn.witness.x11.fault("letting go of the pointer", error))?;
    turn.witness.x11.sync()?;
    let (at, button) = seen?;
    back?;
    Ok(format!("{}: the pointer went to {at} and back, button {button} went down and up", pointer.backend()))
}

fn grab(witness: &Witness) -> Result<x11rb::protocol::xproto::GrabStatus> {
    let events = EventMask::POINTER_MOTION | EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE;
    let (window, mode, none) = (witness.window, GrabMode::ASYNC, x11rb::NONE);
    let time = x11rb::CURRENT_TIME;
    let cookie = witness.x11.conn().grab_pointer(false, window, events, mode, mode, none, none, time);
    Ok(witness.x11.reply("holding the pointer", cookie)?.status)
}

fn exercise(
    turn: &Turn<'_>,
    pointer: &dyn Pointer,
    before: Point<Logical>,
) -> Result<(Point<Logical>, Button)> {
    let origin = turn.witness.region.origin();
    let center = turn.witness.region.center();
    // A move to where the pointer is makes no event.
    let to = if before == center { origin } else { center };
    pointer.move_to(to)?;
    let inside = (to.x - origin.x, to.y - origin.y);
    turn.event("moving the pointer", |event| {
        let Event::MotionNotify(motion) = event else { return Ok(None) };
        let in_root = (i32::from(motion.root_x), i32::from(motion.root_y));
        let in_window = (i32::from(motion.event_x), i32::from(motion.event_y));
        Ok((in_root == (to.x, to.y) && in_window == inside).then_some(()))
    })?;
    Ok((to, click(turn, pointer)?))
}

/// Presses and releases a button that has no meaning in most programs.
fn click(turn: &Turn<'_>, pointer: &dyn Pointer) -> Result<Button> {
    let (button, number) = match pointer.button(Button::Side2, Direction::Press) {
        Err(Error::Unsupported { .. }) => {
            pointer.button(Button::Side1, Direction::Press)?;
            (Button::Side1, 8)
        }
        other => {
            other?;
            (Button::Side2, 9)
        }
    };
    let down = turn.event("pressing a button", |event| {
        let Event::ButtonPress(press) = event else { return Ok(None) };
        Ok((press.detail == number).then_some(()))
    });
    pointer.button(button, Direction::Release)?;
    down?;
    turn.event("releasing a button", |event| {
        let Event::ButtonRelease(release) = event else { return Ok(None) };
        Ok((release.detail == number).then_some(button))
    })
}

/// Back to where the pointer was. That may be a place that no monitor shows, where the facet refuses to go.
fn put_back(witness: &Witness, pointer: &dyn Pointer, before: Point<Logical>) -> Result<()> {
    if pointer.move_to(before).is_ok() {
        return Ok(());
    }
    let (Ok(x), Ok(y)) = (i16::try_from(before.x), i16::try_from(before.y)) else { return Ok(()) };
    let sent = witness.x11.conn().warp_pointer(x11rb::NONE, witness.x11.root(), 0, 0, 0, 0, x, y);
    sent.map(drop).map_err(|error| witness.x11.fault("putting the pointer back", error))
}
