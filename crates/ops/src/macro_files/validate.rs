//! `macro.validate`: whether a macro would be played.

use super::view::Short;
use super::{Opened, counted, warnings};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Validate;

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
    /// Null when the macro is not valid.
    #[serde(rename = "macro")]
    facts: Option<Short>,
}

impl Operation for Validate {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.validate",
        title: "Validate a macro",
        summary: "Checks a whole macro file without playing it; each error names its line and what was expected.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let opened = Opened::open(context, call, &params.macro_path)?;
        if !opened.found.is_ok() {
            return Err(Fault::from(opened.found));
        }
        let count = opened.found.warnings;
        let message = match count {
            0 => "The macro is valid.".to_owned(),
            _ => format!("The macro is valid, with {}.", counted(count, "warning")),
        };
        let facts = Short::of(&params.macro_path, &opened.content);
        let warnings = warnings(&opened.found);
        Ok(Done { warnings, ..Done::new(Reply { facts: Some(facts) }, message) })
    }
}
