//! Text expansions against real files, which are written and read here without the code under test.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

mod home;

use crossmacro_model::expansion::{DirectTypingMethod, Expansion, InsertionMode, PasteMethod};
use crossmacro_store::{ExpansionFault, ExpansionList, Expansions, Folder, Profiles};
use home::Home;
use proptest::prelude::*;
use serde_json::json;

const LIST: &str = "profiles/default/text-expansions.json";

fn triggers(list: &ExpansionList) -> Vec<&str> {
    list.expansions.iter().map(|expansion| expansion.trigger.as_str()).collect()
}

/// What the reference writes: choices as integers, every field there.
const REFERENCE: &str = r#"[
  {
    "trigger": ":mail",
    "replacement": "me@example.com",
    "isEnabled": true,
    "method": 0,
    "insertionMode": 0,
    "directTypingMethod": 0
  },
  {
    "trigger": ":sig",
    "replacement": "Grüße\nAda 😀",
    "isEnabled": false,
    "method": 2,
    "insertionMode": 1,
    "directTypingMethod": 1
  }
]
"#;

#[test]
fn what_the_reference_wrote_is_read_and_written_the_same() {
    let home = Home::new();
    home.put(LIST, REFERENCE);
    let folder = home.folder();
    let list = Expansions::new(&folder, None).list().unwrap();
    assert_eq!((list.warnings.len(), list.profile.id.as_str()), (0, "default"));
    let signature = Expansion {
        is_enabled: false,
        method: PasteMethod::ShiftInsert,
        insertion_mode: InsertionMode::DirectTyping,
        direct_typing_method: DirectTypingMethod::CompatibleKeyByKey,
        ..Expansion::new(":sig", "Grüße\nAda 😀")
    };
    assert_eq!(list.expansions, [Expansion::new(":mail", "me@example.com"), signature.clone()]);

    let fresh = Home::new();
    let folder = fresh.folder();
    let expansions = Expansions::new(&folder, None);
    expansions.add(Expansion::new(":mail", "me@example.com")).unwrap();
    expansions.add(signature).unwrap();
    assert_eq!(fresh.text(LIST), REFERENCE);
}

#[test]
fn names_defaults_and_unknown_fields_are_understood_and_kept() {
    let home = Home::new();
    home.put(
        LIST,
        r#"[{"trigger": "a", "replacement": null, "method": "ctrlshiftv", "insertionMode": "DirectTyping", "x": {"y": 1.50}},
            {"trigger": "b", "replacement": "B", "color": "red"}]"#,
    );
    let folder = home.folder();
    let expansions = Expansions::new(&folder, None);
    let list = expansions.list().unwrap();
    assert_eq!(list.warnings, Vec::<String>::new());
    assert_eq!(list.expansions[0].method, PasteMethod::CtrlShiftV);
    assert_eq!(list.expansions[1], Expansion::new("b", "B"));
    expansions.set_enabled("B", false).unwrap();
    let expected = json!([
        {"trigger": "a", "replacement": null, "method": "ctrlshiftv", "insertionMode": "DirectTyping", "x": {"y": 1.50}},
        {"trigger": "b", "replacement": "B", "color": "red", "isEnabled": false},
    ]);
    assert_eq!(home.json(LIST), expected);
}

#[test]
fn a_damaged_entry_disables_itself_alone() {
    let home = Home::new();
    let before = json!([
        7,
        {"replacement": "no trigger"},
        {"trigger": "  ", "replacement": "blank"},
        {"trigger": "odd", "replacement": "geheim", "method": 9},
        {"trigger": "text", "replacement": 5},
        {"trigger": "switch", "replacement": "s", "isEnabled": "maybe"},
        {"trigger": "x".repeat(60), "replacement": "long"},
        {"trigger": "good", "replacement": "g"},
    ]);
    home.put(LIST, &before.to_string());
    let folder = home.folder();
    let expansions = Expansions::new(&folder, None);
    let list = expansions.list().unwrap();
    assert_eq!(list.warnings.len(), 7, "{:?}", list.warnings);
    assert!(!list.warnings.concat().contains("geheim"));
    let on: Vec<_> =
        list.expansions.iter().filter(|one| one.is_enabled).map(|one| &one.trigger[..1]).collect();
    assert_eq!(on, ["x", "g"]);
    for trigger in ["odd", "text"] {
        assert!(
            matches!(expansions.set_enabled(trigger, true), Err(ExpansionFault::Damaged(_))),
            "{trigger}"
        );
    }
    assert_eq!(home.json(LIST), before, "a refused change writes nothing");
    expansions.set_enabled("switch", true).unwrap();
    expansions.remove("odd").unwrap();
    expansions.add(Expansion::new("new", "n")).unwrap();
    let mut expected = before;
    expected[5]["isEnabled"] = json!(true);
    let list = expected.as_array_mut().unwrap();
    list.remove(3);
    list.push(json!({"trigger": "new", "replacement": "n", "isEnabled": true, "method": 0, "insertionMode": 0, "directTypingMethod": 0}));
    assert_eq!(home.json(LIST), expected);
}

#[test]
fn a_damaged_file_is_kept_beside_and_its_last_state_comes_back() {
    for damage in ["[{\"trigger\": \"a\", ", "{\"trigger\": \"a\"}", "nonsense"] {
        let home = Home::new();
        let folder = home.folder();
        let expansions = Expansions::new(&folder, None);
        expansions.add(Expansion::new("a", "A")).unwrap();
        home.put(LIST, damage);
        let list = expansions.list().unwrap();
        assert_eq!((triggers(&list), list.warnings.len()), (vec!["a"], 1));
        assert_eq!(home.text(LIST), damage, "reading changes nothing");
        expansions.add(Expansion::new("b", "B")).unwrap();
        assert_eq!(triggers(&expansions.list().unwrap()), ["a", "b"]);
        let names = home.names("profiles/default");
        let aside: Vec<_> = names.iter().filter(|name| name.contains(".corrupt-")).collect();
        assert_eq!(aside.len(), 1, "{names:?}");
        assert_eq!(home.text(&format!("profiles/default/{}", aside[0])), damage);
    }
}

#[test]
fn triggers_are_looked_up_in_any_case_and_never_doubled() {
    let home = Home::new();
    // The reference's window lets duplicates in.
    home.put(LIST, r#"[{"trigger": "AB", "replacement": "1"}, {"trigger": "ab", "replacement": "2"}]"#);
    let folder = home.folder();
    let expansions = Expansions::new(&folder, None);
    let text = |trigger: &str| expansions.find(trigger).unwrap().expansion.replacement;
    assert_eq!((text("ab"), text("AB"), text("Ab")), ("2".into(), "1".into(), "1".into()));
    expansions.add(Expansion::new("Über", "3")).unwrap();
    for trigger in ["Ab", "üBER"] {
        assert!(matches!(expansions.add(Expansion::new(trigger, "4")), Err(ExpansionFault::Duplicate)));
    }
    assert!(matches!(expansions.remove("abc"), Err(ExpansionFault::Unknown)));
    assert!(matches!(expansions.add(Expansion::new("x".repeat(51), "")), Err(ExpansionFault::Text(_))));
}

#[test]
fn another_profile_is_changed_without_a_switch() {
    let home = Home::new();
    let folder = home.folder();
    Profiles::new(&folder).create("Work").unwrap();
    Expansions::new(&folder, Some("WORK")).add(Expansion::new("w", "W")).unwrap();
    assert_eq!(Expansions::new(&folder, None).list().unwrap().expansions, []);
    assert_eq!(triggers(&Expansions::new(&folder, Some("work")).list().unwrap()), ["w"]);
    assert_eq!(Profiles::new(&folder).list().active, "default");
    let missing = Expansions::new(&folder, Some("wrk")).list();
    assert!(matches!(missing, Err(ExpansionFault::Profile(_))));
}

#[test]
fn the_old_flat_file_is_read_and_then_migrated() {
    let home = Home::new();
    home.put("text-expansions.json", r#"[{"trigger": "old", "replacement": "o"}]"#);
    home.put("settings.json", r#"{"theme": "Nord"}"#);
    let folder = home.folder();
    let expansions = Expansions::new(&folder, None);
    assert_eq!(triggers(&expansions.list().unwrap()), ["old"]);
    assert_eq!(home.names(""), ["settings.json", "text-expansions.json"], "reading makes nothing");
    expansions.add(Expansion::new("new", "n")).unwrap();
    assert_eq!(triggers(&expansions.list().unwrap()), ["old", "new"]);
    assert_eq!(home.json("text-expansions.json").as_array().unwrap().len(), 1, "the old file stays");
    assert_eq!(home.json("global-settings.json"), json!({"theme": "Nord"}));
}

#[test]
fn a_list_that_could_not_be_read_again_is_not_written() {
    let home = Home::new();
    let folder = home.folder();
    let expansions = Expansions::new(&folder, None);
    let large = |number: u32| json!({"trigger": format!("t{number}"), "replacement": "x".repeat(65_000)});
    home.put(LIST, &json!((0..255).map(large).collect::<Vec<_>>()).to_string());
    let mut last = Ok(());
    let mut count = 255;
    while last.is_ok() && count < 275 {
        last = expansions.add(Expansion::new(format!("t{count}"), "x".repeat(65_000))).map(drop);
        count += 1;
    }
    assert!(last.unwrap_err().to_string().contains("larger than"));
    assert_eq!(expansions.list().unwrap().expansions.len(), count - 1);
}

#[derive(Debug, Clone)]
enum Step {
    Add(u8, String),
    Remove(u8),
    Enable(u8, bool),
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..6_u8, "\\PC{0,5}").prop_map(|(trigger, text)| Step::Add(trigger, text)),
        1 => (0..6_u8).prop_map(Step::Remove),
        2 => (0..6_u8, any::<bool>()).prop_map(|(trigger, on)| Step::Enable(trigger, on)),
        1 => Just(Step::Reopen),
    ];
    proptest::collection::vec(step, 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_equals_the_same_on_a_list_in_memory(steps in steps()) {
        let home = Home::new();
        let mut folder = home.folder();
        let mut model: Vec<(String, String, bool)> = Vec::new();
        // Odd steps say the trigger in capitals.
        for (position, step) in steps.into_iter().enumerate() {
            let spelt = |number: u8| match position % 2 { 0 => format!("t{number}"), _ => format!("T{number}") };
            let place = |model: &[(String, String, bool)], number: u8| {
                model.iter().position(|(trigger, ..)| trigger.eq_ignore_ascii_case(&format!("t{number}")))
            };
            let expansions = Expansions::new(&folder, None);
            match step {
                Step::Add(number, text) => {
                    let done = expansions.add(Expansion::new(spelt(number), text.clone())).is_ok();
                    prop_assert_eq!(done, place(&model, number).is_none());
                    if done { model.push((spelt(number), text, true)); }
                }
                Step::Remove(number) => {
                    let known = place(&model, number);
                    prop_assert_eq!(expansions.remove(&spelt(number)).is_ok(), known.is_some());
                    if let Some(known) = known { drop(model.remove(known)); }
                }
                Step::Enable(number, on) => {
                    let known = place(&model, number);
                    prop_assert_eq!(expansions.set_enabled(&spelt(number), on).is_ok(), known.is_some());
                    if let Some(known) = known { model[known].2 = on; }
                }
                Step::Reopen => folder = Folder::new(folder.root()),
            }
            let list = Expansions::new(&folder, None).list().unwrap();
            let found: Vec<_> = list.expansions.into_iter().map(|one| (one.trigger, one.replacement, one.is_enabled)).collect();
            prop_assert_eq!(&found, &model);
        }
    }
}
