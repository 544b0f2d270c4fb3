//! `clipboard.get_image`.

use crate::context::{Call, Context};
use crate::image::{CheckedPng, read::too_large};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Picture, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_model::limits::{INLINE_IMAGE, PNG_BYTES};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct GetImage;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Return the picture as image content. Default false: only its size.
    #[serde(default)]
    include_image: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether the clipboard holds a picture.
    image_available: bool,
    /// Width in pixels.
    width: Option<u32>,
    /// Height in pixels.
    height: Option<u32>,
    /// Whether it comes with this result.
    image_included: bool,
    /// Size of the PNG in bytes.
    png_byte_count: Option<u64>,
    /// Largest PNG that is read.
    maximum_png_bytes: u64,
    /// Largest picture that is returned inline.
    maximum_inline_image_bytes: u64,
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            image_available: false,
            width: None,
            height: None,
            image_included: false,
            png_byte_count: None,
            maximum_png_bytes: PNG_BYTES.value,
            maximum_inline_image_bytes: INLINE_IMAGE.value,
        }
    }
}

impl Operation for GetImage {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "clipboard.get_image",
        title: "Read image clipboard",
        summary: "Says whether the clipboard holds a PNG picture and how large it is, and returns it as image content when includeImage is true.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ClipboardRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let limit = usize::try_from(PNG_BYTES.value).unwrap_or(usize::MAX);
        let Some(bytes) = context.clipboard()?.png(limit, call.cancel).map_err(from_platform)? else {
            return Ok(Done::new(Reply::default(), "The clipboard holds no picture."));
        };
        let png = CheckedPng::new(bytes).map_err(|fault| fault.with_partial("imageAvailable", true))?;
        let count = png.bytes.len() as u64;
        let mut reply = Reply {
            image_available: true,
            width: Some(png.width),
            height: Some(png.height),
            png_byte_count: Some(count),
            ..Reply::default()
        };
        let message = format!("The clipboard holds a picture of {}x{} pixels.", png.width, png.height);
        if !params.include_image {
            return Ok(Done::new(reply, message));
        }
        if count > INLINE_IMAGE.value {
            return Err(too_large(png.width, png.height, count).with_partial("imageAvailable", true));
        }
        reply.image_included = true;
        Ok(Done::new(reply, message).with_picture(Some(Picture { mime: "image/png", bytes: png.bytes })))
    }
}
