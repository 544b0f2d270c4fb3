//! Scaling a frame down for a smaller reply. Never up: that adds bytes and no detail.

use crate::EncodeError;
use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::{Frame, Physical, Size};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use std::borrow::Cow;

/// The size of a picture of `size` that is at most `max_width` wide and `max_height` high, proportions kept,
/// at least one pixel each way.
pub fn fit(size: Size<Physical>, max_width: Option<u32>, max_height: Option<u32>) -> Size<Physical> {
    let (width, height) = (u64::from(size.width), u64::from(size.height));
    let wide = u64::from(max_width.unwrap_or(u32::MAX).clamp(1, size.width.max(1)));
    let high = u64::from(max_height.unwrap_or(u32::MAX).clamp(1, size.height.max(1)));
    if wide >= width && high >= height {
        return size;
    }
    // The side that has to shrink more decides; rounded to the nearest pixel.
    if wide * height <= high * width {
        Size::new(narrow(wide), narrow(((height * wide + width / 2) / width).max(1)))
    } else {
        Size::new(narrow(((width * high + height / 2) / height).max(1)), narrow(high))
    }
}

/// No side of a result is longer than a side that was given.
fn narrow(side: u64) -> u32 {
    u32::try_from(side).unwrap_or(u32::MAX)
}

/// `frame` scaled to `size`. It shows the same region; its voids are black pixels of it.
///
/// # Errors
/// [`EncodeError::Empty`] where either has no pixel, [`EncodeError::Scale`] where the scaler fails.
pub fn down(frame: &Frame, size: Size<Physical>) -> Result<Frame, EncodeError> {
    if frame.size().is_empty() || size.is_empty() {
        return Err(EncodeError::Empty);
    }
    let bytes = scale(&packed(frame), frame.size(), size, Fourth::Channel)
        .map_err(|source| EncodeError::Scale { source })?;
    let stride = size.width as usize * BYTES_PER_PIXEL;
    Frame::new(frame.region(), size, stride, Box::new(bytes))
        .map_err(|e| EncodeError::Scale { source: e.into() })
}

/// What the fourth byte of a pixel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fourth {
    /// A channel like the others.
    Channel,
    /// Alpha: colours count by it.
    Alpha,
}

/// Scales packed rows of four bytes a pixel.
pub(crate) fn scale(
    pixels: &[u8],
    from: Size<Physical>,
    to: Size<Physical>,
    fourth: Fourth,
) -> Result<Vec<u8>, crate::error::Source> {
    let source = ImageRef::new(from.width, from.height, pixels, PixelType::U8x4)?;
    let mut target = Image::new(to.width, to.height, PixelType::U8x4);
    // Keeps letters readable: sharper than bilinear, without the rings of Lanczos around black on white.
    let filter = ResizeAlg::Convolution(FilterType::CatmullRom);
    let options = ResizeOptions::new().resize_alg(filter).use_alpha(fourth == Fourth::Alpha);
    Resizer::new().resize(&source, &mut target, &options)?;
    Ok(target.into_vec())
}

/// The pixels of `frame` without padding between rows; a copy only where there is padding.
pub(crate) fn packed(frame: &Frame) -> Cow<'_, [u8]> {
    let row = frame.size().width as usize * BYTES_PER_PIXEL;
    let all = row * frame.size().height as usize;
    if frame.stride() == row {
        return Cow::Borrowed(&frame.bytes()[..all]);
    }
    let mut bytes = Vec::with_capacity(all);
    for y in 0..frame.size().height {
        bytes.extend_from_slice(frame.row(y).unwrap_or_default());
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::Rect;

    fn fitted(width: u32, height: u32, max_width: Option<u32>, max_height: Option<u32>) -> (u32, u32) {
        let size = fit(Size::new(width, height), max_width, max_height);
        (size.width, size.height)
    }

    #[test]
    fn proportions_are_kept_and_nothing_grows() {
        assert_eq!(fitted(1920, 1080, None, None), (1920, 1080));
        assert_eq!(fitted(1920, 1080, Some(4000), Some(4000)), (1920, 1080));
        assert_eq!(fitted(1920, 1080, Some(960), None), (960, 540));
        assert_eq!(fitted(1920, 1080, None, Some(100)), (178, 100));
        assert_eq!(fitted(1920, 1080, Some(100), Some(100)), (100, 56));
        assert_eq!(fitted(5000, 1, Some(10), None), (10, 1));
        assert_eq!(fitted(3, 2, Some(0), Some(0)), (1, 1));
        assert_eq!(fitted(u32::MAX, u32::MAX, Some(7), None), (7, 7));
    }

    #[test]
    fn a_plain_half_stays_plain_and_in_its_place() {
        let mut bytes = vec![0; 40 * 20 * 4 + 20 * 8];
        for row in bytes.chunks_exact_mut(40 * 4 + 8) {
            row[20 * 4..40 * 4].as_chunks_mut::<4>().0.fill([10, 20, 30, 99]);
        }
        let frame =
            Frame::new(Rect::new(5, 5, 40, 20), Size::new(40, 20), 40 * 4 + 8, Box::new(bytes)).unwrap();
        let half = down(&frame, Size::new(20, 10)).unwrap();
        assert_eq!(half.region(), frame.region());
        assert_eq!(half.rgb(crossmacro_model::Point::new(3, 5)), Some([0, 0, 0]));
        assert_eq!(half.rgb(crossmacro_model::Point::new(16, 5)), Some([30, 20, 10]));
    }
}
