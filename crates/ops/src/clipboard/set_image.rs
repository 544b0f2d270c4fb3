//! `clipboard.set_image`.

use crate::context::{Call, Context};
use crate::image::CheckedPng;
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_model::limits::{PATH, PNG_BYTES};
use crossmacro_model::{Capability, Fault};
use crossmacro_platform::ClipboardContent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct SetImage;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of a PNG file, at most 48 MiB.
    #[schemars(length(min = 1, max = PATH.value))]
    image_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Width in pixels.
    width: Option<u32>,
    /// Height in pixels.
    height: Option<u32>,
    /// Size of the PNG in bytes.
    png_byte_count: Option<u64>,
    /// Largest PNG that is accepted.
    maximum_png_bytes: u64,
}

impl Default for Reply {
    fn default() -> Self {
        Self { width: None, height: None, png_byte_count: None, maximum_png_bytes: PNG_BYTES.value }
    }
}

impl Operation for SetImage {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "clipboard.set_image",
        title: "Set image clipboard",
        summary: "Checks a PNG file and puts it on the clipboard. What was set stays after this server has ended.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::ClipboardWrite, Capability::FileRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let png = CheckedPng::open(context, call, &params.image_path)?;
        let reply = Reply {
            width: Some(png.width),
            height: Some(png.height),
            png_byte_count: Some(png.bytes.len() as u64),
            ..Reply::default()
        };
        let message = format!("A picture of {}x{} pixels is on the clipboard.", png.width, png.height);
        let _turn = context.clipboard_turn();
        context.clipboard()?.set(ClipboardContent::Png(png.bytes)).map_err(from_platform)?;
        Ok(Done::new(reply, message))
    }
}
