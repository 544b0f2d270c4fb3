//! `macro.inspect`: facts about a macro, and what is wrong with it.

use super::view::Long;
use super::{Opened, counted, warnings};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Inspect;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    macro_path: String,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Null when the file can't be read. One with errors is told all the same, without the lines that are wrong.
    #[serde(rename = "macro")]
    facts: Option<Long>,
}

impl Operation for Inspect {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.inspect",
        title: "Inspect a macro",
        summary: "Counts, duration and coordinates of a macro file, and every error and warning with its line; never its content.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let opened = Opened::open(context, call, &params.macro_path)?;
        let facts = Long::of(&params.macro_path, &opened.content);
        if !opened.found.is_ok() {
            let facts = serde_json::to_value(facts).unwrap_or_default();
            return Err(Fault::from(opened.found).with_partial("macro", facts));
        }
        let (events, steps) = (opened.content.events.len(), opened.content.script.len());
        let message = format!("A macro of {} and {}.", counted(events, "event"), counted(steps, "step"));
        let warnings = warnings(&opened.found);
        Ok(Done { warnings, ..Done::new(Reply { facts: Some(facts) }, message) })
    }
}
