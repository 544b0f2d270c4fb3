//! What tells one state of a file from another without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// A file is still taken as changing this long after its last change: two changes within one tick of the
/// file system's clock (up to some milliseconds; 2 s on FAT) leave equal times.
const SETTLED_SECONDS: i64 = 3;

/// Identity, size and times of a file. A replaced file has another inode, one written in place another time
/// of change, which no program can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Whether an equal stamp later on means an equal content.
    pub(crate) fn is_settled(&self) -> bool {
        jiff::Timestamp::now().as_second().saturating_sub(self.changed.0) >= SETTLED_SECONDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_settled_only_some_seconds_after_its_last_change() {
        let now = jiff::Timestamp::now().as_second();
        let changed =
            |ago: i64| Stamp { device: 0, inode: 0, size: 0, modified: (0, 0), changed: (now - ago, 0) };
        assert!(!changed(0).is_settled() && !changed(1).is_settled());
        assert!(!changed(-3_600).is_settled(), "the clock of a file server may be ahead");
        assert!(changed(10).is_settled());
    }
}
