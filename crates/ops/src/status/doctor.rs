//! `doctor.run`: the checks of `status.get`, and a loop through input and capture.

use super::checks::{self, Check};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Doctor;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Everything that was tried.
    checks: Vec<Check>,
}

impl Operation for Doctor {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "doctor.run",
        title: "Test what works",
        summary: "Sends harmless input to a window of its own and sees it arrive, captures a pixel it knows, and reports what does not work and what would mend it.",
        audience: Audience::CommandLine,
        effect: Effect::Effectful,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::InputAutomation, Capability::ScreenRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let mut checks = checks::undisturbing(context);
        checks.extend(checks::loops(context, call));
        let message = "Every check was carried out.";
        Ok(Done::new(Reply { checks }, message))
    }
}
