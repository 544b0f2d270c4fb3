//! Records of what is held down, a file for each piece of work that holds something.
//!
//! A process that is killed leaves its record behind, and with it the keys and buttons that it names. Its lock
//! (`flock`) is given back by the kernel, so a record without a lock is that of a dead process: the next one releases
//! what stands there and removes it. Nothing is synchronised to the disk: what is written outlives the process, and
//! after a crash of the machine nothing is held any more.
//!
//! The first line is the session, then comes a line for each key and button. Files are in `held` of the runtime folder,
//! where there is one, else of the state folder; only their owner can read them.

use crate::dirs::Directories;
use crossmacro_model::Down;
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Longest record that is read or written, in bytes: far more than all keys and buttons need.
const LONGEST: usize = 16 << 10;
/// Most records that are looked at.
const MOST: usize = 256;

/// The folder of the records.
#[derive(Debug, Clone)]
pub struct HeldRecords {
    folder: PathBuf,
}

/// The record of a piece of work that goes on. When it is dropped and nothing is held, the file is removed.
#[derive(Debug)]
pub struct HeldRecord {
    path: PathBuf,
    file: File,
    session: String,
    written: usize,
    is_empty: bool,
}

/// The record that a dead process left. Nobody else sees it meanwhile.
#[derive(Debug)]
pub struct Orphan {
    /// The session in which it was held.
    pub session: String,
    /// What was held, in the order of pressing.
    pub downs: Vec<Down>,
    path: PathBuf,
    _file: File,
}

impl HeldRecords {
    /// The records of a user.
    pub fn new(directories: &Directories) -> Self {
        let base = directories.runtime.as_ref().unwrap_or(&directories.state);
        Self { folder: base.join("held") }
    }

    /// A new record. `None` where there is no place for it: work that acts goes on all the same.
    pub fn create(&self, session: &str) -> Option<HeldRecord> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        make(&self.folder)?;
        for _ in 0..MOST {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = self.folder.join(format!("{}-{number}", std::process::id()));
            match claim(&path) {
                Ok(file) => {
                    let session = session.replace(char::is_control, " ");
                    return Some(HeldRecord { path, file, session, written: 0, is_empty: true });
                }
                // Taken by what a process with our number left, or removed before it was locked: the next one is free.
                Err(Errno::EXIST | Errno::WOULDBLOCK | Errno::NOENT) => {}
                // Without locks nobody could tell a record of the living from one of the dead.
                Err(_) => {
                    remove(&path);
                    return None;
                }
            }
        }
        None
    }

    /// What dead processes left. Records of which nothing is left to do are removed.
    pub fn orphans(&self) -> Vec<Orphan> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        entries.take(MOST).filter_map(|entry| orphan(&entry.ok()?.path())).collect()
    }
}

/// Makes a folder that only its owner can look into, and what is above it.
fn make(folder: &Path) -> Option<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder).ok()
}

/// Makes a file that was not there, and locks it.
fn claim(path: &Path) -> Result<File, Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?;
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    // Whoever looked between the two has taken it for an orphan without anything in it.
    if rustix::fs::fstat(&file)?.st_nlink == 0 { Err(Errno::NOENT) } else { Ok(file.into()) }
}

fn orphan(path: &Path) -> Option<Orphan> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    // Another process may have been here first, and removed it.
    let (named, opened) = (rustix::fs::lstat(path).ok()?, rustix::fs::fstat(&file).ok()?);
    if (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino) {
        return None;
    }
    let file = File::from(file);
    let mut bytes = vec![0; LONGEST];
    let length = file.read_at(&mut bytes, 0).ok()?;
    let text = String::from_utf8_lossy(bytes.get(..length)?).into_owned();
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let session = lines.next().unwrap_or_default().to_owned();
    let downs: Vec<Down> = lines.filter_map(Down::parse).collect();
    if downs.is_empty() {
        remove(path);
        return None;
    }
    Some(Orphan { session, downs, path: path.to_owned(), _file: file })
}

fn remove(path: &Path) {
    // One that stays names what is up, and is looked at again by the next process.
    let (Ok(()) | Err(_)) = rustix::fs::unlinkat(rustix::fs::CWD, path, AtFlags::empty());
}

impl HeldRecord {
    /// Replaces what is written: one system call.
    pub fn write(&mut self, downs: &[Down]) {
        let mut text = format!("{}\n", self.session);
        for down in downs {
            text += &format!("{down}\n");
        }
        let length = text.len();
        // Blank lines over the rest of what stood there.
        text.extend(std::iter::repeat_n('\n', self.written.saturating_sub(length)));
        text.truncate(LONGEST);
        // Where it can't be written, the work goes on: the record is for the worst case only.
        let (Ok(()) | Err(_)) = self.file.write_all_at(text.as_bytes(), 0);
        (self.written, self.is_empty) = (length, downs.is_empty());
    }
}

impl Drop for HeldRecord {
    fn drop(&mut self) {
        if self.is_empty {
            remove(&self.path);
        }
    }
}

impl Orphan {
    /// Removes the record: what it names was released.
    pub fn settle(self) {
        remove(&self.path);
    }
}
