//! `schedule.edit`: changes a schedule.

use super::form::Form;
use super::{Reply, Shown, settle};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Patch, Sight};
use crossmacro_model::task::{Schedule, TaskId};
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_store::tasks::TaskList;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Edit;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// The task's id, as schedule.list shows it. What is absent stays; null goes back to the default.
    #[schemars(length(min = 1, max = 64))]
    task_id: String,
    /// Name; blank keeps it.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    name: Patch<String>,
    /// Absolute path of an existing .macro file; blank keeps it, null takes it away.
    #[serde(default)]
    #[schemars(length(max = limits::PATH.value))]
    macro_path: Patch<String>,
    #[serde(flatten)]
    form: Form,
}

impl Operation for Edit {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "schedule.edit",
        title: "Edit a schedule",
        summary: "Changes the given fields of a schedule. A change of its time plans the next run anew; what can no longer run is switched off, with a warning.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let id = TaskId::argument(&params.task_id)?;
        let sight = Sight::of(context, call);
        task::put(
            context,
            "changed",
            |list| change(context, call, list, id, params),
            |schedule| Reply::one("edit", Some(Shown::of(schedule, sight))),
        )
    }
}

fn change(
    context: &Context,
    call: &Call<'_>,
    list: &TaskList<Schedule>,
    id: TaskId,
    params: Params,
) -> Result<(Schedule, Vec<String>), Fault> {
    let Params { name, macro_path, mut form, .. } = params;
    let before = task::existing(list, id)?;
    let mut schedule = before.clone();
    let mut warnings = Vec::new();
    task::edit_name(name, &mut schedule.name, Schedule::default().name);
    task::edit_macro(context, call, macro_path, &mut schedule.macro_file_path)?;
    let asked = std::mem::take(&mut form.enabled);
    let zone = task::zone();
    form.apply(&mut schedule, &zone, &mut warnings)?;
    let is_asked = asked == Patch::Set(true);
    settle(&mut schedule, Some(&before), asked, task::moment(context, &zone), &mut warnings)?;
    if is_asked {
        task::authorise(context, call, &schedule.macro_file_path)?;
    }
    Ok((schedule, warnings))
}
