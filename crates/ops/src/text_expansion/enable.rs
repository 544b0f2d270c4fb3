//! `text_expansion.enable`: switches one on.

use super::{Reply, expansions, one};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Enable;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// The trigger, in any case; an exact one wins.
    #[schemars(length(min = 1, max = 1024))]
    trigger: String,
    /// Id or name of another profile; without it, or empty, the active one. Never switches.
    #[schemars(length(max = limits::PROFILE_NAME.value))]
    profile: Option<String>,
}

impl Operation for Enable {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "text_expansion.enable",
        title: "Enable a text expansion",
        summary: "Lets the text expansion with a trigger fire.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TextExpansionWrite],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let change = expansions(context, params.profile.as_deref()).set_enabled(&params.trigger, true)?;
        Ok(one("enable", change, "The text expansion was enabled."))
    }
}
