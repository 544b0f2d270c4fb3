//! Operations on triggers: what happens when another window gets the focus.

mod add;
mod disable;
mod edit;
mod enable;
mod form;
mod list;
mod remove;

use crate::context::Context;
use crate::registry::operations;
use crate::tasks::task::Sight;
use crossmacro_model::task::trigger::Action;
use crossmacro_model::task::{Choice, TaskId, Trigger};
use crossmacro_model::{Capability, Fault};
use crossmacro_policy::Needs;
use crossmacro_store::tasks;
use schemars::JsonSchema;
use serde::Serialize;

operations![list::List, add::Add, edit::Edit, remove::Remove, enable::Enable, disable::Disable];

/// What `help.get` says about triggers that play macros.
const MODES: &[(&str, &[Capability])] = &[("RunMacro", &[Capability::MacroRead])];

/// A trigger in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// Identity.
    id: String,
    /// Name.
    name: String,
    /// Whether it is switched on.
    enabled: bool,
    /// The property of the focused window: WindowClass, WindowTitle, Workspace, ProcessName or None.
    field: &'static str,
    /// Equals, Contains or Regex.
    match_mode: &'static str,
    /// What it is compared with.
    value: String,
    /// SwitchProfile or RunMacro.
    action: &'static str,
    /// Only SwitchProfile: the profile's id.
    target_profile_id: Option<String>,
    /// Only RunMacro: the macro; null for who may not read macros.
    macro_file_path: Option<String>,
    /// OnceOnChange, EveryMatch, OnEnter or OnExit.
    fire_mode: &'static str,
    /// Milliseconds of quiet after it has fired.
    cooldown_ms: Option<i32>,
    /// Milliseconds that the match must last.
    debounce_ms: Option<i32>,
    /// When it fired last, UTC.
    last_triggered_time: Option<String>,
    /// What became of it.
    last_status: Option<String>,
}

/// The reply of `trigger.list`.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// All triggers.
    tasks: Vec<Shown>,
    /// Only for the others.
    task: (),
}

/// The reply of an operation on one trigger.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// Only for list.
    tasks: [(); 0],
    /// The trigger it was about.
    task: Option<Shown>,
}

impl Reply {
    fn one(action: &'static str, task: Option<Shown>) -> Self {
        Self { action: Some(action), task, ..Self::default() }
    }
}

impl Shown {
    fn of(trigger: &Trigger, sight: Sight) -> Self {
        let runs = trigger.action == Action::RunMacro;
        let path = runs.then(|| sight.optional(&trigger.macro_file_path)).flatten();
        let profile = Some(trigger.target_profile_id.clone()).filter(|id| !runs && !id.is_empty());
        Self {
            id: trigger.id.to_string(),
            name: trigger.name.clone(),
            enabled: trigger.is_enabled,
            field: trigger.field.name(),
            match_mode: trigger.match_mode.name(),
            value: trigger.value.clone(),
            action: trigger.action.name(),
            target_profile_id: profile,
            macro_file_path: path.filter(|path| !path.is_empty()),
            fire_mode: trigger.fire_mode.name(),
            cooldown_ms: trigger.cooldown_ms,
            debounce_ms: trigger.debounce_ms,
            last_triggered_time: trigger.last_triggered_time.map(|instant| instant.to_string()),
            last_status: trigger.last_status.clone(),
        }
    }
}

/// The needs of an operation that may switch on a stored trigger.
fn stored_needs(context: &Context, task_id: &str, fixed: Needs) -> Needs {
    let runs_macro = |id: TaskId| {
        let triggers = tasks::read::<Trigger>(context.settings()).tasks;
        triggers.iter().any(|trigger| trigger.id == id && trigger.action == Action::RunMacro)
    };
    match TaskId::parse(task_id) {
        Some(id) if runs_macro(id) => fixed.and(Capability::MacroRead),
        _ => fixed,
    }
}

/// The identifier of the profile that a caller names.
fn profile_id(context: &Context, named: &str) -> Result<String, Fault> {
    tasks::profile(context.settings(), named).map(|profile| profile.id).ok_or_else(|| {
        Fault::arguments("there is no profile of this id or name")
            .detail("argument", "targetProfileId")
            .remedy("profile.list shows those that exist")
    })
}
