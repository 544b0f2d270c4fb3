//! A configuration folder of a test's own.
#![allow(dead_code, reason = "every test file uses its own part")]

use crossmacro_store::Folder;
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

pub(crate) struct Home {
    root: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { root: TempDir::with_prefix("crossmacro-profiles-").unwrap() }
    }

    pub(crate) fn folder(&self) -> Folder {
        Folder::new(self.at(""))
    }

    pub(crate) fn at(&self, file: &str) -> PathBuf {
        self.root.path().join("config").join(file)
    }

    pub(crate) fn beside(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    pub(crate) fn put(&self, file: &str, text: &str) {
        fs::create_dir_all(self.at(file).parent().unwrap()).unwrap();
        fs::write(self.at(file), text).unwrap();
    }

    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.at(file)).unwrap()
    }

    pub(crate) fn json(&self, file: &str) -> Json {
        serde_json::from_str(&self.text(file)).unwrap()
    }

    /// The names in a folder, but for the lock and the states as last saved.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != ".lock" && !name.ends_with(".bak"));
        names.sort();
        names
    }
}
