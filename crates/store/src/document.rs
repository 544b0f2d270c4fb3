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
    /// Whether the file is there and could not be read.
    pub(crate) damaged: bool,
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
        let file = file.into();
        let (loaded, stamp) = folder.read_stamped(&file);
        let empty = || Json::Object(serde_json::Map::new());
        let (value, damage, missing) = match loaded {
            Loaded::Missing => (empty(), None, true),
            Loaded::Good(value) if shape(&value) => (value, None, false),
            Loaded::Good(_) => (empty(), Some(Damage::Shape), false),
            Loaded::Damaged(damage) => (empty(), Some(damage), false),
        };
        let mut document = Self { file, value, damaged: false, from_backup: false, missing, stamp };
        let Some(damage) = damage else { return document };
        let file = &document.file;
        let backup = folder.read_backup(file).filter(shape);
        let instead = if backup.is_some() { "as last saved" } else { "to be the defaults" };
        warnings.push(format!("`{}` {damage}; its content is taken {instead}", file.display()));
        (document.damaged, document.from_backup) = (true, backup.is_some());
        document.value = backup.unwrap_or_else(empty);
        document
    }

    /// Replaces the file. One that is JSON and nothing that we can use is damaged too; the folder can't know that.
    pub(crate) fn save(&self, locked: &Locked<'_>) -> Result<(), SaveError> {
        if self.damaged && matches!(locked.read(&self.file), Loaded::Good(_)) {
            locked.keep_aside(&self.file)?;
        }
        locked.write(&self.file, &self.value)
    }
}
