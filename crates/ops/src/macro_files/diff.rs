//! `macro.diff`: what differs between two macros.

use super::{Opened, counted};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::macro_file::{Change, ChangeKind, Difference, HeaderChange, diff};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct DiffMacros;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of the first .macro file.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    before_path: String,
    /// Absolute path of the second one.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    after_path: String,
    /// Compare what remains of files with errors. Default false.
    #[serde(default)]
    lenient: bool,
}

/// A value of the header.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Header {
    /// Its key in the file.
    key: &'static str,
    /// Its value in the first file.
    before: String,
    /// Its value in the second file.
    after: String,
}

impl From<HeaderChange> for Header {
    fn from(change: HeaderChange) -> Self {
        let HeaderChange { key, before, after } = change;
        Self { key, before, after }
    }
}

/// A step or event.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line {
    /// removed, added or retimed.
    change: &'static str,
    /// Its number in the file that has it; in the second for a change of timing.
    number: usize,
    /// The step, or the event in words.
    text: String,
}

impl From<Change> for Line {
    fn from(change: Change) -> Self {
        let kind = match change.kind {
            ChangeKind::Removed => "removed",
            ChangeKind::Added => "added",
            ChangeKind::Retimed => "retimed",
        };
        Self { change: kind, number: change.number, text: change.text }
    }
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether they play the same.
    is_same: Option<bool>,
    /// Values of the header that differ.
    header: Vec<Header>,
    /// Steps that differ, the first thousand.
    script: Vec<Line>,
    /// Events that differ, the first thousand.
    events: Vec<Line>,
    /// How many are in the first file only.
    removed: usize,
    /// How many are in the second file only.
    added: usize,
    /// How many do the same at another time.
    retimed: usize,
}

impl Operation for DiffMacros {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.diff",
        title: "Compare two macros",
        summary: "Tells what differs between two macro files: header, steps, events, and the timing of events that are the same.",
        audience: Audience::CommandLine,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let open =
            |path: &str| Opened::open(context, call, path).and_then(|opened| opened.usable(params.lenient));
        let (before, _) = open(&params.before_path)?;
        let (after, _) = open(&params.after_path)?;
        let found = diff(&before, &after);
        let message = sentence(&found);
        let reply = Reply {
            is_same: Some(found.is_empty()),
            removed: found.removed,
            added: found.added,
            retimed: found.retimed,
            header: found.header.into_iter().map(Into::into).collect(),
            script: found.script.into_iter().map(Into::into).collect(),
            events: found.events.into_iter().map(Into::into).collect(),
        };
        Ok(Done::new(reply, message))
    }
}

fn sentence(found: &Difference) -> String {
    if found.is_empty() {
        return "The two macros play the same.".to_owned();
    }
    let header = match found.header.len() {
        0 => String::new(),
        count => format!("{} of the header differ; ", counted(count, "value")),
    };
    format!("{header}{} removed, {} added, {} at another time.", found.removed, found.added, found.retimed)
}
