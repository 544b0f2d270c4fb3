//! The folders that the files of a class must lie in.

use crate::path::{CheckedPath, PathProblem};
use std::path::{Path, PathBuf};

/// The roots of one path class, in the order of the setting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roots(Vec<Root>);

/// One configured root: the path, or what is wrong with its form.
pub type Root = Result<PathBuf, RootProblem>;

/// Why a configured root is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RootProblem {
    /// It is not absolute, goes up, or is no path at all.
    #[error("is not a usable absolute path")]
    Form(#[from] PathProblem),
    /// It does not exist.
    #[error("does not exist")]
    Missing,
    /// It is something else than a folder.
    #[error("is not a folder")]
    NotFolder,
    /// It is a symbolic link, or lies behind one.
    #[error("is a symbolic link, or lies behind one")]
    Symlink,
    /// The system does not let us in.
    #[error("can't be entered")]
    NoAccess,
}

impl Roots {
    /// No limit: what an empty setting means.
    pub const UNLIMITED: Self = Self(Vec::new());

    /// The roots of a setting. One that is not a usable path is kept as such: it allows nothing, but it still
    /// means that there is a limit.
    pub fn new<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self(
            paths.into_iter().map(|path| Ok(CheckedPath::folder(path.as_ref())?.path().to_owned())).collect(),
        )
    }

    /// Reads `;`-separated roots; blanks are dropped.
    pub fn parse(text: &str) -> Self {
        Self::new(text.split(';').map(str::trim).filter(|path| !path.is_empty()))
    }

    /// Whether there is no limit.
    pub fn is_unlimited(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Root> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_root_is_still_a_limit() {
        assert!(Roots::parse(" ; ").is_unlimited());
        let roots = Roots::parse("/a//b/; c ;/d/../e");
        assert!(!roots.is_unlimited());
        let all: Vec<_> = roots.iter().cloned().collect();
        assert_eq!(all[0], Ok(PathBuf::from("/a/b")));
        assert_eq!(all[1], Err(RootProblem::Form(PathProblem::Relative)));
        assert_eq!(all[2], Err(RootProblem::Form(PathProblem::GoesUp)));
        assert_eq!(Roots::parse("/").iter().next(), Some(&Ok(PathBuf::from("/"))));
    }
}
