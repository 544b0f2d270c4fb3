//! What `settings.set` and `settings.reset` have in common: who may change what, and what is said about a change.

use super::Shown;
use crate::context::{Call, Context};
use crate::operation::{Done, Needs};
use crossmacro_model::{Capability, Fault};
use crossmacro_store::{Change, SettingsFault};
use schemars::JsonSchema;
use serde::Serialize;

/// What became of a change.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// set or reset.
    action: &'static str,
    /// The setting as it is now.
    settings: Vec<Shown>,
    /// Its name.
    keys: Vec<&'static str>,
    /// The value before, as text; null when it is redacted.
    old_value: Option<String>,
    /// The value now, as text; null when it is redacted.
    new_value: Option<String>,
}

/// A client may not touch the policy that guards against it, whatever its capabilities.
pub(super) fn needs(context: &Context, call: &Call<'_>, key: &str) -> Result<Needs, Fault> {
    context.policy(call.surface).decide_setting(key)?;
    Ok(Needs::all(Capability::SettingsWrite))
}

pub(super) fn reply(
    action: &'static str,
    done: Result<Change, SettingsFault>,
    context: &Context,
    call: &Call<'_>,
) -> Result<Done<Reply>, Fault> {
    // The faults of the store never hold the value.
    let change = done.map_err(Fault::from)?;
    let current = context.settings().current();
    let authority = context.policy(call.surface).authority;
    let setting = current.get(change.key)?;
    let visible = |value: String| (!setting.is_hidden_from(authority)).then_some(value);
    let message = match (action, change.old == change.new) {
        ("reset", _) => format!("{} is at its default.", change.key),
        (_, true) => format!("{} had this value already.", change.key),
        _ => format!("{} was changed.", change.key),
    };
    let reply = Reply {
        action,
        settings: vec![Shown::of(setting, authority)],
        keys: vec![change.key],
        old_value: visible(change.old.to_string()),
        new_value: visible(change.new.to_string()),
    };
    let mut done = Done::new(reply, message);
    done.warnings = change.warnings;
    Ok(done)
}
