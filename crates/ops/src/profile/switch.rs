//! `profile.switch`: another profile becomes the active one.

use super::{Reply, changed, profiles};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Switch;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Its id or name, in any case; an exact id wins.
    #[schemars(length(min = 1, max = limits::PROFILE_NAME.value))]
    profile: String,
}

impl Operation for Switch {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.switch",
        title: "Switch the profile",
        summary: "Makes a profile the active one: its settings, hotkeys, shortcuts, schedules, triggers and text expansions hold from then on. On failure the old one stays active.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::ProfileManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let change = profiles(context).switch(&params.profile)?;
        let message = match change.is_changed {
            true => format!("The profile {} is active.", change.profile.id),
            false => format!("The profile {} was active already.", change.profile.id),
        };
        Ok(changed("switch", change, message))
    }
}
