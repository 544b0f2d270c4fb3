//! `settings.get`: one setting, or all of them.

use super::Shown;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Get;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// A key of settings.list_keys, in its case; all where absent or blank.
    #[schemars(length(max = limits::SETTING_KEY.value))]
    key: Option<String>,
    /// All settings, whatever key says. Default false.
    #[serde(default)]
    all: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Always get.
    action: &'static str,
    /// The settings, in the order of settings.list_keys.
    settings: Vec<Shown>,
    /// Their names.
    keys: Vec<&'static str>,
}

impl Default for Reply {
    fn default() -> Self {
        Self { action: "get", settings: Vec::new(), keys: Vec::new() }
    }
}

impl Operation for Get {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "settings.get",
        title: "Get settings",
        summary: "Reads one setting or all of them, with the default and where the value comes from. Secrets and folders are redacted.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::SettingsRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let current = context.settings().current();
        let authority = context.policy(call.surface).authority;
        let wanted = params.key.as_deref().filter(|key| !params.all && !key.trim().is_empty());
        let settings: Vec<Shown> = match wanted {
            Some(key) => vec![Shown::of(current.get(key)?, authority)],
            None => current.entries().iter().map(|entry| Shown::of(entry, authority)).collect(),
        };
        let keys: Vec<&str> = settings.iter().map(|setting| setting.key).collect();
        let message = match keys.as_slice() {
            [key] => format!("{key} was read."),
            _ => format!("{} settings were read.", keys.len()),
        };
        let mut done = Done::new(Reply { settings, keys, ..Reply::default() }, message);
        done.warnings = current.warnings().to_vec();
        Ok(done)
    }
}
