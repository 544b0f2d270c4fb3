//! An operation as a client sees it: no arguments, paths, steps or results of the work itself.

use crate::context::Context;
use crate::response::{Outcome, Problem};
use crossmacro_engine::operations::{Operation, State};
use crossmacro_model::{Fault, limits};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// One operation at one moment.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OperationView {
    /// 32 hexadecimal digits.
    operation_id: String,
    /// play, run or record.
    kind: &'static str,
    /// running, succeeded, failed or cancelled.
    state: &'static str,
    /// When it started (ISO 8601, UTC).
    started_at: String,
    /// When it ended; null while it runs.
    completed_at: Option<String>,
    /// Whether someone asked it to stop.
    cancellation_requested: bool,
    /// How it ended; null while it runs.
    outcome: Option<Outcome>,
    /// The script's variables, when the run was started with returnVariables.
    variables: Option<Map<String, Value>>,
}

impl From<&Operation> for OperationView {
    fn from(operation: &Operation) -> Self {
        let (outcome, variables) = match &operation.result {
            None => (None, None),
            Some(Ok(summary)) => (
                Some(succeeded(operation.kind.name())),
                summary.get("variables").and_then(Value::as_object).cloned(),
            ),
            Some(Err(fault)) => (Some(failed(fault)), None),
        };
        Self {
            operation_id: operation.id.to_string(),
            kind: operation.kind.name(),
            state: state_name(operation.state),
            started_at: iso(operation.started_at),
            completed_at: operation.completed_at.map(iso),
            cancellation_requested: operation.cancellation_requested,
            outcome,
            variables,
        }
    }
}

fn state_name(state: State) -> &'static str {
    match state {
        State::Running => "running",
        State::Succeeded => "succeeded",
        State::Failed => "failed",
        State::Cancelled => "cancelled",
    }
}

fn iso(since_epoch: std::time::Duration) -> String {
    let nanoseconds = i128::try_from(since_epoch.as_nanos()).unwrap_or(0);
    Timestamp::from_nanosecond(nanoseconds).unwrap_or_default().to_string()
}

fn succeeded(kind: &str) -> Outcome {
    Outcome {
        success: true,
        exit_code: 0,
        message: format!("The {kind} is done."),
        warnings: Vec::new(),
        errors: Vec::new(),
    }
}

fn failed(fault: &Fault) -> Outcome {
    Outcome {
        success: false,
        exit_code: fault.code.exit(),
        message: fault.message.clone(),
        warnings: fault.warnings.clone(),
        errors: vec![Problem {
            code: fault.code.text(),
            message: fault.message.clone(),
            details: fault.details.clone(),
            remediation: fault.remediation.clone(),
        }],
    }
}

/// The operation that runs now.
pub(crate) fn active(context: &Context) -> Option<OperationView> {
    context.operations.active().map(|operation| OperationView::from(&operation))
}

/// Looks an operation up by the text of its id.
pub(super) fn find(context: &Context, id: &str) -> Result<Operation, Fault> {
    if id.len() != 32 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(
            Fault::arguments("an operation id has 32 hexadecimal digits").detail("argument", "operationId")
        );
    }
    id.to_ascii_lowercase().parse().ok().and_then(|id| context.operations.get(id)).ok_or_else(|| {
        let kept = limits::RETAINED_OPERATIONS.value;
        Fault::arguments(format!("there is no such operation; the last {kept} are remembered"))
            .detail("argument", "operationId")
    })
}

impl OperationView {
    /// The state in a sentence, with the reason of a failure.
    pub(super) fn sentence(&self) -> String {
        let Self { operation_id, kind, state, .. } = self;
        let since = self.completed_at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
        let why = match &self.outcome {
            Some(outcome) if !outcome.success => format!(" {}", outcome.message),
            _ => String::new(),
        };
        format!(
            "Operation {operation_id} ({kind}) {}{since}.{why}",
            if *state == "running" { "is running" } else { state }
        )
    }
}
