//! `clipboard.set_text`.

use crate::context::{Call, Context};
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_model::limits::CLIPBOARD_TEXT;
use crossmacro_model::{Capability, Fault};
use crossmacro_platform::ClipboardContent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct SetText;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// The text, up to 65536 UTF-16 code units. An empty text empties the clipboard.
    #[schemars(length(max = 65_536))]
    text: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Length of what was set, in UTF-16 code units.
    length: Option<u64>,
    /// Longest text that is accepted, in UTF-16 code units.
    maximum_characters: u64,
}

impl Default for Reply {
    fn default() -> Self {
        Self { length: None, maximum_characters: CLIPBOARD_TEXT.value }
    }
}

impl Operation for SetText {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "clipboard.set_text",
        title: "Set text clipboard",
        summary: "Replaces the content of the clipboard by text. The result never repeats it. What was set stays after this server has ended.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::ClipboardWrite],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let length = limits::utf16("text", &params.text, CLIPBOARD_TEXT)?;
        let content = if params.text.is_empty() {
            ClipboardContent::Empty
        } else {
            ClipboardContent::Text(params.text)
        };
        let _turn = context.clipboard_turn();
        context.clipboard()?.set(content).map_err(from_platform)?;
        let message = format!("{length} characters are on the clipboard.");
        Ok(Done::new(Reply { length: Some(length), ..Reply::default() }, message))
    }
}
