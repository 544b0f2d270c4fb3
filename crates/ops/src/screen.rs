//! Operations that read the screen.

mod cursor_position;
mod read;
mod screenshot;

use crate::registry::Entry;

pub(crate) static OPERATIONS: [Entry; 3] = [
    Entry::of::<read::Read>(),
    Entry::of::<cursor_position::CursorPosition>(),
    Entry::of::<screenshot::Capture>(),
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
