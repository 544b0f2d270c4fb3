//! The real binary in a home of its own, with or without a private display.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "every test file uses its own part"
)]

use crossmacro_platform_linux::private_x::PrivateX;
use crossmacro_testkit::home::Home;
use serde_json::Value;
use std::process::{Command, Stdio};

pub(crate) struct Shell {
    pub(crate) home: Home,
    pub(crate) session: Option<PrivateX>,
}

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The one JSON object that standard output must be.
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {:?} {:?}", self.out, self.err));
        let fields: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["status", "code", "message", "data", "warnings", "errors"]);
        assert_eq!(value["code"], self.code);
        assert_eq!(value["status"], if self.code == 0 { "ok" } else { "error" });
        value
    }
}

impl Shell {
    pub(crate) fn without_display() -> Self {
        Self { home: Home::new().unwrap(), session: None }
    }

    pub(crate) fn on(session: PrivateX) -> Self {
        Self { home: Home::new().unwrap(), session: Some(session) }
    }

    pub(crate) fn session(&self) -> &PrivateX {
        self.session.as_ref().unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crossmacro"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in ["DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "COLUMNS"] {
            command.env_remove(name);
        }
        self.home.apply(&mut command);
        command.current_dir(self.home.path());
        if let Some(session) = &self.session {
            session.apply_envs(&mut command);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The JSON answer of a command that must end with `code`.
    pub(crate) fn json(&self, code: i32, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.insert(0, "--json");
        let ran = self.run(&all);
        assert_eq!(ran.code, code, "{arguments:?}: {} {}", ran.out, ran.err);
        ran.json()
    }
}
