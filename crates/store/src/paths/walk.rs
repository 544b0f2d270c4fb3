//! From a path to the handle of the folder that holds its last name.

use super::fault::{Outside, Reason};
use crossmacro_policy::{PathClass, RootProblem, Roots};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

/// A handle that only leads through a folder: it needs no right to list it. (Linux and FreeBSD; elsewhere the
/// flag has another name.)
const THROUGH: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A name in a folder.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) folder: OwnedFd,
    pub(super) name: OsString,
}

/// Why a folder can't be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Symlink,
    NotFolder,
    Missing,
    Refused(Errno),
}

/// The place of `path`, an absolute path of good form.
pub(super) fn place(path: &Path, class: PathClass, roots: &Roots) -> Result<Place, Reason> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Reason::Kind(super::FileKind::Folder));
    };
    let folder = if roots.is_unlimited() {
        rustix::fs::open(parent, THROUGH, Mode::empty())?
    } else {
        beneath(parent, class, roots)?
    };
    Ok(Place { folder, name: name.to_owned() })
}

/// The folder `path` itself, an absolute path of good form.
pub(super) fn folder(path: &Path, class: PathClass, roots: &Roots) -> Result<OwnedFd, Reason> {
    if roots.is_unlimited() {
        Ok(rustix::fs::open(path, THROUGH | OFlags::NOFOLLOW, Mode::empty())?)
    } else {
        beneath(path, class, roots)
    }
}

/// The folder `parent`, reached without any symbolic link from a root that holds it.
fn beneath(parent: &Path, class: PathClass, roots: &Roots) -> Result<OwnedFd, Reason> {
    for root in roots.iter().flatten() {
        // By the names alone first: nothing is told about what exists outside the roots.
        let Ok(below) = parent.strip_prefix(root) else { continue };
        let Ok(handle) = open_root(root) else { continue };
        return Ok(descend(handle, below)?);
    }
    Err(Reason::Outside(outside(class, roots)))
}

/// Which roots are invalid, by their place in the setting: the paths themselves are the user's secret.
fn outside(class: PathClass, roots: &Roots) -> Outside {
    let problem = |root: &crossmacro_policy::Root| match root {
        Ok(root) => open_root(root).err(),
        Err(problem) => Some(*problem),
    };
    let invalid =
        roots.iter().enumerate().filter_map(|(index, root)| Some((index + 1, problem(root)?))).collect();
    Outside { key: class.settings_key(), configured: roots.iter().count(), invalid }
}

fn open_root(root: &Path) -> Result<OwnedFd, RootProblem> {
    let top = rustix::fs::open("/", THROUGH, Mode::empty()).map_err(|_| RootProblem::NoAccess)?;
    descend(top, root).map_err(|step| match step {
        Step::Symlink => RootProblem::Symlink,
        Step::NotFolder => RootProblem::NotFolder,
        Step::Missing => RootProblem::Missing,
        Step::Refused(_) => RootProblem::NoAccess,
    })
}

fn descend(top: OwnedFd, path: &Path) -> Result<OwnedFd, Step> {
    path.components().try_fold(top, |folder, component| match component {
        Component::Normal(name) => enter(folder.as_fd(), name),
        Component::RootDir | Component::CurDir => Ok(folder),
        Component::ParentDir | Component::Prefix(_) => Err(Step::Refused(Errno::INVAL)),
    })
}

fn enter(folder: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Step> {
    match rustix::fs::openat(folder, name, THROUGH | OFlags::NOFOLLOW, Mode::empty()) {
        Ok(entered) => Ok(entered),
        Err(Errno::NOENT) => Err(Step::Missing),
        Err(Errno::LOOP) => Err(Step::Symlink),
        // A link is no folder either. This look is only for the message: the way has ended here already.
        Err(Errno::NOTDIR) => {
            let link = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
                .is_ok_and(|found| FileType::from_raw_mode(found.st_mode).is_symlink());
            Err(if link { Step::Symlink } else { Step::NotFolder })
        }
        Err(error) => Err(Step::Refused(error)),
    }
}

impl From<Step> for Reason {
    fn from(step: Step) -> Self {
        match step {
            Step::Symlink => Self::Symlink,
            Step::Missing => Self::Missing,
            Step::NotFolder => Errno::NOTDIR.into(),
            Step::Refused(error) => error.into(),
        }
    }
}
