//! `text_expansion.test`: what a trigger stands for.

use super::{Reply, expansions, one};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Test;

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

impl Operation for Test {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "text_expansion.test",
        title: "Resolve a text expansion",
        summary: "Finds the text expansion of a trigger and returns it. Types nothing and changes nothing.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::TextExpansionRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let found = expansions(context, params.profile.as_deref()).find(&params.trigger)?;
        let message = match found.expansion.is_enabled {
            true => "The trigger has a text expansion.",
            false => "The trigger has a text expansion that is disabled.",
        };
        Ok(one("test", found, message))
    }
}
