//! Macro files on the disk: read whole, replaced whole, and listed.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

use crossmacro_model::macro_file::{Macro, read as parse};
use crossmacro_policy::{PathClass, Roots};
use crossmacro_store::macros::{read, read_while, save};
use crossmacro_store::paths::{create_replace, list, open_read};
use std::path::Path;

const TEXT: &str = "# Name: x\n[Events]\nKP,30\nWU,5\nKR,30\n";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_saved_is_read_and_saved_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.macro");
    let mut before = Vec::new();
    for _ in 0..3 {
        let content = match std::fs::metadata(&path) {
            Ok(_) => {
                read(open_read(PathClass::MacroRead, &path, &Roots::UNLIMITED).unwrap()).unwrap().content
            }
            Err(_) => parse(TEXT.as_bytes()).content,
        };
        save(&content, create_replace(PathClass::MacroWrite, &path, &Roots::UNLIMITED).unwrap()).unwrap();
        let after = std::fs::read(&path).unwrap();
        assert!(before.is_empty() || before == after);
        before = after;
    }
    assert_eq!(names(folder.path()), ["a.macro"]);
}

#[test]
fn a_save_that_fails_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.macro");
    std::fs::write(&path, TEXT).unwrap();
    let place = create_replace(PathClass::MacroWrite, &path, &Roots::UNLIMITED).unwrap();
    let fault = save(&Macro::default(), place).unwrap_err();
    assert_eq!(fault.code.text(), "validation_error");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), TEXT);
    assert_eq!(names(folder.path()), ["a.macro"]);
}

#[test]
fn only_regular_files_of_the_class_are_listed_in_order() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.macro", "a.MACRO", "c.txt", ".macro", "ä.macro"] {
        std::fs::write(folder.path().join(name), TEXT).unwrap();
    }
    std::fs::create_dir(folder.path().join("d.macro")).unwrap();
    std::os::unix::fs::symlink("b.macro", folder.path().join("e.macro")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.path().join("f.macro"), rustix::fs::Mode::RWXU).unwrap();
    let page = |skip, most| {
        let listing = list(PathClass::MacroRead, folder.path(), &Roots::UNLIMITED, skip, most).unwrap();
        let names: Vec<_> = listing.files.into_iter().map(|file| file.name).collect();
        (names, listing.has_more)
    };
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(page(0, 9), (owned(&["a.MACRO", "b.macro", "ä.macro"]), false));
    assert_eq!(page(0, 2), (owned(&["a.MACRO", "b.macro"]), true));
    assert_eq!(page(2, 2), (owned(&["ä.macro"]), false));
    assert_eq!(page(7, 2), (Vec::new(), false));
}

#[test]
fn reading_ends_when_it_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.macro");
    std::fs::write(&path, "KP,30\n".repeat(200_000)).unwrap();
    let asked = std::cell::Cell::new(0);
    let go_on = || {
        asked.set(asked.get() + 1);
        asked.get() < 3
    };
    let opened = open_read(PathClass::MacroRead, &path, &Roots::UNLIMITED).unwrap();
    assert_eq!(read_while(opened, &go_on).unwrap_err().code.text(), "cancelled");
}
