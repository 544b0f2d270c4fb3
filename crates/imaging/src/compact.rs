//! A frame to keep: its pixels without padding, in runs of one colour where that is shorter. A desktop of
//! windows and text takes about a tenth of its frame, noise three quarters. Packing and unpacking 1920x1080
//! take a few milliseconds.

use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::{Frame, Logical, Physical, Rect, Size};
use std::fmt;

/// A packed frame.
pub struct Compact {
    region: Rect<Logical>,
    size: Size<Physical>,
    voids: Vec<Rect<Physical>>,
    rows: Vec<u8>,
}

/// How a row is packed.
const SAME: u8 = 0;
const RUNS: u8 = 1;
const PLAIN: u8 = 2;

/// Bytes of a run: its length less one, then blue, green and red.
const RUN: usize = 4;
/// Bytes of a pixel on its own.
const COLOR: usize = 3;

impl Compact {
    /// Packs a frame.
    // Not inlined: its callers are built for size, and what is inlined there is no longer vectorised.
    #[inline(never)]
    pub fn new(frame: &Frame) -> Self {
        let (mut rows, mut runs) = (Vec::new(), Vec::new());
        let mut above: Option<&[u8]> = None;
        for row in (0..frame.size().height).filter_map(|y| frame.row(y)) {
            if above == Some(row) {
                rows.push(SAME);
            } else {
                push_row(row, &mut runs, &mut rows);
            }
            above = Some(row);
        }
        rows.shrink_to_fit();
        Self { region: frame.region(), size: frame.size(), voids: frame.voids().to_vec(), rows }
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.rows.capacity() + size_of_val(self.voids.as_slice())
    }

    /// The part of the desktop that it shows.
    pub fn region(&self) -> Rect<Logical> {
        self.region
    }

    /// The frame, its padding 0.
    pub fn frame(&self) -> Option<Frame> {
        let width = self.size.width as usize;
        let stride = width * BYTES_PER_PIXEL;
        let mut pixels = Vec::with_capacity(stride * self.size.height as usize);
        let mut rest = self.rows.as_slice();
        for _ in 0..self.size.height {
            let (kind, packed) = rest.split_first()?;
            rest = packed;
            match *kind {
                SAME => pixels.extend_from_within(pixels.len().checked_sub(stride)?..),
                RUNS => rest = pull_runs(rest, width, &mut pixels)?,
                _ => {
                    let (row, packed) = rest.split_at_checked(width * COLOR)?;
                    rest = packed;
                    pixels.extend(row.as_chunks::<COLOR>().0.iter().flat_map(|&[b, g, r]| [b, g, r, 0]));
                }
            }
        }
        Frame::new(self.region, self.size, stride, Box::new(pixels))
            .map(|frame| frame.with_voids(self.voids.clone()))
            .ok()
    }
}

fn push_row(row: &[u8], runs: &mut Vec<u8>, rows: &mut Vec<u8>) {
    let pixels = row.as_chunks::<BYTES_PER_PIXEL>().0;
    let plain = pixels.len() * COLOR;
    runs.clear();
    let mut left = pixels;
    while let Some(first) = left.first() {
        let (run, after) = left.split_at(run_length(left, *first));
        left = after;
        for part in run.chunks(256) {
            runs.push(u8::try_from(part.len() - 1).unwrap_or(u8::MAX));
            runs.extend_from_slice(&part[0][..COLOR]);
        }
        if runs.len() >= plain {
            rows.push(PLAIN);
            rows.extend(pixels.iter().flat_map(|&[b, g, r, _]| [b, g, r]));
            return;
        }
    }
    rows.push(RUNS);
    rows.extend_from_slice(runs);
}

/// How many pixels from the first on have its colour.
fn run_length(pixels: &[[u8; BYTES_PER_PIXEL]], first: [u8; BYTES_PER_PIXEL]) -> usize {
    /// Compared at once: most of a desktop is plain, and its rows are compared at the speed of memory.
    const BLOCK: usize = 16;
    let differs = |pixel: &[u8; BYTES_PER_PIXEL]| {
        (u32::from_le_bytes(*pixel) ^ u32::from_le_bytes(first)) & 0x00FF_FFFF
    };
    let is_plain = |block: &&[[u8; BYTES_PER_PIXEL]; BLOCK]| {
        block.iter().fold(0, |all, pixel| all | differs(pixel)) == 0
    };
    let plain = BLOCK * pixels.as_chunks::<BLOCK>().0.iter().take_while(is_plain).count();
    plain + pixels[plain..].iter().take_while(|pixel| differs(pixel) == 0).count()
}

fn pull_runs<'a>(mut rest: &'a [u8], width: usize, pixels: &mut Vec<u8>) -> Option<&'a [u8]> {
    let mut left = width;
    while left > 0 {
        let (run, packed) = rest.split_first_chunk::<RUN>()?;
        rest = packed;
        let &[length, b, g, r] = run;
        let length = usize::from(length) + 1;
        left = left.checked_sub(length)?;
        pixels.extend(std::iter::repeat_n([b, g, r, 0], length).flatten());
    }
    Some(rest)
}

impl fmt::Debug for Compact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never the pixels.
        write!(out, "Compact {{ {:?} of {:?}, {} bytes }}", self.size, self.region, self.rows.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame(width: u32, height: u32, pixels: Vec<u8>) -> Frame {
        let stride = width as usize * 4;
        Frame::new(Rect::new(-3, 7, width, height), Size::new(width, height), stride, Box::new(pixels))
            .unwrap()
    }

    proptest! {
        #[test]
        fn what_is_unpacked_is_what_was_packed(
            (width, height, pixels) in (1_u32..600, 1_u32..9).prop_flat_map(|(width, height)| {
                let count = (width * height * 4) as usize;
                let few = prop::collection::vec(prop::sample::select(vec![0_u8, 0, 0, 0, 0, 0, 9]), count);
                let many = prop::collection::vec(any::<u8>(), count);
                (Just(width), Just(height), prop_oneof![few, many])
            })
        ) {
            let frame = frame(width, height, pixels);
            let packed = Compact::new(&frame);
            let unpacked = packed.frame().unwrap();
            prop_assert_eq!(unpacked.region(), frame.region());
            for y in 0..height {
                let colors = |row: &[u8]| row.chunks(4).map(|pixel| pixel[..3].to_vec()).collect::<Vec<_>>();
                prop_assert_eq!(unpacked.row(y).map(colors), frame.row(y).map(colors));
            }
            prop_assert!(packed.bytes() <= size_of::<Compact>() + height as usize * (width as usize * 3 + 1));
        }
    }

    #[test]
    fn voids_are_kept() {
        let void = Rect::new(2, 0, 1, 2);
        let frame = frame(3, 2, vec![7; 24]).with_voids(vec![void]);
        assert_eq!(Compact::new(&frame).frame().unwrap().voids(), [void]);
    }
}
