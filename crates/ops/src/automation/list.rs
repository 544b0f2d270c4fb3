//! `automation.list`: the operations that are remembered.

use super::view::{OperationView, view};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct List;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The operations, the newest first.
    operations: Vec<OperationView>,
}

impl Operation for List {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "automation.list",
        title: "List automation operations",
        summary: "Lists the running operation and the last 32 that ended, the newest first.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::StatusRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let operations: Vec<OperationView> =
            context.operations.list().iter().rev().map(|operation| view(context, call, operation)).collect();
        let message = format!("{} operations are remembered.", operations.len());
        Ok(Done::new(Reply { operations }, message))
    }
}
