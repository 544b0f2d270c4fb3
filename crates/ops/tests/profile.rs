//! What the operations on profiles say and do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_ops::{Call, Response, Surface, guard};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::{Value, json};

impl Desk {
    /// The same as a person at the command line asks for it.
    fn local(&self, name: &str, arguments: Value) -> Response {
        guard::call(&self.context, &Call::new(Surface::Cli, &Cancel::new()), name, arguments)
    }

    fn file(&self, path: &str) -> Value {
        serde_json::from_slice(&std::fs::read(self.home.path().join("config").join(path)).unwrap()).unwrap()
    }
}

#[test]
fn a_profile_lives_from_create_to_delete() {
    let desk = Desk::new();
    let made = desk.ok("profile.create", json!({"name": " Büro "}));
    assert_eq!((&made["action"], &made["activeProfileId"]), (&json!("create"), &Value::Null));
    let shown = &made["profiles"][0];
    assert_eq!(
        (&shown["id"], &shown["name"], &shown["isActive"]),
        (&json!("b-ro"), &json!("Büro"), &json!(false))
    );
    assert!(shown["createdAt"].as_str().unwrap().ends_with('Z'));
    let switched = desk.ok("profile.switch", json!({"profile": "BÜRO"}));
    assert_eq!(
        (&switched["profiles"][0]["isActive"], &switched["activeProfileId"]),
        (&json!(true), &json!("b-ro"))
    );
    assert_eq!(desk.file("profile-registry.json")["activeProfile"], "b-ro");
    assert_eq!(desk.ok("status.get", json!({}))["activeProfile"], json!({"id": "b-ro", "name": "Büro"}));
    desk.ok("profile.rename", json!({"profile": "b-ro", "newName": "Office"}));
    assert_eq!(desk.ok("profile.current", json!({}))["profiles"][0]["name"], "Office");
    for protected in ["Office", "default"] {
        let (code, _) = desk.fault("profile.delete", json!({"profile": protected, "force": true}));
        assert_eq!(code, "invalid_arguments");
    }
    desk.ok("profile.switch", json!({"profile": "default"}));
    let refused = desk.call("profile.delete", json!({"profile": "office"}));
    assert_eq!(refused.outcome.exit_code, 2);
    assert_eq!(refused.structured()["profiles"], json!([]));
    let gone = desk.ok("profile.delete", json!({"profile": "office", "force": true}));
    assert_eq!(gone["profiles"][0]["id"], "b-ro");
    let list = desk.ok("profile.list", json!({}));
    assert_eq!(
        (list["profiles"].as_array().unwrap().len(), &list["activeProfileId"]),
        (1, &json!("default"))
    );
    assert!(!desk.home.path().join("config/profiles/b-ro").exists());
}

#[test]
fn refusals_name_what_is_wrong() {
    let desk = Desk::new();
    desk.ok("profile.create", json!({"name": "Work"}));
    for (tool, arguments) in [
        ("profile.create", json!({"name": "WORK"})),
        ("profile.create", json!({"name": "a/b"})),
        ("profile.create", json!({"name": ""})),
        ("profile.create", json!({})),
        ("profile.switch", json!({"profile": "nobody"})),
        ("profile.rename", json!({"profile": "work", "newName": "default"})),
        ("profile.delete", json!({"profile": "work", "force": "yes"})),
    ] {
        assert_eq!(desk.fault(tool, arguments.clone()).0, "invalid_arguments", "{tool} {arguments}");
    }
    let response = desk.call("profile.switch", json!({"profile": "wrok"}));
    assert_eq!(response.outcome.errors[0].details["nearest"], json!(["Work"]));
}

#[test]
fn without_the_capability_not_even_the_list_is_shown() {
    let desk = Desk::new();
    desk.context.settings().set("mcp.profileManage", "no").unwrap();
    for (tool, arguments) in [("profile.list", json!({})), ("profile.create", json!({"name": "x"}))] {
        assert_eq!(desk.fault(tool, arguments).0, "capability_denied");
    }
    // The archives are a matter of the person alone.
    let path = desk.home.path().join("x.tar.gz");
    assert_eq!(desk.fault("profile.export", json!({"outputPath": path})).0, "tool_not_allowed");
}

#[test]
fn an_archive_goes_out_and_comes_back_with_its_macros() {
    let desk = Desk::new();
    let home = desk.home.path();
    std::fs::write(home.join("hi.macro"), "# Name: hi\n").unwrap();
    let tasks = json!([{"id": "1", "name": "T", "macroFilePath": home.join("hi.macro"), "isEnabled": true}]);
    let profile = home.join("config/profiles/default");
    std::fs::create_dir_all(&profile).unwrap();
    std::fs::write(profile.join("shortcuts.json"), tasks.to_string()).unwrap();
    desk.ok("text_expansion.add", json!({"trigger": ":a", "replacement": "A"}));
    let archive = home.join("p.tar.gz");
    let out = desk.local("profile.export", json!({"outputPath": archive}));
    assert!(out.outcome.success, "{}", out.text());
    let names = json!(["manifest.json", "shortcuts.json", "text-expansions.json", "macros/hi.macro"]);
    assert_eq!(out.structured()["files"], names);

    let taken = desk.local("profile.import", json!({"inputPath": archive}));
    assert_eq!(taken.outcome.exit_code, 2, "the name is taken: {}", taken.text());
    let arguments = json!({"inputPath": archive, "name": "Copy", "dryRun": true});
    let planned = desk.local("profile.import", arguments).structured();
    assert_eq!(
        (&planned["dryRun"], &planned["isNew"], &planned["switchedOff"]),
        (&json!(true), &json!(true), &json!(1))
    );
    assert!(!home.join("config/profiles/copy").exists());
    let done = desk.local("profile.import", json!({"inputPath": archive, "name": "Copy"})).structured();
    assert_eq!((&done["files"], &done["repointed"]), (&planned["files"], &planned["repointed"]));
    let task = &desk.file("profiles/copy/shortcuts.json")[0];
    assert_eq!(task["macroFilePath"], json!(home.join("config/profiles/copy/macros/hi.macro")));
    assert_eq!(task["isEnabled"], false);
    assert_eq!(
        std::fs::read_to_string(home.join("config/profiles/copy/macros/hi.macro")).unwrap(),
        "# Name: hi\n"
    );
    assert_eq!(desk.ok("text_expansion.list", json!({"profile": "copy"}))["expansions"][0]["trigger"], ":a");
    assert_eq!(desk.ok("profile.list", json!({}))["activeProfileId"], "default");

    std::fs::write(home.join("not.tar.gz"), "nonsense").unwrap();
    let refused = desk.local("profile.import", json!({"inputPath": home.join("not.tar.gz")}));
    assert_eq!((refused.outcome.errors[0].code, refused.outcome.exit_code), ("validation_error", 4));
}
