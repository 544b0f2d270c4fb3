//! The text expansions of a profile: `text-expansions.json`, a list.
//!
//! An entry that is damaged disables itself alone: it stays in the file as it is, and says what is wrong with it.
//! Triggers are compared in any case when they are looked up, an exact one first.

mod form;

use crate::document::Document;
use crate::folder::{Folder, Locked, SaveError};
use crate::profiles::{ProfileFault, ProfileInfo, Profiles};
use crate::settings::registry;
use crossmacro_model::Fault;
use crossmacro_model::expansion::{Expansion, ExpansionProblem};
use form::Decoded;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

const FILE: &str = "text-expansions.json";

/// The text expansions of one profile.
#[derive(Debug, Clone, Copy)]
pub struct Expansions<'a> {
    folder: &'a Folder,
    profile: Option<&'a str>,
}

/// All expansions of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpansionList {
    /// Whose they are.
    pub profile: ProfileInfo,
    /// In the order of the file, which is the order in which they are tried.
    pub expansions: Vec<Expansion>,
    /// What is wrong with the file or with entries of it.
    pub warnings: Vec<String>,
}

/// An expansion that was found or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpansionChange {
    /// Whose it is.
    pub profile: ProfileInfo,
    /// The expansion as it is now; one that was removed, as it was.
    pub expansion: Expansion,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Why an expansion was not found or not changed. Never holds a text of the user.
#[derive(Debug, thiserror::Error)]
pub enum ExpansionFault {
    /// There is no such profile, or the folder can't be used.
    #[error(transparent)]
    Profile(#[from] ProfileFault),
    /// No expansion has the trigger.
    #[error("no text expansion has this trigger")]
    Unknown,
    /// There is one with this trigger.
    #[error("there is a text expansion with this trigger already")]
    Duplicate,
    /// It can't be one.
    #[error(transparent)]
    Text(#[from] ExpansionProblem),
    /// It is damaged, and can't be switched on.
    #[error("the text expansion can't be enabled: its {0} in the file is damaged")]
    Damaged(&'static str),
}

impl From<SaveError> for ExpansionFault {
    fn from(error: SaveError) -> Self {
        Self::Profile(error.into())
    }
}

impl From<ExpansionFault> for Fault {
    fn from(fault: ExpansionFault) -> Self {
        let message = fault.to_string();
        match fault {
            ExpansionFault::Profile(fault) => fault.into(),
            ExpansionFault::Text(problem) => problem.into(),
            ExpansionFault::Unknown => Self::arguments(message)
                .detail("argument", "trigger")
                .remedy("`crossmacro text-expansion list` names them all"),
            ExpansionFault::Duplicate => {
                Self::arguments(message).detail("argument", "trigger").remedy("remove that one first")
            }
            ExpansionFault::Damaged(_) => Self::arguments(message).remedy("remove it and add it again"),
        }
    }
}

impl<'a> Expansions<'a> {
    /// The expansions of the profile that `profile` names, or of the active one.
    pub fn new(folder: &'a Folder, profile: Option<&'a str>) -> Self {
        Self { folder, profile }
    }

    /// All of them. Makes nothing.
    ///
    /// # Errors
    /// [`ExpansionFault::Profile`].
    pub fn list(&self) -> Result<ExpansionList, ExpansionFault> {
        let file = self.load()?;
        Ok(ExpansionList {
            profile: file.profile,
            expansions: file.entries.into_iter().filter_map(|entry| entry.expansion).collect(),
            warnings: file.warnings,
        })
    }

    /// The expansion with a trigger.
    ///
    /// # Errors
    /// [`ExpansionFault`].
    pub fn find(&self, trigger: &str) -> Result<ExpansionChange, ExpansionFault> {
        let file = self.load()?;
        let (_, _, expansion) = file.find(trigger)?;
        Ok(file.into_change(expansion))
    }

    /// Puts an expansion at the end.
    ///
    /// # Errors
    /// [`ExpansionFault`]; nothing has changed.
    pub fn add(&self, expansion: Expansion) -> Result<ExpansionChange, ExpansionFault> {
        expansion.check()?;
        self.edit(|file, entries| {
            if file.find(&expansion.trigger).is_ok() {
                return Err(ExpansionFault::Duplicate);
            }
            entries.push(form::encode(&expansion));
            Ok(expansion)
        })
    }

    /// Removes the expansion with a trigger.
    ///
    /// # Errors
    /// [`ExpansionFault`]; nothing has changed.
    pub fn remove(&self, trigger: &str) -> Result<ExpansionChange, ExpansionFault> {
        self.edit(|file, entries| {
            let (position, _, expansion) = file.find(trigger)?;
            drop(entries.remove(position));
            Ok(expansion)
        })
    }

    /// Switches the expansion with a trigger on or off.
    ///
    /// # Errors
    /// [`ExpansionFault`]; nothing has changed.
    pub fn set_enabled(&self, trigger: &str, is_enabled: bool) -> Result<ExpansionChange, ExpansionFault> {
        self.edit(|file, entries| {
            let (position, damaged, expansion) = file.find(trigger)?;
            // The switch itself is mended by writing it.
            if let Some(field) = damaged.filter(|field| is_enabled && *field != "isEnabled") {
                return Err(ExpansionFault::Damaged(field));
            }
            entries[position]["isEnabled"] = json!(is_enabled);
            Ok(Expansion { is_enabled, ..expansion })
        })
    }

    fn load(&self) -> Result<ListFile, ExpansionFault> {
        Ok(ListFile::load(self.folder, Profiles::new(self.folder).find(self.profile)?))
    }

    /// Reads, changes and replaces the list under the lock.
    fn edit(
        &self,
        change: impl FnOnce(&ListFile, &mut Vec<Json>) -> Result<Expansion, ExpansionFault>,
    ) -> Result<ExpansionChange, ExpansionFault> {
        let profiles = Profiles::new(self.folder);
        // Before the lock: a profile that is not there is no reason to make a folder.
        profiles.find(self.profile)?;
        let locked: Locked<'_> = profiles.begin()?;
        let mut file = self.load()?;
        let mut list = file.document.value.as_array().cloned().unwrap_or_default();
        let expansion = change(&file, &mut list)?;
        file.document.value = Json::Array(list);
        file.document.save(&locked)?;
        Ok(file.into_change(expansion))
    }
}

/// The list of a profile.
struct ListFile {
    profile: ProfileInfo,
    document: Document,
    /// One for each entry of the file.
    entries: Vec<Decoded>,
    warnings: Vec<String>,
}

impl ListFile {
    fn load(folder: &Folder, profile: ProfileInfo) -> Self {
        let mut warnings = Vec::new();
        let file = place(folder, &profile);
        let mut document = Document::load(folder, file, Json::is_array, &mut warnings);
        if document.missing {
            document.value = Json::Array(Vec::new());
        }
        let list = document.value.as_array().map_or(&[][..], Vec::as_slice);
        let entries: Vec<Decoded> = list.iter().map(form::decode).collect();
        for (entry, position) in entries.iter().zip(1..) {
            if let Some(problem) = entry.problem() {
                warnings.push(format!("entry {position} of `{}` {problem}", document.file.display()));
            }
        }
        Self { profile, document, entries, warnings }
    }

    /// Position, damaged field, expansion.
    fn find(&self, trigger: &str) -> Result<(usize, Option<&'static str>, Expansion), ExpansionFault> {
        let folded = trigger.to_lowercase();
        let first = |is_it: &dyn Fn(&Expansion) -> bool| {
            self.entries.iter().position(|entry| entry.expansion.as_ref().is_some_and(is_it))
        };
        let position = first(&|expansion| expansion.trigger == trigger)
            .or_else(|| first(&|expansion| expansion.trigger.to_lowercase() == folded))
            .ok_or(ExpansionFault::Unknown)?;
        let entry = &self.entries[position];
        let expansion = entry.expansion.clone().ok_or(ExpansionFault::Unknown)?;
        Ok((position, entry.damaged, expansion))
    }

    fn into_change(self, expansion: Expansion) -> ExpansionChange {
        ExpansionChange { profile: self.profile, expansion, warnings: self.warnings }
    }
}

/// Where the list of a profile lies: before there were profiles, directly in the configuration folder.
fn place(folder: &Folder, profile: &ProfileInfo) -> PathBuf {
    let file = profile.profile().folder().join(FILE);
    let is_there = |file: &Path| std::fs::symlink_metadata(folder.root().join(file)).is_ok();
    let is_legacy = profile.id == registry::DEFAULT_ID
        && !is_there(Path::new(registry::FILE))
        && !is_there(&file)
        && is_there(Path::new(FILE));
    if is_legacy { FILE.into() } else { file }
}
