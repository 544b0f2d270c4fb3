//! Limits in the units that arguments use.

use crossmacro_model::limits::Limit;
use crossmacro_model::{Fault, Logical, Point, Rect};

/// Refuses a text that is longer than a limit counted in UTF-16 code units, as the reference counts.
pub(crate) fn utf16(argument: &'static str, text: &str, limit: Limit) -> Result<u64, Fault> {
    let units = text.encode_utf16().count() as u64;
    if units <= limit.value {
        return Ok(units);
    }
    Err(Fault::arguments(format!(
        "the argument {argument} has {units} {}; at most {} are accepted",
        limit.unit, limit.value
    ))
    .detail("argument", argument)
    .detail("limit", limit.value))
}

/// Refuses a region above the limit that every screen operation shares.
pub(crate) fn region(region: Rect<Logical>) -> Result<Rect<Logical>, Fault> {
    let limit = crossmacro_model::limits::REGION;
    if region.is_empty() {
        return Err(Fault::arguments("the region is empty: its width and height must be at least 1"));
    }
    if region.right() > i64::from(i32::MAX) || region.bottom() > i64::from(i32::MAX) {
        return Err(Fault::arguments("the region reaches beyond the largest coordinate (2147483647)"));
    }
    let area = region.size().area();
    if area > limit.value {
        return Err(Fault::arguments(format!(
            "the region has {area} pixels; at most {} are accepted",
            limit.value
        ))
        .detail("limit", limit.value));
    }
    Ok(region)
}

/// A region from four arguments that belong together: all of them, or none.
pub(crate) fn region_of(
    x: Option<i32>,
    y: Option<i32>,
    width: Option<u32>,
    height: Option<u32>,
) -> Result<Option<Rect<Logical>>, Fault> {
    match (x, y, width, height) {
        (None, None, None, None) => Ok(None),
        (Some(x), Some(y), Some(width), Some(height)) => region(Rect::new(x, y, width, height)).map(Some),
        _ => Err(Fault::arguments(
            "regionX, regionY, regionWidth and regionHeight belong together: give all four or none",
        )),
    }
}

/// The region between two corners in any order, right and bottom exclusive.
pub(crate) fn between(a: Point<Logical>, b: Point<Logical>) -> Result<Rect<Logical>, Fault> {
    let (left, top) = (a.x.min(b.x), a.y.min(b.y));
    let width = a.x.max(b.x).abs_diff(left);
    let height = a.y.max(b.y).abs_diff(top);
    region(Rect::new(left, top, width, height))
}
