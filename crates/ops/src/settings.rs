//! Operations on the user's settings. A value that may be a secret or a path never appears in a message, a warning
//! or an error: it is in the reply's `settings` alone, and there only for those who may see it.

mod change;
mod get;
mod list_keys;
mod reset;
mod set;

use crate::registry::operations;
use crossmacro_policy::Authority;
use crossmacro_store::Entry as Setting;
use schemars::JsonSchema;
use serde::Serialize;

operations![get::Get, list_keys::ListKeys, set::Set, reset::Reset];

/// A setting in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// Its name.
    key: &'static str,
    /// Its value as text; null when it is redacted.
    value: Option<String>,
    /// Whether the value is kept back.
    redacted: bool,
    /// The value where no file has one; null when the value is redacted.
    default_value: Option<String>,
    /// Where the value comes from: default, global or profile.
    source: &'static str,
}

impl Shown {
    fn of(setting: &Setting, authority: Authority) -> Self {
        let redacted = setting.is_hidden_from(authority);
        let visible = |value: String| (!redacted).then_some(value);
        Self {
            key: setting.row.key,
            value: visible(setting.value.to_string()),
            redacted,
            default_value: visible(setting.row.default.to_string()),
            source: setting.source.name(),
        }
    }
}
