//! `screen.wait_stable`: waits until nothing changes any more.

use super::Area;
use crate::context::{Call, Context};
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::sight::{self, Eye};
use crossmacro_model::{Capability, Code, Fault, Frame};
use crossmacro_platform::{Capture, clock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

pub(crate) struct WaitStable;

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
    /// How long no pixel may change, in milliseconds. Default 500.
    #[schemars(range(min = 1, max = 10_000))]
    quiet_ms: Option<u32>,
    /// How long to wait for that, in milliseconds; at least quietMs. Default 5000.
    #[schemars(range(min = 1, max = 30_000))]
    timeout_ms: Option<u32>,
    /// Whether an expired wait is a failure (code timeout), or a success with stable false. Default true.
    fail_on_timeout: Option<bool>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether nothing changed for quietMs.
    stable: Option<bool>,
    /// Milliseconds that were waited.
    waited_ms: Option<u64>,
    /// How often a change was seen meanwhile.
    change_count: Option<u32>,
    /// The region that was watched.
    region: Option<Area>,
    /// The quiet time that was asked for, in milliseconds.
    quiet_ms: Option<u32>,
    /// The time limit, in milliseconds.
    timeout_ms: Option<u32>,
    /// Names what was seen at the end, for screen.diff and screen.wait_change; null when it is too large to keep.
    capture_id: Option<String>,
    /// The back end that read the screen.
    provider_name: Option<&'static str>,
}

impl Operation for WaitStable {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "screen.wait_stable",
        title: "Wait until the screen is stable",
        summary: "Waits until no pixel of the desktop, or of a region, has changed for a while: after an action, before looking at its result. A blinking caret or a clock is a change; give a region without it.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let (quiet, timeout) = (params.quiet_ms.unwrap_or(500), params.timeout_ms.unwrap_or(5_000));
        if timeout < quiet {
            return Err(
                Fault::arguments("timeoutMs must be at least quietMs").detail("argument", "timeoutMs")
            );
        }
        let region =
            limits::region_of(params.region_x, params.region_y, params.region_width, params.region_height)?;
        let capture = context.capture()?;
        let began = clock::now();
        let eye = Eye::new(&*capture, region, Duration::from_millis(timeout.into()), call.cancel);
        let end = settle(eye, &*capture, region, Duration::from_millis(quiet.into()))?;
        let reply = Reply {
            stable: Some(end.is_stable),
            waited_ms: Some(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)),
            change_count: Some(end.changes),
            region: Some(end.frame.region().into()),
            quiet_ms: Some(quiet),
            timeout_ms: Some(timeout),
            capture_id: context.captures.keep(&end.frame, false),
            provider_name: Some(capture.backend()),
        };
        if end.is_stable {
            return Ok(Done::new(reply, format!("Nothing changed for {quiet} ms.")));
        }
        let message = format!("the screen did not stay unchanged for {quiet} ms within {timeout} ms");
        if params.fail_on_timeout.unwrap_or(true) {
            let fields = serde_json::to_value(reply).unwrap_or_default();
            return Err(super::with_reply(Fault::new(Code::Timeout, message), &fields));
        }
        Ok(Done::new(reply, format!("Not stable: {message}.")))
    }
}

/// How the wait ended.
struct End {
    is_stable: bool,
    changes: u32,
    frame: Frame,
}

fn settle(
    mut eye: Eye<'_>,
    capture: &dyn Capture,
    region: Option<crossmacro_model::Rect>,
    quiet: Duration,
) -> Result<End, Fault> {
    // Watched before it is looked at: what is drawn in between is seen by the wait.
    eye.open()?;
    let mut frame = sight::look(capture, region)?;
    let mut since: Instant = clock::now();
    let mut changes = 0;
    loop {
        let drawn = eye.drawn(quiet.saturating_sub(since.elapsed()))?;
        let (seen, is_over) = (clock::now(), eye.is_over());
        let is_quiet = seen.saturating_duration_since(since) >= quiet;
        let end = |is_stable, frame| Ok(End { is_stable, changes, frame });
        if drawn.is_empty() {
            match (is_quiet, is_over) {
                (false, false) => continue,
                _ => return end(is_quiet, frame),
            }
        }
        eye.begin();
        let now = sight::look(capture, region)?;
        // What was drawn may look as before.
        if super::changed(&now, &frame).is_empty() {
            if is_quiet || is_over {
                return end(is_quiet, frame);
            }
        } else if is_over {
            return Ok(End { is_stable: false, changes: changes + 1, frame: now });
        } else {
            (frame, since) = (now, seen);
            changes += 1;
        }
        eye.pause()?;
    }
}
