//! A profile as one file: a tar archive, compressed by gzip, that any system can open.
//!
//! ```text
//! manifest.json          what it is, the profile's name, and where each macro lay
//! settings.json  hotkeys.json  shortcuts.json  schedules.json  triggers.json  text-expansions.json
//! macros/<name>.macro    the profile's own macros, and those that its tasks name
//! ```
//!
//! Only what is the user's choice for the profile is in it: no global settings, no permissions, no secrets.
//!
//! An archive comes from outside. It is read whole into memory within limits before anything is written, and only
//! the names above are taken: a path, a link, a name that comes twice or anything else is an error. What acts by
//! itself arrives switched off unless the user says that the archive is trusted.

mod export;
mod fault;
mod import;
mod read;

pub use export::{Exported, export};
pub use fault::ArchiveFault;
pub use import::{FileAction, ImportOptions, ImportPlan, ImportedFile, MacroPlace, RepointedTask, import};
pub use read::Archive;

use serde_json::Value as Json;

const MANIFEST: &str = "manifest.json";
const FORMAT: &str = "crossmacro-profile";
const VERSION: u64 = 1;

/// The documents of a profile, in the order of the archive.
pub(crate) const DOCUMENTS: [&str; 6] = [
    "settings.json",
    "hotkeys.json",
    "shortcuts.json",
    "schedules.json",
    "triggers.json",
    "text-expansions.json",
];

/// The documents whose entries name a macro and act by themselves.
const TASKS: [&str; 3] = ["shortcuts.json", "schedules.json", "triggers.json"];

/// Whether `value` has the shape of that document.
fn has_shape(document: &str, value: &Json) -> bool {
    match document {
        "settings.json" | "hotkeys.json" | MANIFEST => value.is_object(),
        _ => value.is_array(),
    }
}

/// Whether `name` can be a macro of a profile: one plain component on every system.
pub(crate) fn is_macro_name(name: &str) -> bool {
    let plain = |letter: char| !letter.is_control() && !matches!(letter, '/' | '\\' | ':' | '\0');
    name.len() <= 255
        && name.chars().all(plain)
        && !name.starts_with('.')
        && name
            .rsplit_once('.')
            .is_some_and(|(stem, end)| !stem.trim().is_empty() && end.eq_ignore_ascii_case("macro"))
}

/// The macro that an entry of a list of tasks names.
fn macro_of(entry: &Json) -> Option<&str> {
    entry["macroFilePath"].as_str().filter(|path| !path.trim().is_empty())
}
