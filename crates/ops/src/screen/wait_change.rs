//! `screen.wait_change`: waits until a pixel changes.

use super::Area;
use crate::context::{Call, Context};
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_engine::sight::{self, Eye};
use crossmacro_model::{Capability, Code, Fault, Frame, Logical, Rect};
use crossmacro_platform::{CaptureRequest, clock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct WaitChange;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Left edge of the region, in logical desktop units; the four belong together. Without: all.
    region_x: Option<i32>,
    /// Top edge of the region.
    region_y: Option<i32>,
    /// Width of the region.
    #[schemars(range(min = 1))]
    region_width: Option<u32>,
    /// Height of the region.
    #[schemars(range(min = 1))]
    region_height: Option<u32>,
    /// Compare with this earlier capture (its captureId) instead of with what is there now, so that a change before this call counts. Its region is watched; not together with a region.
    #[schemars(length(min = 1, max = 40))]
    since: Option<String>,
    /// How long to wait, in milliseconds; 0 looks once, which makes sense with since. Default 5000.
    #[schemars(range(min = 0, max = 30_000))]
    timeout_ms: Option<u32>,
    /// Whether an expired wait is a failure (code timeout), or a success with changed false. Default true.
    fail_on_timeout: Option<bool>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether a pixel changed.
    changed: Option<bool>,
    /// Where, as few rectangles that don't overlap, in logical desktop units. At most 64.
    rectangles: Vec<Area>,
    /// Milliseconds that were waited.
    waited_ms: Option<u64>,
    /// The region that was watched.
    region: Option<Area>,
    /// The time limit, in milliseconds.
    timeout_ms: Option<u32>,
    /// Names what was seen at the end, for screen.diff and screen.wait_change; null when it is too large to keep.
    capture_id: Option<String>,
    /// The back end that read the screen.
    provider_name: Option<&'static str>,
}

impl Operation for WaitChange {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "screen.wait_change",
        title: "Wait for a change on the screen",
        summary: "Waits until any pixel of the desktop, or of a region, changes, and tells where. To see what an action changes, capture first and give its captureId as since: then no change is missed.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let timeout = params.timeout_ms.unwrap_or(5_000);
        let region = params.region()?;
        let since = params.since.as_deref().map(|id| context.captures.get("since", id)).transpose()?;
        let capture = context.capture()?;
        let began = clock::now();
        let include_cursor = since.as_ref().is_some_and(|since| since.with_cursor);
        let earlier = since.map(|since| since.frame()).transpose()?;
        let region = earlier.as_ref().map(Frame::region).or(region);
        let request = CaptureRequest { region, include_cursor };
        let look = || capture.capture(request).map_err(from_platform);
        let mut eye = Eye::new(&*capture, region, Duration::from_millis(timeout.into()), call.cancel);
        let before = match earlier {
            Some(earlier) => earlier,
            None => {
                // Watched before it is looked at: what is drawn in between is seen by the wait.
                eye.open()?;
                look()?
            }
        };
        let mut last = None;
        let changes = sight::until(eye, || {
            let now = look()?;
            let changes = super::changed(&now, &before);
            last = Some(now);
            Ok((!changes.is_empty()).then_some(changes))
        })?;
        let last = last.unwrap_or(before);
        let reply = Reply {
            changed: Some(changes.is_some()),
            rectangles: changes.iter().flatten().map(|area| (*area).into()).collect(),
            waited_ms: Some(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)),
            region: Some(last.region().into()),
            timeout_ms: Some(timeout),
            capture_id: context.captures.keep(&last, include_cursor),
            provider_name: Some(capture.backend()),
        };
        match changes {
            Some(changes) => Ok(Done::new(reply, sentence(&changes))),
            None if params.fail_on_timeout.unwrap_or(true) => {
                let fault = Fault::new(Code::Timeout, format!("no pixel changed within {timeout} ms"));
                Err(super::with_reply(fault, &serde_json::to_value(reply).unwrap_or_default()))
            }
            None => Ok(Done::new(reply, format!("No pixel changed within {timeout} ms."))),
        }
    }
}

impl Params {
    fn region(&self) -> Result<Option<Rect<Logical>>, Fault> {
        let region = limits::region_of(self.region_x, self.region_y, self.region_width, self.region_height)?;
        if region.is_some() && self.since.is_some() {
            return Err(Fault::arguments(
                "a region and since exclude each other: the region is that of the capture",
            )
            .detail("argument", "since"));
        }
        Ok(region)
    }
}

/// Where it changed, for a reader: the first few places.
pub(super) fn sentence(changes: &[Rect<Logical>]) -> String {
    let shown: Vec<String> = changes.iter().take(4).map(ToString::to_string).collect();
    let more = changes.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("Changed: {}{more}.", shown.join("; "))
}
