//! `cursor.position`: where the pointer is.

use super::Place;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct CursorPosition;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Where the pointer is, in logical desktop units; null when it can't be read.
    point: Option<Place>,
    /// The back end that answered.
    provider_name: Option<&'static str>,
}

impl Operation for CursorPosition {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "cursor.position",
        title: "Read cursor position",
        summary: "Reads where the pointer is, in logical desktop units, without moving it.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, _call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let pointer = context.pointer()?;
        let at = pointer.position().map_err(from_platform)?;
        let reply = Reply { point: Some(at.into()), provider_name: Some(pointer.backend()) };
        Ok(Done::new(reply, format!("The pointer is at {at}.")))
    }
}
