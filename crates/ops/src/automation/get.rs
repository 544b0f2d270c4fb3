//! `automation.get`: the state of an operation, now or when it has ended.

use super::view::{OperationView, find, view};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::operations::{Operation as Started, State};
use crossmacro_model::{Capability, Fault};
use crossmacro_platform::clock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct Get;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// The id that automation.start gave.
    #[schemars(length(min = 32, max = 32), extend("pattern" = "^[0-9A-Fa-f]{32}$"))]
    operation_id: String,
    /// Wait up to this many milliseconds for it to end. Default 0: answer at once.
    #[schemars(range(min = 0, max = 30_000))]
    wait_ms: Option<u32>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The operation; null when there is none of that id.
    operation: Option<OperationView>,
}

impl Operation for Get {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "automation.get",
        title: "Get automation status",
        summary: "Tells how an operation is doing, and how it ended: look at operation.outcome. With waitMs it waits for the end instead of being polled.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::StatusRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let mut operation = find(context, &params.operation_id)?;
        let wait = Duration::from_millis(params.wait_ms.unwrap_or(0).into());
        if operation.state() == State::Running && !wait.is_zero() {
            operation = watch(context, call, operation, wait);
            if call.cancel.is_cancelled() {
                return Err(crossmacro_engine::fault::from_platform(crossmacro_platform::Error::Cancelled));
            }
        }
        let view = view(context, call, &operation);
        let message = view.sentence();
        Ok(Done::new(Reply { operation: Some(view) }, message))
    }
}

/// How often a waiting caller hears how far the operation has come.
const TOLD: Duration = Duration::from_millis(250);

/// Waits for the end, and tells how far it has come to a caller that wants to know.
fn watch(context: &Context, call: &Call<'_>, mut operation: Started, wait: Duration) -> Started {
    let until = clock::now() + wait;
    while operation.state() == State::Running && !call.cancel.is_cancelled() {
        let left = until.saturating_duration_since(clock::now());
        if left.is_zero() {
            break;
        }
        if let Some(later) = context.operations.wait(operation.id, left.min(TOLD), call.cancel) {
            operation = later;
        }
        if let (Some(report), Some(progress)) = (call.report, operation.progress) {
            report(progress.elapsed.as_secs_f64(), None, &format!("{} events delivered", progress.events));
        }
    }
    operation
}
