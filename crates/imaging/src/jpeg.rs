//! JPEG for photographs and small replies.

use crate::encode::{Format, check_sides};
use crate::{EncodeError, resize};
use crossmacro_model::Frame;
use jpeg_encoder::{ColorType, Encoder};

/// Encodes with `quality` 1 to 100.
pub(crate) fn encode(frame: &Frame, quality: u8) -> Result<Vec<u8>, EncodeError> {
    check_sides(frame, Format::Jpeg, u16::MAX.into())?;
    let codec = |source| EncodeError::Codec { format: Format::Jpeg, source };
    let width = u16::try_from(frame.size().width).map_err(|e| codec(e.into()))?;
    let height = u16::try_from(frame.size().height).map_err(|e| codec(e.into()))?;
    let mut bytes = Vec::new();
    Encoder::new(&mut bytes, quality.clamp(1, 100))
        .encode(&resize::packed(frame), width, height, ColorType::Bgra)
        .map_err(|e| codec(e.into()))?;
    Ok(bytes)
}
