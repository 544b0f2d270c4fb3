//! The one envelope of every answer.

use crate::operation::Picture;
use crossmacro_model::{Delivered, Fault};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Whether the operation did what was asked.
    pub success: bool,
    /// 0, or the class of the failure: 2 arguments, 3 file, 4 validation, 5 environment or policy, 6 runtime, 130 cancelled.
    pub exit_code: u8,
    /// What happened, in a sentence.
    pub message: String,
    /// What the caller should know all the same.
    pub warnings: Vec<String>,
    /// Why it failed; empty on success.
    #[schemars(schema_with = "problems")]
    pub errors: Vec<Problem>,
}

/// What every answer has is stated in every tool of the list: in as few words as will do.
fn problems(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"type": "object", "required": ["code", "message"]}})
}

/// One reason of a failure.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Stable code.
    pub code: &'static str,
    /// What could not be done.
    pub message: String,
    /// Facts for a program.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remediation: Option<String>,
}

impl Problem {
    fn of(fault: &Fault) -> Self {
        let mut details = fault.details.clone();
        match fault.delivered {
            Delivered::Nothing => {}
            Delivered::Uncertain => drop(details.insert("delivered".into(), "uncertain".into())),
            Delivered::Done => drop(details.insert("delivered".into(), "done".into())),
        }
        Self {
            code: fault.code.text(),
            message: fault.message.clone(),
            details,
            remediation: fault.remediation.clone(),
        }
    }
}

impl Outcome {
    /// The outcome of work that failed.
    pub fn failed(fault: &Fault) -> Self {
        Self {
            success: false,
            exit_code: fault.code.exit(),
            message: fault.message.clone(),
            warnings: fault.warnings.clone(),
            errors: std::iter::once(fault).chain(&fault.others).map(Problem::of).collect(),
        }
    }
}

/// The answer to a call, whatever the surface.
#[derive(Clone)]
pub struct Response {
    /// What became of it.
    pub outcome: Outcome,
    /// The reply's fields.
    pub reply: Map<String, Value>,
    /// A picture, where one was asked for.
    pub picture: Option<Picture>,
}

impl Response {
    pub(crate) fn done(
        reply: Map<String, Value>,
        message: String,
        warnings: Vec<String>,
        picture: Option<Picture>,
    ) -> Self {
        let outcome = Outcome { success: true, exit_code: 0, message, warnings, errors: Vec::new() };
        Self { outcome, reply, picture }
    }

    /// The answer to a call that failed; `empty` is the reply with nothing known.
    pub fn failed(fault: Fault, mut empty: Map<String, Value>) -> Self {
        let outcome = Outcome::failed(&fault);
        for (key, value) in fault.partial {
            empty.insert(key, value);
        }
        Self { outcome, reply: empty, picture: None }
    }

    /// The whole structured answer: the outcome first, then the reply's fields.
    pub fn structured(&self) -> Value {
        let mut all = Map::new();
        all.insert("outcome".into(), serde_json::to_value(&self.outcome).unwrap_or_default());
        for (key, value) in &self.reply {
            all.insert(key.clone(), value.clone());
        }
        Value::Object(all)
    }

    /// The facts in a line or two, for a reader that does not take the structured answer.
    pub fn text(&self) -> String {
        let mut text = self.outcome.message.clone();
        for (index, problem) in self.outcome.errors.iter().enumerate() {
            text = match index {
                0 => format!("{}: {text}", problem.code),
                _ => format!("{text}\n{}: {}", problem.code, problem.message),
            };
            if let Some(remediation) = &problem.remediation {
                text = format!("{text}\nTo fix it: {remediation}");
            }
        }
        for warning in &self.outcome.warnings {
            text = format!("{text}\nWarning: {warning}");
        }
        text
    }
}
