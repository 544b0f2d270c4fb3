//! `profile.list`: all profiles.

use super::{Reply, profiles};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct List;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

impl Operation for List {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.list",
        title: "List profiles",
        summary: "Lists all profiles and says which one is active.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ProfileManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let list = profiles(context).list();
        let message = format!("{} profiles; {} is active.", list.profiles.len(), list.active);
        let profiles = list.profiles.into_iter().map(Into::into).collect();
        let reply = Reply { action: Some("list"), profiles, active_profile_id: Some(list.active) };
        Ok(Done { warnings: list.warnings, ..Done::new(reply, message) })
    }
}
