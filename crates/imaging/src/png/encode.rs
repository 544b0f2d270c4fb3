//! Writes a frame as PNG.
//!
//! Three ways, chosen by a look at the pixels; figures for 1920x1080 on two cores:
//!
//! * few colours (a plain text desktop): one byte a pixel, no filter, zlib over row bands in parallel: 8 ms;
//! * many colours but mostly repeats (windows, letters with grey edges): three bytes a pixel, no filter,
//!   zlib over row bands: 9 ms. Filters would cost time and make letters harder to find again;
//! * photographs: zlib finds no repeats and takes ten times as long looking for them, so a filter and
//!   `fdeflate`: 20 ms.

use super::{bands, palette};
use crate::EncodeError;
use crate::encode::{Format, check_sides};
use crate::error::Source;
use crossmacro_model::Frame;
use crossmacro_model::frame::BYTES_PER_PIXEL;
use png::{BitDepth, ColorType, Compression, Encoder, Filter, chunk};

/// Time or size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Speed {
    /// For a reply that someone waits for.
    #[default]
    Fast,
    /// For files: twice the time for a tenth less.
    Small,
}

impl Speed {
    fn zlib_level(self, indexed: bool) -> u32 {
        match (self, indexed) {
            (Self::Fast, false) => 2,
            (Self::Fast, true) => 3,
            (Self::Small, _) => 6,
        }
    }
}

/// Sides are 31 bits in the format.
const SIDE: u32 = i32::MAX.unsigned_abs();
/// Every how many rows the look at the pixels takes one.
const SAMPLED_ROWS: usize = 16;
/// Above this share of pixels that repeat neither their left nor their upper neighbour, in percent, zlib is
/// slower than a filter and `fdeflate`.
const BUSY_PERCENT: usize = 30;

/// The frame as PNG without alpha; voids are black.
///
/// # Errors
/// [`EncodeError::Empty`] for a frame without pixels, [`EncodeError::Codec`] where packing fails.
pub fn encode(frame: &Frame, speed: Speed) -> Result<Vec<u8>, EncodeError> {
    if frame.size().is_empty() {
        return Err(EncodeError::Empty);
    }
    check_sides(frame, Format::Png, SIDE)?;
    let bytes = if is_photograph(frame) { photograph(frame, speed) } else { screen(frame, speed) };
    bytes.map_err(|source| EncodeError::Codec { format: Format::Png, source })
}

/// Whether most of the frame doesn't repeat itself, judged from every sixteenth row.
fn is_photograph(frame: &Frame) -> bool {
    let (mut busy, mut seen) = (0, 0);
    for y in (1..frame.size().height).step_by(SAMPLED_ROWS) {
        let (Some(above), Some(row)) = (frame.row(y - 1), frame.row(y)) else { break };
        busy += busy_pixels(above, row);
        seen += row.len() / BYTES_PER_PIXEL;
    }
    busy * 100 > seen * BUSY_PERCENT
}

fn busy_pixels(above: &[u8], row: &[u8]) -> usize {
    let colour = |pixel: &[u8; BYTES_PER_PIXEL]| u32::from_le_bytes(*pixel) & 0x00FF_FFFF;
    let (above, row) = (above.as_chunks().0, row.as_chunks().0);
    let pairs = row.iter().zip(row.iter().skip(1)).zip(above.iter().skip(1));
    pairs.filter(|((left, here), up)| colour(here) != colour(left) && colour(here) != colour(up)).count()
}

fn screen(frame: &Frame, speed: Speed) -> Result<Vec<u8>, Source> {
    let (width, height) = (frame.size().width, frame.size().height);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_depth(BitDepth::Eight);
    let parts = if let Some(indexed) = palette::index(frame) {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(indexed.colours);
        bands::deflate(width, height, speed.zlib_level(true), |y, line| {
            let start = y as usize * width as usize;
            line.push(0);
            line.extend_from_slice(&indexed.indices[start..start + width as usize]);
        })?
    } else {
        encoder.set_color(ColorType::Rgb);
        bands::deflate(width, height, speed.zlib_level(false), |y, line| {
            line.push(0);
            push_rgb(frame.row(y).unwrap_or_default(), line);
        })?
    };
    let mut writer = encoder.write_header()?;
    for part in parts {
        writer.write_chunk(chunk::IDAT, &part)?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn photograph(frame: &Frame, speed: Speed) -> Result<Vec<u8>, Source> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, frame.size().width, frame.size().height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let (compression, filter) = match speed {
        Speed::Fast => (Compression::Fast, Filter::Paeth),
        Speed::Small => (Compression::Balanced, Filter::Adaptive),
    };
    encoder.set_compression(compression);
    encoder.set_filter(filter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb_rows(frame))?;
    writer.finish()?;
    Ok(bytes)
}

/// All pixels as red, green, blue, rows without padding.
pub(crate) fn rgb_rows(frame: &Frame) -> Vec<u8> {
    let size = frame.size();
    let mut rgb = Vec::with_capacity(size.width as usize * size.height as usize * 3);
    for y in 0..size.height {
        push_rgb(frame.row(y).unwrap_or_default(), &mut rgb);
    }
    rgb
}

/// Appends a row of blue, green, red, padding as red, green, blue.
fn push_rgb(row: &[u8], rgb: &mut Vec<u8>) {
    let pixels = row.as_chunks::<BYTES_PER_PIXEL>().0;
    let start = rgb.len();
    rgb.resize(start + 3 * pixels.len(), 0);
    for (to, &[blue, green, red, _]) in rgb[start..].as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
        *to = [red, green, blue];
    }
}
