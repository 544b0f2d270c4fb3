//! The binary itself: data shapes and exit codes of `profile` and `text-expansion`, completions and manual.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(TempDir::with_prefix("crossmacro-cli-").unwrap())
    }

    fn at(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_crossmacro"))
            .args(words)
            .current_dir(self.0.path())
            .env("XDG_CONFIG_HOME", self.at("config"))
            .env_remove("DISPLAY")
            .output()
            .unwrap()
    }

    /// Exit status and data.
    fn json(&self, words: &[&str]) -> (i32, Value) {
        let output = self.run(&[words, &["--json"]].concat());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let code = output.status.code().unwrap();
        assert_eq!(answer["code"], code, "{answer}");
        (code, answer["data"].clone())
    }
}

#[test]
fn profiles_have_the_shapes_and_exit_codes_of_the_reference() {
    let home = Home::new();
    let (code, made) = home.json(&["profile", "create", "My Work"]);
    assert_eq!((code, &made["id"], &made["isActive"]), (0, &json!("my-work"), &json!(false)));
    assert_eq!(made.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "name", "createdAt", "isActive"]);
    assert_eq!(home.json(&["profile", "create", "MY WORK"]), (2, Value::Null));
    assert_eq!(home.json(&["PROFILE", "Switch", "my work"]).1["isActive"], true);
    assert_eq!(home.json(&["profile", "delete", "my-work", "--force"]).0, 2);
    let (_, list) = home.json(&["profile", "list"]);
    assert_eq!(
        (list["profiles"].as_array().unwrap().len(), &list["activeProfileId"]),
        (2, &json!("my-work"))
    );
    assert_eq!(home.json(&["profile", "switch", "default"]).0, 0);
    assert_eq!(home.json(&["profile", "delete", "my-work"]).0, 2);
    assert_eq!(home.json(&["profile", "rename", "my-work", "Other"]).1["name"], "Other");
    assert_eq!(home.json(&["profile", "delete", "other", "--force"]).1["id"], "my-work");
    assert_eq!(home.json(&["profile", "current"]).1["id"], "default");
}

#[test]
fn text_expansions_have_the_shapes_and_exit_codes_of_the_reference() {
    let home = Home::new();
    let (code, added) = home.json(&["text", "add", "-sig", "Grüße\nAda", "--method", "SHIFTINSERT"]);
    let shown = json!({"trigger": "-sig", "replacement": "Grüße\nAda", "isEnabled": true, "method": "ShiftInsert",
        "insertionMode": "Paste", "directTypingMethod": "FastBatch"});
    assert_eq!((code, &added), (0, &shown));
    assert_eq!(home.json(&["text-expansion", "add", "-SIG", "x"]).0, 2);
    assert_eq!(home.json(&["text-expansion", "add", "x", "x", "--method", "CtrlX"]).0, 2);
    let list = json!({"expansions": [shown], "profileId": "default", "count": 1});
    assert_eq!(home.json(&["text-expansion", "list"]), (0, list));
    let test = json!({"found": true, "expansion": shown});
    assert_eq!(home.json(&["text-expansion", "test", "-Sig"]), (0, test));
    assert_eq!(home.json(&["text-expansion", "test", "no"]), (2, Value::Null));
    assert_eq!(home.json(&["text-expansion", "disable", "-sig"]).1["isEnabled"], false);
    assert_eq!(home.json(&["text-expansion", "list", "--profile", "nobody"]).0, 2);
    assert_eq!(home.json(&["text-expansion", "remove", "-sig"]).0, 0);
    // What can't be saved is a failure while running.
    std::fs::remove_dir_all(home.at("config")).unwrap();
    std::fs::write(home.at("config"), "in the way").unwrap();
    assert_eq!(home.json(&["text-expansion", "add", "x", "x"]).0, 6);
}

#[test]
fn an_archive_goes_out_and_comes_back() {
    let home = Home::new();
    home.json(&["text", "add", ":a", "A"]);
    let (code, out) = home.json(&["profile", "export", "p.tar.gz"]);
    assert_eq!((code, &out["files"]), (0, &json!(["manifest.json", "text-expansions.json"])));
    assert_eq!(home.json(&["profile", "import", "p.tar.gz"]).0, 2);
    let (code, plan) = home.json(&["profile", "import", "p.tar.gz", "--name", "Copy", "--dry-run"]);
    assert_eq!((code, &plan["dryRun"], &plan["profile"]["id"]), (0, &json!(true), &json!("copy")));
    assert!(!home.at("config/crossmacro/profiles/copy").exists());
    assert_eq!(home.json(&["profile", "import", "p.tar.gz", "--name", "Copy"]).0, 0);
    assert_eq!(home.json(&["text", "list", "--profile", "copy"]).1["count"], 1);
    assert_eq!(home.json(&["profile", "import", "missing.tar.gz"]).0, 3);
    std::fs::write(home.at("bad.tar.gz"), "nonsense").unwrap();
    assert_eq!(home.json(&["profile", "import", "bad.tar.gz"]).0, 4);
}

/// Whether a shell takes a script; a shell that is not installed says nothing about it.
fn shell_takes(shell: &str, script: &Path) -> Option<bool> {
    Some(Command::new(shell).arg("-n").arg(script).status().ok()?.success())
}

#[test]
fn completions_and_manual_are_made_of_the_tree() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        let output = home.run(&["completions", shell]);
        assert!(output.status.success());
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["crossmacro", "text-expansion", "insertion-mode", "export"] {
            assert!(script.contains(word), "{shell} {word}");
        }
        assert!(!script.contains("internal-clipboard-server"), "{shell}");
        std::fs::write(home.at(shell), &script).unwrap();
        assert_ne!(shell_takes(shell, &home.at(shell)), Some(false), "{shell}");
    }
    // Bash is there wherever this is built, and completes a subcommand by the script.
    let script = "source ./bash; COMP_WORDS=(crossmacro profile exp); COMP_CWORD=2; _crossmacro crossmacro exp profile; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", script]).current_dir(home.at("")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "export");

    let page = String::from_utf8(home.run(&["man"]).stdout).unwrap();
    assert!(page.contains(".TH crossmacro 1") && page.contains("text\\-expansion"), "{page}");
    std::fs::create_dir(home.at("man1")).unwrap();
    let (code, done) = home.json(&["man", "--output", "man1"]);
    assert_eq!(code, 0);
    assert!(done["files"].as_array().unwrap().contains(&json!("crossmacro-profile-import.1")), "{done}");
    assert!(!home.at("man1/crossmacro-internal-clipboard-server.1").exists());
    let text = std::fs::read_to_string(home.at("man1/crossmacro-profile-import.1")).unwrap();
    assert!(text.contains("dry\\-run"));
}
