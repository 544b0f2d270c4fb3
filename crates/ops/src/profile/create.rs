//! `profile.create`: a new profile.

use super::{Reply, changed, profiles};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Create;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Its name: no slash, backslash or control character; unique in any case.
    #[schemars(length(min = 1, max = limits::PROFILE_NAME.value))]
    name: String,
}

impl Operation for Create {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.create",
        title: "Create a profile",
        summary: "Makes a profile with default settings and empty lists. The active profile stays active; profile.switch changes it.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: false, idempotent: false },
        needs: &[Capability::ProfileManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let change = profiles(context).create(&params.name)?;
        let message = format!("The profile {} was created; it is not active yet.", change.profile.id);
        Ok(changed("create", change, message))
    }
}
