//! A context over the simulated desktop, and calls through the guard as a client makes them.
#![allow(dead_code, clippy::unwrap_used, reason = "every test file uses its own part")]

use crossmacro_ops::{Call, Context, Response, Surface, guard};
use crossmacro_platform::Cancel;
use crossmacro_platform::fake::FakeDesktop;
use crossmacro_store::{Directories, SettingsHandle};
use serde_json::Value;
use std::sync::Arc;

pub(crate) struct Desk {
    pub(crate) fake: FakeDesktop,
    pub(crate) context: Context,
    pub(crate) home: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(false)
    }

    pub(crate) fn restricted() -> Self {
        Self::with(true)
    }

    fn with(is_restricted: bool) -> Self {
        let fake = FakeDesktop::new();
        let home = tempfile::tempdir().unwrap();
        let settings = settings(home.path());
        let context = Context::new(fake.source(), Arc::new(settings), is_restricted);
        Self { fake, context, home }
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> Response {
        guard::call(&self.context, &Call::new(Surface::Mcp, &Cancel::new()), name, arguments)
    }

    /// The structured answer of a call that must succeed.
    pub(crate) fn ok(&self, name: &str, arguments: Value) -> Value {
        let response = self.call(name, arguments);
        assert!(response.outcome.success, "{name}: {}", response.text());
        response.structured()
    }

    /// Code and message of a call that must fail.
    pub(crate) fn fault(&self, name: &str, arguments: Value) -> (String, String) {
        let response = self.call(name, arguments);
        assert!(!response.outcome.success, "{name}: {}", response.text());
        let problem = &response.outcome.errors[0];
        assert_ne!(response.outcome.exit_code, 0);
        (problem.code.to_owned(), problem.message.clone())
    }
}

fn settings(home: &std::path::Path) -> SettingsHandle {
    SettingsHandle::open(&Directories::beneath(home))
}
