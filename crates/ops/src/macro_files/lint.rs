//! `macro.lint`: risky things in a macro.

use super::{Opened, all, counted};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::macro_file::{Finding, lint};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Lint;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of a .macro file.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    macro_path: String,
}

/// Something risky.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// absolute-coordinates, long-wait, shell or held-at-end.
    rule: &'static str,
    /// Line of the file.
    line: Option<usize>,
    /// Number of the step.
    step: Option<usize>,
    /// Number of the event.
    event: Option<usize>,
    /// What is risky, and what would be better.
    message: String,
}

impl From<Finding> for Shown {
    fn from(found: Finding) -> Self {
        let Finding { rule, line, step, event, message } = found;
        Self { rule: rule.name(), line, step, event, message }
    }
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The file.
    macro_path: Option<String>,
    /// What is risky, in the order of the file.
    findings: Vec<Shown>,
}

impl Operation for Lint {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.lint",
        title: "Lint a macro",
        summary: "Tells risky things in a macro: points of the desktop with no look at what is there, waits over 10 s, shell commands, keys left down.",
        audience: Audience::CommandLine,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let opened = Opened::open(context, call, &params.macro_path)?;
        let warnings = if opened.found.is_ok() { Vec::new() } else { all(&opened.found) };
        let findings: Vec<Shown> = lint(&opened.content).into_iter().map(Into::into).collect();
        let message = match findings.len() {
            0 => "Nothing risky was found.".to_owned(),
            count => format!("{} found.", counted(count, "risky thing")),
        };
        let reply = Reply { macro_path: Some(params.macro_path), findings };
        Ok(Done { warnings, ..Done::new(reply, message) })
    }
}
