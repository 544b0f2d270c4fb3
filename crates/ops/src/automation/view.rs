//! An operation as a client sees it: no arguments, paths, steps or results of the work itself.

use crate::context::{Call, Context};
use crate::response::Outcome;
use crossmacro_engine::operations::{Id, Kind, Operation};
use crossmacro_model::{Capability, Fault, limits};
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
    /// Events delivered or recorded so far; null before the first.
    events_delivered: Option<u64>,
    /// How it ended; null while it runs.
    outcome: Option<Outcome>,
    /// How many events a recording that was saved has.
    event_count: Option<u64>,
    /// Whether a recording that was saved ended because somebody stopped it.
    stopped_by_user: Option<bool>,
    /// The script's variables, when the run was started with returnVariables.
    variables: Option<Map<String, Value>>,
}

impl From<&Operation> for OperationView {
    fn from(operation: &Operation) -> Self {
        let kind = operation.kind.name();
        let result = operation.result.as_deref();
        let summary = result.and_then(|result| result.as_ref().ok());
        let recorded = summary.filter(|_| operation.kind == Kind::Record);
        Self {
            operation_id: operation.id.to_string(),
            kind,
            state: operation.state().name(),
            started_at: iso(operation.started_at),
            completed_at: operation.completed_at.map(iso),
            cancellation_requested: operation.cancellation_requested,
            events_delivered: operation.progress.map(|progress| progress.events),
            outcome: result.map(|result| match result {
                Ok(summary) => succeeded(operation.kind, summary),
                Err(fault) => Outcome::failed(fault),
            }),
            event_count: recorded.and_then(|recorded| recorded["eventCount"].as_u64()),
            stopped_by_user: recorded.and_then(|recorded| recorded["stoppedByUser"].as_bool()),
            variables: summary.and_then(|summary| summary.get("variables")?.as_object().cloned()),
        }
    }
}

fn iso(since_epoch: std::time::Duration) -> String {
    let nanoseconds = i128::try_from(since_epoch.as_nanos()).unwrap_or(0);
    Timestamp::from_nanosecond(nanoseconds).unwrap_or_default().to_string()
}

fn succeeded(kind: Kind, summary: &Value) -> Outcome {
    let warnings = summary["warnings"].as_array().into_iter().flatten();
    let events = summary["eventCount"].as_u64().unwrap_or(0);
    let verb = match (kind, summary["dryRun"] == true) {
        (Kind::Record, _) => "were recorded and saved",
        (Kind::Play | Kind::Run, true) => "would be delivered",
        (Kind::Play | Kind::Run, false) => "were delivered",
    };
    let done = if kind == Kind::Record { "recording" } else { kind.name() };
    Outcome {
        success: true,
        exit_code: 0,
        message: format!("The {done} is done: {events} events {verb}."),
        warnings: warnings.filter_map(|warning| warning.as_str().map(str::to_owned)).collect(),
        errors: Vec::new(),
    }
}

/// The operation as `call` may see it: variables go to those who may do what filled them.
pub(super) fn view(context: &Context, call: &Call<'_>, operation: &Operation) -> OperationView {
    let policy = context.policy(call.surface);
    let mut view = OperationView::from(operation);
    let summary = operation.result.as_deref().and_then(|result| result.as_ref().ok());
    let needs = summary.and_then(|summary| summary["needs"].as_array()).into_iter().flatten();
    let is_granted = |name: &Value| {
        Capability::ALL.iter().any(|capability| name == capability.name() && policy.allows(*capability))
    };
    if !needs.into_iter().all(is_granted) {
        view.variables = None;
    }
    view
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
    Id::parse(&id.to_ascii_lowercase()).and_then(|id| context.operations.get(id)).ok_or_else(|| {
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
