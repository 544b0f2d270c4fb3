//! The pixel loop: the window, whose colours nobody could know before, is in the picture.

use super::witness::{LIMIT, Turn, Witness};
use crossmacro_model::{Frame, Point};
use crossmacro_platform::{Capture, CaptureRequest, Error, Result};

const WHAT: &str = "capturing the screen";

/// Captures until every pixel of the window is in the picture: a compositor may need a moment to show it.
pub(super) fn run(turn: &Turn<'_>, capture: &dyn Capture) -> Result<String> {
    let request = CaptureRequest { region: Some(turn.witness.region), include_cursor: false };
    let mut different = None;
    let found = turn.until(|| {
        different = difference(turn.witness, &capture.capture(request)?);
        Ok(different.is_none().then_some(()))
    })?;
    let region = turn.witness.region;
    if found.is_some() {
        return Ok(format!("{}: a window painted at {region} was in the picture", capture.backend()));
    }
    let at = different.map(|at| at.to_string()).unwrap_or_default();
    let why = format!(
        "for {} ms, a window above all others was painted at {region}, and the picture by {} shows something \
         else at {at} of it: a screen lock or another program covers it, or the picture is not of the present",
        LIMIT.as_millis(),
        capture.backend()
    );
    Err(Error::NoEffect { what: WHAT, why })
}

/// The first place of the window that the picture shows otherwise.
fn difference(witness: &Witness, frame: &Frame) -> Option<Point> {
    let region = witness.region;
    if frame.region() != region {
        return Some(Point::new(0, 0));
    }
    let width = i32::try_from(region.width).unwrap_or_default();
    let height = i32::try_from(region.height).unwrap_or_default();
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let mut wrong = places.filter(|&(x, y)| frame.rgb(Point::new(x, y)) != Some(witness.rgb(x, y)));
    wrong.next().map(|(x, y)| Point::new(x, y))
}
