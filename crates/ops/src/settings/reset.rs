//! `settings.reset`: takes one setting back to its default.

use super::change::{self, Reply};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Reset;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// A key of settings.list_keys, in its case.
    #[schemars(length(min = 1, max = limits::SETTING_KEY.value))]
    key: String,
}

impl Operation for Reset {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "settings.reset",
        title: "Reset a setting",
        summary: "Takes one setting of the user back to its default and saves it. Those beginning with mcp. guard against this client: only a person can change them.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::SettingsWrite],
        any_of: &[],
        modes: &[],
    };

    fn needs(context: &Context, call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
        change::needs(context, call, &params.key)
    }

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        change::reply("reset", context.settings().reset(&params.key), context, call)
    }
}
