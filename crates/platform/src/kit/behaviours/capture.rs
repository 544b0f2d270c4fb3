//! Screen capture.

use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::capture::CaptureRequest;
use crate::kit::check::{Check, ensure, equal, inside, overlay, window};
use crate::kit::{Failure, Pattern, Shown, Witness};
use crossmacro_model::{Frame, Logical, Point, Rect};

fn take(desktop: &Desktop, region: Option<Rect<Logical>>) -> Result<Frame, Failure> {
    take_with(desktop, region, false)
}

fn take_with(
    desktop: &Desktop,
    region: Option<Rect<Logical>>,
    include_cursor: bool,
) -> Result<Frame, Failure> {
    Ok(desktop.capture.clone()?.capture(CaptureRequest { region, include_cursor })?)
}

/// The first pixel of `area` that is not what `expected` says, as a failure.
fn pixels(frame: &Frame, area: Rect<Logical>, expected: impl Fn(Point<Logical>) -> Option<[u8; 3]>) -> Check {
    let shown = frame.region();
    ensure(shown.intersection(area) == Some(area), || format!("the frame shows {shown:?}, not {area:?}"))?;
    for y in area.y..i32::try_from(area.bottom()).unwrap_or(i32::MAX) {
        for x in area.x..i32::try_from(area.right()).unwrap_or(i32::MAX) {
            let seen = frame.rgb(Point::new(x - shown.x, y - shown.y));
            let expected = expected(Point::new(x, y));
            ensure(seen == expected, || format!("the pixel at {x},{y} is {seen:?}, not {expected:?}"))?;
        }
    }
    Ok(())
}

fn painted(content: Rect<Logical>, pattern: Pattern) -> impl Fn(Point<Logical>) -> Option<[u8; 3]> {
    move |at| Some(pattern.rgb(u32::try_from(at.x - content.x).ok()?, u32::try_from(at.y - content.y).ok()?))
}

/// Takes the pointer away from the windows of these behaviours.
fn clear_pointer(desktop: &Desktop) -> Check {
    let pointer = desktop.pointer.clone()?;
    let bounds = desktop.displays.clone()?.layout()?.bounds();
    pointer.move_to(bounds.origin())?;
    Ok(())
}

fn shown_at(
    desktop: &Desktop,
    witness: &mut dyn Witness,
    pattern: Pattern,
) -> Result<(Box<dyn Shown>, Rect<Logical>), Failure> {
    clear_pointer(desktop)?;
    let mut shown = witness.show(&overlay(Rect::new(131, 103, 301, 211), pattern))?;
    let content = shown.content()?;
    Ok((shown, content))
}

pub(super) fn region(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let (mut shown, content) = shown_at(desktop, witness, Pattern::Grid)?;
    for pattern in [Pattern::Grid, Pattern::Gradient, Pattern::Solid([1, 2, 3])] {
        shown.paint(pattern)?;
        let frame = take(desktop, Some(content))?;
        equal("the region", frame.region(), content)?;
        pixels(&frame, content, painted(content, pattern))?;
        // An odd part, so that strides and offsets differ from the whole.
        let part = Rect::new(content.x + 13, content.y + 17, 7, 5);
        pixels(&take(desktop, Some(part))?, part, painted(content, pattern))?;
    }
    let one = Rect::at(inside(content, 3, 3)?, crossmacro_model::Size::new(1, 1));
    equal("the size of one pixel", take(desktop, Some(one))?.region(), one)
}

pub(super) fn whole(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let (_shown, content) = shown_at(desktop, witness, Pattern::Gradient)?;
    let frame = take(desktop, None)?;
    equal("the region", frame.region(), desktop.displays.clone()?.layout()?.bounds())?;
    pixels(&frame, content, painted(content, Pattern::Gradient))
}

pub(super) fn covered(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    clear_pointer(desktop)?;
    let mut below = witness.show(&window("covered"))?;
    let content = below.content()?;
    let cover = Rect::new(content.x + 40, content.y + 30, 80, 60);
    let red = Pattern::Solid([210, 20, 10]);
    let above = witness.show(&overlay(cover, red))?;
    let frame = take(desktop, Some(content))?;
    let (under, over) = (painted(content, Pattern::Grid), painted(cover, red));
    pixels(&frame, content, |at| if cover.contains(at) { over(at) } else { under(at) })?;
    drop(above);
    pixels(&take(desktop, Some(content))?, content, painted(content, Pattern::Grid))
}

pub(super) fn change(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let (mut shown, content) = shown_at(desktop, witness, Pattern::Grid)?;
    for shade in [10, 90, 250] {
        let pattern = Pattern::Solid([shade, 255 - shade, 77]);
        shown.paint(pattern)?;
        pixels(&take(desktop, Some(content))?, content, painted(content, pattern))?;
    }
    Ok(())
}

pub(super) fn clipped(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    clear_pointer(desktop)?;
    let bounds = desktop.displays.clone()?.layout()?.bounds();
    let corner = Rect::new(bounds.x, bounds.y, 64, 48);
    let mut pointer = bounds.center();
    pointer = desktop.pointer.clone()?.move_to(pointer)?;
    ensure(!corner.contains(pointer), || "the desktop is too small for the kit".to_owned())?;
    let _shown = witness.show(&overlay(corner, Pattern::Gradient))?;
    let asked = Rect::new(bounds.x - 100, bounds.y - 50, 164, 98);
    let frame = take(desktop, Some(asked))?;
    equal("the region", frame.region(), corner)?;
    pixels(&frame, corner, painted(corner, Pattern::Gradient))
}

pub(super) fn outside(desktop: &Desktop, _witness: &mut dyn Witness) -> Check {
    let bounds = desktop.displays.clone()?.layout()?.bounds();
    let right = i32::try_from(bounds.right()).unwrap_or(i32::MAX);
    for region in [
        Rect::new(right, bounds.y, 10, 10),
        Rect::new(bounds.x - 10, bounds.y, 10, 10),
        Rect::new(i32::MAX, i32::MAX, u32::MAX, u32::MAX),
        Rect::new(i32::MIN, i32::MIN, 1, 1),
        Rect::new(bounds.x + 65_536, bounds.y, 10, 10),
        Rect::new(bounds.x, bounds.y, 0, 10),
    ] {
        let answer =
            desktop.capture.clone()?.capture(CaptureRequest { region: Some(region), include_cursor: false });
        ensure(matches!(answer, Err(Error::OutOfBounds { .. })), || format!("{region:?} gave {answer:?}"))?;
    }
    Ok(())
}

pub(super) fn cursor(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let solid = Pattern::Solid([7, 99, 201]);
    let (_shown, content) = shown_at(desktop, witness, solid)?;
    let at = desktop.pointer.clone()?.move_to(content.center())?;
    pixels(&take(desktop, Some(content))?, content, painted(content, solid))?;
    let with = take_with(desktop, Some(content), true)?;
    let near = Rect::new(at.x - 48, at.y - 48, 96, 96);
    ensure(pixels(&with, near, painted(content, solid)).is_err(), || "no pointer is to be seen".to_owned())?;
    // Far from the pointer nothing else may have changed.
    let corner = Rect::new(content.x, content.y, 24, 24);
    pixels(&with, corner, painted(content, solid))
}
