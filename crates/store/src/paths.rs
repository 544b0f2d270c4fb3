//! Files that a caller names, opened so that what was checked is what is used.
//!
//! With roots, the path is walked from the top of the file system, folder by folder, each one opened beneath the
//! handle of the one before and none of them through a symbolic link. Every decision is made over the handle
//! that is then handed out, so there is no moment at which a swapped name can lead somewhere else. Without roots
//! the folders may be symbolic links (the user's own arrangement); the file itself may not.
//!
//! What it is not: a sandbox. Whoever may rename folders inside a root can move what lies in them, mounts are
//! followed, and a hard link whose other names are gone is a file like any other.

mod fault;
mod listing;
mod walk;

pub use fault::{FileKind, PathFault};
pub use listing::{ListedFile, Listing, MOST_NAMES, list};

use crate::new_file::{Durability, NewFile};
use crossmacro_policy::{CheckedPath, PathClass, Roots};
use fault::Reason;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use walk::Place;

/// Start of the temporary names beside a file that is written.
const TEMPORARY: &str = ".crossmacro-";

/// A file that may be read.
#[derive(Debug)]
pub struct OpenedFile {
    /// The very file that was checked: regular, with one name.
    pub file: File,
    /// Its size in bytes at the time of opening. It may grow; a reader needs a limit of its own.
    pub len: u64,
}

/// Opens a file for reading.
///
/// # Errors
/// [`PathFault`]; its message names the path as the caller gave it, and nothing else.
pub fn open_read(class: PathClass, path: &Path, roots: &Roots) -> Result<OpenedFile, PathFault> {
    let checked = check(class, path)?;
    let opened = walk::place(checked.path(), class, roots).and_then(|place| open_in(&place));
    opened.map_err(|reason| PathFault::new(path, reason))
}

/// Starts a file that takes the place of `path` when it is committed. The folder must exist; a file that is
/// there is left alone until then, and hands its permissions on.
///
/// # Errors
/// [`PathFault`]; its message names the path as the caller gave it, and nothing else.
pub fn create_replace(class: PathClass, path: &Path, roots: &Roots) -> Result<Replacement, PathFault> {
    let checked = check(class, path)?;
    let created = walk::place(checked.path(), class, roots).and_then(create_in);
    let (new, name) = created.map_err(|reason| PathFault::new(path, reason))?;
    Ok(Replacement { new, name, path: path.to_owned() })
}

/// A file that is being written and has not taken its place yet. Dropped, it is gone, and the old file is as it
/// was.
#[derive(Debug)]
pub struct Replacement {
    new: NewFile,
    name: std::ffi::OsString,
    path: PathBuf,
}

impl Replacement {
    /// Puts the file in its place, on the disk, in one instant.
    ///
    /// # Errors
    /// [`PathFault`]; the old file is as it was.
    pub fn commit(self) -> Result<(), PathFault> {
        let Self { new, name, path } = self;
        new.place(&name, Durability::Synced).map_err(|error| PathFault::new(&path, Reason::Io(error)))
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.file().flush()
    }
}

fn check(class: PathClass, path: &Path) -> Result<CheckedPath, PathFault> {
    CheckedPath::file(class, path).map_err(|problem| PathFault::new(path, Reason::Form(problem)))
}

fn open_in(place: &Place) -> Result<OpenedFile, Reason> {
    // A first look, so that no device or FIFO is opened (which can have effects) when none is swapped in. It
    // decides nothing by itself.
    judge(&rustix::fs::statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW)?)?;
    // Non-blocking: opening a FIFO that was swapped in must not hang.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = rustix::fs::openat(&place.folder, &place.name, flags, Mode::empty())?;
    let found = rustix::fs::fstat(&file)?;
    judge(&found)?;
    Ok(OpenedFile { file: file.into(), len: u64::try_from(found.st_size).unwrap_or(0) })
}

fn create_in(place: Place) -> Result<(NewFile, std::ffi::OsString), Reason> {
    let Place { folder, name } = place;
    let replaced = match rustix::fs::statat(&folder, &name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Some(found),
        Err(Errno::NOENT) => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(found) = &replaced {
        judge(found)?;
    }
    let anyone = Mode::from_raw_mode(0o666);
    let new = NewFile::create(folder, TEMPORARY, anyone)?;
    if let Some(found) = &replaced {
        new.keep(found)?;
    }
    Ok((new, name))
}

/// Whether it is a regular file with one name.
fn judge(found: &Stat) -> Result<(), Reason> {
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile if found.st_nlink > 1 => Err(Reason::HardLink),
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Reason::Symlink),
        FileType::Directory => Err(Reason::Kind(FileKind::Folder)),
        FileType::Fifo => Err(Reason::Kind(FileKind::Fifo)),
        FileType::Socket => Err(Reason::Kind(FileKind::Socket)),
        FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => {
            Err(Reason::Kind(FileKind::Device))
        }
    }
}
