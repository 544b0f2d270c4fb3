//! The registry as it is read: repaired where it can be, and with its damage told.

use super::fault::ProfileFault;
use super::{folders, has_folder, name};
use crate::document::Document;
use crate::folder::{Folder, Locked, SaveError};
use crate::settings::Profile;
use crate::settings::registry::{self, DEFAULT_ID, DEFAULT_NAME, FILE};
use crossmacro_model::nearest::nearest;
use serde_json::{Value as Json, json};

/// Profiles that are looked at.
pub(super) const MOST: usize = 10_000;

/// A profile in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileInfo {
    /// The identifier, and the name of its folder. Never changes.
    pub id: String,
    /// The name that the user gave.
    pub name: String,
    /// When it was made (ISO 8601, UTC); unknown where no file says.
    pub created_at: Option<String>,
    /// Whether it is in use.
    pub is_active: bool,
}

impl ProfileInfo {
    /// The profile itself.
    pub fn profile(&self) -> Profile {
        Profile { id: self.id.clone(), name: self.name.clone() }
    }
}

/// All profiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileList {
    /// In the order of the registry.
    pub profiles: Vec<ProfileInfo>,
    /// The id of the one in use.
    pub active: String,
    /// What is wrong with the registry.
    pub warnings: Vec<String>,
}

/// The registry: the file's content, and what of it can be used.
pub(super) struct Registry {
    pub(super) document: Document,
    profiles: Vec<ProfileInfo>,
    pub(super) warnings: Vec<String>,
}

impl Registry {
    pub(super) fn load(folder: &Folder) -> Self {
        let mut warnings = Vec::new();
        let document = Document::load(folder, FILE, registry::is_registry, &mut warnings);
        let mut registry = Self { document, profiles: Vec::new(), warnings };
        registry.repair();
        if registry.document.is_damaged() && !registry.document.from_backup {
            registry.adopt(folder);
        }
        registry.read();
        registry
    }

    /// Puts in what every registry has, so that it is there at the next save.
    fn repair(&mut self) {
        let value = &mut self.document.value;
        if value.get("version").is_none() {
            value["version"] = json!(1);
        }
        if !value.get("activeProfile").is_some_and(Json::is_string) {
            value["activeProfile"] = json!(DEFAULT_ID);
        }
        if !value.get("profiles").is_some_and(Json::is_array) {
            value["profiles"] = json!([]);
        }
        let Some(list) = value["profiles"].as_array_mut() else { return };
        if !list.iter().any(|entry| entry["id"] == DEFAULT_ID) {
            let mut standard = registry::entry(DEFAULT_ID, DEFAULT_NAME);
            standard["createdAt"] = Json::Null;
            list.insert(0, standard);
        }
    }

    /// Lists the folders of profiles again after their list was lost: their names are gone, their files are not.
    fn adopt(&mut self, folder: &Folder) {
        let Some(list) = self.document.value["profiles"].as_array_mut() else { return };
        let lost: Vec<String> = folders(folder).into_iter().filter(|id| id != DEFAULT_ID).collect();
        for id in &lost {
            let mut entry = registry::entry(id, id);
            entry["createdAt"] = Json::Null;
            list.push(entry);
        }
        if !lost.is_empty() {
            self.warnings.push(format!("the names of {} profiles are lost; they have their ids", lost.len()));
        }
    }

    fn read(&mut self) {
        let mut ignored = Vec::new();
        let active = self.document.value["activeProfile"].as_str().unwrap_or(DEFAULT_ID).to_owned();
        for (entry, position) in self.document.value["profiles"].as_array().into_iter().flatten().zip(1..) {
            match read_entry(entry).filter(|_| self.profiles.len() < MOST) {
                Some(info) if !self.profiles.iter().any(|known| known.id.eq_ignore_ascii_case(&info.id)) => {
                    self.profiles.push(info);
                }
                _ => ignored.push(position),
            }
        }
        for position in ignored {
            self.warnings.push(format!(
                "entry {position} of `{FILE}` has no usable id, or one that is there already, and is left out"
            ));
        }
        let known = self.profiles.iter().any(|info| info.id == active);
        if !known {
            self.warnings.push(format!("`{FILE}` names an active profile that it does not have"));
            self.document.value["activeProfile"] = json!(DEFAULT_ID);
        }
        let active = if known { active.as_str() } else { DEFAULT_ID };
        self.profiles.iter_mut().for_each(|info| info.is_active = info.id == active);
    }

    pub(super) fn list(self) -> ProfileList {
        let active = self.profiles.iter().find(|info| info.is_active);
        let active = active.map_or_else(|| DEFAULT_ID.to_owned(), |info| info.id.clone());
        ProfileList { profiles: self.profiles, active, warnings: self.warnings }
    }

    /// By id and by name, exactly, and then by id and by name in any case.
    pub(super) fn find(&self, which: Option<&str>) -> Result<&ProfileInfo, ProfileFault> {
        let Some(which) = which.map(str::trim).filter(|which| !which.is_empty()) else {
            return self.first(|info| info.is_active).ok_or(ProfileFault::Unknown { nearest: Vec::new() });
        };
        self.first(|info| info.id == which)
            .or_else(|| self.first(|info| info.name == which))
            .or_else(|| self.first(|info| info.id.eq_ignore_ascii_case(which)))
            .or_else(|| self.first(|info| name::folded(&info.name) == name::folded(which)))
            .ok_or_else(|| self.unknown(which))
    }

    /// By name alone.
    pub(super) fn named(&self, wanted: &str) -> Result<&ProfileInfo, ProfileFault> {
        self.first(|info| name::folded(&info.name) == name::folded(wanted))
            .ok_or_else(|| self.unknown(wanted))
    }

    fn first(&self, is_it: impl Fn(&ProfileInfo) -> bool) -> Option<&ProfileInfo> {
        self.profiles.iter().find(|info| is_it(info))
    }

    fn unknown(&self, which: &str) -> ProfileFault {
        ProfileFault::Unknown { nearest: nearest(which, self.profiles.iter().map(|info| info.name.as_str())) }
    }

    /// Whether no profile but `own` has the name.
    pub(super) fn check_free(&self, wanted: &str, own: Option<&str>) -> Result<(), ProfileFault> {
        let wanted = name::folded(wanted);
        let taken = |info: &ProfileInfo| Some(info.id.as_str()) != own && name::folded(&info.name) == wanted;
        if self.profiles.iter().any(taken) { Err(ProfileFault::Taken) } else { Ok(()) }
    }

    /// Puts a new profile at the end. An id whose folder is there already is not given: its files are not ours.
    pub(super) fn add(&mut self, folder: &Folder, wanted: &str) -> Result<ProfileInfo, ProfileFault> {
        self.check_free(wanted, None)?;
        let entries = self.document.value["profiles"].as_array().map_or(&[][..], Vec::as_slice);
        let listed = |id: &str| {
            entries
                .iter()
                .any(|entry| entry["id"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(id)))
        };
        let id = name::id(wanted, |id| listed(id) || has_folder(folder, id));
        let entry = registry::entry(&id, wanted);
        let created_at = entry["createdAt"].as_str().map(str::to_owned);
        if let Some(list) = self.document.value["profiles"].as_array_mut() {
            list.push(entry);
        }
        let info = ProfileInfo { id, name: wanted.to_owned(), created_at, is_active: false };
        self.profiles.push(info.clone());
        Ok(info)
    }

    /// The entry of a profile in the file.
    pub(super) fn entry(&mut self, info: &ProfileInfo) -> &mut Json {
        let list = &mut self.document.value["profiles"];
        let position = position(list, info).unwrap_or(0);
        &mut list[position]
    }

    pub(super) fn remove(&mut self, info: &ProfileInfo) {
        let list = &mut self.document.value["profiles"];
        if let (Some(position), Some(list)) = (position(list, info), list.as_array_mut()) {
            drop(list.remove(position));
        }
    }

    pub(super) fn save(&mut self, locked: &Locked<'_>) -> Result<(), SaveError> {
        self.document.save(locked)
    }
}

/// Where a profile is in the file: the first entry with its id.
fn position(list: &Json, info: &ProfileInfo) -> Option<usize> {
    list.as_array()?.iter().position(|entry| entry["id"] == info.id.as_str())
}

fn read_entry(entry: &Json) -> Option<ProfileInfo> {
    let id = entry["id"].as_str().filter(|id| registry::is_id(id))?;
    let given = entry["name"].as_str().map(str::trim).filter(|name| !name.is_empty());
    let fallback = if id == DEFAULT_ID { DEFAULT_NAME } else { id };
    Some(ProfileInfo {
        id: id.to_owned(),
        name: given.unwrap_or(fallback).to_owned(),
        created_at: entry["createdAt"].as_str().and_then(instant),
        is_active: false,
    })
}

/// An instant of a file in UTC. The reference writes it with `Z`; a time without an offset is taken as UTC.
fn instant(text: &str) -> Option<String> {
    let stamp = text.parse::<jiff::Timestamp>().ok().or_else(|| {
        let civil = text.parse::<jiff::civil::DateTime>().ok()?;
        jiff::tz::Offset::UTC.to_timestamp(civil).ok()
    })?;
    Some(stamp.to_string())
}
