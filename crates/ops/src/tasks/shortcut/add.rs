//! `shortcut.add`: a new shortcut.

use super::form::{Form, Keys};
use super::{Reply, Shown, conflict_warnings};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Sight};
use crossmacro_model::task::Shortcut;
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_store::tasks::TaskList;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Add;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// Name.
    #[schemars(length(min = 1, max = 1024))]
    name: String,
    /// Absolute path of an existing .macro file.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    macro_path: String,
    #[serde(flatten)]
    keys: Keys,
    #[serde(flatten)]
    form: Form,
}

impl Operation for Add {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "shortcut.add",
        title: "Add a shortcut",
        summary: "Adds a macro that hotkeys start. Needs hotkey or hotkeys; a hotkey that starts something else as well is a warning. Works while crossmacro headless runs.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let sight = Sight::of(context, call);
        task::put(
            context,
            "added",
            |list| build(context, call, list, params),
            |shortcut| Reply::one("add", Some(Shown::of(shortcut, sight))),
        )
    }
}

fn build(
    context: &Context,
    call: &Call<'_>,
    list: &TaskList<Shortcut>,
    params: Params,
) -> Result<(Shortcut, Vec<String>), Fault> {
    let Params { name, macro_path, keys, mut form } = params;
    let mut warnings = Vec::new();
    let mut shortcut = Shortcut {
        id: task::new_id()?,
        name: task::new_name(&name)?,
        hotkeys: keys.required(&mut warnings)?,
        macro_file_path: task::new_macro(context, call, &macro_path)?,
        ..Shortcut::default()
    };
    let asked = std::mem::take(&mut form.enabled);
    form.apply(&mut shortcut, &mut warnings)?;
    task::switch(&mut shortcut, asked, &mut warnings)?;
    warnings.extend(conflict_warnings(context, list, &shortcut));
    Ok((shortcut, warnings))
}
