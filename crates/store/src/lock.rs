//! One process at a time: an advisory lock on `.lock` in the configuration folder.
//!
//! `flock` rather than a file that exists or not: the kernel gives it back when its holder dies. Readers don't
//! take it; files are replaced whole.

use crate::folder::SaveError;
use crate::new_file::give;
use crossmacro_model::limits;
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

const NAME: &str = ".lock";

/// Time between two tries.
const PAUSE_MILLISECONDS: u64 = 5;

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: OwnedFd,
}

impl Lock {
    /// Waits for the lock of a folder that exists; the file is made when it is missing.
    pub(crate) fn wait(root: &Path) -> Result<Self, SaveError> {
        for _ in 0..limits::SETTINGS_LOCK.value / PAUSE_MILLISECONDS {
            if let Some(lock) = Self::attempt(root, OFlags::CREATE)? {
                return Ok(lock);
            }
            pause();
        }
        Err(SaveError::InUse)
    }

    /// Takes the lock if nobody holds it and its file is there: without one, nobody has ever saved.
    pub(crate) fn if_free(root: &Path) -> Option<Self> {
        Self::attempt(root, OFlags::empty()).ok().flatten()
    }

    fn attempt(root: &Path, create: OFlags) -> Result<Option<Self>, SaveError> {
        let path = root.join(NAME);
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | create;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = rustix::fs::open(&path, flags, mode).map_err(|error| SaveError::io(NAME, error))?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK | Errno::INTR) => return Ok(None),
            // A network file system without locks: saving would lose what others save.
            Err(_) => return Err(SaveError::NoLocks),
        }
        if let Ok(folder) = rustix::fs::stat(root) {
            give(&file, &folder);
        }
        // Someone may have removed the folder and made it again: then this is the lock of another folder.
        let held = rustix::fs::fstat(&file).map_err(|error| SaveError::io(NAME, error))?;
        let same = rustix::fs::lstat(&path)
            .is_ok_and(|named| (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino));
        Ok(same.then_some(Self { _file: file }))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "`platform::Cancel` is not below this crate; the wait is short"
)]
fn pause() {
    std::thread::sleep(Duration::from_millis(PAUSE_MILLISECONDS));
}
