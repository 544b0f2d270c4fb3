//! `settings.list_keys`: which settings there are, and what each accepts.

use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::settings::{self, Row};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct ListKeys;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Always list_keys.
    action: &'static str,
    /// The names of all settings.
    keys: Vec<&'static str>,
    /// What each of them is, in the same order.
    descriptions: Vec<Description>,
}

/// What a setting is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Description {
    /// Its name.
    key: &'static str,
    /// boolean, integer, number, choice, text, paths or secret.
    r#type: &'static str,
    /// The values that settings.set accepts.
    accepts: String,
    /// The value where no file has one.
    default_value: String,
    /// What it does.
    description: &'static str,
    /// Whether a client of this server may change it.
    changeable_by_clients: bool,
}

impl From<&'static Row> for Description {
    fn from(row: &'static Row) -> Self {
        Self {
            key: row.key,
            r#type: row.kind.name(),
            accepts: row.kind.accepts(),
            default_value: row.default.to_string(),
            description: row.description,
            changeable_by_clients: !row.guards_clients(),
        }
    }
}

impl Default for Reply {
    fn default() -> Self {
        Self { action: "list_keys", keys: Vec::new(), descriptions: Vec::new() }
    }
}

impl Operation for ListKeys {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "settings.list_keys",
        title: "List setting keys",
        summary: "Names all settings, with type, accepted values, default and meaning of each.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::SettingsRead],
        any_of: &[],
        modes: &[],
    };

    fn run(_context: &Context, _call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let rows = settings::rows();
        let keys = rows.iter().map(|row| row.key).collect();
        let descriptions = rows.iter().map(Description::from).collect();
        let message = format!("{} settings.", rows.len());
        Ok(Done::new(Reply { keys, descriptions, ..Reply::default() }, message))
    }
}
