//! Watching an operation from the command line: its progress on a terminal, and a signal that stops it.

use super::Shell;
use crate::progress::Line;
use crate::render::Answer;
use crossmacro_engine::interpreter::Progress;
use crossmacro_engine::operations::{Id, Operation, State};
use crossmacro_model::Fault;
use crossmacro_ops::Response;
use crossmacro_platform::{Cancel, clock};
use serde_json::Value;
use std::time::{Duration, Instant};

/// How often the line on the terminal changes.
const SHOWN: Duration = Duration::from_millis(250);

/// How to watch.
pub(super) struct Watch<'a> {
    /// What the line says.
    pub(super) sentence: &'a dyn Fn(Option<Progress>) -> String,
    /// What it says while the operation comes to its end.
    pub(super) ending: &'a str,
    /// How long that may take.
    pub(super) patience: Duration,
    /// When it is to end without a signal.
    pub(super) end: Option<Instant>,
}

impl Watch<'_> {
    /// Waits for the end of the operation that a call has started; `Err` where it has started none.
    pub(super) fn operation(&self, shell: &Shell, response: &Response) -> Result<Option<Operation>, Answer> {
        let id = response.reply.get("operation").and_then(|operation| operation["operationId"].as_str());
        let id = id.and_then(Id::parse).ok_or_else(|| Answer::of(response, Value::clone))?;
        Ok(self.wait(shell, id))
    }

    fn wait(&self, shell: &Shell, id: Id) -> Option<Operation> {
        let operations = &shell.context.operations;
        let mut line = Line::new();
        // A short one comes and goes without a line.
        let mut operation = operations.wait(id, SHOWN, &shell.cancel)?;
        while operation.state() == State::Running {
            line.show(&(self.sentence)(operation.progress));
            if shell.cancel.is_cancelled() || self.end.is_some_and(|end| end <= clock::now()) {
                operations.stop(id);
                line.show(self.ending);
                return operations.wait(id, self.patience, &Cancel::new());
            }
            operation = operations.wait(id, SHOWN, &shell.cancel)?;
        }
        Some(operation)
    }
}

/// Minutes and seconds.
pub(super) fn clock_of(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The answer for an operation that ended with a fault.
pub(super) fn failed(fault: &Fault) -> Answer {
    let mut errors = vec![fault.to_string()];
    errors.extend(fault.remediation.as_ref().map(|remedy| format!("To fix it: {remedy}")));
    let mut answer = Answer::failed(fault.code.exit(), fault.message.clone(), errors);
    answer.warnings.clone_from(&fault.warnings);
    answer
}

/// The answer for one that ended well, with the warnings of its summary.
pub(super) fn done(message: String, data: Value, summary: &Value) -> Answer {
    let mut answer = Answer::ok(message, data);
    let warnings = summary["warnings"].as_array().into_iter().flatten();
    answer.warnings = warnings.filter_map(|warning| warning.as_str().map(str::to_owned)).collect();
    answer
}
