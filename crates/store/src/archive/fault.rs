//! Why an archive was not made or not taken in.

use crate::folder::SaveError;
use crate::profiles::ProfileFault;
use crossmacro_model::{Code, Fault, limits};
use std::io;

/// Why an archive was not made or not taken in. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveFault {
    /// The profile can't be found or saved.
    #[error(transparent)]
    Profile(#[from] ProfileFault),
    /// A document of the profile is damaged: an archive without it would look whole.
    #[error("`{0}` of the profile can't be read; mend it first")]
    Damaged(&'static str),
    /// There is too much in it.
    #[error("the archive has more than {} files", limits::ARCHIVE_ENTRIES.value)]
    TooMany,
    /// It is too large when it is unpacked.
    #[error("the files of the archive are larger than {} bytes together", limits::ARCHIVE_INFLATED.value)]
    TooLarge,
    /// One file of it is too large.
    #[error("`{0}` in the archive is too large")]
    FileTooLarge(String),
    /// It is no archive, or not a whole one.
    #[error("this is no whole archive of a profile")]
    Unreadable(#[source] io::Error),
    /// It has what no profile has.
    #[error("the archive has `{0}`, which no profile has")]
    Foreign(String),
    /// It has what is no file.
    #[error("`{0}` in the archive is a link or a special file")]
    NotFile(String),
    /// A name comes twice.
    #[error("`{0}` is in the archive twice")]
    Twice(String),
    /// One of its documents is damaged.
    #[error("`{0}` in the archive is damaged")]
    Document(String),
    /// It says that it is something else, or newer than this program.
    #[error("the archive is not of a kind that this version reads")]
    Kind,
    /// It can't be written.
    #[error("the archive can't be written ({:?})", .0.kind())]
    Write(#[source] io::Error),
}

impl From<SaveError> for ArchiveFault {
    fn from(error: SaveError) -> Self {
        Self::Profile(error.into())
    }
}

impl From<ArchiveFault> for Fault {
    fn from(fault: ArchiveFault) -> Self {
        let code = match &fault {
            ArchiveFault::Profile(_) => Code::RuntimeError,
            ArchiveFault::Write(_) => Code::FileError,
            _ => Code::ValidationError,
        };
        match fault {
            ArchiveFault::Profile(ProfileFault::Taken) => Self::from(ProfileFault::Taken)
                .remedy("give another name with --name, or say --replace to put it in that one's place"),
            ArchiveFault::Profile(fault) => fault.into(),
            fault => Self::new(code, fault.to_string()).caused_by(fault),
        }
    }
}
