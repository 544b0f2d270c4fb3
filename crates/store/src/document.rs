//! One document of the configuration folder, as far as it could be read.

use crate::folder::{Damage, Folder, Loaded, Locked, SaveError};
use crate::stamp::Stamp;
use serde_json::Value as Json;
use std::path::PathBuf;

/// A document and what became of it.
pub(crate) struct Document {
    /// Relative to the configuration folder.
    pub(crate) file: PathBuf,
    /// The content: the file's own, or that of the last save when the file is damaged.
    pub(crate) value: Json,
    /// Why the file, which is there, could not be read.
    pub(crate) damage: Option<Damage>,
    /// Whether `value` is that of the last save.
    pub(crate) from_backup: bool,
    pub(crate) missing: bool,
    pub(crate) stamp: Option<Stamp>,
}

impl Document {
    /// Reads a document. `shape` tells whether JSON can be its content.
    pub(crate) fn load(
        folder: &Folder,
        file: impl Into<PathBuf>,
        shape: fn(&Json) -> bool,
        warnings: &mut Vec<String>,
    ) -> Self {
        let document = Self::load_quietly(folder, file, shape);
        warnings.extend(document.warning(""));
        document
    }

    /// The same, for who says what the damage means.
    pub(crate) fn load_quietly(folder: &Folder, file: impl Into<PathBuf>, shape: fn(&Json) -> bool) -> Self {
        let file = file.into();
        let (loaded, stamp) = folder.read_stamped(&file);
        let empty = || Json::Object(serde_json::Map::new());
        let (value, damage, missing) = match loaded {
            Loaded::Missing => (empty(), None, true),
            Loaded::Good(value) if shape(&value) => (value, None, false),
            Loaded::Good(_) => (empty(), Some(Damage::Shape), false),
            Loaded::Damaged(damage) => (empty(), Some(damage), false),
        };
        let mut document = Self { file, value, damage, from_backup: false, missing, stamp };
        if document.is_damaged()
            && let Some(backup) = folder.read_backup(&document.file).filter(shape)
        {
            (document.value, document.from_backup) = (backup, true);
        }
        document
    }

    /// Whether the file is there and could not be read.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damage.is_some()
    }

    /// What is said about damage; `meaning` stands before what is taken instead.
    pub(crate) fn warning(&self, meaning: &str) -> Option<String> {
        let damage = self.damage.as_ref()?;
        let instead = if self.from_backup { "as last saved" } else { "to be the defaults" };
        Some(format!("`{}` {damage}; {meaning}its content is taken {instead}", self.file.display()))
    }

    /// Replaces the file. One that is JSON and nothing that we can use is damaged too; the folder can't know that.
    pub(crate) fn save(&self, locked: &Locked<'_>) -> Result<(), SaveError> {
        if self.is_damaged() && matches!(locked.read(&self.file), Loaded::Good(_)) {
            locked.keep_aside(&self.file)?;
        }
        locked.write(&self.file, &self.value)
    }
}
