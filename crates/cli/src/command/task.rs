//! What `schedule`, `shortcut` and `trigger` have in common.

use super::{Shell, absolute};
use crate::render::Answer;
use crossmacro_model::task::Choice;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Arguments of an operation, of which those that were not given are left out: an edit keeps what it is not told.
#[derive(Default)]
pub(super) struct Given(Map<String, Value>);

impl Given {
    pub(super) fn of(id: &str) -> Self {
        Self::default().with("taskId", Some(id))
    }

    pub(super) fn with(mut self, name: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
        self
    }

    /// A macro: the operations take absolute paths only.
    pub(super) fn with_macro(self, path: Option<&Path>) -> Self {
        self.with("macroPath", path.map(|path| absolute(path).to_string_lossy().into_owned()))
    }

    /// Plays the macro of a task.
    pub(super) fn run(self, shell: &Shell, operation: &str) -> Answer {
        Answer::of(&shell.call(operation, Value::Object(self.0)), |reply| reply["run"].clone())
    }

    pub(super) fn call(self, shell: &Shell, operation: &str) -> Answer {
        Answer::of(&shell.call(operation, Value::Object(self.0)), |reply| reply["task"].clone())
    }
}

/// All tasks of a kind.
pub(super) fn list(shell: &Shell, operation: &str) -> Answer {
    Answer::of(&shell.call(operation, json!({})), |reply| {
        let count = reply["tasks"].as_array().map_or(0, Vec::len);
        json!({"count": count, "tasks": reply["tasks"]})
    })
}

/// A name in any case, as the operations want it.
pub(super) fn choice<C: Choice>(text: &str) -> Result<&'static str, String> {
    C::parse(text).map(Choice::name).map_err(|unknown| unknown.to_string())
}

/// A number that is one.
pub(super) fn finite(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| "a number such as 1.5 is needed".to_owned())
}
