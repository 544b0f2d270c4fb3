//! From the layout before profiles to the present one, at the first save.
//!
//! The old files stay where they are. The registry is written last: without it the old layout still holds, so a
//! migration that was cut short starts again.

use super::registry::{self, Profile};
use super::{GLOBAL, LEGACY};
use crate::folder::{Loaded, Locked, SaveError};
use crossmacro_model::settings::{Scope, rows};
use serde_json::Value as Json;
use std::path::Path;

/// The lists that are copied as they are.
const LISTS: [&str; 5] =
    ["hotkeys.json", "shortcuts.json", "schedules.json", "text-expansions.json", "triggers.json"];

/// Makes the present layout where there is none yet.
pub(crate) fn run(locked: &Locked<'_>) -> Result<(), SaveError> {
    if !matches!(locked.read(Path::new(registry::FILE)), Loaded::Missing) {
        return Ok(());
    }
    let profile = Profile::standard();
    match locked.read(Path::new(LEGACY)) {
        Loaded::Missing => {}
        Loaded::Good(legacy) => {
            write_new(locked, Path::new(GLOBAL), &part(&legacy, Scope::Global))?;
            write_new(locked, &profile.settings_file(), &part(&legacy, Scope::Profile))?;
        }
        // Going on would put the defaults in the place of what someone may still mend.
        Loaded::Damaged(damage) => return Err(SaveError::InTheWay { file: LEGACY.to_owned(), damage }),
    }
    for list in LISTS {
        locked.copy(Path::new(list), &profile.folder().join(list))?;
    }
    locked.write(Path::new(registry::FILE), &registry::first())
}

fn write_new(locked: &Locked<'_>, file: &Path, value: &Json) -> Result<(), SaveError> {
    match locked.read(file) {
        Loaded::Missing => locked.write(file, value),
        Loaded::Good(_) | Loaded::Damaged(_) => Ok(()),
    }
}

/// The old settings without those that belong to the other file. What nobody knows goes into both.
fn part(legacy: &Json, scope: Scope) -> Json {
    let mut part = legacy.clone();
    if let Json::Object(fields) = &mut part {
        for row in rows().iter().filter(|row| row.scope != scope) {
            if let Some(name) = row.property.first() {
                fields.shift_remove(*name);
            }
        }
    }
    part
}
