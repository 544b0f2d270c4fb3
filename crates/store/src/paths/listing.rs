//! The files of a class that lie directly in a folder.

use super::fault::{PathFault, Reason};
use super::walk;
use crossmacro_policy::{CheckedPath, PathClass, Roots};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Most names of a folder that are looked at.
pub const MOST_NAMES: usize = 100_000;

/// A regular file with one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Its name, as text.
    pub name: String,
    /// Its size in bytes.
    pub len: u64,
    /// When its content was changed last, in seconds since 1970.
    pub modified: i64,
}

/// A part of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The folder, without repeated separators.
    pub folder: PathBuf,
    /// The files, sorted by the bytes of their names.
    pub files: Vec<ListedFile>,
    /// Whether there are more.
    pub has_more: bool,
    /// Whether the folder has more names than are looked at.
    pub is_too_large: bool,
}

/// Lists the files of `class` in the folder `path`: at most `most`, after the first `skip`. Links, folders and
/// what else is no regular file are left out.
///
/// # Errors
/// [`PathFault`]; its message names the path as the caller gave it, and nothing else.
pub fn list(
    class: PathClass,
    path: &Path,
    roots: &Roots,
    skip: usize,
    most: usize,
) -> Result<Listing, PathFault> {
    let fault = |reason| PathFault::new(path, reason);
    let checked = CheckedPath::folder(path).map_err(|problem| fault(Reason::Form(problem)))?;
    let folder = walk::folder(checked.path(), class, roots).map_err(fault)?;
    let (names, is_too_large) = names(class, &folder).map_err(fault)?;
    let mut found = names.iter().filter_map(|name| regular(&folder, name)).skip(skip);
    let files = found.by_ref().take(most).collect();
    let has_more = found.next().is_some();
    Ok(Listing { folder: checked.path().to_owned(), files, has_more, is_too_large })
}

/// The names with the extension of the class, sorted.
fn names(class: PathClass, folder: &OwnedFd) -> Result<(Vec<String>, bool), Reason> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let readable = rustix::fs::openat(folder, ".", flags, Mode::empty())?;
    let mut names = Vec::new();
    for (index, entry) in Dir::new(readable)?.enumerate() {
        if index >= MOST_NAMES {
            names.sort_unstable();
            return Ok((names, true));
        }
        let entry = entry?;
        let may_be_file = matches!(entry.file_type(), FileType::RegularFile | FileType::Unknown);
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        let is_of_class = CheckedPath::file(class, &Path::new("/").join(name)).is_ok();
        // A name that is no text could not be given back to us.
        if let Some(name) = name.to_str().filter(|_| may_be_file && is_of_class) {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok((names, false))
}

fn regular(folder: &OwnedFd, name: &str) -> Option<ListedFile> {
    // One that has gone meanwhile is not there.
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    super::judge(&found).ok()?;
    Some(ListedFile {
        name: name.to_owned(),
        len: u64::try_from(found.st_size).unwrap_or(0),
        modified: found.st_mtime,
    })
}
