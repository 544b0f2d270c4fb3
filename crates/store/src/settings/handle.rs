//! The settings of a process: read again when a file has changed, and changed under the lock.

use super::{Files, Settings, form, migration};
use crate::dirs::Directories;
use crate::document::Document;
use crate::folder::{Folder, SaveError};
use crate::stamp::Stamp;
use crossmacro_model::Fault;
use crossmacro_model::settings::{self as table, Row, UnknownKey, Value, ValueFault};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The settings of one configuration folder.
#[derive(Debug)]
pub struct SettingsHandle {
    folder: Folder,
    cached: Mutex<Option<Cached>>,
}

#[derive(Debug)]
struct Cached {
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    settled: bool,
    settings: Arc<Settings>,
}

/// What a change did.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The setting.
    pub key: &'static str,
    /// Its value before.
    pub old: Value,
    /// Its value now.
    pub new: Value,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Why a setting was not changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingsFault {
    /// There is no such setting.
    #[error(transparent)]
    UnknownKey(#[from] UnknownKey),
    /// The value is none of this setting.
    #[error("{key}: {fault}")]
    Value {
        /// The setting.
        key: &'static str,
        /// What is wrong.
        fault: ValueFault,
    },
    /// It can't be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl From<SettingsFault> for Fault {
    fn from(fault: SettingsFault) -> Self {
        match fault {
            SettingsFault::UnknownKey(unknown) => unknown.into(),
            SettingsFault::Value { key, ref fault } => Self::arguments(format!("{key}: {fault}")),
            SettingsFault::Save(error) => error.into(),
        }
    }
}

impl SettingsHandle {
    /// The settings of a configuration folder, which need not exist. Removes what saves that were cut short have
    /// left in it.
    pub fn open(directories: &Directories) -> Self {
        let folder = Folder::new(&directories.config);
        folder.sweep();
        Self { folder, cached: Mutex::new(None) }
    }

    /// The folder they lie in, and with them everything else of the user.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The settings at this moment. Costs four looks at file times when nothing has changed; the same `Arc` comes
    /// back as long as the settings are the same.
    pub fn current(&self) -> Arc<Settings> {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cached.as_ref()
            && known.settled
            && known.stamps.iter().all(|(file, stamp)| self.folder.stamp(file) == *stamp)
        {
            return Arc::clone(&known.settings);
        }
        let files = Files::load(&self.folder);
        let (stamps, settled) = (files.stamps(), files.are_settled());
        let mut settings = Arc::new(files.settings());
        if let Some(known) = cached.take()
            && known.settings == settings
        {
            settings = known.settings;
        }
        *cached = Some(Cached { stamps, settled, settings: Arc::clone(&settings) });
        settings
    }

    /// Gives a setting the value that `text` stands for. Who may do that is for the caller to decide.
    ///
    /// # Errors
    /// [`SettingsFault`]; the setting is as it was.
    pub fn set(&self, key: &str, text: &str) -> Result<Change, SettingsFault> {
        let row = table::row(key)?;
        let parsed = row.parse(text).map_err(|fault| SettingsFault::Value { key: row.key, fault })?;
        let mut change = self.change(row, Some(&parsed.value))?;
        change.warnings.extend(parsed.warning);
        Ok(change)
    }

    /// Takes a setting back to its default. Who may do that is for the caller to decide.
    ///
    /// # Errors
    /// [`SettingsFault`]; the setting is as it was.
    pub fn reset(&self, key: &str) -> Result<Change, SettingsFault> {
        Ok(self.change(table::row(key)?, None)?)
    }

    /// Reads, merges and replaces the file of `row` under the lock; `None` removes the value from it.
    fn change(&self, row: &'static Row, value: Option<&Value>) -> Result<Change, SaveError> {
        let locked = self.folder.lock()?;
        migration::run(&locked)?;
        let files = Files::load(&self.folder);
        let mut document = match row.scope {
            table::Scope::Global => files.global,
            table::Scope::Profile => files.own,
        };
        let stored = form::find(&document.value, row.property);
        let old = stored.and_then(|stored| form::decode(row, stored).value);
        let warnings = mend(&mut document).into_iter().collect();
        match value {
            Some(value) => form::put(&mut document.value, row.property, form::encode(row, value)),
            None => form::remove(&mut document.value, row.property),
        }
        document.save(&locked)?;
        let default = || row.default.clone();
        Ok(Change {
            key: row.key,
            old: old.unwrap_or_else(default),
            new: value.cloned().unwrap_or_else(default),
            warnings,
        })
    }
}

/// What a file starts with that takes the place of a damaged one, beyond the last saved state: without one, every
/// guard has its narrowest value. Its loss must not widen the policy.
fn mend(document: &mut Document) -> Option<String> {
    if !document.is_damaged() {
        return None;
    }
    let file = document.file.display();
    if document.from_backup {
        return Some(format!("`{file}` was damaged and is kept beside; its last saved state is back"));
    }
    if document.file != std::path::Path::new(super::GLOBAL) {
        return Some(format!("`{file}` was damaged and is kept beside; its settings are at their defaults"));
    }
    // Those of single capabilities follow the general approval.
    let is_general = |row: &&Row| !row.key.starts_with("mcp.approval.");
    for row in table::rows().iter().filter(is_general) {
        if let Some(narrowest) = &row.narrowest {
            form::put(&mut document.value, row.property, form::encode(row, narrowest));
        }
    }
    Some(format!(
        "`{file}` was damaged and is kept beside; MCP clients are allowed nothing until you allow it"
    ))
}
