//! Profiles against real files, which are written and read here without the code under test.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

mod home;

use crossmacro_model::{Code, Fault};
use crossmacro_store::{Folder, ProfileFault, ProfileList, Profiles, Protection};
use home::Home;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::fs;
use std::os::unix::fs::symlink;

const REGISTRY: &str = "profile-registry.json";

fn shown(list: &ProfileList) -> Vec<(&str, &str, bool)> {
    list.profiles.iter().map(|info| (info.id.as_str(), info.name.as_str(), info.is_active)).collect()
}

fn names(list: &ProfileList) -> Vec<&str> {
    list.profiles.iter().map(|info| info.name.as_str()).collect()
}

/// What the reference writes.
const REFERENCE: &str = r#"{
  "version": 1,
  "activeProfile": "work",
  "profiles": [
    {
      "id": "default",
      "name": "Default",
      "createdAt": "2026-08-01T12:34:56.1234567Z"
    },
    {
      "id": "work",
      "name": "My Work",
      "createdAt": "2026-08-02T00:00:00Z"
    }
  ]
}
"#;

#[test]
fn what_the_reference_wrote_is_read_and_stays() {
    let home = Home::new();
    home.put(REGISTRY, REFERENCE);
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    let list = profiles.list();
    assert_eq!(shown(&list), [("default", "Default", false), ("work", "My Work", true)]);
    assert_eq!((list.active.as_str(), list.warnings.len()), ("work", 0));
    assert_eq!(list.profiles[0].created_at.as_deref(), Some("2026-08-01T12:34:56.1234567Z"));
    profiles.rename("WORK", "Other").unwrap();
    assert_eq!(home.text(REGISTRY), REFERENCE.replace("My Work", "Other"));
}

#[test]
fn without_files_there_is_the_standard_profile_and_reading_makes_none() {
    let home = Home::new();
    let folder = home.folder();
    let list = Profiles::new(&folder).list();
    assert_eq!(shown(&list), [("default", "Default", true)]);
    assert_eq!((list.profiles[0].created_at.as_deref(), list.warnings.len()), (None, 0));
    assert!(!home.at("").exists());
}

#[test]
fn a_new_profile_has_its_files_and_is_not_active() {
    let home = Home::new();
    let folder = home.folder();
    let change = Profiles::new(&folder).create("  My Game (2) ").unwrap();
    assert_eq!((change.profile.id.as_str(), change.profile.name.as_str()), ("my-game-2", "My Game (2)"));
    assert!(!change.profile.is_active && change.profile.created_at.unwrap().ends_with('Z'));
    let made = [
        "hotkeys.json",
        "macros",
        "schedules.json",
        "settings.json",
        "shortcuts.json",
        "text-expansions.json",
        "triggers.json",
    ];
    assert_eq!(home.names("profiles/my-game-2"), made);
    assert_eq!(home.json("profiles/my-game-2/settings.json"), json!({}));
    assert_eq!(home.json("profiles/my-game-2/shortcuts.json"), json!([]));
    let hotkeys = json!({"recordingHotkey": "F8", "playbackHotkey": "F9", "pauseHotkey": "F10"});
    assert_eq!(home.json("profiles/my-game-2/hotkeys.json"), hotkeys);
    let registry = home.json(REGISTRY);
    assert_eq!((&registry["version"], &registry["activeProfile"]), (&json!(1), &json!("default")));
    assert_eq!(registry["profiles"][1]["id"], "my-game-2");
}

#[test]
fn ids_and_names_are_found_in_any_case_the_exact_one_first() {
    let home = Home::new();
    home.put(
        REGISTRY,
        r#"{"profiles": [{"id": "a", "name": "B"}, {"id": "b", "name": "c"}, {"id": "C1", "name": "Ünï"}], "activeProfile": "C1"}"#,
    );
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    let id = |which: &str| profiles.find(Some(which)).unwrap().id;
    for (which, expected) in [
        ("b", "b"),
        ("B", "a"),
        ("A", "a"),
        ("C", "b"),
        ("c1", "C1"),
        (" üNÏ ", "C1"),
        ("", "C1"),
        ("DEFAULT", "default"),
    ] {
        assert_eq!(id(which), expected, "{which}");
    }
    let Err(ProfileFault::Unknown { nearest }) = profiles.find(Some("Defalt")) else { panic!() };
    assert_eq!(nearest, ["Default"]);
}

#[test]
fn refusals_change_nothing_and_have_their_codes() {
    let home = Home::new();
    home.put(REGISTRY, REFERENCE);
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    let code = |fault: ProfileFault| Fault::from(fault).code;
    for fault in [
        profiles.create("my work").unwrap_err(),
        profiles.create(" ").unwrap_err(),
        profiles.create("../x").unwrap_err(),
        profiles.rename("work", "DEFAULT").unwrap_err(),
        profiles.rename("nobody", "x").unwrap_err(),
        profiles.delete("Default").unwrap_err(),
        profiles.delete("work").unwrap_err(),
        profiles.switch("nobody").unwrap_err(),
    ] {
        assert_eq!(code(fault), Code::InvalidArguments);
    }
    assert!(matches!(profiles.delete("work"), Err(ProfileFault::Protected(Protection::Active))));
    assert!(matches!(profiles.delete("default"), Err(ProfileFault::Protected(Protection::Standard))));
    assert_eq!(home.text(REGISTRY), REFERENCE);
    assert!(!home.at("profiles").exists());
    profiles.rename("work", "MY WORK").unwrap();
}

#[test]
fn a_switch_is_whole_or_has_not_happened() {
    let home = Home::new();
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    profiles.create("Work").unwrap();
    assert!(profiles.switch("work").unwrap().is_changed);
    assert!(!profiles.switch("WORK").unwrap().is_changed);
    profiles.switch("default").unwrap();
    let before = home.text(REGISTRY);
    fs::remove_file(home.at("profiles/work/hotkeys.json")).unwrap();
    fs::create_dir(home.at("profiles/work/hotkeys.json")).unwrap();
    let fault = profiles.switch("work").unwrap_err();
    assert!(matches!(fault, ProfileFault::Unusable { file: "hotkeys.json", .. }), "{fault}");
    assert_eq!(Fault::from(fault).code, Code::RuntimeError);
    assert_eq!(home.text(REGISTRY), before);
    fs::remove_dir(home.at("profiles/work/hotkeys.json")).unwrap();
    fs::rename(home.at("profiles/work"), home.beside("elsewhere")).unwrap();
    symlink(home.beside("elsewhere"), home.at("profiles/work")).unwrap();
    assert!(matches!(profiles.switch("work"), Err(ProfileFault::Unusable { .. })));
    fs::remove_file(home.at("profiles/work")).unwrap();
    profiles.switch("work").unwrap();
    assert_eq!(home.json(REGISTRY)["activeProfile"], "work");
}

#[test]
fn deleting_takes_the_files_and_never_those_behind_a_link() {
    let home = Home::new();
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    fs::create_dir(home.beside("mine")).unwrap();
    fs::write(home.beside("mine/precious"), "").unwrap();
    for name in ["One", "Two"] {
        profiles.create(name).unwrap();
    }
    symlink(home.beside("mine"), home.at("profiles/one/macros/link")).unwrap();
    fs::remove_dir_all(home.at("profiles/two")).unwrap();
    symlink(home.beside("mine"), home.at("profiles/two")).unwrap();
    assert_eq!(profiles.delete("one").unwrap().warnings, Vec::<String>::new());
    profiles.delete("two").unwrap();
    assert_eq!(home.names("profiles"), ["default"]);
    assert!(home.beside("mine/precious").exists());
    assert_eq!(names(&profiles.list()), ["Default"]);
}

#[test]
fn a_folder_that_nobody_owns_is_not_given_to_a_new_profile() {
    let home = Home::new();
    home.put("profiles/work/text-expansions.json", "[]");
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    assert_eq!(profiles.create("Work").unwrap().profile.id, "work-2");
    assert_eq!(profiles.create("wörk").unwrap().profile.id, "w-rk");
    assert_eq!(profiles.create("W RK").unwrap().profile.id, "w-rk-2");
    assert_eq!(home.names("profiles/work"), ["text-expansions.json"]);
}

#[test]
fn a_registry_is_repaired_and_what_is_odd_in_it_stays() {
    let home = Home::new();
    home.put(
        REGISTRY,
        r#"{"version": 1, "activeProfile": "gone", "theme": 7, "profiles": [
            {"id": "a", "name": "A", "icon": "x"}, {"id": "A", "name": "again"}, {"id": "../b"}, 5, {"id": "c"}]}"#,
    );
    let folder = home.folder();
    let profiles = Profiles::new(&folder);
    let list = profiles.list();
    assert_eq!(shown(&list), [("default", "Default", true), ("a", "A", false), ("c", "c", false)]);
    assert_eq!(list.warnings.len(), 4, "{:?}", list.warnings);
    profiles.rename("a", "Z").unwrap();
    let expected = json!({"version": 1, "activeProfile": "default", "theme": 7, "profiles": [
        {"id": "default", "name": "Default", "createdAt": null}, {"id": "a", "name": "Z", "icon": "x"},
        {"id": "A", "name": "again"}, {"id": "../b"}, 5, {"id": "c"}]});
    assert_eq!(home.json(REGISTRY), expected);
}

#[test]
fn a_damaged_registry_is_kept_beside_and_no_profile_is_lost() {
    for backup in [true, false] {
        let home = Home::new();
        let folder = home.folder();
        let profiles = Profiles::new(&folder);
        profiles.create("My Work").unwrap();
        home.put(REGISTRY, "{\"profiles\": [");
        if !backup {
            fs::remove_file(home.at(&format!("{REGISTRY}.bak"))).unwrap();
        }
        let list = profiles.list();
        assert_eq!(names(&list), ["Default", if backup { "My Work" } else { "my-work" }]);
        assert!(!list.warnings.is_empty());
        profiles.create("Third").unwrap();
        assert_eq!(profiles.list().profiles.len(), 3);
        assert!(home.names("").iter().any(|name| name.starts_with("profile-registry.json.corrupt-")));
    }
}

#[test]
fn the_old_flat_layout_becomes_the_standard_profile() {
    let home = Home::new();
    for list in ["hotkeys", "shortcuts", "schedules", "text-expansions", "triggers"] {
        home.put(&format!("{list}.json"), &format!("[\"{list}\"]"));
    }
    home.put("settings.json", r#"{"theme": "Nord", "playbackSpeed": 2.0, "new": 1}"#);
    let folder = home.folder();
    Profiles::new(&folder).create("Work").unwrap();
    for list in ["hotkeys", "shortcuts", "schedules", "text-expansions", "triggers"] {
        assert_eq!(home.json(&format!("profiles/default/{list}.json")), json!([list]));
        assert_eq!(home.json(&format!("{list}.json")), json!([list]));
    }
    assert_eq!(home.json("profiles/default/settings.json"), json!({"playbackSpeed": 2.0, "new": 1}));
    assert_eq!(home.json("global-settings.json"), json!({"theme": "Nord", "new": 1}));
}

#[derive(Debug, Clone)]
enum Step {
    Create(u8),
    Rename(u8, u8),
    Delete(u8),
    Switch(u8),
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..5_u8).prop_map(Step::Create),
        2 => (0..5_u8, 0..5_u8).prop_map(|(which, name)| Step::Rename(which, name)),
        1 => (0..5_u8).prop_map(Step::Delete),
        2 => (0..5_u8).prop_map(Step::Switch),
        1 => Just(Step::Reopen),
    ];
    proptest::collection::vec(step, 1..16)
}

/// The name of a number; 0 is the standard profile. Odd steps say it in capitals.
fn spelt(number: u8, step: usize) -> String {
    let name = if number == 0 { "Default".to_owned() } else { format!("Name {number}") };
    if step.is_multiple_of(2) { name } else { name.to_uppercase() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_equals_the_same_in_memory(steps in steps()) {
        let home = Home::new();
        let mut folder = home.folder();
        // Position 0 is the standard profile, whatever its name.
        let mut model = vec![spelt(0, 0)];
        let mut active = 0;
        for (step, what) in steps.into_iter().enumerate() {
            let place = |model: &[String], number: u8| {
                let wanted = spelt(number, 0).to_lowercase();
                // The id of the standard profile names it even when another has its name.
                if number == 0 && step.is_multiple_of(2) { return model.iter().position(|name| name.to_lowercase() == wanted).or(Some(0)); }
                model.iter().position(|name| name.to_lowercase() == wanted).or((number == 0).then_some(0))
            };
            let profiles = Profiles::new(&folder);
            match what {
                Step::Create(number) => {
                    let free = !model.iter().any(|name| name.eq_ignore_ascii_case(&spelt(number, 0)));
                    prop_assert_eq!(profiles.create(&spelt(number, step)).is_ok(), free);
                    if free { model.push(spelt(number, step)); }
                }
                Step::Rename(which, number) if which != 0 => {
                    let found = place(&model, which);
                    let free = |own| !model.iter().enumerate().any(|(at, name)| at != own && name.eq_ignore_ascii_case(&spelt(number, 0)));
                    let may = found.is_some_and(free);
                    prop_assert_eq!(profiles.rename(&spelt(which, step), &spelt(number, step)).is_ok(), may);
                    if let Some(found) = found.filter(|_| may) { model[found] = spelt(number, step); }
                }
                Step::Delete(number) if number != 0 => {
                    let found = place(&model, number).filter(|found| *found != 0 && *found != active);
                    prop_assert_eq!(profiles.delete(&spelt(number, step)).is_ok(), found.is_some());
                    if let Some(found) = found {
                        drop(model.remove(found));
                        if active > found { active -= 1; }
                    }
                }
                Step::Switch(number) if number != 0 => {
                    let found = place(&model, number);
                    prop_assert_eq!(profiles.switch(&spelt(number, step)).is_ok(), found.is_some());
                    active = found.unwrap_or(active);
                }
                Step::Reopen => folder = Folder::new(folder.root()),
                Step::Rename(..) | Step::Delete(_) | Step::Switch(_) => {}
            }
            let list = Profiles::new(&folder).list();
            prop_assert_eq!(names(&list), model.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert_eq!(list.profiles.iter().position(|info| info.is_active), Some(active));
            if home.at(REGISTRY).exists() {
                // The witness: the file itself.
                let file: Json = home.json(REGISTRY);
                prop_assert_eq!(file["profiles"].as_array().unwrap().len(), model.len());
                prop_assert_eq!(home.names("profiles").len() + usize::from(!home.at("profiles/default").exists()), model.len());
            }
        }
    }
}
