//! The configuration folder: JSON documents that several processes share.
//!
//! A document is read whole at any time, and changed only under the folder's lock: read, merge, replace.
//! Whatever the reader does not know in a document stays in it, because documents are changed as JSON values.
//!
//! Beside each document lies `<file>.bak`, its content as of the last save. A save puts it on the disk and in its place
//! first, and then the document: at every moment one of the two is whole, and the copy is never older than what a save
//! has reported. (An older one could bring back a permission that the user has taken away since.) A document that is
//! no JSON object or array is damaged: reading leaves it alone, the next save moves it to `<file>.corrupt-<UTC time>`.
//!
//! What a process that died has left is in `recovery`.

use crate::lock::Lock;
use crate::new_file::{Durability, NewFile, give};
use crate::recovery;
use crate::stamp::Stamp;
use crossmacro_model::{Code, Fault, limits};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

/// Start of the temporary names in the configuration folder; nothing else of ours is named so.
pub(crate) const TEMPORARY: &str = ".crossmacro-config-";

/// The configuration folder.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

/// What is in a document.
#[derive(Debug)]
pub enum Loaded {
    /// There is no such file.
    Missing,
    /// An object or array.
    Good(Value),
    /// It can't be read.
    Damaged(Damage),
}

/// Why a document can't be read. Its content is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The system does not let us read it.
    #[error("can't be read ({0:?})")]
    Unreadable(io::ErrorKind),
    /// It is no regular file.
    #[error("is not a regular file")]
    NotFile,
    /// It lies behind a folder that is a symbolic link.
    #[error("lies behind a folder that is a symbolic link")]
    Symlink,
    /// It is larger than any such file.
    #[error("is larger than {} bytes", limits::SETTINGS_FILE.value)]
    TooLarge,
    /// It is no JSON.
    #[error("is damaged at line {line}, column {column}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// It is JSON of another shape.
    #[error("does not have the shape of this file")]
    Shape,
}

impl Damage {
    /// Whether there is a file with a wrong content, which a save moves aside. The rest is in the way.
    fn is_content(&self) -> bool {
        matches!(self, Self::TooLarge | Self::Syntax { .. } | Self::Shape)
    }
}

/// Why a document was not saved. The old content is still there.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// Another process holds the lock.
    #[error("another process has been saving for {} ms", limits::SETTINGS_LOCK.value)]
    InUse,
    /// The file system knows no locks.
    #[error("the file system of the configuration folder has no locks")]
    NoLocks,
    /// A change that another process had decided on, and died, can't be finished.
    #[error("an import that was cut short can't be finished: {0}")]
    Unfinished(#[source] Box<Self>),
    /// The system refused.
    #[error("`{file}` can't be written ({kind:?})", kind = .source.kind())]
    Io {
        /// The file, within the configuration folder.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// What is there is nothing that may be replaced.
    #[error("`{file}` can't be replaced: it {damage}")]
    InTheWay {
        /// The file, within the configuration folder.
        file: String,
        /// What is there.
        damage: Damage,
    },
    /// It would be too large to be read again.
    #[error("`{file}` would be larger than {} bytes", limits::SETTINGS_FILE.value)]
    TooLarge {
        /// The file, within the configuration folder.
        file: String,
    },
    /// The file is a symbolic link to nothing, or to a file of another user.
    #[error("`{file}` is a symbolic link to nothing, or to a file of someone else")]
    Link {
        /// The file, within the configuration folder.
        file: String,
    },
}

impl SaveError {
    pub(crate) fn io(file: impl AsRef<Path>, source: impl Into<io::Error>) -> Self {
        Self::Io { file: file.as_ref().display().to_string(), source: source.into() }
    }
}

impl From<SaveError> for Fault {
    fn from(error: SaveError) -> Self {
        let remedy = match &error {
            SaveError::InUse => "try again; if it stays so, look for a crossmacro process that hangs",
            SaveError::NoLocks => "set XDG_CONFIG_HOME to a folder on a local disk",
            SaveError::Io { .. } => "check the rights and the free space of the configuration folder",
            SaveError::TooLarge { .. } => "remove entries that are no longer needed",
            SaveError::InTheWay { .. } | SaveError::Link { .. } => "move it out of the way",
            SaveError::Unfinished(_) => {
                "mend that and try again, or remove the folder `.crossmacro-import` to give the import up"
            }
        };
        Self::new(Code::RuntimeError, error.to_string()).remedy(remedy).caused_by(error)
    }
}

impl Folder {
    /// The folder `root`, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a document. `file` is relative to the folder.
    pub fn read(&self, file: &Path) -> Loaded {
        self.read_stamped(file).0
    }

    /// The content of a document as of the last save, when that was a good one.
    pub fn read_backup(&self, file: &Path) -> Option<Value> {
        match self.read(&with_suffix(file, ".bak")) {
            Loaded::Good(value) => Some(value),
            Loaded::Missing | Loaded::Damaged(_) => None,
        }
    }

    /// Waits until no other process changes the folder, and makes it when it is missing.
    ///
    /// # Errors
    /// [`SaveError`] when the folder can't be made or locked, or what a dead process has begun can't be finished.
    pub fn lock(&self) -> Result<Locked<'_>, SaveError> {
        self.make(&self.root, Path::new("."))?;
        let locked = Locked { folder: self, _lock: Lock::wait(&self.root)? };
        recovery::finish(&locked)?;
        Ok(locked)
    }

    /// Finishes or removes what processes that died in the middle of a change have left. Does nothing while another
    /// process saves.
    pub fn sweep(&self) {
        if let Some(lock) = Lock::if_free(&self.root) {
            recovery::sweep(&Locked { folder: self, _lock: lock });
        }
    }

    /// The bytes of a document, which nobody has parsed yet; `None` when there is none.
    pub(crate) fn read_text(&self, file: &Path) -> Result<Option<Vec<u8>>, Damage> {
        if self.is_behind_link(file) {
            return Err(Damage::Symlink);
        }
        match read_bytes(&self.root.join(file)) {
            Ok((bytes, _)) => Ok(Some(bytes)),
            Err(None) => Ok(None),
            Err(Some(damage)) => Err(damage),
        }
    }

    pub(crate) fn read_stamped(&self, file: &Path) -> (Loaded, Option<Stamp>) {
        if self.is_behind_link(file) {
            return (Loaded::Damaged(Damage::Symlink), None);
        }
        match read_bytes(&self.root.join(file)) {
            Ok((bytes, stamp)) => (parse(&bytes), Some(stamp)),
            Err(None) => (Loaded::Missing, None),
            Err(Some(damage)) => (Loaded::Damaged(damage), None),
        }
    }

    /// The present stamp of a document.
    pub(crate) fn stamp(&self, file: &Path) -> Option<Stamp> {
        std::fs::metadata(self.root.join(file)).ok().map(|metadata| Stamp::of(&metadata))
    }

    /// Whether a folder between the root and `file` is a symbolic link. The root itself may be one, and so may the
    /// file: dotfile managers place those.
    fn is_behind_link(&self, file: &Path) -> bool {
        file.ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty()).any(|parent| {
            std::fs::symlink_metadata(self.root.join(parent)).is_ok_and(|metadata| metadata.is_symlink())
        })
    }

    fn make(&self, folder: &Path, shown: &Path) -> Result<(), SaveError> {
        make_all(folder).map_err(|error| SaveError::io(shown, error))
    }
}

/// Makes a folder and those above it, private to the owner of the one they are made in.
fn make_all(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder.parent().ok_or(io::ErrorKind::NotFound)?;
    make_all(parent)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => return Ok(()),
        made => made?,
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    give(rustix::fs::open(folder, flags, Mode::empty())?, &rustix::fs::stat(parent)?);
    Ok(())
}

/// The folder while no other process changes it.
#[derive(Debug)]
pub struct Locked<'a> {
    folder: &'a Folder,
    _lock: Lock,
}

impl Locked<'_> {
    /// Reads a document. `file` is relative to the folder.
    pub fn read(&self, file: &Path) -> Loaded {
        self.folder.read(file)
    }

    /// Replaces a document, and keeps its permissions. One that was damaged is moved aside first.
    ///
    /// # Errors
    /// [`SaveError`]; the old content is still there.
    pub fn write(&self, file: &Path, value: &Value) -> Result<(), SaveError> {
        let failed = |error: io::Error| SaveError::io(file, error);
        let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        if u64::try_from(bytes.len()).map_or(true, |length| length > limits::SETTINGS_FILE.value) {
            return Err(SaveError::TooLarge { file: file.display().to_string() });
        }
        let target = self.target(file)?;
        let damaged = match self.read(file) {
            Loaded::Damaged(damage) if !damage.is_content() => {
                return Err(SaveError::InTheWay { file: file.display().to_string(), damage });
            }
            Loaded::Damaged(_) => true,
            Loaded::Missing | Loaded::Good(_) => false,
        };
        let backup = prepare(&with_suffix(&target, ".bak"), &bytes).map_err(failed)?;
        backup.put(Durability::Ordered).map_err(failed)?;
        let new = prepare(&target, &bytes).map_err(failed)?;
        if damaged {
            set_aside(&target, "corrupt").map_err(failed)?;
        }
        new.put(Durability::Synced).map_err(failed)
    }

    /// Gives a document that is about to be replaced the name `<file>.corrupt-<UTC time>` as well. For JSON whose
    /// shape only the caller can judge; [`Self::write`] does it by itself for what is no JSON.
    ///
    /// # Errors
    /// [`SaveError`] when it can't be kept.
    pub fn keep_aside(&self, file: &Path) -> Result<(), SaveError> {
        set_aside(&self.target(file)?, "corrupt").map_err(|error| SaveError::io(file, error))
    }

    /// Puts bytes that are no document in a place: a macro, a mark. What was there is gone.
    pub(crate) fn write_bytes(&self, file: &Path, bytes: &[u8]) -> Result<(), SaveError> {
        let new = prepare(&self.target(file)?, bytes);
        new.and_then(|new| new.put(Durability::Synced)).map_err(|error| SaveError::io(file, error))
    }

    /// Makes a folder and those above it.
    pub(crate) fn make_folder(&self, folder: &Path) -> Result<(), SaveError> {
        if self.folder.is_behind_link(&folder.join("x")) {
            return Err(SaveError::InTheWay { file: folder.display().to_string(), damage: Damage::Symlink });
        }
        self.folder.make(&self.folder.root.join(folder), folder)
    }

    /// The folder that is locked.
    pub(crate) fn folder(&self) -> &Folder {
        self.folder
    }

    /// Gives a good file that is about to be replaced as a whole the name `<file>.replaced-<UTC time>` as well.
    pub(crate) fn keep_replaced(&self, file: &Path) -> Result<(), SaveError> {
        set_aside(&self.target(file)?, "replaced").map_err(|error| SaveError::io(file, error))
    }

    /// Copies a file to a new place, byte for byte, unless there is one. A missing source is no error.
    pub(crate) fn copy(&self, from: &Path, to: &Path) -> Result<(), SaveError> {
        let failed = |error: io::Error| SaveError::io(to, error);
        let target = self.target(to)?;
        match read_bytes(&self.folder.root.join(from)) {
            Err(None) => Ok(()),
            Err(Some(damage)) => Err(SaveError::InTheWay { file: from.display().to_string(), damage }),
            Ok(_) if target.exists() => Ok(()),
            Ok((bytes, _)) => {
                prepare(&target, &bytes).and_then(|new| new.put(Durability::Synced)).map_err(failed)
            }
        }
    }

    /// The file to replace: where a symbolic link leads to, as a dotfile manager wants it. Its folder is made.
    fn target(&self, file: &Path) -> Result<PathBuf, SaveError> {
        let shown = || file.display().to_string();
        if file.components().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(SaveError::io(file, io::ErrorKind::InvalidInput));
        }
        if self.folder.is_behind_link(file) {
            return Err(SaveError::InTheWay { file: shown(), damage: Damage::Symlink });
        }
        let path = self.folder.root.join(file);
        if let Some(parent) = path.parent() {
            self.folder.make(parent, file)?;
        }
        if !std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Ok(path);
        }
        let target = std::fs::canonicalize(&path).map_err(|_| SaveError::Link { file: shown() })?;
        let own = rustix::process::geteuid().as_raw();
        match std::fs::metadata(&target) {
            Ok(metadata) if own == 0 || metadata.uid() == own => Ok(target),
            _ => Err(SaveError::Link { file: shown() }),
        }
    }
}

/// The bytes of a file: `None` when it is missing.
fn read_bytes(path: &Path) -> Result<(Vec<u8>, Stamp), Option<Damage>> {
    // Non-blocking: a FIFO in its place must not hang us.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file: File = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => file.into(),
        Err(Errno::NOENT) => return Err(None),
        Err(error) => return Err(Some(unreadable(&error.into()))),
    };
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        return Err(Some(Damage::NotFile));
    }
    let limit = limits::SETTINGS_FILE.value;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if u64::try_from(bytes.len()).map_or(true, |length| length > limit) {
        return Err(Some(Damage::TooLarge));
    }
    Ok((bytes, Stamp::of(&metadata)))
}

fn unreadable(error: &io::Error) -> Damage {
    Damage::Unreadable(error.kind())
}

fn parse(bytes: &[u8]) -> Loaded {
    // Some editors start a file with a byte-order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice(bytes) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => Loaded::Good(value),
        Ok(_) => Loaded::Damaged(Damage::Shape),
        Err(error) => Loaded::Damaged(Damage::Syntax { line: error.line(), column: error.column() }),
    }
}

/// A file that is written, and not yet in its place.
struct Prepared {
    new: NewFile,
    name: OsString,
}

impl Prepared {
    fn put(self, durability: Durability) -> io::Result<()> {
        self.new.place(&self.name, durability)
    }
}

/// Writes a new file beside `target`.
fn prepare(target: &Path, bytes: &[u8]) -> io::Result<Prepared> {
    let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(parent, flags, Mode::empty())?;
    let replaced = rustix::fs::statat(&folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
    let mut new = NewFile::create(folder, TEMPORARY, Mode::RUSR | Mode::WUSR)?;
    if let Ok(replaced) = replaced
        && rustix::fs::FileType::from_raw_mode(replaced.st_mode).is_file()
    {
        new.keep(&replaced)?;
    } else {
        new.adopt();
    }
    new.file().write_all(bytes)?;
    Ok(Prepared { new, name: name.to_owned() })
}

/// Gives a file the name `<file>.<why>-<UTC time>` as well, so that replacing it does not lose it. It
/// keeps its own name until then: a missing settings file would mean the defaults, and with them a wider policy.
fn set_aside(target: &Path, why: &str) -> io::Result<()> {
    let time = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    for attempt in 1..100 {
        let suffix = if attempt == 1 { format!(".{why}-{time}") } else { format!(".{why}-{time}-{attempt}") };
        let aside = with_suffix(target, &suffix);
        match rustix::fs::link(target, &aside) {
            Err(Errno::EXIST) => {}
            // A file system without hard links.
            Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS) => {
                return std::fs::copy(target, &aside).map(|_| ());
            }
            linked => return Ok(linked?),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(OsStr::new(suffix));
    name.into()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;

    #[test]
    fn only_names_inside_are_written() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::new(home.path().join("config"));
        let locked = folder.lock().unwrap();
        for file in ["../x.json", "/tmp/x.json", "a/../../x.json", "."] {
            assert!(locked.write(Path::new(file), &Value::Array(Vec::new())).is_err(), "{file}");
        }
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
