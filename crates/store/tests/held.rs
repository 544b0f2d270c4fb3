//! Records of what is held: what a dead process leaves, and what a living one keeps for itself.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

use crossmacro_model::{Button, Down, KeyCode};
use crossmacro_store::Directories;
use crossmacro_store::held::HeldRecords;
use std::path::Path;

const DOWNS: [Down; 2] = [Down::Key(KeyCode(29)), Down::Button(Button::Side1)];

fn names(home: &Path) -> Vec<String> {
    let folder = home.join("runtime/held");
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_living_record_is_nobody_elses_and_goes_away() {
    let home = tempfile::tempdir().unwrap();
    let records = HeldRecords::new(&Directories::beneath(home.path()));
    assert!(records.orphans().is_empty());
    let mut record = records.create(":7").unwrap();
    record.write(&DOWNS);
    let path = home.path().join("runtime/held").join(&names(home.path())[0]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), ":7\nkey 29\nbutton side1\n");
    assert!(records.orphans().is_empty(), "its owner lives");
    record.write(&DOWNS[..1]);
    assert_eq!(std::fs::read_to_string(&path).unwrap().trim_end(), ":7\nkey 29");
    record.write(&[]);
    drop(record);
    assert_eq!(names(home.path()), Vec::<String>::new());
}

#[test]
fn what_is_left_is_found_once_and_settled() {
    let home = tempfile::tempdir().unwrap();
    let records = HeldRecords::new(&Directories::beneath(home.path()));
    let mut record = records.create(":7").unwrap();
    record.write(&DOWNS);
    // As after a kill: the lock is gone and the file is there.
    drop(record);
    let mut found = records.orphans();
    assert!(records.orphans().is_empty(), "whoever found it first has it");
    let orphan = found.pop().unwrap();
    assert_eq!((orphan.session.as_str(), orphan.downs.as_slice()), (":7", &DOWNS[..]));
    orphan.settle();
    assert_eq!(names(home.path()), Vec::<String>::new());
}

#[test]
fn strange_files_do_no_harm() {
    let home = tempfile::tempdir().unwrap();
    let records = HeldRecords::new(&Directories::beneath(home.path()));
    let folder = home.path().join("runtime/held");
    std::fs::create_dir_all(folder.join("folder")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", folder.join("link")).unwrap();
    std::fs::write(folder.join("noise"), [0xff; 100_000]).unwrap();
    std::fs::write(folder.join("empty"), "").unwrap();
    std::fs::write(folder.join("odd"), ":1\nkey 99999\nbutton fire\nkey\n\nkey 30 31\n").unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.join("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    assert!(records.orphans().is_empty());
    let mut left = names(home.path());
    left.sort();
    assert_eq!(
        left,
        ["fifo", "folder", "link"],
        "what names nothing is removed, what is no file of ours stays"
    );
}

#[test]
fn without_a_place_there_is_no_record() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("runtime"), "in the way").unwrap();
    assert!(HeldRecords::new(&Directories::beneath(home.path())).create(":7").is_none());
}
