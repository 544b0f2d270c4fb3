//! The user's profiles: which there are, which one is active, and every way to change that.
//!
//! They are listed in `profile-registry.json`; the files of each lie in `profiles/<id>/`. Every change is one
//! replacement of the registry under the folder's lock, so a change that is cut short has not happened; the next start
//! clears away what it has left (`recovery`). A folder of unknown origin that no profile owns stays: nothing of the
//! user is lost by it, and no later profile gets its files.
//!
//! What it is not: nothing here stops or starts what runs; a process that runs sees the change at its next look.

mod fault;
mod list;
mod name;

pub use fault::{ProfileFault, Protection};
pub use list::{ProfileInfo, ProfileList};
pub use name::NameProblem;

use crate::folder::{Damage, Folder, Loaded, Locked, SaveError};
use crate::recovery;
use crate::settings::registry::{self, DEFAULT_ID};
use crate::settings::{Profile, migration};
use list::Registry;
use serde_json::{Value as Json, json};
use std::path::Path;

/// The lists of a profile, and what each is when it is new.
const LISTS: [&str; 4] = ["shortcuts.json", "schedules.json", "text-expansions.json", "triggers.json"];

/// The profiles of a configuration folder.
#[derive(Debug, Clone, Copy)]
pub struct Profiles<'a> {
    folder: &'a Folder,
}

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChange {
    /// The profile as it is now; one that was deleted, as it was.
    pub profile: ProfileInfo,
    /// Whether anything is different from before.
    pub is_changed: bool,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl<'a> Profiles<'a> {
    /// The profiles of a folder, which need not exist.
    pub fn new(folder: &'a Folder) -> Self {
        Self { folder }
    }

    /// All profiles. The standard one is always among them. Makes nothing.
    pub fn list(&self) -> ProfileList {
        Registry::load(self.folder).list()
    }

    /// The profile that `which` names: by id or by name, exactly before in any case. Without one, the active.
    ///
    /// # Errors
    /// [`ProfileFault::Unknown`] with the nearest names.
    pub fn find(&self, which: Option<&str>) -> Result<ProfileInfo, ProfileFault> {
        Registry::load(self.folder).find(which).cloned()
    }

    /// The profile that has the name, whatever ids there are.
    pub(crate) fn named(&self, name: &str) -> Result<ProfileInfo, ProfileFault> {
        Registry::load(self.folder).named(name).cloned()
    }

    /// Makes a profile with default settings and empty lists. The active one stays active.
    ///
    /// # Errors
    /// [`ProfileFault`]; nothing has changed.
    pub fn create(&self, name: &str) -> Result<ProfileChange, ProfileFault> {
        // Before the lock: a wrong name is no reason to make a folder.
        let name = name::check(name)?;
        let locked = self.begin()?;
        let draft = Draft::new(self.folder, &name)?;
        let (profile, warnings) = (draft.info.clone(), draft.registry.warnings.clone());
        draft.commit(&locked, |_| Ok(()))?;
        Ok(ProfileChange { profile, is_changed: true, warnings })
    }

    /// Gives a profile another name. Its id and its folder stay.
    ///
    /// # Errors
    /// [`ProfileFault`]; nothing has changed.
    pub fn rename(&self, which: &str, name: &str) -> Result<ProfileChange, ProfileFault> {
        let name = name::check(name)?;
        let locked = self.begin()?;
        let mut registry = Registry::load(self.folder);
        let mut info = registry.find(Some(which))?.clone();
        registry.check_free(&name, Some(&info.id))?;
        let is_changed = info.name != name;
        registry.entry(&info)["name"] = json!(name);
        registry.save(&locked)?;
        info.name = name;
        Ok(ProfileChange { profile: info, is_changed, warnings: registry.warnings })
    }

    /// Removes a profile and its files. The standard profile and the active one are protected.
    ///
    /// # Errors
    /// [`ProfileFault`]; nothing has changed.
    pub fn delete(&self, which: &str) -> Result<ProfileChange, ProfileFault> {
        let locked = self.begin()?;
        let mut registry = Registry::load(self.folder);
        let info = registry.find(Some(which))?.clone();
        if info.id == DEFAULT_ID {
            return Err(ProfileFault::Protected(Protection::Standard));
        }
        if info.is_active {
            return Err(ProfileFault::Protected(Protection::Active));
        }
        let folder = info.profile().folder();
        let is_marked = is_folder(self.folder, &folder) && recovery::mark(&locked, &folder).is_ok();
        registry.remove(&info);
        let saved = registry.save(&locked);
        if saved.is_err() && is_marked {
            recovery::unmark(&locked, &folder);
        }
        saved?;
        if !recovery::discard(self.folder.root(), &folder) {
            registry.warnings.push(format!("the folder `profiles/{}` could not be removed", info.id));
        }
        Ok(ProfileChange { profile: info, is_changed: true, warnings: registry.warnings })
    }

    /// Makes a profile the active one.
    ///
    /// # Errors
    /// [`ProfileFault`]; the active profile is the same as before.
    pub fn switch(&self, which: &str) -> Result<ProfileChange, ProfileFault> {
        let locked = self.begin()?;
        let mut registry = Registry::load(self.folder);
        let mut info = registry.find(Some(which))?.clone();
        if info.is_active {
            return Ok(ProfileChange { profile: info, is_changed: false, warnings: registry.warnings });
        }
        check_usable(&locked, &info.profile())?;
        registry.document.value["activeProfile"] = json!(info.id);
        registry.save(&locked)?;
        info.is_active = true;
        Ok(ProfileChange { profile: info, is_changed: true, warnings: registry.warnings })
    }

    /// Takes the lock, and brings the folder to the present layout.
    pub(crate) fn begin(&self) -> Result<Locked<'a>, SaveError> {
        let locked = self.folder.lock()?;
        migration::run(&locked)?;
        Ok(locked)
    }
}

/// The registry and the folder of a profile that is being made; nothing is there until [`Draft::commit`].
pub(crate) struct Draft {
    registry: Registry,
    pub(crate) info: ProfileInfo,
}

impl Draft {
    /// A profile to be, under the lock that its maker holds.
    pub(crate) fn new(folder: &Folder, name: &str) -> Result<Self, ProfileFault> {
        let name = name::check(name)?;
        let mut registry = Registry::load(folder);
        let info = registry.add(folder, &name)?;
        Ok(Self { registry, info })
    }

    /// Makes its files by `fill` and then lists it. When anything fails, there is nothing of it.
    pub(crate) fn commit(
        mut self,
        locked: &Locked<'_>,
        fill: impl FnOnce(&Path) -> Result<(), SaveError>,
    ) -> Result<(), SaveError> {
        let folder = self.info.profile().folder();
        let made = recovery::mark(locked, &folder)
            .and_then(|()| make_files(locked, &folder))
            .and_then(|()| fill(&folder))
            .and_then(|()| self.registry.save(locked));
        match made {
            Ok(()) => recovery::unmark(locked, &folder),
            // What stays is marked: the next start removes it.
            Err(_) => drop(recovery::discard(locked.folder().root(), &folder)),
        }
        made
    }
}

/// The files that a new profile starts with.
fn make_files(locked: &Locked<'_>, folder: &Path) -> Result<(), SaveError> {
    locked.make_folder(&folder.join("macros"))?;
    let hotkeys = json!({"recordingHotkey": "F8", "playbackHotkey": "F9", "pauseHotkey": "F10"});
    // An empty object means the defaults, to us and to the reference, and keeps following them.
    locked.write(&folder.join("settings.json"), &json!({}))?;
    locked.write(&folder.join("hotkeys.json"), &hotkeys)?;
    LISTS.iter().try_for_each(|list| locked.write(&folder.join(list), &Json::Array(Vec::new())))
}

/// Whether a profile can be the active one: what can't be read at all would silently be the defaults.
fn check_usable(locked: &Locked<'_>, profile: &Profile) -> Result<(), ProfileFault> {
    let in_the_way =
        |damage: &Damage| matches!(damage, Damage::Unreadable(_) | Damage::NotFile | Damage::Symlink);
    for file in ["settings.json", "hotkeys.json"].iter().chain(&LISTS) {
        if let Loaded::Damaged(damage) = locked.read(&profile.folder().join(file))
            && in_the_way(&damage)
        {
            return Err(ProfileFault::Unusable { file, damage });
        }
    }
    Ok(())
}

/// Whether it is a folder of ours and no link to another one.
fn is_folder(folder: &Folder, profile: &Path) -> bool {
    std::fs::symlink_metadata(folder.root().join(profile)).is_ok_and(|found| found.is_dir())
}

/// Whether the folder of that id exists, whoever owns it.
fn has_folder(folder: &Folder, id: &str) -> bool {
    std::fs::symlink_metadata(folder.root().join("profiles").join(id)).is_ok()
}

/// The ids of the folders of profiles that exist.
fn folders(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.root().join("profiles"));
    let mut ids: Vec<String> = entries
        .into_iter()
        .flatten()
        .flatten()
        .take(list::MOST)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|id| registry::is_id(id))
        .collect();
    ids.sort();
    ids
}
