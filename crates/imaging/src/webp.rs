//! Lossless WebP.

use crate::EncodeError;
use crate::encode::{Format, check_sides};
use crate::png::rgb_rows;
use crossmacro_model::Frame;
use image_webp::{ColorType, WebPEncoder};

/// Sides are 14 bits in the format.
const SIDE: u32 = 1 << 14;

/// Encodes without loss.
pub(crate) fn encode(frame: &Frame) -> Result<Vec<u8>, EncodeError> {
    check_sides(frame, Format::Webp, SIDE)?;
    let mut bytes = Vec::new();
    WebPEncoder::new(&mut bytes)
        .encode(&rgb_rows(frame), frame.size().width, frame.size().height, ColorType::Rgb8)
        .map_err(|e| EncodeError::Codec { format: Format::Webp, source: e.into() })?;
    Ok(bytes)
}
