//! `shortcut.edit`: changes a shortcut.

use super::form::{Form, Keys};
use super::{Reply, Shown, conflict_warnings};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Patch, Sight};
use crossmacro_model::task::{Shortcut, TaskId};
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_store::tasks::TaskList;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Edit;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// The task's id, as shortcut.list shows it. What is absent stays; null goes back to the default.
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
    keys: Keys,
    #[serde(flatten)]
    form: Form,
}

impl Operation for Edit {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "shortcut.edit",
        title: "Edit a shortcut",
        summary: "Changes the given fields of a shortcut. Hotkeys and window rules replace the whole list; what can no longer run is switched off, with a warning.",
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
            |shortcut| Reply::one("edit", Some(Shown::of(shortcut, sight))),
        )
    }
}

fn change(
    context: &Context,
    call: &Call<'_>,
    list: &TaskList<Shortcut>,
    id: TaskId,
    params: Params,
) -> Result<(Shortcut, Vec<String>), Fault> {
    let Params { name, macro_path, keys, mut form, .. } = params;
    let mut shortcut = task::existing(list, id)?;
    let mut warnings = Vec::new();
    task::edit_name(name, &mut shortcut.name, Shortcut::default().name);
    if let Some(hotkeys) = keys.list(&mut warnings)? {
        shortcut.hotkeys = hotkeys;
    }
    task::edit_macro(context, call, macro_path, &mut shortcut.macro_file_path)?;
    let asked = std::mem::take(&mut form.enabled);
    form.apply(&mut shortcut, &mut warnings)?;
    let is_asked = asked == Patch::Set(true);
    task::switch(&mut shortcut, asked, &mut warnings)?;
    if is_asked {
        task::authorise(context, call, &shortcut.macro_file_path)?;
    }
    warnings.extend(conflict_warnings(context, list, &shortcut));
    Ok((shortcut, warnings))
}
