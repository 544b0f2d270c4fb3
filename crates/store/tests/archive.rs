//! The archive of a profile. The system's own `tar` opens what we pack and packs what we open; archives that no
//! decent program makes are built by hand.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

mod home;

use crossmacro_model::{Code, Fault};
use crossmacro_store::archive::{Archive, ArchiveFault, ImportOptions, MacroPlace, export, import};
use crossmacro_store::{ProfileFault, Profiles};
use flate2::Compression;
use flate2::write::GzEncoder;
use home::Home;
use serde_json::json;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::process::Command;
use tar::{EntryType, Header};

const MANIFEST: &str = r#"{"format": "crossmacro-profile", "version": 1, "name": "Guest", "macros": []}"#;

/// A profile with everything: a macro of its own, one elsewhere, one that is gone.
fn furnished() -> Home {
    let home = Home::new();
    home.put(
        "profile-registry.json",
        r#"{"version": 1, "activeProfile": "work", "profiles": [{"id": "work", "name": "My Work"}]}"#,
    );
    home.put("global-settings.json", r#"{"portalScreenCastRestoreToken": "geheim"}"#);
    home.put("profiles/work/macros/own.macro", "own\n");
    home.put("profiles/work/macros/notes.txt", "private\n");
    fs::write(home.beside("own.macro"), "other\n").unwrap();
    let task = |name: &str, path: &Path| json!({"id": name, "name": name, "macroFilePath": path, "isEnabled": true, "new": 1.50});
    let elsewhere = home.beside("own.macro");
    let own = home.at("profiles/work/macros/own.macro");
    home.put(
        "profiles/work/shortcuts.json",
        &json!([task("s1", &elsewhere), task("s2", &own), 5]).to_string(),
    );
    home.put("profiles/work/schedules.json", &json!([task("gone", &home.beside("gone.macro"))]).to_string());
    home.put("profiles/work/triggers.json", r#"[{"name": "t", "action": 0, "isEnabled": false}]"#);
    home.put("profiles/work/settings.json", r#"{"enableTextExpansion": true, "playbackSpeed": 2.0}"#);
    home.put("profiles/work/text-expansions.json", r#"[{"trigger": "a", "replacement": "b"}]"#);
    home
}

fn packed(home: &Home, with_macros: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    export(&home.folder(), Some("my work"), with_macros, &mut bytes).unwrap();
    bytes
}

fn named(name: &str) -> ImportOptions {
    ImportOptions { name: Some(name.to_owned()), ..ImportOptions::default() }
}

fn read(bytes: &[u8]) -> Archive {
    Archive::read(Cursor::new(bytes)).unwrap()
}

#[test]
fn the_systems_tar_finds_what_was_packed_and_nothing_secret() {
    let home = furnished();
    let mut bytes = Vec::new();
    let done = export(&home.folder(), None, true, &mut bytes).unwrap();
    assert_eq!(done.warnings.len(), 1, "{:?}", done.warnings);
    assert_eq!(bytes, packed(&home, true), "the same profile gives the same bytes");
    fs::write(home.beside("p.tar.gz"), &bytes).unwrap();
    fs::create_dir(home.beside("out")).unwrap();
    let status = Command::new("tar")
        .arg("-xzf")
        .arg(home.beside("p.tar.gz"))
        .arg("-C")
        .arg(home.beside("out"))
        .status();
    assert!(status.unwrap().success());
    let mut found: Vec<String> = fs::read_dir(home.beside("out"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            "macros",
            "manifest.json",
            "schedules.json",
            "settings.json",
            "shortcuts.json",
            "text-expansions.json",
            "triggers.json"
        ]
    );
    let text = |file: &str| fs::read_to_string(home.beside("out").join(file)).unwrap();
    assert_eq!((text("macros/own.macro"), text("macros/own-2.macro")), ("own\n".into(), "other\n".into()));
    assert_eq!(fs::read_dir(home.beside("out/macros")).unwrap().count(), 2);
    assert!(!text("manifest.json").contains("geheim") && !text("settings.json").contains("geheim"));
    assert_eq!(done.files.len(), 8);
}

#[test]
fn what_the_systems_tar_packs_again_is_taken_in() {
    let home = furnished();
    fs::write(home.beside("p.tar.gz"), packed(&home, true)).unwrap();
    fs::create_dir(home.beside("out")).unwrap();
    let script = "tar -xzf p.tar.gz -C out && tar -czf again.tar.gz -C out . && tar --format=posix -czf posix.tar.gz -C out manifest.json macros";
    assert!(Command::new("sh").args(["-c", script]).current_dir(home.beside("")).status().unwrap().success());
    let again = fs::read(home.beside("again.tar.gz")).unwrap();
    let plan = import(&home.folder(), read(&again), &named("Again"), false).unwrap();
    assert_eq!((plan.profile.id.as_str(), plan.is_new, plan.files.len()), ("again", true, 7));
    read(&fs::read(home.beside("posix.tar.gz")).unwrap());
}

#[test]
fn a_dry_run_tells_what_then_happens_and_changes_nothing() {
    let home = furnished();
    let bytes = packed(&home, true);
    let there = Home::new();
    let folder = there.folder();
    let planned = import(&folder, read(&bytes), &ImportOptions::default(), true).unwrap();
    assert!(!there.at("").exists());
    let done = import(&folder, read(&bytes), &ImportOptions::default(), false).unwrap();
    assert_eq!(
        (&done.files, &done.repointed, &done.warnings),
        (&planned.files, &planned.repointed, &planned.warnings)
    );
    assert_eq!(
        (done.profile.id.as_str(), done.profile.name.as_str(), done.switched_off),
        ("my-work", "My Work", 3)
    );
    let shortcuts = there.json("profiles/my-work/shortcuts.json");
    let macros = there.at("profiles/my-work/macros");
    assert_eq!(shortcuts[0]["macroFilePath"], json!(macros.join("own-2.macro")));
    assert_eq!(shortcuts[1]["macroFilePath"], json!(macros.join("own.macro")));
    assert_eq!(
        (&shortcuts[0]["isEnabled"], &shortcuts[0]["new"], &shortcuts[2]),
        (&json!(false), &json!(1.50), &json!(5))
    );
    assert_eq!(
        there.json("profiles/my-work/schedules.json")[0]["macroFilePath"],
        json!(home.beside("gone.macro"))
    );
    assert_eq!(
        there.json("profiles/my-work/settings.json"),
        json!({"enableTextExpansion": false, "playbackSpeed": 2.0})
    );
    assert_eq!(there.text("profiles/my-work/macros/own-2.macro"), "other\n");
    assert_eq!(there.json("profile-registry.json")["activeProfile"], "default");
    assert_eq!(Profiles::new(&folder).list().profiles.len(), 2);
}

#[test]
fn trust_keeps_tasks_on_and_macros_may_lie_elsewhere() {
    let home = furnished();
    let bytes = packed(&home, true);
    let there = Home::new();
    let folder = there.folder();
    let options =
        ImportOptions { is_trusted: true, macros: MacroPlace::Folder("/srv/macros".into()), ..named("A") };
    import(&folder, read(&bytes), &options, false).unwrap();
    let shortcuts = there.json("profiles/a/shortcuts.json");
    assert_eq!(
        (&shortcuts[0]["macroFilePath"], &shortcuts[0]["isEnabled"]),
        (&json!("/srv/macros/own-2.macro"), &json!(true))
    );
    assert_eq!(there.names("profiles/a/macros"), Vec::<String>::new());
    let options = ImportOptions { macros: MacroPlace::Unchanged, ..named("B") };
    let plan = import(&folder, read(&bytes), &options, false).unwrap();
    assert_eq!(plan.repointed, []);
    assert_eq!(there.json("profiles/b/shortcuts.json")[0]["macroFilePath"], json!(home.beside("own.macro")));
}

#[test]
fn a_taken_name_is_an_error_and_replacing_keeps_what_was() {
    let home = furnished();
    let bytes = packed(&home, true);
    let folder = home.folder();
    let refused = import(&folder, read(&bytes), &ImportOptions::default(), false).unwrap_err();
    assert!(matches!(refused, ArchiveFault::Profile(ProfileFault::Taken)), "{refused}");
    let before = home.text("profiles/work/text-expansions.json");
    home.put("profiles/work/text-expansions.json", "[]");
    home.put("profiles/work/macros/own.macro", "newer\n");
    let options = ImportOptions { replace: true, is_trusted: true, ..ImportOptions::default() };
    let plan = import(&folder, read(&bytes), &options, false).unwrap();
    assert!(!plan.is_new && plan.profile.is_active);
    let replaced = |file: &str| plan.files.iter().find(|one| one.file == file).unwrap().action.name();
    assert_eq!(
        [replaced("text-expansions.json"), replaced("macros/own.macro"), replaced("settings.json")],
        ["replace", "replace", "keep"]
    );
    assert_eq!(
        home.json("profiles/work/text-expansions.json"),
        serde_json::from_str::<serde_json::Value>(&before).unwrap()
    );
    for (folder, start, content) in [
        ("profiles/work", "text-expansions.json.replaced-", "[]"),
        ("profiles/work/macros", "own.macro.replaced-", "newer\n"),
    ] {
        let kept = home.names(folder).into_iter().find(|name| name.starts_with(start)).unwrap();
        assert_eq!(home.text(&format!("{folder}/{kept}")), content);
    }
    assert_eq!(home.text("profiles/work/macros/own.macro"), "own\n");
}

#[test]
fn a_damaged_profile_makes_no_archive() {
    let home = furnished();
    home.put("profiles/work/triggers.json", "[");
    let fault = export(&home.folder(), None, true, Vec::new()).unwrap_err();
    assert!(matches!(fault, ArchiveFault::Damaged("triggers.json")), "{fault}");
}

/// An archive of entries whose names are written as they are, past every check of the library.
fn forged(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut tape = Vec::new();
    for (name, kind, content) in entries {
        let mut header = Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        if *kind == EntryType::Symlink || *kind == EntryType::Link {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        tape.extend_from_slice(header.as_bytes());
        tape.extend_from_slice(content);
        tape.resize(tape.len().next_multiple_of(512), 0);
    }
    tape.resize(tape.len() + 1024, 0);
    squeezed(&tape)
}

fn squeezed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

const FILE: EntryType = EntryType::Regular;

#[test]
fn hostile_archives_are_refused_before_anything_is_written() {
    let manifest: (&str, EntryType, &[u8]) = ("manifest.json", FILE, MANIFEST.as_bytes());
    let deep = "[".repeat(100_000);
    let broken_map = MANIFEST.replace("[]", r#"[{"file": "macros/none.macro", "from": "/x"}]"#);
    let newer = MANIFEST.replace("\"version\": 1", "\"version\": 2");
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("up", forged(&[manifest, ("../evil.macro", FILE, b"x")])),
        ("up inside", forged(&[manifest, ("macros/../../evil.macro", FILE, b"x")])),
        ("absolute", forged(&[manifest, ("/tmp/evil.macro", FILE, b"x")])),
        ("backslash", forged(&[manifest, ("macros/..\\evil.macro", FILE, b"x")])),
        ("drive", forged(&[manifest, ("macros/C:evil.macro", FILE, b"x")])),
        ("deeper", forged(&[manifest, ("macros/a/evil.macro", FILE, b"x")])),
        ("hidden", forged(&[manifest, ("macros/.macro", FILE, b"x")])),
        ("control", forged(&[manifest, ("macros/a\nb.macro", FILE, b"x")])),
        ("other end", forged(&[manifest, ("macros/a.sh", FILE, b"x")])),
        ("registry", forged(&[manifest, ("profile-registry.json", FILE, b"{}")])),
        ("global", forged(&[manifest, ("global-settings.json", FILE, b"{}")])),
        ("symlink", forged(&[manifest, ("macros/a.macro", EntryType::Symlink, b"")])),
        ("hard link", forged(&[manifest, ("settings.json", EntryType::Link, b"")])),
        ("device", forged(&[manifest, ("macros/a.macro", EntryType::Char, b"")])),
        ("fifo", forged(&[manifest, ("macros/a.macro", EntryType::Fifo, b"")])),
        ("folder", forged(&[manifest, ("macros/a.macro/", EntryType::Directory, b"")])),
        ("twice", forged(&[manifest, ("settings.json", FILE, b"{}"), ("settings.json", FILE, b"{}")])),
        (
            "twice in case",
            forged(&[manifest, ("macros/a.macro", FILE, b"1"), ("macros/A.MACRO", FILE, b"2")]),
        ),
        (
            "twice by ./",
            forged(&[manifest, ("settings.json", FILE, b"{}"), ("./settings.json", FILE, b"{}")]),
        ),
        ("shape", forged(&[manifest, ("shortcuts.json", FILE, b"{}")])),
        ("no json", forged(&[manifest, ("settings.json", FILE, b"{")])),
        ("deep json", forged(&[manifest, ("shortcuts.json", FILE, deep.as_bytes())])),
        ("no manifest", forged(&[("settings.json", FILE, b"{}")])),
        ("other manifest", forged(&[("manifest.json", FILE, b"{}")])),
        ("newer", forged(&[("manifest.json", FILE, newer.as_bytes())])),
        ("map to nothing", forged(&[("manifest.json", FILE, broken_map.as_bytes())])),
        ("empty", Vec::new()),
        ("no gzip", b"PK\x03\x04 nothing".to_vec()),
        ("no tar", squeezed(b"hello hello hello")),
        ("empty tar", squeezed(&[0; 1024])),
    ];
    for (what, bytes) in cases {
        let fault = Archive::read(Cursor::new(&bytes)).expect_err(what);
        assert_eq!(Fault::from(fault).code, Code::ValidationError, "{what}");
    }
    read(&forged(&[manifest]));
}

#[test]
fn a_cut_archive_is_no_whole_one() {
    let bytes = packed(&furnished(), true);
    for length in (0..bytes.len()).step_by(7) {
        assert!(Archive::read(Cursor::new(&bytes[..length])).is_err(), "{length}");
    }
    for place in (0..bytes.len()).step_by(11) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        // Whatever comes of it, it comes soon and without a panic.
        drop(Archive::read(Cursor::new(&changed)));
    }
}

#[test]
fn bombs_stop_at_the_limits() {
    let manifest = forged(&[("manifest.json", FILE, MANIFEST.as_bytes())]);
    read(&manifest);
    // 20 MiB of zeros in one macro; beyond 64 MiB in many; a name of 70 MiB; 1,001 files; a tape without an end.
    let large = vec![0; 20 << 20];
    let one = forged(&[("macros/a.macro", FILE, &large)]);
    assert!(matches!(Archive::read(Cursor::new(one)), Err(ArchiveFault::FileTooLarge(_))));
    let part = &large[..15 << 20];
    let names = ["a", "b", "c", "d", "e"].map(|name| format!("macros/{name}.macro"));
    let many: Vec<_> = names.iter().map(|name| (name.as_str(), FILE, part)).collect();
    assert!(matches!(Archive::read(Cursor::new(forged(&many))), Err(ArchiveFault::TooLarge)));
    let name = vec![b'x'; 70 << 20];
    let long = forged(&[("././@LongLink", EntryType::GNULongName, &name)]);
    assert!(matches!(Archive::read(Cursor::new(long)), Err(ArchiveFault::TooLarge)));
    let names: Vec<String> = (0..1_001).map(|number| format!("macros/{number}.macro")).collect();
    let many: Vec<_> = names.iter().map(|name| (name.as_str(), FILE, &b""[..])).collect();
    assert!(matches!(Archive::read(Cursor::new(forged(&many))), Err(ArchiveFault::TooMany)));
    // A stream that never ends: every block is an empty folder.
    let folder = {
        let mut header = Header::new_gnu();
        header.as_old_mut().name[..6].copy_from_slice(b"macros");
        header.set_entry_type(EntryType::Directory);
        header.set_size(0);
        header.set_cksum();
        header
    };
    let endless = GzEncoder::new(Vec::new(), Compression::fast());
    let mut endless = endless;
    for _ in 0..200_000 {
        endless.write_all(folder.as_bytes()).unwrap();
    }
    let endless = endless.finish().unwrap();
    assert!(matches!(Archive::read(Cursor::new(endless).take(1 << 30)), Err(ArchiveFault::TooLarge)));
}

#[test]
fn an_import_that_fails_leaves_no_profile() {
    let home = furnished();
    let bytes = packed(&home, true);
    let there = Home::new();
    there.put("profile-registry.json", r#"{"profiles": []}"#);
    // A folder in the place of the registry's temporary copy of the last state: the last step fails.
    fs::create_dir(there.at("profile-registry.json.bak")).unwrap();
    let fault = import(&there.folder(), read(&bytes), &ImportOptions::default(), false).unwrap_err();
    assert_eq!(Fault::from(fault).code, Code::RuntimeError);
    assert_eq!(there.names("profiles"), Vec::<String>::new());
    assert_eq!(there.text("profile-registry.json"), r#"{"profiles": []}"#);
}
