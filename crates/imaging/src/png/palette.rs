//! The colours of a frame, when they are few: a text desktop often has under 256, and one byte a pixel
//! halves both the time to pack it and the size.

use crossmacro_model::Frame;
use crossmacro_model::frame::BYTES_PER_PIXEL;

const COLOURS: usize = 256;
/// Slots of the hash table: eight a colour, so that nearly every look-up ends at the first one.
const SLOTS: usize = 8 * COLOURS;
/// Pixels that are compared at once with the colour before them: most of a desktop is plain.
const BLOCK: usize = 16;
/// No colour: a pixel without its padding byte is below this.
const FREE: u32 = u32::MAX;

/// A frame as indices into its colours.
pub(super) struct Indexed {
    /// Red, green and blue of every colour, in the order of first use.
    pub(super) colours: Vec<u8>,
    /// One byte a pixel, rows without padding.
    pub(super) indices: Vec<u8>,
}

/// The frame by index, or `None` as soon as a 257th colour is seen.
pub(super) fn index(frame: &Frame) -> Option<Indexed> {
    let size = frame.size();
    let mut palette = Palette::new();
    let mut indices = vec![0; usize::try_from(size.area()).ok()?];
    for (y, row) in (0..size.height).zip(indices.chunks_exact_mut(size.width.max(1) as usize)) {
        palette.index_row(frame.row(y)?, row)?;
    }
    Some(Indexed { colours: palette.colours, indices })
}

struct Palette {
    slots: Vec<(u32, u8)>,
    colours: Vec<u8>,
    /// The colour of the last pixel and its index: runs don't touch the table.
    last: (u32, u8),
}

impl Palette {
    fn new() -> Self {
        Self { slots: vec![(FREE, 0); SLOTS], colours: Vec::with_capacity(3 * COLOURS), last: (FREE, 0) }
    }

    fn index_row(&mut self, pixels: &[u8], indices: &mut [u8]) -> Option<()> {
        let pixels = pixels.as_chunks::<BYTES_PER_PIXEL>().0;
        let blocks = pixels.chunks(BLOCK).zip(indices.chunks_mut(BLOCK));
        for (pixels, indices) in blocks {
            let (last, index) = self.last;
            let differs = |pixel: &[u8; BYTES_PER_PIXEL]| (u32::from_le_bytes(*pixel) ^ last) & 0x00FF_FFFF;
            if pixels.iter().fold(0, |all, pixel| all | differs(pixel)) == 0 && last != FREE {
                indices.fill(index);
            } else {
                self.index_block(pixels, indices)?;
            }
        }
        Some(())
    }

    fn index_block(&mut self, pixels: &[[u8; BYTES_PER_PIXEL]], indices: &mut [u8]) -> Option<()> {
        for (pixel, index) in pixels.iter().zip(indices) {
            let colour = u32::from_le_bytes(*pixel) & 0x00FF_FFFF;
            if colour != self.last.0 {
                self.last = (colour, self.look_up(colour)?);
            }
            *index = self.last.1;
        }
        Some(())
    }

    fn look_up(&mut self, colour: u32) -> Option<u8> {
        // Fibonacci hashing; the top 11 bits choose one of the 2048 slots.
        let mut slot = (colour.wrapping_mul(0x9E37_79B1) >> 21) as usize;
        loop {
            match self.slots[slot] {
                (found, index) if found == colour => return Some(index),
                (FREE, _) => break,
                _ => slot = (slot + 1) % SLOTS,
            }
        }
        let index = u8::try_from(self.colours.len() / 3).ok()?;
        let [blue, green, red, _] = colour.to_le_bytes();
        self.colours.extend_from_slice(&[red, green, blue]);
        self.slots[slot] = (colour, index);
        Some(index)
    }
}
