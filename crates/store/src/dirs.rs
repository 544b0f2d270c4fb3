//! Where the files of the program lie. Source: the XDG Base Directory Specification, 0.8.
//!
//! The environment is handed in: this crate does not look at it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variables of the environment that say where files lie.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    state: Option<PathBuf>,
    data: Option<PathBuf>,
    runtime: Option<PathBuf>,
}

impl Environment {
    /// Takes the variables from `get`, which a binary makes of its own environment. A value that is no
    /// absolute path is ignored, as the specification says.
    pub fn read(get: impl Fn(&str) -> Option<OsString>) -> Self {
        let absolute = |name| get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        Self {
            home: absolute("HOME"),
            config: absolute("XDG_CONFIG_HOME"),
            state: absolute("XDG_STATE_HOME"),
            data: absolute("XDG_DATA_HOME"),
            runtime: absolute("XDG_RUNTIME_DIR"),
        }
    }
}

/// The folders of the program. None of them is made before it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directories {
    /// Settings and profiles.
    pub config: PathBuf,
    /// What the program writes about itself: the audit, the record of held keys.
    pub state: PathBuf,
    /// Log files.
    pub logs: PathBuf,
    /// Sockets and locks of this session; there may be none.
    pub runtime: Option<PathBuf>,
}

/// Neither the variable nor `HOME` says where a folder lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither {variable} nor HOME names an absolute path")]
pub struct NoHome {
    /// The variable that would do.
    pub variable: &'static str,
}

impl Directories {
    /// The folders for an environment.
    ///
    /// # Errors
    /// [`NoHome`] when the folder of the settings can't be derived.
    pub fn new(environment: &Environment) -> Result<Self, NoHome> {
        let place = |given: &Option<PathBuf>, below_home: &str| {
            let base = given.clone().or_else(|| Some(environment.home.as_ref()?.join(below_home)));
            base.map(|base| base.join("crossmacro"))
        };
        let config = place(&environment.config, ".config").ok_or(NoHome { variable: "XDG_CONFIG_HOME" })?;
        // The settings hold the policy, so they are never given up because another folder is missing.
        let or_beside = |found: Option<PathBuf>, name: &str| found.unwrap_or_else(|| config.join(name));
        Ok(Self {
            state: or_beside(place(&environment.state, ".local/state"), "state"),
            logs: or_beside(place(&environment.data, ".local/share").map(|data| data.join("logs")), "logs"),
            config,
            runtime: environment.runtime.as_ref().map(|base| base.join("crossmacro")),
        })
    }

    /// All of them below one folder: a private home, for tests and private desktops.
    pub fn beneath(root: &Path) -> Self {
        Self {
            config: root.join("config"),
            state: root.join("state"),
            logs: root.join("logs"),
            runtime: Some(root.join("runtime")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directories(variables: &[(&str, &str)]) -> Result<Directories, NoHome> {
        Directories::new(&Environment::read(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        }))
    }

    #[test]
    fn home_alone_is_enough() {
        let found = directories(&[("HOME", "/home/u")]).unwrap();
        assert_eq!(found.config, Path::new("/home/u/.config/crossmacro"));
        assert_eq!(found.state, Path::new("/home/u/.local/state/crossmacro"));
        assert_eq!(found.logs, Path::new("/home/u/.local/share/crossmacro/logs"));
        assert_eq!(found.runtime, None);
    }

    #[test]
    fn the_variables_win_when_they_are_absolute() {
        let found = directories(&[
            ("HOME", "/home/u"),
            ("XDG_CONFIG_HOME", "/c"),
            ("XDG_STATE_HOME", "relative"),
            ("XDG_DATA_HOME", ""),
            ("XDG_RUNTIME_DIR", "/run/user/1"),
        ])
        .unwrap();
        assert_eq!(found.config, Path::new("/c/crossmacro"));
        assert_eq!(found.state, Path::new("/home/u/.local/state/crossmacro"));
        assert_eq!(found.runtime.as_deref(), Some(Path::new("/run/user/1/crossmacro")));
    }

    #[test]
    fn without_a_home_the_variable_is_named() {
        assert_eq!(directories(&[("HOME", "u")]).unwrap_err().variable, "XDG_CONFIG_HOME");
        // The settings hold the policy: they are found even where nothing else is.
        let found = directories(&[("XDG_CONFIG_HOME", "/c")]).unwrap();
        assert_eq!(found.config, Path::new("/c/crossmacro"));
        assert_eq!(found.state, Path::new("/c/crossmacro/state"));
    }
}
