//! Why a path can't be used.

use crossmacro_model::{Code, Fault};
use crossmacro_policy::{PathProblem, RootProblem};
use rustix::io::Errno;
use std::fmt;
use std::io;
use std::path::Path;

/// Longest part of a path that a message repeats, in characters.
const SHOWN: usize = 300;

/// What is there instead of a regular file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A device.
    Device,
}

impl fmt::Display for FileKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Folder => "a folder",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        })
    }
}

/// A path that can't be used. The message names the path as the caller gave it.
#[derive(Debug)]
pub struct PathFault {
    shown: String,
    reason: Reason,
}

/// What is wrong with it.
#[derive(Debug)]
pub(super) enum Reason {
    Form(PathProblem),
    Missing,
    Kind(FileKind),
    Symlink,
    HardLink,
    Outside(Outside),
    Io(io::Error),
}

/// No valid root holds the path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outside {
    /// The setting with the roots.
    pub(super) key: &'static str,
    /// How many there are.
    pub(super) configured: usize,
    /// Which of them are ignored, from 1, and why.
    pub(super) invalid: Vec<(usize, RootProblem)>,
}

impl PathFault {
    pub(super) fn new(path: &Path, reason: Reason) -> Self {
        let given = path.to_string_lossy();
        let mut shown: String = given.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if given.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        Self { shown, reason }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        match self.reason {
            Reason::Form(_) | Reason::Kind(_) => Code::InvalidArguments,
            Reason::Missing | Reason::Io(_) => Code::FileError,
            Reason::Symlink | Reason::HardLink | Reason::Outside(_) => Code::PathNotAllowed,
        }
    }

    fn remedy(&self) -> Option<String> {
        match &self.reason {
            Reason::Outside(outside) if outside.invalid.is_empty() => {
                Some(format!("give a path in one of the folders of {}", outside.key))
            }
            Reason::Outside(outside) => {
                Some(format!("give a path in a valid folder, or correct {}", outside.key))
            }
            Reason::Symlink => Some("give the path that the link leads to".to_owned()),
            Reason::HardLink => Some("give a file that has one name only, for example a copy".to_owned()),
            Reason::Form(_) | Reason::Missing | Reason::Kind(_) | Reason::Io(_) => None,
        }
    }
}

impl fmt::Display for PathFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.shown;
        match &self.reason {
            Reason::Form(problem) => write!(out, "\"{shown}\": {problem}"),
            Reason::Missing => write!(out, "\"{shown}\" does not exist"),
            Reason::Kind(kind) => write!(out, "\"{shown}\" is {kind}, not a file"),
            Reason::Symlink => write!(out, "\"{shown}\" is a symbolic link, or lies behind one"),
            Reason::HardLink => write!(out, "\"{shown}\" is a file with several names (hard links)"),
            Reason::Outside(outside) => write!(out, "\"{shown}\" {outside}"),
            Reason::Io(error) => write!(out, "\"{shown}\" can't be used ({:?})", error.kind()),
        }
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key;
        match (self.configured, self.invalid.len()) {
            (all, invalid) if all == invalid => write!(out, "is not allowed: no folder of {key} is valid")?,
            _ => write!(out, "lies outside the folders of {key}")?,
        }
        for (position, problem) in &self.invalid {
            write!(out, "; folder {position} {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PathFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            Reason::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<PathFault> for Fault {
    fn from(fault: PathFault) -> Self {
        let mapped = Self::new(fault.code(), fault.to_string());
        let mapped = match fault.remedy() {
            Some(remedy) => mapped.remedy(remedy),
            None => mapped,
        };
        let mapped = match &fault.reason {
            Reason::Outside(outside) => mapped.detail("settingsKey", outside.key).detail(
                "invalidRoots",
                outside
                    .invalid
                    .iter()
                    .map(|(position, why)| format!("{position}: {why}"))
                    .collect::<Vec<_>>(),
            ),
            _ => mapped,
        };
        mapped.caused_by(fault)
    }
}

impl From<Errno> for Reason {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT => Self::Missing,
            Errno::LOOP => Self::Symlink,
            other => Self::Io(other.into()),
        }
    }
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
