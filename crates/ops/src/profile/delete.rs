//! `profile.delete`: removes a profile and its files.

use super::{Reply, changed, profiles};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Delete;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Its id or name, in any case; an exact id wins.
    #[schemars(length(min = 1, max = limits::PROFILE_NAME.value))]
    profile: String,
    /// Must be true: the files of the profile are removed for good. Default false.
    #[serde(default)]
    force: bool,
}

impl Operation for Delete {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.delete",
        title: "Delete a profile",
        summary: "Removes a profile with its settings, tasks, text expansions and macros, for good. Refused without force, and for the default and the active profile.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::ProfileManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let info = profiles(context).find(Some(&params.profile))?;
        if !params.force {
            return Err(Fault::arguments(
                "the files of a profile are removed for good; say that you mean it",
            )
            .detail("argument", "force")
            .remedy("give force (--force at the command line)"));
        }
        let change = profiles(context).delete(&info.id)?;
        let message = format!("The profile {} was deleted.", change.profile.id);
        Ok(changed("delete", change, message))
    }
}
