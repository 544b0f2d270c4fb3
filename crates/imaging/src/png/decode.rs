//! Reads a PNG that anyone may have made.
//!
//! Every limit is checked before memory is taken for what it limits: the length of the file first, then the
//! size that its header claims. Work is bounded by the limits too: packed data beyond the last row is
//! skipped, not unpacked, and so are colour profiles, texts and further frames of an animation.

use crate::{DecodeError, Flaw, Image};
use crossmacro_model::limits::{Limit, PNG_BYTES, PNG_HEIGHT, PNG_INFLATED, PNG_PIXELS, PNG_WIDTH};
use crossmacro_model::{Physical, Size};
use png::{
    Adam7Info, ColorType, DecodeOptions, Decoder, DecodingError, Info, InterlaceInfo, Limits, Reader,
    Transformations,
};
use std::io::{Cursor, ErrorKind};

/// Bytes of a decoded pixel.
const RGBA: usize = 4;
/// Bits of a decoded pixel.
const RGBA_BITS: u8 = 32;
/// What the decoder may keep beside the pixels: a few rows and small chunks.
const WORKING_MEMORY: usize = 4 << 20;

/// The size of a PNG, after reading all of it: a damaged one is an error. Takes a few rows of memory.
///
/// # Errors
/// [`DecodeError::TooLarge`] over a limit, [`DecodeError::Malformed`] for anything but a whole PNG.
pub fn inspect(bytes: &[u8]) -> Result<Size<Physical>, DecodeError> {
    let mut reader = open(bytes)?;
    let size = size_of(reader.info());
    read_rows(&mut reader, |_, _, _| {})?;
    Ok(size)
}

/// The pixels of a PNG of any kind (1 to 16 bits, grey, palette, alpha, interlaced), 8 bits a channel.
///
/// # Errors
/// [`DecodeError::TooLarge`] over a limit, [`DecodeError::Malformed`] for anything but a whole PNG.
pub fn decode(bytes: &[u8]) -> Result<Image, DecodeError> {
    let mut reader = open(bytes)?;
    let size = size_of(reader.info());
    let stride = size.width as usize * RGBA;
    let mut rgba = vec![0; stride * size.height as usize];
    let mut line = Vec::with_capacity(stride);
    read_rows(&mut reader, |place, color, row| {
        line.clear();
        push_rgba(color, row, &mut line);
        match place {
            Place::Row(y) => rgba[y * stride..][..stride].copy_from_slice(&line),
            Place::Pass(pass) => png::expand_interlaced_row(&mut rgba, stride, &line, &pass, RGBA_BITS),
        }
    })?;
    Ok(Image { size, rgba })
}

/// Where a decoded row belongs.
enum Place {
    /// The row `y`, whole.
    Row(usize),
    /// Single pixels of a row (Adam7).
    Pass(Adam7Info),
}

fn open(bytes: &[u8]) -> Result<Reader<Cursor<&[u8]>>, DecodeError> {
    check(&PNG_BYTES, bytes.len() as u64)?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Err(DecodeError::Malformed { flaw: Flaw::Signature, source: None });
    }
    let mut options = DecodeOptions::default();
    options.set_ignore_checksums(false);
    options.set_skip_ancillary_crc_failures(false);
    options.set_ignore_iccp_chunk(true);
    options.set_ignore_text_chunk(true);
    let mut decoder = Decoder::new_with_options(Cursor::new(bytes), options);
    decoder.set_limits(Limits { bytes: WORKING_MEMORY });
    decoder.set_transformations(Transformations::normalize_to_color8());
    check_header(decoder.read_header_info().map_err(malformed)?)?;
    let reader = decoder.read_info().map_err(malformed)?;
    check_palette(reader.info())?;
    Ok(reader)
}

/// A palette is 1 to 256 colours of three bytes. `png` 0.18.1 takes any length and panics on some when it
/// expands the first row.
fn check_palette(info: &Info<'_>) -> Result<(), DecodeError> {
    let length = info.palette.as_deref().map_or(3, <[u8]>::len);
    if length == 0 || length > 3 * 256 || !length.is_multiple_of(3) {
        return Err(DecodeError::Malformed { flaw: Flaw::Damaged, source: None });
    }
    Ok(())
}

fn size_of(info: &Info<'_>) -> Size<Physical> {
    Size::new(info.width, info.height)
}

fn check(what: &'static Limit, found: u64) -> Result<(), DecodeError> {
    if found > what.value { Err(DecodeError::TooLarge { what, found }) } else { Ok(()) }
}

fn check_header(info: &Info<'_>) -> Result<(), DecodeError> {
    let size = size_of(info);
    check(&PNG_WIDTH, size.width.into())?;
    check(&PNG_HEIGHT, size.height.into())?;
    check(&PNG_PIXELS, size.area())?;
    check(&PNG_INFLATED, inflated(info))
}

/// Bytes of the unpacked data: every row and its filter byte. An interlaced picture has less than twice the
/// rows, each rounded up to whole bytes.
fn inflated(info: &Info<'_>) -> u64 {
    let bits = u64::from(info.width) * info.bits_per_pixel() as u64;
    let filters = if info.interlaced { 4 } else { 1 };
    u64::from(info.height) * (bits.div_ceil(8) + filters)
}

/// Decodes all rows in order, hands each to `take`, and reads on to the end of the file.
fn read_rows(
    reader: &mut Reader<Cursor<&[u8]>>,
    mut take: impl FnMut(Place, ColorType, &[u8]),
) -> Result<(), DecodeError> {
    let color = reader.output_color_type().0;
    let mut y = 0;
    while let Some(row) = reader.next_interlaced_row().map_err(malformed)? {
        let place = match row.interlace() {
            InterlaceInfo::Null(_) => Place::Row(y),
            InterlaceInfo::Adam7(pass) => Place::Pass(*pass),
        };
        take(place, color, row.data());
        y += 1;
    }
    reader.finish().map_err(malformed)
}

/// Appends a decoded row as red, green, blue, alpha.
fn push_rgba(color: ColorType, row: &[u8], rgba: &mut Vec<u8>) {
    match color {
        ColorType::Rgba => rgba.extend_from_slice(row),
        ColorType::Rgb => rgba.extend(row.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX])),
        ColorType::GrayscaleAlpha => rgba.extend(row.as_chunks().0.iter().flat_map(|&[v, a]| [v, v, v, a])),
        // An indexed picture is expanded to colours by the decoder.
        ColorType::Grayscale | ColorType::Indexed => {
            rgba.extend(row.iter().flat_map(|&v| [v, v, v, u8::MAX]));
        }
    }
}

fn malformed(error: DecodingError) -> DecodeError {
    match error {
        DecodingError::LimitsExceeded => {
            DecodeError::TooLarge { what: &PNG_INFLATED, found: PNG_INFLATED.value.saturating_add(1) }
        }
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            DecodeError::Malformed { flaw: Flaw::Truncated, source: Some(error.into()) }
        }
        other => DecodeError::Malformed { flaw: Flaw::Damaged, source: Some(other.into()) },
    }
}
