//! `text_expansion.list`: the text expansions of a profile.

use super::{Reply, expansions};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct List;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Id or name of another profile; without it, or empty, the active one. Never switches.
    #[schemars(length(max = limits::PROFILE_NAME.value))]
    profile: Option<String>,
}

impl Operation for List {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "text_expansion.list",
        title: "List text expansions",
        summary: "Lists the text expansions of a profile, with their texts, in the order in which they are tried.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::TextExpansionRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let list = expansions(context, params.profile.as_deref()).list()?;
        let message =
            format!("{} text expansions in the profile {}.", list.expansions.len(), list.profile.id);
        let reply = Reply {
            action: Some("list"),
            found: !list.expansions.is_empty(),
            expansions: list.expansions.into_iter().map(Into::into).collect(),
            profile_id: Some(list.profile.id),
        };
        Ok(Done { warnings: list.warnings, ..Done::new(reply, message) })
    }
}
