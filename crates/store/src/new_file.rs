//! A file that is written beside its place and put there whole, or not at all.

use rustix::fs::{AtFlags, Mode, OFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// How hard a file is to lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It is on the disk before it takes its place, and its place is on the disk before we go on.
    Synced,
    /// It is on the disk before it takes its place; its place may reach the disk later, and not after that of a file
    /// that is placed in the same folder after it.
    Ordered,
}

/// A file under a temporary name. Dropped, it is gone.
#[derive(Debug)]
pub(crate) struct NewFile {
    folder: OwnedFd,
    temporary: String,
    file: File,
}

/// Another process that guesses the same 128 bits again and again is no accident.
const ATTEMPTS: usize = 16;

impl NewFile {
    /// Makes a file in `folder` whose name starts with `prefix`. The process's mask applies to `mode`.
    pub(crate) fn create(folder: OwnedFd, prefix: &str, mode: Mode) -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for _ in 0..ATTEMPTS {
            let temporary = temporary_name(prefix);
            match rustix::fs::openat(&folder, &temporary, flags, mode) {
                Ok(file) => return Ok(Self { folder, temporary, file: file.into() }),
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The file, for writing.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Takes over what others may do with the file that is replaced.
    pub(crate) fn keep(&self, replaced: &rustix::fs::Stat) -> io::Result<()> {
        give(&self.file, replaced);
        let permissions = Mode::RWXU | Mode::RWXG | Mode::RWXO;
        Ok(rustix::fs::fchmod(&self.file, Mode::from_raw_mode(replaced.st_mode) & permissions)?)
    }

    /// Gives the file to the owner of its folder, where root works in a user's folder.
    pub(crate) fn adopt(&self) {
        if let Ok(folder) = rustix::fs::fstat(&self.folder) {
            give(&self.file, &folder);
        }
    }

    /// Puts the file into its place in the same folder; what was there is gone in the same instant.
    pub(crate) fn place(mut self, name: &OsStr, durability: Durability) -> io::Result<()> {
        self.file.sync_all()?;
        rustix::fs::renameat(&self.folder, &self.temporary, &self.folder, name)?;
        self.temporary.clear();
        if durability == Durability::Synced {
            sync_folder(&self.folder)?;
        }
        Ok(())
    }
}

/// Gives `file` the owner and group of `model`. Only root can give a file away, and must: a file of root in a
/// user's folder would lock the user out. Anyone else keeps what is theirs.
pub(crate) fn give(file: impl AsFd, model: &rustix::fs::Stat) {
    let owner = rustix::fs::Uid::from_raw(model.st_uid);
    let group = rustix::fs::Gid::from_raw(model.st_gid);
    let _given = rustix::fs::fchown(file, Some(owner), Some(group));
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.temporary.is_empty() {
            // Nothing can be done about a file that stays; the next start looks for it.
            let _gone = rustix::fs::unlinkat(&self.folder, &self.temporary, AtFlags::empty());
        }
    }
}

/// Puts the names in a folder on the disk. The folder's own handle may be one that only leads through it.
pub(crate) fn sync_folder(folder: impl AsFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let readable = match rustix::fs::openat(folder.as_fd(), ".", flags, Mode::empty()) {
        // A folder that may be written but not read can't be synced; the file in it is whole all the same.
        Err(rustix::io::Errno::ACCESS) => return Ok(()),
        opened => opened?,
    };
    match rustix::fs::fsync(readable) {
        // Some file systems (FUSE, SMB) have nothing to sync for a folder.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOTSUP) => Ok(()),
        synced => Ok(synced?),
    }
}

/// `prefix`, 32 hexadecimal digits, `.tmp`. Not a secret: the file is opened only if it is new.
pub(crate) fn temporary_name(prefix: &str) -> String {
    let half = || RandomState::new().hash_one(std::process::id());
    format!("{prefix}{:016x}{:016x}.tmp", half(), half())
}

/// Whether `name` was made by [`temporary_name`].
pub(crate) fn is_temporary(name: &OsStr, prefix: &str) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix(prefix)?.strip_suffix(".tmp"))
        .is_some_and(|digits| digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_are_known_again_and_differ() {
        let (one, two) = (temporary_name(".x-"), temporary_name(".x-"));
        assert_ne!(one, two);
        assert!(is_temporary(one.as_ref(), ".x-"));
        for other in ["settings.json", ".x-.tmp", &one[1..], &format!("{one}~")] {
            assert!(!is_temporary(other.as_ref(), ".x-"), "{other}");
        }
    }
}
