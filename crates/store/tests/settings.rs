//! Settings against real files, which are written and read here without the code under test.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crossmacro_model::settings::Value;
use crossmacro_model::{Capability, Code, Fault};
use crossmacro_policy::{Approval, Authority, PathClass};
use crossmacro_store::{Change, Directories, Settings, SettingsFault, SettingsHandle, Source};
use serde_json::{Value as Json, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const GLOBAL: &str = "global-settings.json";
const PROFILE: &str = "profiles/default/settings.json";

struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: TempDir::with_prefix("crossmacro-settings-").unwrap() }
    }

    fn open(&self) -> SettingsHandle {
        SettingsHandle::open(&Directories::beneath(self.folder.path()))
    }

    fn at(&self, file: &str) -> PathBuf {
        self.folder.path().join("config").join(file)
    }

    fn put(&self, file: &str, text: &str) {
        fs::create_dir_all(self.at(file).parent().unwrap()).unwrap();
        fs::write(self.at(file), text).unwrap();
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.at(file)).unwrap()
    }

    fn json(&self, file: &str) -> Json {
        serde_json::from_str(&self.text(file)).unwrap()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn set(handle: &SettingsHandle, key: &str, text: &str) -> Change {
    handle.set(key, text).unwrap()
}

fn shown(settings: &Settings, key: &str) -> (String, Source) {
    let entry = settings.get(key).unwrap();
    (entry.value.to_string(), entry.source)
}

#[test]
fn reading_makes_nothing_and_gives_the_defaults() {
    let home = Home::new();
    let settings = home.open().current();
    assert_eq!(fs::read_dir(home.folder.path()).unwrap().count(), 0);
    assert!(settings.entries().iter().all(|entry| entry.source == Source::Default));
    for &capability in Capability::ALL {
        assert_eq!(settings.capability_enabled(capability), capability != Capability::PrivilegeElevation);
    }
    assert!(settings.roots(PathClass::FileWrite).is_unlimited());
    assert_eq!((settings.profile().id.as_str(), settings.warnings().len()), ("default", 0));
}

#[test]
fn the_files_have_the_shape_of_the_reference() {
    let home = Home::new();
    let handle = home.open();
    set(&handle, "mcp.shellExecute", "off");
    set(&handle, "mcp.paths.imageWrite", "/b; /a");
    set(&handle, "logging.level", "debug");
    set(&handle, "playback.speed", "2");
    set(&handle, "playback.motionMode", "strict");
    let global = r#"{
  "mcpSecurity": {
    "allowShellExecute": false,
    "paths": {
      "imageWriteRoots": [
        "/b",
        "/a"
      ]
    }
  },
  "logLevel": "Debug"
}
"#;
    assert_eq!(home.text(GLOBAL), global);
    assert_eq!(home.text(PROFILE), "{\n  \"playbackSpeed\": 2.0,\n  \"motionMode\": 1\n}\n");
    let registry = home.json("profile-registry.json");
    assert_eq!((&registry["version"], &registry["activeProfile"]), (&json!(1), &json!("default")));
    assert_eq!(registry["profiles"][0]["name"], "Default");
    assert!(registry["profiles"][0]["createdAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(home.text(&format!("{GLOBAL}.bak")), global);
    for file in [GLOBAL, PROFILE] {
        assert_eq!(fs::metadata(home.at(file)).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}

#[test]
fn a_value_is_set_and_reset_with_what_was_before() {
    let home = Home::new();
    let handle = home.open();
    let change = set(&handle, "playback.speed", "20");
    assert_eq!((change.old, change.new), (Value::Number(1.0), Value::Number(10.0)));
    assert_eq!(change.warnings, ["20 is outside 0.1 to 10; 10 was taken"]);
    assert_eq!(shown(&handle.current(), "playback.speed"), ("10".to_owned(), Source::Profile));
    let change = handle.reset("playback.speed").unwrap();
    assert_eq!((change.old, change.new), (Value::Number(10.0), Value::Number(1.0)));
    assert_eq!(shown(&handle.current(), "playback.speed"), ("1".to_owned(), Source::Default));
    assert_eq!(home.json(PROFILE), json!({}));
}

#[test]
fn what_another_program_wrote_stays() {
    let home = Home::new();
    home.put(GLOBAL, r#"{"future": {"deep": [1, 2.50, "x"]}, "theme": "Nord", "mcpSecurity": {"new": 1}}"#);
    home.put(PROFILE, r#"{"playbackSpeed": 0.5, "useRandomLoopDelay": true, "big": 12345678901234567890}"#);
    let handle = home.open();
    set(&handle, "mcp.fileRead", "no");
    set(&handle, "playback.loop", "yes");
    let expected = json!({
        "future": {"deep": [1, 2.50, "x"]}, "theme": "Nord", "mcpSecurity": {"new": 1, "allowFileRead": false},
    });
    assert_eq!(home.json(GLOBAL), expected);
    let expected = json!({"playbackSpeed": 0.5, "useRandomLoopDelay": true, "big": 12345678901234567890u64, "isLooping": true});
    assert_eq!(home.json(PROFILE), expected);
}

#[test]
fn a_change_by_someone_else_is_seen_at_the_next_call() {
    let home = Home::new();
    let handle = home.open();
    let other = home.open();
    assert!(handle.current().capability_enabled(Capability::ShellExecute));
    set(&other, "mcp.shellExecute", "false");
    assert!(!handle.current().capability_enabled(Capability::ShellExecute));
    // In place, of equal length, faster than the clock of the file system ticks.
    for round in 0..500 {
        let allowed = round % 2 == 0;
        let text = if allowed { "true " } else { "false" };
        home.put(GLOBAL, &format!(r#"{{"mcpSecurity": {{"allowShellExecute": {text}}}}}"#));
        assert_eq!(handle.current().capability_enabled(Capability::ShellExecute), allowed, "{round}");
    }
    fs::remove_file(home.at(GLOBAL)).unwrap();
    assert!(handle.current().capability_enabled(Capability::ShellExecute));
}

#[test]
fn unchanged_settings_are_the_same_object() {
    let home = Home::new();
    let handle = home.open();
    set(&handle, "ui.theme", "Nord");
    let first = handle.current();
    assert!(Arc::ptr_eq(&first, &handle.current()));
    set(&handle, "ui.theme", "Latte");
    assert!(!Arc::ptr_eq(&first, &handle.current()));
}

#[test]
fn faults_have_the_codes_of_the_reference() {
    let home = Home::new();
    let handle = home.open();
    let fault = |key: &str, text: &str| Fault::from(handle.set(key, text).unwrap_err());
    let unknown = fault("playback.sped", "1");
    assert_eq!(unknown.code, Code::InvalidArguments);
    assert_eq!(unknown.details["nearest"][0], "playback.speed");
    assert_eq!(fault("playback.speed", "1,5").code, Code::InvalidArguments);
    let secret = fault("screen.portalRestoreToken", "hunter2");
    assert!(secret.code == Code::InvalidArguments && !secret.message.contains("hunter2"));
    assert!(fs::read_dir(home.folder.path()).unwrap().next().is_none(), "nothing was made");
    fs::write(home.folder.path().join("config"), "a file where the folder belongs").unwrap();
    assert_eq!(fault("playback.speed", "1").code, Code::RuntimeError);
}

#[test]
fn the_token_of_the_portal_is_never_shown_and_can_be_cleared() {
    let home = Home::new();
    home.put(GLOBAL, r#"{"portalScreenCastRestoreToken": "s3cret", "theme": "Nord"}"#);
    let handle = home.open();
    let settings = handle.current();
    assert_eq!(shown(&settings, "screen.portalRestoreToken").0, "set");
    assert!(!format!("{settings:?}").contains("s3cret"));
    handle.reset("screen.portalRestoreToken").unwrap();
    assert_eq!(shown(&handle.current(), "screen.portalRestoreToken").0, "empty");
    assert_eq!(home.json(GLOBAL), json!({"theme": "Nord"}));
    assert!(!home.text(&format!("{GLOBAL}.bak")).contains("s3cret"));
}

#[test]
fn roots_and_the_token_are_hidden_from_clients_only() {
    let settings = Home::new().open().current();
    for entry in settings.entries() {
        let secret = entry.row.key.starts_with("mcp.paths.") || entry.row.key.contains("Token");
        assert_eq!(entry.is_hidden_from(Authority::Client), secret, "{}", entry.row.key);
        assert!(!entry.is_hidden_from(Authority::Local));
    }
}

#[test]
fn a_damaged_policy_allows_nothing_and_is_kept() {
    for damaged in
        ["{\"theme\": \"No", "", "[]", "7", "{\"mcpSecurity\": []}", "{\"mcpSecurity\":{\"paths\":1}}"]
    {
        let home = Home::new();
        home.put(GLOBAL, damaged);
        let handle = home.open();
        let settings = handle.current();
        assert_eq!(settings.capabilities(), Capability::StatusRead.into(), "{damaged}");
        let told = settings.warnings();
        assert!(told.len() == 1 && told[0].contains("MCP clients are allowed nothing"), "{told:?}");
        assert!(told[0].ends_with("apart from that, its content is taken to be the defaults"), "{told:?}");
        assert_eq!(settings.approvals().of(Capability::FileRead), Approval::Deny);
        assert!(settings.is_audit_required());
        assert_eq!(home.text(GLOBAL), damaged, "reading changes nothing");

        let change = set(&handle, "ui.theme", "Latte");
        assert_eq!(change.warnings.len(), 1);
        let settings = handle.current();
        assert_eq!(settings.capabilities(), Capability::StatusRead.into(), "{damaged}");
        assert_eq!((shown(&settings, "ui.theme").0.as_str(), settings.warnings().len()), ("Latte", 0));
        let kept: Vec<_> = home
            .names("")
            .into_iter()
            .filter(|name| name.starts_with("global-settings.json.corrupt-2"))
            .collect();
        assert_eq!(kept.len(), 1, "{:?}", home.names(""));
        assert_eq!(home.text(&kept[0]), damaged);
        assert_eq!(settings.approvals().of(Capability::FileRead), Approval::Deny, "nobody knows what it was");
    }
}

#[test]
fn a_damaged_file_comes_back_as_it_was_last_saved() {
    let home = Home::new();
    let handle = home.open();
    set(&handle, "ui.theme", "Nord");
    set(&handle, "mcp.shellExecute", "false");
    set(&handle, "playback.speed", "3");
    home.put(GLOBAL, "{");
    home.put(PROFILE, "\0\0\0\0");
    let settings = handle.current();
    assert_eq!(settings.capabilities(), Capability::StatusRead.into());
    assert_eq!(shown(&settings, "ui.theme").0, "Nord");
    assert_eq!(shown(&settings, "playback.speed").0, "3");
    assert_eq!(settings.warnings().len(), 2);
    set(&handle, "ui.language", "tr");
    set(&handle, "playback.loop", "true");
    let settings = handle.current();
    assert!(!settings.capability_enabled(Capability::ShellExecute));
    assert!(settings.capability_enabled(Capability::FileRead));
    assert_eq!(
        (shown(&settings, "ui.theme").0.as_str(), shown(&settings, "playback.speed").0),
        ("Nord", "3".into())
    );
    assert!(settings.warnings().is_empty());
}

#[test]
fn approval_is_what_the_settings_say_and_the_strictest_where_they_cannot() {
    let home = Home::new();
    let handle = home.open();
    let of = |capability| handle.current().approvals().of(capability);
    assert_eq!(of(Capability::FileRead), Approval::Auto);
    set(&handle, "mcp.approvalMode", "ASK");
    set(&handle, "mcp.approval.fileRead", "deny");
    set(&handle, "mcp.approval.fileWrite", "auto");
    let read = (of(Capability::FileRead), of(Capability::FileWrite), of(Capability::ScreenRead));
    assert_eq!(read, (Approval::Deny, Approval::Auto, Approval::Ask));
    set(&handle, "mcp.approval.fileRead", "inherit");
    assert_eq!(of(Capability::FileRead), Approval::Ask);
    set(&handle, "audit.required", "yes");
    let security = &home.json(GLOBAL)["mcpSecurity"];
    let expected = json!({"approvalMode": "ask", "approval": {"fileRead": "inherit", "fileWrite": "auto"}, "auditRequired": true});
    assert_eq!(*security, expected);
    home.put(
        GLOBAL,
        r#"{"mcpSecurity": {"approvalMode": 1, "approval": {"fileRead": "maybe"}, "auditRequired": "no"}}"#,
    );
    assert_eq!((of(Capability::FileRead), of(Capability::ScreenRead)), (Approval::Deny, Approval::Deny));
    assert!(handle.current().is_audit_required());
    assert_eq!(handle.current().warnings().len(), 3, "{:?}", handle.current().warnings());
    home.put(GLOBAL, r#"{"mcpSecurity": {"approval": [1]}}"#);
    assert_eq!(handle.current().capabilities(), Capability::StatusRead.into(), "no shape of settings");
}

#[test]
fn one_damaged_value_costs_only_itself() {
    let home = Home::new();
    home.put(
        GLOBAL,
        r#"{"theme": 5, "language": "tr", "mcpSecurity": {"allowFileRead": "yes", "allowRecording": null,
            "paths": {"fileReadRoots": [7]}}}"#,
    );
    home.put(PROFILE, r#"{"playbackSpeed": -1, "loopCount": 2.5, "isLooping": true}"#);
    let settings = home.open().current();
    assert_eq!(shown(&settings, "ui.theme").0, "Mocha");
    assert_eq!(shown(&settings, "ui.language").0, "tr");
    assert_eq!(shown(&settings, "playback.speed").0, "0.1");
    assert_eq!(shown(&settings, "playback.loopCount").0, "1");
    assert!(!settings.capability_enabled(Capability::FileRead), "a permission that is no boolean is a no");
    assert!(
        settings.capability_enabled(Capability::Recording)
            && settings.capability_enabled(Capability::FileWrite)
    );
    let roots = settings.roots(PathClass::FileRead);
    assert!(!roots.is_unlimited() && roots.iter().all(Result::is_err));
    assert_eq!(settings.warnings().len(), 4, "{:#?}", settings.warnings());
}

#[test]
fn hostile_files_end_in_bounded_time() {
    let home = Home::new();
    let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
    let huge = format!("{{\"theme\": \"{}\"}}", "x".repeat(5 << 20));
    for text in [deep.as_str(), huge.as_str(), "\u{feff}{\"theme\":", "{\"theme\": \"\\ud800\"}"] {
        home.put(GLOBAL, text);
        assert_eq!(home.open().current().warnings().len(), 1);
    }
    home.put(GLOBAL, "\u{feff}{\"theme\": \"Nord\"}");
    assert_eq!(shown(&home.open().current(), "ui.theme").0, "Nord", "a byte-order mark is no damage");
    fs::remove_file(home.at(GLOBAL)).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, home.at(GLOBAL), fifo, mode, 0).unwrap();
    let handle = home.open();
    assert_eq!(handle.current().capabilities(), Capability::StatusRead.into());
    assert!(matches!(handle.set("ui.theme", "Nord"), Err(SettingsFault::Save(_))));
}

#[test]
fn a_file_placed_by_a_dotfile_manager_stays_a_link() {
    let home = Home::new();
    let dotfiles = home.folder.path().join("dotfiles");
    fs::create_dir(&dotfiles).unwrap();
    let target = dotfiles.join("crossmacro.json");
    fs::write(&target, r#"{"theme": "Nord"}"#).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o644)).unwrap();
    home.put("x", "");
    symlink(&target, home.at(GLOBAL)).unwrap();
    let handle = home.open();
    assert_eq!(shown(&handle.current(), "ui.theme").0, "Nord");
    set(&handle, "ui.theme", "Latte");
    assert!(fs::symlink_metadata(home.at(GLOBAL)).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains("Latte"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o644, "the mode is kept");
    assert_eq!(shown(&handle.current(), "ui.theme").0, "Latte");
    fs::remove_file(&target).unwrap();
    let fault = handle.set("ui.theme", "Nord").unwrap_err();
    assert!(fault.to_string().contains("symbolic link to nothing"), "{fault}");
}

#[test]
fn what_root_saves_for_a_user_belongs_to_the_user() {
    let home = Home::new();
    if !rustix::process::geteuid().is_root() {
        // Nobody else can give files away: then this is about the user's own files.
        set(&home.open(), "ui.theme", "Nord");
        return;
    }
    std::os::unix::fs::chown(home.folder.path(), Some(1_234), Some(1_235)).unwrap();
    set(&home.open(), "ui.theme", "Nord");
    set(&home.open(), "playback.speed", "2");
    for file in ["", ".lock", GLOBAL, "global-settings.json.bak", "profiles", "profiles/default", PROFILE] {
        let metadata = fs::metadata(home.at(file)).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1_234, 1_235), "{file}");
    }
}

#[test]
fn a_profile_folder_that_is_a_link_is_not_followed() {
    let home = Home::new();
    let outside = home.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("settings.json"), r#"{"playbackSpeed": 9}"#).unwrap();
    home.put("profiles/x", "");
    symlink(&outside, home.at("profiles/default")).unwrap();
    let handle = home.open();
    assert_eq!(shown(&handle.current(), "playback.speed").0, "1");
    assert_eq!(handle.current().warnings().len(), 1);
    assert!(handle.set("playback.speed", "2").is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert!(fs::read_to_string(outside.join("settings.json")).unwrap().contains('9'));
}

#[test]
fn the_active_profile_has_its_own_settings() {
    let home = Home::new();
    let registry = |active: &str| {
        json!({"version": 1, "activeProfile": active, "extra": true, "profiles": [
            {"id": "default", "name": "Default"}, {"id": "work", "name": "At Work"}]})
        .to_string()
    };
    home.put("profile-registry.json", &registry("work"));
    home.put("profiles/work/settings.json", r#"{"playbackSpeed": 4}"#);
    home.put(PROFILE, r#"{"playbackSpeed": 5}"#);
    let handle = home.open();
    assert_eq!(shown(&handle.current(), "playback.speed").0, "4");
    assert_eq!(handle.current().profile().name, "At Work");
    set(&handle, "playback.loop", "true");
    assert_eq!(home.json("profiles/work/settings.json"), json!({"playbackSpeed": 4, "isLooping": true}));
    home.put("profile-registry.json", &registry("default"));
    assert_eq!(shown(&handle.current(), "playback.speed").0, "5");
    home.put("profile-registry.json", &registry("gone"));
    assert_eq!((handle.current().profile().id.as_str(), handle.current().warnings().len()), ("default", 1));
    assert_eq!(home.text("profile-registry.json"), registry("gone"), "settings never rewrite the registry");
}

#[test]
fn the_old_layout_is_read_and_moved_at_the_first_save() {
    let home = Home::new();
    let old =
        r#"{"theme": "Nord", "playbackSpeed": 2.5, "mystery": 1, "mcpSecurity": {"allowFileRead": false}}"#;
    home.put("settings.json", old);
    home.put("hotkeys.json", r#"{ "recordingHotkey" : "F8" }"#);
    home.put("shortcuts.json", "[not json, but copied");
    let handle = home.open();
    assert_eq!(shown(&handle.current(), "ui.theme"), ("Nord".into(), Source::Global));
    assert_eq!(shown(&handle.current(), "playback.speed"), ("2.5".into(), Source::Profile));
    assert!(!handle.current().capability_enabled(Capability::FileRead));
    assert_eq!(home.names(""), ["hotkeys.json", "settings.json", "shortcuts.json"], "reading moves nothing");

    set(&handle, "playback.loop", "true");
    let global = json!({"theme": "Nord", "mystery": 1, "mcpSecurity": {"allowFileRead": false}});
    assert_eq!(home.json(GLOBAL), global);
    assert_eq!(home.json(PROFILE), json!({"playbackSpeed": 2.5, "mystery": 1, "isLooping": true}));
    for list in ["hotkeys.json", "shortcuts.json"] {
        assert_eq!(home.text(&format!("profiles/default/{list}")), home.text(list));
    }
    assert_eq!(home.text("settings.json"), old, "the originals stay");
    fs::remove_file(home.at("settings.json")).unwrap();
    assert_eq!(shown(&handle.current(), "ui.theme").0, "Nord");
}

#[test]
fn a_damaged_old_file_stops_the_move() {
    let home = Home::new();
    home.put("settings.json", "{\"theme\"");
    let handle = home.open();
    assert_eq!(handle.current().capabilities(), Capability::StatusRead.into());
    assert_eq!(handle.current().warnings().len(), 1);
    let fault = handle.set("ui.theme", "Nord").unwrap_err();
    assert!(fault.to_string().contains("`settings.json`"), "{fault}");
    assert!(!Path::new(&home.at("profile-registry.json")).exists());
}
