//! `trigger.edit`: changes a trigger.

use super::form::Form;
use super::{MODES, Reply, Shown, stored_needs};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Patch, Sight, reset};
use crossmacro_model::task::rule::Field;
use crossmacro_model::task::{TaskId, Trigger};
use crossmacro_model::{Capability, Fault};
use crossmacro_policy::Needs;
use crossmacro_store::tasks::TaskList;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Edit;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// The task's id, as trigger.list shows it. What is absent stays; null goes back to the default.
    #[schemars(length(min = 1, max = 64))]
    task_id: String,
    /// Name; blank keeps it.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    name: Patch<String>,
    /// The property of the focused window that is compared; None always matches.
    #[serde(default)]
    field: Patch<Field>,
    /// What it is compared with.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    value: Patch<String>,
    #[serde(flatten)]
    form: Form,
}

impl Operation for Edit {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "trigger.edit",
        title: "Edit a trigger",
        summary: "Changes the given fields of a trigger. What can no longer fire is switched off, with a warning.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage, Capability::InputAutomation],
        any_of: &[],
        modes: MODES,
    };

    fn needs(context: &Context, _call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
        let needs = params.form.needs(Self::SPEC.fixed_needs());
        Ok(match params.form.enabled {
            Patch::Set(true) => stored_needs(context, &params.task_id, needs),
            Patch::Set(false) | Patch::Clear | Patch::Keep => needs,
        })
    }

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let id = TaskId::argument(&params.task_id)?;
        let sight = Sight::of(context, call);
        task::put(
            context,
            "changed",
            |list: &TaskList<Trigger>| {
                let Params { name, field, value, form, .. } = params;
                let (mut trigger, mut warnings) = (task::existing(list, id)?, Vec::new());
                task::edit_name(name, &mut trigger.name, Trigger::default().name);
                reset(field, &mut trigger.field, Field::None);
                reset(value, &mut trigger.value, String::new());
                form.apply(context, call, &mut trigger, &mut warnings)?;
                Ok((trigger, warnings))
            },
            |trigger| Reply::one("edit", Some(Shown::of(trigger, sight))),
        )
    }
}
