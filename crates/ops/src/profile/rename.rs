//! `profile.rename`: another name for a profile.

use super::{Reply, changed, profiles};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Rename;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Its id or name, in any case; an exact id wins.
    #[schemars(length(min = 1, max = limits::PROFILE_NAME.value))]
    profile: String,

    /// As in profile.create.
    #[schemars(length(min = 1, max = limits::PROFILE_NAME.value))]
    new_name: String,
}

impl Operation for Rename {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.rename",
        title: "Rename a profile",
        summary: "Gives a profile another name. Its id, and the folder of its files, stay.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::ProfileManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let change = profiles(context).rename(&params.profile, &params.new_name)?;
        let message = match change.is_changed {
            true => format!("The profile {} has a new name.", change.profile.id),
            false => format!("The profile {} had this name already.", change.profile.id),
        };
        Ok(changed("rename", change, message))
    }
}
