//! A decoded picture.

use crossmacro_model::{Physical, Size};
use std::fmt;

/// Pixels with alpha: rows from the top, no padding, four bytes a pixel in the order red, green, blue, alpha
/// (not premultiplied).
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// Size in pixels.
    pub size: Size<Physical>,
    /// `size.width * size.height * 4` bytes.
    pub rgba: Vec<u8>,
}

impl fmt::Debug for Image {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never the pixels: a picture ends up in logs by accident.
        write!(out, "Image {{ {:?} }}", self.size)
    }
}
