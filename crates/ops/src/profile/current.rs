//! `profile.current`: the profile in use.

use super::{Reply, profiles};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Current;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

impl Operation for Current {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.current",
        title: "Get the current profile",
        summary: "Tells which profile is active.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ProfileManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let list = profiles(context).list();
        let info = profiles(context).find(None)?;
        let message = format!("The profile {} is active.", info.id);
        Ok(Done { warnings: list.warnings, ..Done::new(Reply::one("current", info), message) })
    }
}
