//! Colours of a frame: what is here, and where is the first pixel of a colour.

use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::{Frame, Physical, Point, Rect, Size};
use std::ops::Range;

/// Pixels that are compared at once; a whole number of vector registers of every size.
const BLOCK: usize = 32 * BYTES_PER_PIXEL;

/// Whether the pixel `at` has the colour `target` (red, green, blue), each channel within `tolerance`.
/// `false` outside the frame and in a void.
pub fn matches(frame: &Frame, at: Point<Physical>, target: [u8; 3], tolerance: u8) -> bool {
    frame
        .rgb(at)
        .is_some_and(|rgb| rgb.iter().zip(target).all(|(have, want)| have.abs_diff(want) <= tolerance))
}

/// The first pixel of the colour `target` (red, green, blue), each channel within `tolerance`: the topmost,
/// and of these the leftmost. Voids are not pixels.
pub fn search(frame: &Frame, target: [u8; 3], tolerance: u8) -> Option<Point<Physical>> {
    let band = Band::new(target, tolerance);
    for y in 0..frame.size().height {
        let row = frame.row(y)?;
        // Most rows have no void and no match, and are done with here.
        if !band.is_in(row) {
            continue;
        }
        let y = i32::try_from(y).ok()?;
        for part in visible(frame, y) {
            let pixels = &row[part.start * BYTES_PER_PIXEL..part.end * BYTES_PER_PIXEL];
            if let Some(x) = band.first(pixels) {
                return Some(Point::new(i32::try_from(part.start + x).ok()?, y));
            }
        }
    }
    None
}

/// The parts of row `y` that are no void, from the left, in pixels.
fn visible(frame: &Frame, y: i32) -> Vec<Range<usize>> {
    let mut parts = vec![Rect::at(Point::new(0, y), Size::new(frame.size().width, 1))];
    for void in frame.voids() {
        parts = parts.into_iter().flat_map(|part| part.without(*void)).collect();
    }
    parts.sort_unstable_by_key(|part| part.x);
    let start = |part: &Rect<Physical>| part.x.unsigned_abs() as usize;
    parts.iter().map(|part| start(part)..start(part) + part.width as usize).collect()
}

/// The colours that match: a lowest and a highest value for every byte of a block of pixels.
struct Band {
    low: [u8; BLOCK],
    high: [u8; BLOCK],
}

impl Band {
    fn new([red, green, blue]: [u8; 3], tolerance: u8) -> Self {
        let mut band = Self { low: [0; BLOCK], high: [u8::MAX; BLOCK] };
        for (low, high) in band.low.as_chunks_mut().0.iter_mut().zip(band.high.as_chunks_mut().0) {
            // The padding byte may hold anything.
            *low = [blue, green, red, tolerance].map(|value: u8| value.saturating_sub(tolerance));
            *high = [blue, green, red, u8::MAX].map(|value: u8| value.saturating_add(tolerance));
        }
        band
    }

    fn is_in(&self, row: &[u8]) -> bool {
        let (blocks, rest) = row.as_chunks::<BLOCK>();
        blocks.iter().any(|block| self.is_in_block(block)) || self.first(rest).is_some()
    }

    /// Written for the compiler to turn into vector code: no early exit, no branch.
    #[inline]
    fn is_in_block(&self, block: &[u8; BLOCK]) -> bool {
        let mut outside = [0_u8; BLOCK];
        for i in 0..BLOCK {
            outside[i] = block[i].saturating_sub(self.high[i]) | self.low[i].saturating_sub(block[i]);
        }
        let mut hits = 0_u32;
        for pixel in outside.as_chunks::<BYTES_PER_PIXEL>().0 {
            hits |= u32::from(u32::from_le_bytes(*pixel) == 0);
        }
        hits != 0
    }

    fn first(&self, pixels: &[u8]) -> Option<usize> {
        pixels.as_chunks::<BYTES_PER_PIXEL>().0.iter().position(|pixel| {
            let range = self.low.iter().zip(&self.high);
            pixel.iter().zip(range).all(|(value, (low, high))| low <= value && value <= high)
        })
    }
}
