//! Sizes and names: files stop at 600 lines without their tests, folders at 20 files, and no module has a
//! name that says nothing.

use std::fs;
use std::path::{Path, PathBuf};

const LINES: usize = 600;
const FILES: usize = 20;
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

/// Checks the tree.
pub(crate) fn check() -> Result<String, String> {
    let mut faults = Vec::new();
    for root in ["crates", "xtask/src"] {
        walk(Path::new(root), &mut faults);
    }
    if faults.is_empty() {
        return Ok("sizes: files, folders and names are as they should be\n".into());
    }
    Err(faults.iter().map(|fault| format!("sizes: {fault}\n")).collect())
}

fn walk(folder: &Path, faults: &mut Vec<String>) {
    let entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let sources: Vec<&PathBuf> =
        entries.iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    if sources.len() > FILES {
        faults.push(format!("{} holds {} files; a folder stops at {FILES}", folder.display(), sources.len()));
    }
    for source in sources {
        judge(source, faults);
    }
    for below in entries.iter().filter(|path| path.is_dir()) {
        walk(below, faults);
    }
}

fn judge(source: &Path, faults: &mut Vec<String>) {
    let stem = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if EMPTY_NAMES.contains(&stem) {
        faults.push(format!("{} has a name that says nothing", source.display()));
    }
    // Test files hold tables of cases and may be long.
    if source.components().any(|part| part.as_os_str() == "tests") {
        return;
    }
    let text = fs::read_to_string(source).unwrap_or_default();
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
    if lines > LINES {
        faults.push(format!(
            "{} has {lines} lines before its tests; a file stops at {LINES}",
            source.display()
        ));
    }
}
