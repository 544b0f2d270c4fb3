//! The files of schedules, shortcuts and triggers, as another program writes and reads them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test")]

use crossmacro_model::task::rule::{Field, MatchMode};
use crossmacro_model::task::schedule::{Days, Kind, Unit, date_time};
use crossmacro_model::task::trigger::{Action, FireMode};
use crossmacro_model::task::{Hotkey, Schedule, Shortcut, Task, TaskId, Trigger, WindowRule};
use crossmacro_model::{Code, Fault};
use crossmacro_store::tasks::{self, TaskList};
use crossmacro_store::{Directories, SettingsHandle};
use serde_json::{Value, json};
use std::path::PathBuf;

struct Home {
    folder: tempfile::TempDir,
    settings: SettingsHandle,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = SettingsHandle::open(&Directories::beneath(folder.path()));
        Self { folder, settings }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("config/profiles/default").join(name)
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.file(name).parent().unwrap()).unwrap();
        std::fs::write(self.file(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    fn add<T: Task>(&self, task: T) {
        tasks::change(&self.settings, |list| {
            list.push(task);
            Ok(())
        })
        .unwrap();
    }

    fn edit<T: Task>(&self, id: TaskId, edit: impl FnOnce(&mut T)) {
        tasks::change(&self.settings, |list: &mut TaskList<T>| {
            let mut task = list.get(id).cloned().unwrap();
            edit(&mut task);
            assert!(list.replace(task));
            Ok(())
        })
        .unwrap();
    }
}

const ID: &str = "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54";

fn id() -> TaskId {
    TaskId::parse(ID).unwrap()
}

#[test]
fn a_schedule_is_written_in_the_shape_of_the_reference() {
    let home = Home::new();
    home.add(Schedule {
        id: id(),
        name: "Morning".to_owned(),
        macro_file_path: "/m/a.macro".to_owned(),
        kind: Kind::Weekly,
        playback_speed: 1.5,
        is_enabled: true,
        interval_unit: Unit::Hours,
        scheduled: date_time("2030-02-03T04:05:06Z").ok(),
        weekly_days: Days::WEEKENDS,
        next_run_time: Some("2030-02-03T04:05:06.5Z".parse().unwrap()),
        ..Schedule::default()
    });
    let expected = r#"[
  {
    "id": "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54",
    "name": "Morning",
    "macroFilePath": "/m/a.macro",
    "type": 2,
    "playbackSpeed": 1.5,
    "isEnabled": true,
    "intervalValue": 30,
    "intervalUnit": 2,
    "useRandomIntervalDelay": false,
    "intervalMinValue": 1,
    "intervalMaxValue": 30,
    "scheduledDateTime": "2030-02-03T04:05:06Z",
    "weeklyDays": 96,
    "weeklyTime": "09:00:00",
    "lastRunTime": null,
    "nextRunTime": "2030-02-03T04:05:06.5Z",
    "lastStatus": null,
    "canBeEnabled": true
  }
]
"#;
    assert_eq!(home.text("schedules.json"), expected);
}

#[test]
fn a_shortcut_is_written_in_the_shape_of_the_reference() {
    let home = Home::new();
    home.add(Shortcut {
        id: id(),
        hotkeys: vec![Hotkey::parse("shift+ctrl+f5").unwrap(), Hotkey::parse("Mouse Side").unwrap()],
        window_rules: vec![WindowRule {
            field: Field::ProcessName,
            match_mode: MatchMode::Regex,
            value: "^gimp".to_owned(),
        }],
        ..Shortcut::default()
    });
    let expected = r#"[
  {
    "id": "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54",
    "name": "New Shortcut",
    "macroFilePath": "",
    "hotkeys": [
      "Ctrl+Shift+F5",
      "Mouse Side"
    ],
    "playbackSpeed": 1,
    "isEnabled": false,
    "loopEnabled": false,
    "repeatCount": 0,
    "repeatDelayMs": 0,
    "useRandomRepeatDelay": false,
    "repeatDelayMinMs": 0,
    "repeatDelayMaxMs": 0,
    "runWhileHeld": false,
    "windowRules": [
      {
        "field": 3,
        "matchMode": 2,
        "value": "^gimp"
      }
    ],
    "lastStatus": null,
    "lastTriggeredTime": null,
    "canBeEnabled": false
  }
]
"#;
    assert_eq!(home.text("shortcuts.json"), expected);
}

#[test]
fn a_trigger_is_written_in_the_shape_of_the_reference() {
    let home = Home::new();
    home.add(Trigger {
        id: id(),
        name: "Mail".to_owned(),
        is_enabled: true,
        field: Field::WindowTitle,
        match_mode: MatchMode::Equals,
        value: "Inbox".to_owned(),
        action: Action::SwitchProfile,
        target_profile_id: "mail".to_owned(),
        fire_mode: FireMode::OnExit,
        cooldown_ms: Some(500),
        ..Trigger::default()
    });
    let expected = r#"[
  {
    "id": "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54",
    "name": "Mail",
    "isEnabled": true,
    "field": 1,
    "matchMode": 0,
    "value": "Inbox",
    "action": 0,
    "targetProfileId": "mail",
    "macroFilePath": "",
    "fireMode": 3,
    "cooldownMs": 500,
    "debounceMs": null,
    "lastTriggeredTime": null,
    "lastStatus": null,
    "canBeEnabled": true
  }
]
"#;
    assert_eq!(home.text("triggers.json"), expected);
}

/// What an older version wrote: one hotkey, and fields that nobody here knows.
const OLDER: &str = r#"[
  {
    "id": "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54",
    "name": "One",
    "macroFilePath": "/m/a.macro",
    "hotkeyString": "Ctrl+F1",
    "playbackSpeed": 1,
    "isEnabled": true,
    "fromTomorrow": { "deep": [1, null] },
    "lastTriggeredTime": "2026-03-01T10:00:00.1234567Z",
    "canBeEnabled": true
  },
  {
    "id": "00000000-0000-0000-0000-000000000002",
    "name": "Two",
    "hotkeys": ["F2"],
    "windowRules": [{ "field": "windowTITLE", "matchMode": 0, "value": "x", "note": 1 }],
    "isEnabled": false
  }
]"#;

#[test]
fn what_an_older_version_wrote_is_read_and_only_the_change_is_written() {
    let home = Home::new();
    home.put("shortcuts.json", OLDER);
    let read = tasks::read::<Shortcut>(&home.settings);
    assert_eq!(read.warnings, Vec::<String>::new());
    assert_eq!(read.tasks[0].hotkeys, [Hotkey::parse("Ctrl+F1").unwrap()]);
    assert_eq!(read.tasks[1].window_rules[0].field, Field::WindowTitle);
    home.edit(id(), |task: &mut Shortcut| task.hotkeys = vec![Hotkey::parse("F7").unwrap()]);
    let before: Value = serde_json::from_str(OLDER).unwrap();
    let after: Value = serde_json::from_str(&home.text("shortcuts.json")).unwrap();
    assert_eq!(after[1], before[1], "another entry is as it was");
    assert_eq!(after[0]["hotkeys"], json!(["F7"]));
    assert_eq!(after[0]["hotkeyString"], "F7", "the older field does not contradict");
    for key in ["fromTomorrow", "lastTriggeredTime", "name", "playbackSpeed", "isEnabled", "id"] {
        assert_eq!(after[0][key], before[0][key], "{key}");
    }
    home.edit(id(), |task: &mut Shortcut| task.hotkeys.clear());
    assert_eq!(tasks::read::<Shortcut>(&home.settings).tasks[0].hotkeys, []);
}

#[test]
fn enums_are_numbers_or_names_and_keep_their_form() {
    let home = Home::new();
    let text = format!(
        r#"[{{"id": "{ID}", "type": "WEEKLY", "intervalUnit": "hours", "weeklyDays": "Monday, Weekends", "weeklyTime": "08:30:00.5000000", "scheduledDateTime": "2030-01-01T08:00:00"}}]"#
    );
    home.put("schedules.json", &text);
    let schedule = tasks::read::<Schedule>(&home.settings).tasks.remove(0);
    assert_eq!((schedule.kind, schedule.interval_unit), (Kind::Weekly, Unit::Hours));
    assert_eq!(schedule.weekly_days.bits(), 97);
    home.edit(id(), |schedule: &mut Schedule| schedule.name = "X".to_owned());
    let after: Value = serde_json::from_str(&home.text("schedules.json")).unwrap();
    assert_eq!(after[0]["type"], "WEEKLY");
    assert_eq!(after[0]["weeklyTime"], "08:30:00.5000000");
    assert_eq!(after[0]["scheduledDateTime"], "2030-01-01T08:00:00");
    home.edit(id(), |schedule: &mut Schedule| schedule.kind = Kind::Interval);
    let after: Value = serde_json::from_str(&home.text("schedules.json")).unwrap();
    assert_eq!(after[0]["type"], 0);
}

#[test]
fn one_damaged_entry_is_off_and_the_others_work() {
    let home = Home::new();
    let broken = "00000000-0000-0000-0000-00000000000b";
    let text = format!(
        r#"[null, {{"id": "{broken}", "hotkeys": ["Ctrl+Foo"], "isEnabled": true}}, 7,
            {{"id": "{ID}", "hotkeys": ["F1"]}}, {{"id": "{ID}", "name": "again"}}, {{"name": "nobody"}},
            {{"id": "00000000-0000-0000-0000-00000000000c", "windowRules": [{{"field": 9}}]}}]"#
    );
    home.put("shortcuts.json", &text);
    let read = tasks::read::<Shortcut>(&home.settings);
    assert_eq!(read.tasks.iter().map(Shortcut::id).collect::<Vec<_>>(), [id()]);
    assert_eq!(read.warnings.len(), 5, "{:?}", read.warnings);
    assert!(read.warnings[0].contains(broken) && read.warnings[0].contains("is off"), "{:?}", read.warnings);
    home.edit(id(), |task: &mut Shortcut| task.name = "Changed".to_owned());
    let after: Value = serde_json::from_str(&home.text("shortcuts.json")).unwrap();
    assert_eq!(after[0], json!({"id": broken, "hotkeys": ["Ctrl+Foo"], "isEnabled": true}));
    assert_eq!((&after[1], &after[2]["name"]), (&json!(7), &json!("Changed")));
    let gone = |list: &mut TaskList<Shortcut>| {
        let id = TaskId::parse(broken).unwrap();
        assert!(list.get(id).is_none() && list.damage(id).is_some());
        Ok(list.remove(id))
    };
    let (removed, _) = tasks::change(&home.settings, gone).unwrap();
    assert_eq!(removed, Some(None), "there, and no task");
    assert_eq!(tasks::read::<Shortcut>(&home.settings).warnings.len(), 4);
}

#[test]
fn a_damaged_file_is_kept_beside_and_taken_as_last_saved() {
    for damage in ["[{\"id\": ", "{\"tasks\": []}", ""] {
        let home = Home::new();
        home.add(Trigger { id: id(), name: "Kept".to_owned(), ..Trigger::default() });
        home.put("triggers.json", damage);
        let read = tasks::read::<Trigger>(&home.settings);
        assert_eq!(read.tasks[0].name, "Kept", "{damage}");
        assert!(read.warnings[0].contains("as last saved"), "{:?}", read.warnings);
        assert_eq!(home.text("triggers.json"), damage, "reading changes nothing");
        home.edit(id(), |trigger: &mut Trigger| trigger.name = "New".to_owned());
        assert_eq!(tasks::read::<Trigger>(&home.settings).tasks[0].name, "New");
        let folder = std::fs::read_dir(home.file("x").parent().unwrap()).unwrap();
        let aside: Vec<PathBuf> = folder
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.to_string_lossy().contains("triggers.json.corrupt-"))
            .collect();
        assert_eq!(aside.len(), 1, "{damage}");
        assert_eq!(std::fs::read_to_string(&aside[0]).unwrap(), damage);
    }
}

#[test]
fn a_change_that_fails_or_changes_nothing_leaves_the_file_alone() {
    let home = Home::new();
    home.put("shortcuts.json", OLDER);
    let failed = tasks::change(&home.settings, |list: &mut TaskList<Shortcut>| {
        list.remove(id());
        Err::<(), _>(Fault::arguments("no"))
    });
    assert_eq!(failed.unwrap_err().code, Code::InvalidArguments);
    assert_eq!(home.text("shortcuts.json"), OLDER);
    home.edit(id(), |_: &mut Shortcut| {});
    assert_eq!(home.text("shortcuts.json"), OLDER);
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let home = Home::new();
    let root = home.folder.path();
    std::thread::scope(|scope| {
        for writer in 0..2_u8 {
            scope.spawn(move || {
                let settings = SettingsHandle::open(&Directories::beneath(root));
                for index in 0..50 {
                    let id = TaskId::random([writer, index, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
                    let add = |list: &mut TaskList<Trigger>| {
                        list.push(Trigger { id, ..Trigger::default() });
                        Ok(())
                    };
                    tasks::change(&settings, add).unwrap();
                }
            });
        }
    });
    assert_eq!(tasks::read::<Trigger>(&home.settings).tasks.len(), 100);
}

#[test]
fn a_profile_is_found_by_its_id_before_its_name() {
    let home = Home::new();
    let registry = json!({"activeProfile": "work", "profiles": [
        {"id": "work", "name": "games"}, {"id": "games", "name": "Play"},
    ]});
    std::fs::create_dir_all(home.folder.path().join("config")).unwrap();
    std::fs::write(home.folder.path().join("config/profile-registry.json"), registry.to_string()).unwrap();
    let found = |named: &str| tasks::profile(&home.settings, named).map(|profile| profile.id);
    for (named, id) in [("games", "games"), ("GAMES", "work"), ("play", "games"), ("Default", "default")] {
        assert_eq!(found(named).as_deref(), Some(id), "{named}");
    }
    assert_eq!(found("none"), None);
    // Tasks are those of the active profile.
    home.add(Trigger { id: id(), ..Trigger::default() });
    assert!(home.folder.path().join("config/profiles/work/triggers.json").exists());
}
