//! Operations on the user's profiles.

mod create;
mod current;
mod delete;
mod export;
mod import;
mod list;
mod rename;
mod switch;

use crate::context::Context;
use crate::operation::Done;
use crate::registry::operations;
use crossmacro_store::{ProfileChange, ProfileInfo, Profiles};
use schemars::JsonSchema;
use serde::Serialize;

operations![
    list::List,
    current::Current,
    create::Create,
    switch::Switch,
    rename::Rename,
    delete::Delete,
    export::Export,
    import::Import,
];

/// A profile in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// Its identifier, which never changes.
    id: String,
    /// Its name.
    name: String,
    /// When it was made (ISO 8601, UTC); null where that is not known.
    #[schemars(extend("format" = "date-time"))]
    created_at: Option<String>,
    /// Whether it is the active one.
    is_active: bool,
}

impl From<ProfileInfo> for Shown {
    fn from(info: ProfileInfo) -> Self {
        Self { id: info.id, name: info.name, created_at: info.created_at, is_active: info.is_active }
    }
}

/// What all operations on profiles answer.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// list, current, create, switch, rename or delete; null when it failed.
    action: Option<&'static str>,
    /// All profiles, or the one that it was about.
    profiles: Vec<Shown>,
    /// The active profile, where it is among them.
    active_profile_id: Option<String>,
}

impl Reply {
    fn one(action: &'static str, info: ProfileInfo) -> Self {
        let active_profile_id = info.is_active.then(|| info.id.clone());
        Self { action: Some(action), profiles: vec![info.into()], active_profile_id }
    }
}

fn profiles(context: &Context) -> Profiles<'_> {
    Profiles::new(context.settings().folder())
}

fn changed(action: &'static str, change: ProfileChange, message: String) -> Done<Reply> {
    Done { warnings: change.warnings, ..Done::new(Reply::one(action, change.profile), message) }
}
