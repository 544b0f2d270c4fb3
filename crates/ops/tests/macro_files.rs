//! What the operations on macro files say and write.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_ops::{Call, Response, Surface, guard};
use crossmacro_platform::Cancel;
use desk::Desk;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

impl Desk {
    /// The same as a person at the command line asks for it.
    fn local(&self, name: &str, arguments: Value) -> Response {
        guard::call(&self.context, &Call::new(Surface::Cli, &Cancel::new()), name, arguments)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

const MENU: &str = "# Name: Menu\n# Created: 2030-02-03T04:05:06.0000000+01:00\n# IsAbsolute: True\n# TrailingDelayUs: 1500\n\
    # TrailingRandomDelayMs: 5,9\n[Events]\nM,abs,1,2\nW,40\nP,abs,1,2,Left\nW,1\nR,abs,1,2,Left\nC,0,0,ScrollUp\nKP,30\nKR,30\n";

#[test]
fn inspect_tells_everything_but_the_content() {
    let desk = Desk::new();
    let path = desk.write("menu.macro", MENU);
    let reply = desk.ok("macro.inspect", json!({"macroPath": path}));
    let expected = json!({
        "macroPath": path, "macroName": "Menu", "eventCount": 6, "stepCount": 0, "totalDurationMs": 41,
        "coordinateMode": "absolute", "isAbsoluteCoordinates": true, "createdAt": "2030-02-03T03:05:06Z",
        "skipInitialZeroZero": false, "trailingDelayMicroseconds": 1500, "trailingDelayMs": 1,
        "hasTrailingRandomDelay": true, "trailingDelayMinMs": 5, "trailingDelayMaxMs": 9,
        "eventBreakdown": {"mouseMove": 1, "buttonPress": 1, "buttonRelease": 1, "click": 1, "keyPress": 1, "keyRelease": 1},
    });
    assert_eq!(reply["macro"], expected);
    let reply = desk.ok("macro.validate", json!({"macroPath": path}));
    for field in
        ["macroPath", "macroName", "eventCount", "totalDurationMs", "coordinateMode", "isAbsoluteCoordinates"]
    {
        assert_eq!(reply["macro"][field], expected[field], "{field}");
    }
}

#[test]
fn each_error_is_told_with_its_line() {
    let desk = Desk::new();
    let path = desk.write("wrong.macro", "[Script]\nclik left\n[Events]\nKP,A\nM,abs,1\nKP,30,5\nKR,30\n");
    for (tool, is_told) in [("macro.inspect", true), ("macro.validate", false)] {
        let response = desk.call(tool, json!({"macroPath": path}));
        let outcome = &response.outcome;
        assert_eq!((outcome.success, outcome.exit_code), (false, 4));
        assert_eq!(outcome.warnings, ["line 6: \"5\" is more than this line has use for"]);
        let lines: Vec<_> =
            outcome.errors.iter().map(|error| (error.code, error.details["line"].clone())).collect();
        let expected = [4, 5, 2].map(|line| ("validation_error", json!(line)));
        assert_eq!(lines, expected);
        assert_eq!(outcome.errors[2].details["nearest"], json!(["click"]));
        assert_eq!(response.reply["macro"]["eventCount"], if is_told { json!(2) } else { Value::Null });
        assert!(response.text().contains("line 5: expected a whole number for y"), "{}", response.text());
    }
}

#[test]
fn what_is_no_macro_file_is_refused() {
    let desk = Desk::new();
    let path = |name: &str| desk.home.path().join(name);
    desk.write("a.txt", MENU);
    desk.write("empty.macro", "");
    desk.write("binary.macro", [0x7f, b'E', b'L', b'F', 0, 0, b'\n']);
    std::fs::create_dir(path("folder.macro")).unwrap();
    desk.write("menu.macro", MENU);
    std::os::unix::fs::symlink(path("menu.macro"), path("link.macro")).unwrap();
    std::fs::hard_link(desk.write("two.macro", MENU), path("names.macro")).unwrap();
    let large = std::fs::File::create(path("large.macro")).unwrap();
    large.set_len(3 << 30).unwrap();
    for (name, code) in [
        ("a.txt", "invalid_arguments"),
        ("missing.macro", "file_error"),
        ("empty.macro", "validation_error"),
        ("binary.macro", "validation_error"),
        ("folder.macro", "invalid_arguments"),
        ("link.macro", "path_not_allowed"),
        ("names.macro", "path_not_allowed"),
        ("large.macro", "validation_error"),
    ] {
        for tool in ["macro.inspect", "macro.validate"] {
            assert_eq!(desk.fault(tool, json!({"macroPath": path(name)})).0, code, "{tool} {name}");
        }
    }
    // Two gigabytes of nothing in one line.
    large.set_len(2 << 30).unwrap();
    let (code, message) = desk.fault("macro.validate", json!({"macroPath": path("large.macro")}));
    assert_eq!((code.as_str(), message.contains("line 1")), ("validation_error", true), "{message}");
    for relative in ["menu.macro", "", "/tmp/../menu.macro"] {
        assert_eq!(
            desk.fault("macro.inspect", json!({"macroPath": relative})).0,
            "invalid_arguments",
            "{relative:?}"
        );
    }
}

/// A PNG whose header is right and whose pixels are not.
fn bad_png() -> &'static str {
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNQaPgPRAwQCgAp9gZ9+j4nyAAAAABJRU5ErkJghh=="
}

#[test]
fn pictures_are_decoded_to_the_end() {
    let desk = Desk::new();
    let good = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNQaPgPRAwQCgAp9gZ9+j4nyAAAAABJRU5ErkJggg==";
    let of = |png: &str| format!("# Image: ok = {png}\n[Script]\nwaitimage ok timeout 5\n");
    let path = desk.write("good.macro", of(good));
    desk.ok("macro.validate", json!({"macroPath": path}));
    let path = desk.write("bad.macro", of(bad_png()));
    let (code, message) = desk.fault("macro.validate", json!({"macroPath": path}));
    assert_eq!(code, "validation_error");
    assert!(message.contains("ok"), "{message}");
}

#[test]
fn a_folder_is_listed_in_pages() {
    let desk = Desk::new();
    let folder = desk.home.path().join("macros");
    std::fs::create_dir(&folder).unwrap();
    for index in 0..130 {
        std::fs::write(folder.join(format!("m{index:03}.macro")), "x").unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "x").unwrap();
    std::fs::create_dir(folder.join("m000a.macro")).unwrap();
    std::os::unix::fs::symlink(folder.join("m000.macro"), folder.join("m000b.macro")).unwrap();
    let ask = |cursor: Value| desk.ok("macro.list", json!({"directoryPath": folder, "cursor": cursor}));
    let first = ask(Value::Null);
    assert_eq!((&first["isTruncated"], &first["cursor"]), (&json!(true), &json!(100)));
    let second = ask(json!(100));
    assert_eq!((&second["isTruncated"], &second["cursor"]), (&json!(false), &Value::Null));
    let names: Vec<_> = [&first, &second]
        .iter()
        .flat_map(|page| page["macros"].as_array().unwrap())
        .map(|file| file["fileName"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, (0..130).map(|index| format!("m{index:03}.macro")).collect::<Vec<_>>());
    let file = &first["macros"][7];
    assert_eq!(file["macroPath"], json!(folder.join("m007.macro")));
    assert_eq!(file["sizeBytes"], 1);
    assert!(file["lastWriteTimeUtc"].as_str().unwrap().ends_with('Z'));
    for (path, code) in [
        (folder.join("none"), "file_error"),
        (folder.join("notes.txt"), "file_error"),
        (Path::new("relative").to_owned(), "invalid_arguments"),
    ] {
        assert_eq!(desk.fault("macro.list", json!({"directoryPath": path})).0, code, "{}", path.display());
    }
    let empty = desk.ok("macro.list", json!({"directoryPath": desk.home.path()}));
    assert_eq!((&empty["macros"], &empty["isTruncated"]), (&json!([]), &json!(false)));
}

#[test]
fn roots_and_restrictions_hold() {
    let desk = Desk::new();
    let path = desk.write("menu.macro", MENU);
    let allowed = desk.home.path().join("allowed");
    std::fs::create_dir(&allowed).unwrap();
    std::fs::write(allowed.join("in.macro"), MENU).unwrap();
    let set = json!({"key": "mcp.paths.macroRead", "value": allowed});
    assert!(desk.local("settings.set", set).outcome.success);
    assert_eq!(desk.fault("macro.inspect", json!({"macroPath": path})).0, "path_not_allowed");
    assert_eq!(desk.fault("macro.list", json!({"directoryPath": desk.home.path()})).0, "path_not_allowed");
    desk.ok("macro.inspect", json!({"macroPath": allowed.join("in.macro")}));
    assert_eq!(
        desk.ok("macro.list", json!({"directoryPath": allowed}))["macros"].as_array().unwrap().len(),
        1
    );
    std::os::unix::fs::symlink(desk.home.path(), allowed.join("out")).unwrap();
    assert_eq!(desk.fault("macro.list", json!({"directoryPath": allowed.join("out")})).0, "path_not_allowed");
    assert!(Desk::restricted().call("macro.list", json!({"directoryPath": "/"})).outcome.success);
    let denied = json!({"key": "mcp.macroRead", "value": "false"});
    assert!(desk.local("settings.set", denied).outcome.success);
    for (tool, arguments) in [
        ("macro.list", json!({"directoryPath": allowed})),
        ("macro.inspect", json!({"macroPath": allowed.join("in.macro")})),
        ("macro.validate", json!({"macroPath": allowed.join("in.macro")})),
    ] {
        assert_eq!(desk.fault(tool, arguments).0, "capability_denied", "{tool}");
    }
    // The other four are for the command line.
    for tool in ["macro.diff", "macro.convert", "macro.render", "macro.lint"] {
        assert_eq!(desk.fault(tool, json!({})).0, "tool_not_allowed", "{tool}");
    }
}

#[test]
fn a_conversion_replaces_the_file_or_leaves_it() {
    let desk = Desk::new();
    let input = desk.write("menu.macro", MENU);
    let output = desk.write("out.macro", "old");
    let arguments =
        |lenient: bool, input: &Path| json!({"inputPath": input, "outputPath": output, "lenient": lenient});
    let done = desk.local("macro.convert", arguments(false, &input));
    assert!(done.outcome.success, "{}", done.text());
    let text = std::fs::read_to_string(&output).unwrap();
    assert!(text.contains("[Script]\nmove abs 1 2\ndelay 40\ndown left\n"), "{text}");
    let shell = desk.write("login.sh", "xdotool key Tab\nxdotool search x\nxdotool key Return\n");
    let refused = desk.local("macro.convert", arguments(false, &shell));
    assert_eq!(refused.outcome.exit_code, 4);
    assert_eq!(std::fs::read_to_string(&output).unwrap(), text, "the file was touched");
    let done = desk.local("macro.convert", arguments(true, &shell));
    assert!(done.outcome.success, "{}", done.text());
    assert_eq!(done.outcome.warnings.len(), 1);
    let text = std::fs::read_to_string(&output).unwrap();
    assert!(text.contains("tap Tab\n# line 2, not converted: xdotool search x\ntap Enter\n"), "{text}");
    assert!(text.contains("# Name: login\n"), "{text}");
    let left: Vec<_> =
        std::fs::read_dir(desk.home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains(".tmp")), "{left:?}");
}

#[test]
fn a_macro_becomes_a_picture() {
    let desk = Desk::new();
    let input = desk.write("menu.macro", MENU);
    let output = desk.home.path().join("menu.png");
    let done = desk.local("macro.render", json!({"macroPath": input, "outputPath": output}));
    assert!(done.outcome.success, "{}", done.text());
    let bytes = std::fs::read(&output).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    assert_eq!(done.reply["width"], 1600);
    let script = desk.write("look.macro", "[Script]\nwaitcolor 1 1 FF0000\n");
    let refused = desk.local("macro.render", json!({"macroPath": script, "outputPath": output}));
    assert_eq!(refused.outcome.exit_code, 4);
    assert_eq!(std::fs::read(&output).unwrap(), bytes);
}
