//! Placeholder until imaging lands.
#![allow(missing_docs)]
#![forbid(unsafe_code)]
use crossmacro_model::{Frame, Physical, Point, Size};
pub mod color {
    use super::*;
    pub fn search(_: &Frame, _: [u8; 3], _: u8) -> Option<Point<Physical>> {
        None
    }
}
pub mod png {
    use super::*;
    pub fn inspect(_: &[u8]) -> Result<Size<Physical>, EncodeError> {
        Err(EncodeError)
    }
}
#[derive(Debug, thiserror::Error)]
#[error("no")]
pub struct EncodeError;
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Png,
    Jpeg,
    WebP,
}
impl Format {
    pub fn media_type(self) -> &'static str {
        "image/png"
    }
    pub fn name(self) -> &'static str {
        "png"
    }
}
#[derive(Clone, Copy, Default)]
pub enum Speed {
    #[default]
    Fast,
    Small,
}
#[derive(Clone, Copy, Default)]
pub struct Options {
    pub quality: u8,
    pub max_width: Option<u32>,
    pub max_height: Option<u32>,
    pub speed: Speed,
}
pub struct Encoded {
    pub bytes: Vec<u8>,
    pub format: Format,
    pub size: Size<Physical>,
}
pub fn encode(_: &Frame, _: Format, _: Options) -> Result<Encoded, EncodeError> {
    Err(EncodeError)
}
