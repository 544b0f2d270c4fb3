//! A home directory of a test's own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The variables that lead a program to the user's files, and the folder of this home that each gets.
const FOLDERS: [(&str, &str); 6] = [
    ("HOME", ""),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
    ("XDG_CACHE_HOME", ".cache"),
    ("XDG_RUNTIME_DIR", "run"),
];

/// An empty home with its XDG folders; gone when it is dropped.
#[derive(Debug)]
pub struct Home {
    root: tempfile::TempDir,
}

impl Home {
    /// Makes one. The folders exist, and only this user may enter.
    ///
    /// # Errors
    /// What the file system said.
    pub fn new() -> Result<Self, String> {
        // XDG_RUNTIME_DIR must be closed to others, and here everything is.
        let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        let root = tempfile::Builder::new().prefix("crossmacro-home-").permissions(owner_only).tempdir();
        let home = Self { root: root.map_err(|error| error.to_string())? };
        for (_, folder) in FOLDERS {
            std::fs::create_dir_all(home.path().join(folder)).map_err(|error| error.to_string())?;
        }
        let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(home.path().join("run"), owner_only).map_err(|error| error.to_string())?;
        Ok(home)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// The folder of a variable ("XDG_CONFIG_HOME"); the home itself for any other name.
    pub fn folder(&self, variable: &str) -> PathBuf {
        let folder = FOLDERS.iter().find(|(name, _)| *name == variable).map_or("", |(_, folder)| folder);
        self.path().join(folder)
    }

    /// The variables and their values.
    pub fn envs(&self) -> Vec<(&'static str, PathBuf)> {
        FOLDERS.iter().map(|(name, folder)| (*name, self.path().join(folder))).collect()
    }

    /// Makes `command` live here.
    pub fn apply(&self, command: &mut Command) {
        command.envs(self.envs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_home_is_private_and_goes_away() {
        let home = Home::new().unwrap();
        let mut command = Command::new("sh");
        home.apply(command.args(["-c", "echo $HOME; echo $XDG_CONFIG_HOME"]));
        let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let path = home.path().to_path_buf();
        assert_eq!(output, format!("{0}/\n{0}/.config\n", path.display()));
        for folder in [home.path().to_path_buf(), home.folder("XDG_RUNTIME_DIR")] {
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        }
        drop(home);
        assert!(!path.exists());
    }
}
