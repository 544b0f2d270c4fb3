//! The registry of profiles, as far as settings need it: which one is active.

use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

pub(crate) const FILE: &str = "profile-registry.json";

pub(crate) const DEFAULT_ID: &str = "default";
pub(crate) const DEFAULT_NAME: &str = "Default";

/// Longest identifier that is taken as one; it is a name of a folder.
const LONGEST_ID: usize = 200;

/// A profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The identifier, and the name of its folder. Never changes.
    pub id: String,
    /// The name that the user gave.
    pub name: String,
}

impl Profile {
    /// The profile that always exists.
    pub(crate) fn standard() -> Self {
        Self { id: DEFAULT_ID.to_owned(), name: DEFAULT_NAME.to_owned() }
    }

    /// Its folder, relative to the configuration folder.
    pub fn folder(&self) -> PathBuf {
        Path::new("profiles").join(&self.id)
    }

    /// Its settings, relative to the configuration folder.
    pub(crate) fn settings_file(&self) -> PathBuf {
        self.folder().join("settings.json")
    }
}

/// The active profile; the standard one where the registry does not name a profile it has.
pub(crate) fn active(registry: &Json, warnings: &mut Vec<String>) -> Profile {
    let Some(id) = registry.get("activeProfile").and_then(Json::as_str) else { return Profile::standard() };
    let known = registry.get("profiles").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let entry = known.iter().find(|entry| entry.get("id").and_then(Json::as_str) == Some(id));
    match entry {
        Some(entry) if is_id(id) => {
            let name = entry.get("name").and_then(Json::as_str).unwrap_or(id);
            Profile { id: id.to_owned(), name: name.to_owned() }
        }
        None if id == DEFAULT_ID => Profile::standard(),
        _ => {
            warnings.push(format!("`{FILE}` names an active profile that it does not have"));
            Profile::standard()
        }
    }
}

/// The profile that `named` means: by its identifier, else by its name in any case. The standard one is always there.
pub(crate) fn resolve(registry: &Json, named: &str) -> Option<Profile> {
    let listed =
        registry.get("profiles").and_then(Json::as_array).into_iter().flatten().filter_map(|entry| {
            let id = entry.get("id")?.as_str().filter(|id| is_id(id))?;
            let name = entry.get("name").and_then(Json::as_str).unwrap_or(id);
            Some(Profile { id: id.to_owned(), name: name.to_owned() })
        });
    let all: Vec<Profile> = listed.chain([Profile::standard()]).collect();
    let named = named.trim();
    let same = |text: &str| text.to_lowercase() == named.to_lowercase();
    let by_id = all.iter().find(|profile| profile.id == named);
    by_id.or_else(|| all.iter().find(|profile| same(&profile.id) || same(&profile.name))).cloned()
}

/// Whether `value` can be a registry: an object, with a list of profiles or none.
pub(crate) fn is_registry(value: &Json) -> bool {
    value.is_object() && value.get("profiles").is_none_or(|list| list.is_array() || list.is_null())
}

/// A registry with the standard profile alone.
pub(crate) fn first() -> Json {
    json!({
        "version": 1,
        "activeProfile": DEFAULT_ID,
        "profiles": [entry(DEFAULT_ID, DEFAULT_NAME)],
    })
}

/// The entry of a profile that is made now.
pub(crate) fn entry(id: &str, name: &str) -> Json {
    json!({"id": id, "name": name, "createdAt": jiff::Timestamp::now().to_string()})
}

/// Whether `id` is one: it becomes the name of a folder.
pub(crate) fn is_id(id: &str) -> bool {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    !id.is_empty()
        && id.len() <= LONGEST_ID
        && id.bytes().all(good)
        && !id.starts_with('-')
        && !id.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_and_well_formed_profile_is_active() {
        let registry = |active: &str| {
            json!({"activeProfile": active, "profiles": [
                {"id": "work", "name": "Work"}, {"id": "../x", "name": "X"}, {"id": "-a"}, 7, {"name": "none"},
            ]})
        };
        let table = [("work", "work", false), ("default", "default", false), ("../x", "default", true)];
        for (given, expected, warned) in table {
            let mut warnings = Vec::new();
            assert_eq!(active(&registry(given), &mut warnings).id, expected);
            assert_eq!(!warnings.is_empty(), warned, "{given}");
        }
        for given in ["-a", "Work", "", "/etc"] {
            assert_eq!(active(&registry(given), &mut Vec::new()), Profile::standard(), "{given}");
        }
        assert_eq!(active(&json!([]), &mut Vec::new()), Profile::standard());
    }
}
