//! `automation.stop`: asks an operation to stop.

use super::view::{OperationView, find};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Stop;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// The id that automation.start gave.
    #[schemars(length(min = 32, max = 32), extend("pattern" = "^[0-9A-Fa-f]{32}$"))]
    operation_id: String,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The operation after the request.
    operation: Option<OperationView>,
    /// Whether this call was the first to ask; false when it had ended or was asked before.
    cancellation_initiated: bool,
}

impl Operation for Stop {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "automation.stop",
        title: "Stop automation",
        summary: "Asks an operation to stop. Keys and buttons that it holds are released. Safe to repeat; automation.get tells when it has ended.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[],
        any_of: &[Capability::InputAutomation, Capability::Recording, Capability::CommandExecute],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let operation = find(context, &params.operation_id)?;
        let cancellation_initiated = context.operations.stop(operation.id) == Some(true);
        let operation = find(context, &params.operation_id)?;
        let message = match cancellation_initiated {
            true => "The operation was asked to stop.",
            false => "The operation has ended already, or was asked to stop before.",
        };
        Ok(Done::new(
            Reply { operation: Some(OperationView::from(&operation)), cancellation_initiated },
            message,
        ))
    }
}
