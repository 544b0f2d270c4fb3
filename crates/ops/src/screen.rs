//! Operations that read the screen.

mod cursor_position;
mod diff;
mod explain;
mod find_image;
mod read;
mod screenshot;
mod wait_change;
mod wait_stable;

use crate::registry::operations;
use crossmacro_model::{Fault, Frame, Logical, Physical, Point, Rect};
use serde_json::Value;

operations![
    read::Read,
    wait_stable::WaitStable,
    wait_change::WaitChange,
    diff::Diff,
    find_image::FindImage,
    cursor_position::CursorPosition,
    screenshot::Capture,
];

/// A place on the desktop, in logical units.
#[derive(Debug, Clone, Copy, serde::Serialize, schemars::JsonSchema)]
pub(crate) struct Place {
    /// Units to the right of the desktop's origin; may be negative.
    pub(crate) x: i32,
    /// Units below the desktop's origin; may be negative.
    pub(crate) y: i32,
}

impl From<crossmacro_model::Point> for Place {
    fn from(point: crossmacro_model::Point) -> Self {
        Self { x: point.x, y: point.y }
    }
}

/// A rectangle on the desktop, in logical units.
#[derive(Debug, Clone, Copy, serde::Serialize, schemars::JsonSchema)]
pub(crate) struct Area {
    /// Left edge.
    pub(crate) x: i32,
    /// Top edge.
    pub(crate) y: i32,
    /// Width.
    pub(crate) width: u32,
    /// Height.
    pub(crate) height: u32,
}

impl From<crossmacro_model::Rect> for Area {
    fn from(rect: crossmacro_model::Rect) -> Self {
        Self { x: rect.x, y: rect.y, width: rect.width, height: rect.height }
    }
}

/// A failure that tells what a success would tell, as far as it is known.
fn with_reply(fault: Fault, reply: &Value) -> Fault {
    let fields = reply.as_object().into_iter().flatten();
    fields.fold(fault, |fault, (key, value)| fault.with_partial(key, value.clone()))
}

/// Where `now` differs from an earlier frame of the same region, in pixels. Everywhere, where the region has
/// become another.
fn changed_pixels(now: &Frame, before: &Frame) -> Vec<Rect<Physical>> {
    if now.region() == before.region() {
        return now.changes(before);
    }
    vec![Rect::at(Point::new(0, 0), now.size())]
}

/// The same on the desktop.
fn changed(now: &Frame, before: &Frame) -> Vec<Rect<Logical>> {
    changed_pixels(now, before).into_iter().map(|area| now.on_desktop(area)).collect()
}
