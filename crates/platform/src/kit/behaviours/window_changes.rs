//! What can be done to a window, as its owner sees it.

use crate::cancel::Cancel;
use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::windows::{Change, WindowId};
use crate::kit::check::{Check, deeds, ensure, equal, eventually, id_of, inside, stands, window};
use crate::kit::{Failure, Received, Shown, WindowSpec, Witness};
use crossmacro_model::{Logical, Point, Rect, Size};

/// A window of the witness and the two names it goes by.
struct Subject<'a> {
    desktop: &'a Desktop,
    shown: Box<dyn Shown>,
    id: WindowId,
}

impl<'a> Subject<'a> {
    fn new(desktop: &'a Desktop, witness: &mut dyn Witness, spec: &WindowSpec) -> Result<Self, Failure> {
        let shown = witness.show(spec)?;
        Ok(Self { desktop, shown, id: id_of(desktop, &spec.title)? })
    }

    fn change(&self, change: Change) -> Check {
        Ok(self.desktop.windows.clone()?.change(self.id, change, &Cancel::new())?)
    }

    fn owner_sees(
        &mut self,
        what: &str,
        holds: impl Fn(&crate::kit::ShownState, Rect<Logical>) -> bool,
    ) -> Check {
        stands(&mut *self.shown, what, holds)
    }

    fn display(&self) -> Result<Rect<Logical>, Failure> {
        let layout = self.desktop.displays.clone()?.layout()?;
        let first = layout.displays.first().map(|display| display.region);
        first.ok_or_else(|| Failure("there is no display".to_owned()))
    }
}

pub(super) fn focus(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut one = Subject::new(desktop, witness, &window("focus one"))?;
    let mut two = Subject::new(desktop, witness, &window("focus two"))?;
    let windows = desktop.windows.clone()?;
    for _ in 0..2 {
        for subject in [&mut one, &mut two] {
            subject.change(Change::Focus)?;
            subject.owner_sees("it has the focus", |state, _| state.is_focused)?;
            equal("the active window", windows.active()?, Some(subject.id))?;
            ensure(windows.get(subject.id)?.is_focused, || "its entry does not say so".to_owned())?;
        }
    }
    Ok(())
}

pub(super) fn place(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("to be moved"))?;
    let windows = desktop.windows.clone()?;
    let display = subject.display()?;
    for (dx, dy) in [(200, 150), (60, 40), (0, 0)] {
        let to = inside(display, dx, dy)?;
        subject.change(Change::Move(to))?;
        let entry = windows.get(subject.id)?;
        equal("the corner of the frame", entry.frame.origin(), to)?;
        let content = subject.shown.content()?;
        equal("the content as its owner sees it", content, entry.client)?;
        ensure(entry.frame.contains(content.origin()), || format!("{content:?} in {:?}", entry.frame))?;
    }
    Ok(())
}

pub(super) fn resize(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("to be resized"))?;
    for size in [Size::new(411, 307), Size::new(200, 150)] {
        subject.change(Change::Resize(size))?;
        subject.owner_sees("the content has the size", |_, content| content.size() == size)?;
    }
    Ok(())
}

pub(super) fn increments(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let spec = WindowSpec { increment: Some(Size::new(20, 30)), ..window("size grid") };
    let mut subject = Subject::new(desktop, witness, &spec)?;
    subject.change(Change::Resize(Size::new(411, 317)))?;
    subject.owner_sees("the nearest size of the grid", |_, content| {
        content.width.abs_diff(411) < 20 && content.height.abs_diff(317) < 30
    })?;
    let content = subject.shown.content()?;
    equal("what is over the grid", (content.width % 20, content.height % 30), (0, 0))
}

pub(super) fn center(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("to be centred"))?;
    subject.change(Change::Center)?;
    let (middle, frame) = (subject.display()?.center(), desktop.windows.clone()?.get(subject.id)?.frame);
    let far = |one: Point<Logical>, two: Point<Logical>| one.x.abs_diff(two.x).max(one.y.abs_diff(two.y));
    // Panels may move the middle of the work area; what the owner sees must agree with the frame.
    ensure(far(frame.center(), middle) <= 64, || format!("{frame:?} is not around {middle:?}"))?;
    subject
        .owner_sees("the content is in the frame", |_, content| frame.intersection(content) == Some(content))
}

pub(super) fn maximize(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("to be maximised"))?;
    let before = subject.shown.content()?;
    let display = subject.display()?;
    subject.change(Change::Maximize(true))?;
    subject.owner_sees("it is maximised", |state, content| {
        state.is_maximized && content.size().area() * 10 > display.size().area() * 8
    })?;
    ensure(desktop.windows.clone()?.get(subject.id)?.is_maximized, || {
        "its entry does not say so".to_owned()
    })?;
    subject.change(Change::Maximize(false))?;
    subject.owner_sees("it is as before", |state, content| !state.is_maximized && content == before)
}

pub(super) fn minimize(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("to be minimised"))?;
    let windows = desktop.windows.clone()?;
    subject.change(Change::Minimize)?;
    subject.owner_sees("it is minimised", |state, _| state.is_minimized && !state.is_visible)?;
    ensure(windows.get(subject.id)?.is_hidden, || "its entry does not say so".to_owned())?;
    subject.change(Change::Restore)?;
    subject.owner_sees("it is back", |state, _| state.is_visible && !state.is_minimized)?;
    ensure(!windows.get(subject.id)?.is_hidden, || "its entry still says hidden".to_owned())
}

pub(super) fn fullscreen(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("fullscreen"))?;
    let before = subject.shown.content()?;
    let display = subject.display()?;
    let windows = desktop.windows.clone()?;
    subject.change(Change::Fullscreen(true))?;
    subject
        .owner_sees("it covers the display", |state, content| state.is_fullscreen && content == display)?;
    ensure(windows.get(subject.id)?.is_fullscreen, || "its entry does not say so".to_owned())?;
    subject.change(Change::Fullscreen(false))?;
    subject.owner_sees("it is as before", |state, content| !state.is_fullscreen && content == before)?;
    subject.change(Change::Fullscreen(true))?;
    subject.change(Change::Restore)?;
    subject.owner_sees("restoring undoes it", |state, content| !state.is_fullscreen && content == before)
}

pub(super) fn above(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let mut subject = Subject::new(desktop, witness, &window("above"))?;
    for above in [true, false] {
        subject.change(Change::Above(above))?;
        subject.owner_sees("it is told", |state, _| state.is_above == above)?;
        equal("its entry", desktop.windows.clone()?.get(subject.id)?.is_above, above)?;
    }
    Ok(())
}

pub(super) fn close(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let subject = Subject::new(desktop, witness, &window("to be closed"))?;
    subject.change(Change::Close)?;
    let windows = desktop.windows.clone()?;
    eventually("it is listed", false, || Ok(windows.list()?.iter().any(|window| window.id == subject.id)))?;
    let answer = windows.get(subject.id);
    ensure(matches!(answer, Err(Error::NotFound { .. })), || format!("get gave {answer:?}"))
}

pub(super) fn refuses_close(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let spec = WindowSpec { obeys_close: false, ..window("stubborn") };
    let mut subject = Subject::new(desktop, witness, &spec)?;
    subject.shown.forget()?;
    let answer = desktop.windows.clone()?.change(subject.id, Change::Close, &Cancel::new());
    ensure(matches!(answer, Err(Error::NoEffect { .. })), || format!("closing gave {answer:?}"))?;
    let asked = deeds(&mut *subject.shown)?.contains(&Received::CloseRequested);
    ensure(asked, || "its owner was not asked".to_owned())
}
