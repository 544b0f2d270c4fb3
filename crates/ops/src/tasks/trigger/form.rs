//! The arguments that say what a trigger waits for and does.

use super::profile_id;
use crate::context::{Call, Context};
use crate::tasks::task::{self, Patch, reset};
use crossmacro_model::task::rule::{Field, MatchMode, Matcher};
use crossmacro_model::task::trigger::{Action, FireMode};
use crossmacro_model::task::{TaskId, Trigger};
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_policy::Needs;
use schemars::JsonSchema;
use serde::Deserialize;

/// What it does, and when.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Form {
    /// How the property is compared; case counts; Regex has no back-references or look-around. Default Equals.
    match_mode: Patch<MatchMode>,
    /// What it does. Default SwitchProfile.
    action: Patch<Action>,
    /// For SwitchProfile: id or name of the profile; blank or null for none.
    #[schemars(length(max = 256))]
    target_profile_id: Patch<String>,
    /// For RunMacro: absolute path of the .macro file, which must exist. Blank or null takes it away.
    #[schemars(length(max = limits::PATH.value))]
    macro_path: Patch<String>,
    /// OnceOnChange and OnEnter fire when the match begins, EveryMatch at every look, OnExit when it ends. Default OnceOnChange.
    fire_mode: Patch<FireMode>,
    /// Milliseconds of quiet after it has fired; 0 or null for none.
    #[schemars(range(min = 0))]
    cooldown_ms: Patch<i32>,
    /// Milliseconds that the match must last before it fires; 0 or null for none.
    #[schemars(range(min = 0))]
    debounce_ms: Patch<i32>,
    /// Switched on. Default false.
    pub(super) enabled: Patch<bool>,
}

impl Form {
    /// The fixed needs, and that for macros where the arguments name one.
    pub(super) fn needs(&self, fixed: Needs) -> Needs {
        let names_macro = matches!(&self.macro_path, Patch::Set(path) if !path.trim().is_empty());
        if names_macro || self.action == Patch::Set(Action::RunMacro) {
            return fixed.and(Capability::MacroRead);
        }
        fixed
    }

    /// Changes a trigger and switches it as asked.
    pub(super) fn apply(
        self,
        context: &Context,
        call: &Call<'_>,
        trigger: &mut Trigger,
        warnings: &mut Vec<String>,
    ) -> Result<(), Fault> {
        reset(self.match_mode, &mut trigger.match_mode, MatchMode::Equals);
        reset(self.action, &mut trigger.action, Action::default());
        reset(self.fire_mode, &mut trigger.fire_mode, FireMode::default());
        delay(self.cooldown_ms, &mut trigger.cooldown_ms);
        delay(self.debounce_ms, &mut trigger.debounce_ms);
        match self.target_profile_id {
            Patch::Set(named) if !named.trim().is_empty() => {
                trigger.target_profile_id = profile_id(context, &named)?;
            }
            Patch::Set(_) | Patch::Clear => trigger.target_profile_id.clear(),
            Patch::Keep => {}
        }
        match self.macro_path {
            Patch::Set(path) if !path.trim().is_empty() => {
                trigger.macro_file_path = task::new_macro(context, call, &path)?;
            }
            Patch::Set(_) | Patch::Clear => trigger.macro_file_path.clear(),
            Patch::Keep => {}
        }
        check(trigger)?;
        let is_asked = self.enabled == Patch::Set(true);
        task::switch(trigger, self.enabled, warnings)?;
        if is_asked {
            authorise(context, call, trigger)?;
        }
        Ok(())
    }
}

/// A pattern that is none is refused also while the trigger is off.
fn check(trigger: &Trigger) -> Result<(), Fault> {
    if trigger.field == Field::None || trigger.value.is_empty() {
        return Ok(());
    }
    match Matcher::new(trigger.match_mode, &trigger.value) {
        Ok(_) => Ok(()),
        Err(error) => Err(Fault::arguments(error.to_string()).detail("argument", "value")),
    }
}

/// Checks the macro that a trigger plays, if it plays one. The capability once more: another process may have changed
/// what the trigger does since the needs were computed.
pub(super) fn authorise(context: &Context, call: &Call<'_>, trigger: &Trigger) -> Result<(), Fault> {
    match trigger.action {
        Action::RunMacro => {
            context.policy(call.surface).decide(&Needs::all(Capability::MacroRead))?;
            task::authorise(context, call, &trigger.macro_file_path)
        }
        Action::SwitchProfile => Ok(()),
    }
}

fn delay(patch: Patch<i32>, stored: &mut Option<i32>) {
    match patch {
        Patch::Set(milliseconds) => *stored = Some(milliseconds).filter(|value| *value > 0),
        Patch::Clear => *stored = None,
        Patch::Keep => {}
    }
}

/// A trigger with nothing but an identity, a name and what it looks at.
pub(super) fn fresh(id: TaskId, name: String, field: Field, value: String) -> Trigger {
    Trigger { id, name, field, value, match_mode: MatchMode::Equals, ..Trigger::default() }
}
