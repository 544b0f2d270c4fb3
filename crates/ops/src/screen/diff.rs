//! `screen.diff`: what has changed since an earlier capture.

use super::Area;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Picture, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_imaging::{Format, Options, encode};
use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::limits::INLINE_IMAGE;
use crossmacro_model::{Capability, Code, Fault, Frame, Physical, Point, Rect, Size};
use crossmacro_platform::CaptureRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Diff;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// The earlier capture: a captureId from screenshot.capture, screen.wait_stable, screen.wait_change, screen.find_image or screen.diff. Its region is compared.
    #[schemars(length(min = 1, max = 40))]
    since: String,
    /// Return what is there now where it changed, as one picture: the changed rectangles one below the other, or their surroundings where that is smaller; pictureX and pictureY say where each is. Default false.
    #[serde(default)]
    include_image: bool,
}

/// A changed rectangle.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Change {
    /// Left edge, in logical desktop units.
    x: i32,
    /// Top edge.
    y: i32,
    /// Width.
    width: u32,
    /// Height.
    height: u32,
    /// Left edge in the picture, in its pixels; null without one.
    picture_x: Option<u32>,
    /// Top edge in the picture.
    picture_y: Option<u32>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether any pixel differs.
    changed: Option<bool>,
    /// Where, as few rectangles that don't overlap. At most 64.
    changes: Vec<Change>,
    /// The region that was compared.
    region: Option<Area>,
    /// Whether a picture comes with this result.
    image_included: bool,
    /// Names what is there now, for the next screen.diff; null when it is too large to keep.
    capture_id: Option<String>,
    /// The back end that read the screen.
    provider_name: Option<&'static str>,
}

/// Rows between two rectangles in the picture.
const GAP: u32 = 4;

impl Operation for Diff {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "screen.diff",
        title: "Compare the screen with an earlier capture",
        summary: "Tells which rectangles of the screen differ from an earlier capture, and returns them as a picture when includeImage is true: cheaper than a new screenshot after a small change.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let since = context.captures.get("since", &params.since)?;
        let before = since.frame()?;
        let capture = context.capture()?;
        let request = CaptureRequest { region: Some(before.region()), include_cursor: since.with_cursor };
        let now = capture.capture(request).map_err(from_platform)?;
        let areas = super::changed_pixels(&now, &before);
        let changes: Vec<_> = areas.iter().map(|area| now.on_desktop(*area)).collect();
        let mut reply = Reply {
            changed: Some(!areas.is_empty()),
            changes: changes
                .iter()
                .map(|area| Change {
                    x: area.x,
                    y: area.y,
                    width: area.width,
                    height: area.height,
                    picture_x: None,
                    picture_y: None,
                })
                .collect(),
            region: Some(now.region().into()),
            capture_id: context.captures.keep(&now, since.with_cursor),
            provider_name: Some(capture.backend()),
            ..Reply::default()
        };
        if areas.is_empty() {
            return Ok(Done::new(reply, "Nothing changed."));
        }
        let picture = if params.include_image { Some(picture(&now, &areas, &mut reply)?) } else { None };
        let mut done = Done::new(reply, super::wait_change::sentence(&changes)).with_picture(picture);
        if now.region() != before.region() {
            done = done.warn("The monitors were rearranged since: everything counts as changed.");
        }
        Ok(done)
    }
}

/// The changed parts of `now`, and in `reply` where each is.
fn picture(now: &Frame, areas: &[Rect<Physical>], reply: &mut Reply) -> Result<Picture, Fault> {
    let (size, places) = arrange(areas);
    let mut sheet = blank(size)?;
    for ((area, place), change) in areas.iter().zip(&places).zip(&mut reply.changes) {
        copy(now, *area, &mut sheet, *place);
        change.picture_x = u32::try_from(place.x).ok();
        change.picture_y = u32::try_from(place.y).ok();
    }
    let encoded = encode(&sheet, Format::Png, Options::default())
        .map_err(|error| Fault::new(Code::RuntimeError, error.to_string()).caused_by(error))?;
    if encoded.bytes.len() as u64 > INLINE_IMAGE.value {
        return Err(Fault::new(
            Code::RuntimeError,
            format!("the picture is larger than the {} bytes that are returned inline", INLINE_IMAGE.value),
        )
        .remedy("leave includeImage out, or compare with a capture of a smaller region"));
    }
    reply.image_included = true;
    Ok(Picture { mime: encoded.format.media_type(), bytes: encoded.bytes })
}

/// The size of the picture, and the place of each area in it: one below the other, or as on the screen where
/// that takes less.
fn arrange(areas: &[Rect<Physical>]) -> (Size<Physical>, Vec<Point<Physical>>) {
    let whole = areas.iter().fold(Rect::new(0, 0, 0, 0), |whole: Rect<Physical>, area| whole.union(*area));
    let width = areas.iter().map(|area| area.width).max().unwrap_or(0);
    let mut places = Vec::new();
    let mut top = 0_u32;
    for area in areas {
        places.push(Point::new(0, i32::try_from(top).unwrap_or(i32::MAX)));
        top = top.saturating_add(area.height).saturating_add(GAP);
    }
    let stacked = Size::new(width, top.saturating_sub(GAP));
    if stacked.area() < whole.size().area() {
        return (stacked, places);
    }
    // The differences lie inside the whole.
    let place = |area: &Rect<Physical>| Point::new(area.x - whole.x, area.y - whole.y);
    (whole.size(), areas.iter().map(place).collect())
}

fn blank(size: Size<Physical>) -> Result<Frame, Fault> {
    let too_large = || Fault::new(Code::RuntimeError, "the picture of the changes is too large");
    let stride = size.width as usize * BYTES_PER_PIXEL;
    let bytes = vec![0; stride * size.height as usize];
    Frame::new(Rect::new(0, 0, size.width, size.height), size, stride, Box::new(bytes))
        .map_err(|_| too_large())
}

/// Copies `area` of `from` to the place `to` of `sheet`. Both must lie inside.
pub(super) fn copy(from: &Frame, area: Rect<Physical>, sheet: &mut Frame, to: Point<Physical>) {
    let (width, stride) = (area.width as usize * BYTES_PER_PIXEL, sheet.stride());
    let start = |x: i32| x.unsigned_abs() as usize * BYTES_PER_PIXEL;
    for (row, y) in (area.y.unsigned_abs()..area.y.unsigned_abs() + area.height).enumerate() {
        let source = from.row(y).and_then(|pixels| pixels.get(start(area.x)..start(area.x) + width));
        let at = (to.y.unsigned_abs() as usize + row) * stride + start(to.x);
        if let (Some(source), Some(target)) = (source, sheet.bytes_mut().get_mut(at..at + width)) {
            target.copy_from_slice(source);
        }
    }
}
