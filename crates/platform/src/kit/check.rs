//! What the behaviours have in common: windows to work with, waiting, and saying what was seen instead.

use super::{Failure, Held, Pattern, Received, Shown, ShownState, WindowSpec, Witness};
use crate::cancel::Cancel;
use crate::clock;
use crate::desktop::Desktop;
use crate::facets::windows::{Window, WindowId};
use crossmacro_model::{Direction, Logical, Point, Rect};
use std::fmt::Debug;
use std::time::Duration;

pub(super) type Check = Result<(), Failure>;

/// How long an effect may take that does not come with the call (a window manager at work).
pub(super) const SOON: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 5_000 });
const LOOK_AGAIN: Duration = Duration::from_millis(4);

pub(super) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(Failure(otherwise())) }
}

#[expect(clippy::needless_pass_by_value, reason = "what is seen is made for this one comparison")]
pub(super) fn equal<T: PartialEq + Debug>(what: &str, seen: T, expected: T) -> Check {
    ensure(seen == expected, || format!("{what}: {seen:?} instead of {expected:?}"))
}

/// Waits until `look` gives what is expected.
pub(super) fn eventually<T: PartialEq + Debug>(
    what: &str,
    expected: T,
    mut look: impl FnMut() -> Result<T, Failure>,
) -> Check {
    let (deadline, cancel) = (clock::now() + SOON, Cancel::new());
    loop {
        let seen = look()?;
        if seen == expected || clock::now() > deadline {
            return equal(what, seen, expected);
        }
        cancel.sleep(LOOK_AGAIN);
    }
}

/// Waits until a window of the witness stands as `holds` wants it.
pub(super) fn stands(
    shown: &mut dyn Shown,
    what: &str,
    holds: impl Fn(&ShownState, Rect<Logical>) -> bool,
) -> Check {
    let mut seen = None;
    eventually(what, true, || {
        let (state, content) = (shown.state()?, shown.content()?);
        seen = Some((state, content));
        Ok(holds(&state, content))
    })
    .map_err(|Failure(why)| Failure(format!("{why}; the witness sees {seen:?}")))
}

/// A window that obeys, near the top left corner of the desktop.
pub(super) fn window(title: &str) -> WindowSpec {
    WindowSpec {
        title: title.to_owned(),
        class: "CrossmacroWitness".to_owned(),
        content: Rect::new(120, 100, 320, 240),
        pattern: Pattern::Grid,
        is_overlay: false,
        obeys_close: true,
        increment: None,
    }
}

/// An overlay at `content`: it stays where it is put and is not framed.
pub(super) fn overlay(content: Rect<Logical>, pattern: Pattern) -> WindowSpec {
    WindowSpec { content, pattern, is_overlay: true, ..window("overlay") }
}

/// The listed window with this title, when it is listed.
pub(super) fn listed(desktop: &Desktop, title: &str) -> Result<Window, Failure> {
    let windows = desktop.windows.clone()?;
    let mut found = None;
    eventually(&format!("a window called {title:?} is listed"), true, || {
        found = windows.list()?.into_iter().find(|window| window.title == title);
        Ok(found.is_some())
    })?;
    found.ok_or_else(|| Failure("unreachable: it was listed".to_owned()))
}

pub(super) fn id_of(desktop: &Desktop, title: &str) -> Result<WindowId, Failure> {
    listed(desktop, title).map(|window| window.id)
}

/// The text that the window received.
pub(super) fn text_of(received: &[Received]) -> String {
    let texts = received.iter().map(|it| match it {
        Received::Key { direction: Direction::Press, text, .. } => text.as_str(),
        _ => "",
    });
    texts.collect()
}

/// What the window received, without motion.
pub(super) fn deeds(shown: &mut dyn Shown) -> Result<Vec<Received>, Failure> {
    let received = shown.received()?;
    Ok(received.into_iter().filter(|it| !matches!(it, Received::Motion(_))).collect())
}

pub(super) fn nothing_held(witness: &mut dyn Witness) -> Check {
    equal("what the server says is still pressed afterwards", witness.held()?, Held::default())
}

/// After a failure: so that one behaviour's fault does not become the next one's.
pub(super) fn release_all(desktop: &Desktop, witness: &mut dyn Witness) {
    let Ok(held) = witness.held() else { return };
    for key in held.keys {
        if let Ok(keyboard) = &desktop.keyboard {
            // The failure is reported already; this is only first aid.
            drop(keyboard.key(key, Direction::Release));
        }
    }
    for button in held.buttons {
        if let Ok(pointer) = &desktop.pointer {
            drop(pointer.button(button, Direction::Release));
        }
    }
}

/// A place well inside.
pub(super) fn inside(content: Rect<Logical>, dx: i32, dy: i32) -> Result<Point<Logical>, Failure> {
    let point = content.origin().offset(dx, dy).filter(|point| content.contains(*point));
    point.ok_or_else(|| Failure(format!("{dx},{dy} is not inside {content:?}")))
}
