//! Operations on text expansions. Their texts are in the reply alone, never in a message, a warning or an error.

mod add;
mod disable;
mod enable;
mod list;
mod remove;
mod test;

use crate::context::Context;
use crate::operation::Done;
use crate::registry::operations;
use crossmacro_model::expansion::{DirectTypingMethod, Expansion, InsertionMode, PasteMethod};
use crossmacro_store::{ExpansionChange, Expansions};
use schemars::JsonSchema;
use serde::Serialize;

operations![list::List, add::Add, remove::Remove, enable::Enable, disable::Disable, test::Test];

/// A text expansion in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// What is typed.
    trigger: String,
    /// What takes its place.
    replacement: String,
    /// Whether it fires.
    is_enabled: bool,
    /// The keys that paste.
    method: PasteMethod,
    /// How the text gets into the application.
    insertion_mode: InsertionMode,
    /// How fast the keys of direct typing follow each other.
    direct_typing_method: DirectTypingMethod,
}

impl From<Expansion> for Shown {
    fn from(expansion: Expansion) -> Self {
        Self {
            trigger: expansion.trigger,
            replacement: expansion.replacement,
            is_enabled: expansion.is_enabled,
            method: expansion.method,
            insertion_mode: expansion.insertion_mode,
            direct_typing_method: expansion.direct_typing_method,
        }
    }
}

/// What all operations on text expansions answer.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// list, add, remove, enable, disable or test; null when it failed.
    action: Option<&'static str>,
    /// All of them in their order, or the one that it was about; one that was removed, as it was.
    expansions: Vec<Shown>,
    /// The id of the profile whose they are; null when it failed.
    profile_id: Option<String>,
    /// Whether there is one.
    found: bool,
}

fn expansions<'a>(context: &'a Context, profile: Option<&'a str>) -> Expansions<'a> {
    Expansions::new(context.settings().folder(), profile)
}

fn one(action: &'static str, change: ExpansionChange, message: &str) -> Done<Reply> {
    let reply = Reply {
        action: Some(action),
        expansions: vec![change.expansion.into()],
        profile_id: Some(change.profile.id),
        found: true,
    };
    Done { warnings: change.warnings, ..Done::new(reply, message) }
}
