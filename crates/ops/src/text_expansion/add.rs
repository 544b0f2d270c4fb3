//! `text_expansion.add`: a new text expansion.

use super::{Reply, expansions, one};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::expansion::{DirectTypingMethod, Expansion, InsertionMode, PasteMethod};
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Add;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// What is typed, in UTF-16 code units: not blank, no control characters, not in the list yet in any case.
    #[schemars(length(min = 1, max = limits::EXPANSION_TRIGGER.value))]
    trigger: String,
    /// What takes its place; may be empty, and may have lines.
    #[schemars(length(max = limits::EXPANSION_TEXT.value))]
    replacement: String,
    /// The keys that paste; CtrlShiftV is for terminals.
    #[serde(default)]
    method: PasteMethod,
    /// Paste: over the clipboard, which is restored. DirectTyping: key by key.
    #[serde(default)]
    insertion_mode: InsertionMode,
    /// DirectTyping: all keys at once, or one by one for slow applications.
    #[serde(default)]
    direct_typing_method: DirectTypingMethod,
    /// Id or name of another profile; without it, or empty, the active one. Never switches.
    #[schemars(length(max = limits::PROFILE_NAME.value))]
    profile: Option<String>,
}

impl Operation for Add {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "text_expansion.add",
        title: "Add a text expansion",
        summary: "Adds a text expansion, switched on, at the end of the list. It works while crossmacro headless runs.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: false, idempotent: false },
        needs: &[Capability::TextExpansionWrite],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let expansion = Expansion {
            method: params.method,
            insertion_mode: params.insertion_mode,
            direct_typing_method: params.direct_typing_method,
            ..Expansion::new(params.trigger, params.replacement)
        };
        let change = expansions(context, params.profile.as_deref()).add(expansion)?;
        Ok(one("add", change, "The text expansion was added."))
    }
}
