//! A captured frame as the bytes of a picture file, scaled down where asked.

use crate::{EncodeError, Speed, jpeg, png, resize, webp};
use crossmacro_model::{Frame, Physical, Size};
use std::fmt;

/// Format of an encoded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Lossless.
    #[default]
    Png,
    /// Lossy; smallest for photographs.
    Jpeg,
    /// Lossless; often smaller than PNG.
    Webp,
}

impl Format {
    /// Name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Webp => "webp",
        }
    }

    /// Internet media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Webp => "WebP",
        })
    }
}

/// How to encode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// JPEG quality, 1 to 100; clamped. The other formats lose nothing and ignore it.
    pub quality: u8,
    /// Largest width in pixels; a wider frame is scaled down, its proportions kept.
    pub max_width: Option<u32>,
    /// Largest height in pixels; a higher frame is scaled down, its proportions kept.
    pub max_height: Option<u32>,
    /// Time or size, for PNG.
    pub speed: Speed,
}

impl Default for Options {
    fn default() -> Self {
        Self { quality: 90, max_width: None, max_height: None, speed: Speed::Fast }
    }
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its format.
    pub format: Format,
    /// Its size in pixels, after scaling.
    pub size: Size<Physical>,
}

/// Encodes `frame` as `format`. Voids are black.
///
/// # Errors
/// [`EncodeError`] for an empty frame, one that the format can't hold, and failures of an encoder.
pub fn encode(frame: &Frame, format: Format, options: Options) -> Result<Encoded, EncodeError> {
    if frame.size().is_empty() {
        return Err(EncodeError::Empty);
    }
    let target = resize::fit(frame.size(), options.max_width, options.max_height);
    if target == frame.size() {
        return encode_as_is(frame, format, options);
    }
    encode_as_is(&resize::down(frame, target)?, format, options)
}

fn encode_as_is(frame: &Frame, format: Format, options: Options) -> Result<Encoded, EncodeError> {
    let bytes = match format {
        Format::Png => png::encode(frame, options.speed)?,
        Format::Jpeg => jpeg::encode(frame, options.quality)?,
        Format::Webp => webp::encode(frame)?,
    };
    Ok(Encoded { bytes, format, size: frame.size() })
}

/// Refuses a frame with a side longer than `limit` pixels.
pub(crate) fn check_sides(frame: &Frame, format: Format, limit: u32) -> Result<(), EncodeError> {
    let side = frame.size().width.max(frame.size().height);
    if side > limit { Err(EncodeError::TooLarge { format, limit, side }) } else { Ok(()) }
}
