//! `image.read`: looks at a PNG file.

use super::CheckedPng;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Picture, Spec};
use crossmacro_model::limits::{INLINE_IMAGE, PATH};
use crossmacro_model::{Capability, Code, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct ReadImage;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of a PNG file.
    #[schemars(length(min = 1, max = PATH.value))]
    image_path: String,
    /// Return the picture as image content. Default false: only its size.
    #[serde(default)]
    include_image: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Width in pixels.
    width: Option<u32>,
    /// Height in pixels.
    height: Option<u32>,
    /// Whether it comes with this result.
    image_included: bool,
    /// Size of the file in bytes.
    png_byte_count: Option<u64>,
    /// Largest picture that is returned inline.
    maximum_inline_image_bytes: u64,
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            width: None,
            height: None,
            image_included: false,
            png_byte_count: None,
            maximum_inline_image_bytes: INLINE_IMAGE.value,
        }
    }
}

impl Operation for ReadImage {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "image.read",
        title: "Read a PNG image",
        summary: "Checks a PNG file, gives its size, and returns it as image content when includeImage is true.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::FileRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let png = CheckedPng::open(context, call, &params.image_path)?;
        let count = png.bytes.len() as u64;
        let mut reply = Reply {
            width: Some(png.width),
            height: Some(png.height),
            png_byte_count: Some(count),
            ..Reply::default()
        };
        if !params.include_image {
            return Ok(Done::new(reply, format!("A PNG of {}x{} pixels.", png.width, png.height)));
        }
        if count > INLINE_IMAGE.value {
            return Err(too_large(png.width, png.height, count));
        }
        reply.image_included = true;
        let picture = Picture { mime: "image/png", bytes: png.bytes };
        Ok(Done::new(reply, format!("A PNG of {}x{} pixels.", png.width, png.height))
            .with_picture(Some(picture)))
    }
}

/// The failure that still tells the size.
pub(crate) fn too_large(width: u32, height: u32, count: u64) -> Fault {
    Fault::new(
        Code::RuntimeError,
        format!("the picture is larger than the {} bytes that are returned inline", INLINE_IMAGE.value),
    )
    .with_partial("width", width)
    .with_partial("height", height)
    .with_partial("pngByteCount", count)
    .detail("limit", INLINE_IMAGE.value)
}
