//! `shortcut.bind`: other hotkeys for a shortcut.

use super::form::Keys;
use super::{Reply, Shown, conflict_warnings};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Sight};
use crossmacro_model::task::{Shortcut, TaskId};
use crossmacro_model::{Capability, Fault};
use crossmacro_store::tasks::TaskList;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Bind;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// The task's id, as shortcut.list shows it.
    #[schemars(length(min = 1, max = 64))]
    task_id: String,
    #[serde(flatten)]
    keys: Keys,
}

impl Operation for Bind {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "shortcut.bind",
        title: "Bind a shortcut",
        summary: "Replaces the hotkeys of a shortcut by hotkey or hotkeys. One that starts something else as well is a warning.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let id = TaskId::argument(&params.task_id)?;
        let sight = Sight::of(context, call);
        task::put(
            context,
            "bound",
            |list: &TaskList<Shortcut>| {
                let mut warnings = Vec::new();
                let mut shortcut = task::existing(list, id)?;
                shortcut.hotkeys = params.keys.required(&mut warnings)?;
                warnings.extend(conflict_warnings(context, list, &shortcut));
                Ok((shortcut, warnings))
            },
            |shortcut| Reply::one("bind", Some(Shown::of(shortcut, sight))),
        )
    }
}
