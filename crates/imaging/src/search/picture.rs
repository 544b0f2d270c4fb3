//! The frame that is searched, and the sums over its squares that bounds are made of.
//!
//! The luma here is blue + green + red (0 to 765): the differences of three channels together are at least
//! the difference of their sums, so sums over squares of it give lower bounds of a sum of differences.

use super::template::luma;
use crate::threads;
use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::{Frame, Physical, Rect, Size};
use fearless_simd::{Level, Simd, dispatch};
use std::ops::Range;
use std::sync::OnceLock;

/// Values read at once; every plane has as many to spare behind its end.
pub(super) const BLOCK: usize = 64;
/// Sides of the squares are powers of two, up to 2^6.
pub(super) const LARGEST_POWER: usize = 6;
/// Sums of squares up to this side fit in 16 bits; of larger ones a part is kept.
const EXACT_POWER: usize = 3;

/// What decides about the way of a search, never about its result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tuning {
    /// Most threads.
    pub(super) threads: usize,
    /// Places left by coarse bounds from which on fine bounds are worth their preparation.
    pub(super) worth_fine: usize,
}

impl Tuning {
    /// For a picture of `pixels` pixels.
    pub(super) fn of(pixels: u64) -> Self {
        Self { threads: threads::worth(pixels), worth_fine: 2_000 }
    }
}

/// A frame prepared for searches.
pub(super) struct Picture<'a> {
    pub(super) frame: &'a Frame,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) level: Level,
    pub(super) tuning: Tuning,
    luma: OnceLock<Vec<u16>>,
    squares: [OnceLock<Vec<u16>>; LARGEST_POWER + 1],
    split: [OnceLock<Vec<u16>>; EXACT_POWER + 1],
    halved: [OnceLock<Vec<u16>>; LARGEST_POWER + 1],
}

/// The sum of a square of side 2^`power` is kept divided by this, rounded down.
pub(super) fn divisor_power(power: usize) -> u32 {
    u32::try_from(2 * power.saturating_sub(EXACT_POWER)).unwrap_or(0)
}

impl<'a> Picture<'a> {
    pub(super) fn new(frame: &'a Frame, level: Level, tuning: Tuning) -> Self {
        Self {
            tuning,
            frame,
            width: frame.size().width as usize,
            height: frame.size().height as usize,
            level,
            luma: OnceLock::new(),
            squares: Default::default(),
            split: Default::default(),
            halved: Default::default(),
        }
    }

    /// Sums of the squares of side 2^`power` by their top left corner, rows of the width of the frame. What
    /// lies where no whole square fits is of no use.
    pub(super) fn squares(&self, power: usize) -> &[u16] {
        self.squares[power].get_or_init(|| {
            if power == 0 {
                return self.luma().to_vec();
            }
            let rows = (self.height + 1).saturating_sub(1 << power);
            let mut sums = vec![0; self.width * self.height + BLOCK];
            let (luma, width, level) = (self.luma(), self.width, self.level);
            self.by_rows(&mut sums[..width * rows], width, |rows, out| {
                dispatch!(level, simd => sum_squares(simd, luma, width, power, rows, out));
            });
            sums
        })
    }

    /// The same sums, each row sorted by the remainder of x by the side of the square: squares side by side
    /// are neighbours. See [`split_index`].
    pub(super) fn split(&self, power: usize) -> &[u16] {
        self.split[power].get_or_init(|| {
            let squares = self.squares(power);
            let stride = split_stride(self.width, power);
            let mut split = vec![0; stride * self.height + BLOCK];
            self.by_rows(&mut split[..stride * self.height], stride, |rows, out| {
                for (y, row) in rows.zip(out.chunks_exact_mut(stride)) {
                    split_row(&squares[y * self.width..][..self.width], power, row);
                }
            });
            split
        })
    }

    /// The sums of the squares at even places only; rows of half the width, rounded up.
    pub(super) fn halved(&self, power: usize) -> &[u16] {
        self.halved[power].get_or_init(|| {
            let squares = self.squares(power);
            let stride = self.width.div_ceil(2);
            let rows = self.height.div_ceil(2);
            let mut halved = vec![0; stride * rows + BLOCK];
            self.by_rows(&mut halved[..stride * rows], stride, |rows, out| {
                for (y, out) in rows.zip(out.chunks_exact_mut(stride)) {
                    let row = squares[2 * y * self.width..][..self.width].iter().step_by(2);
                    for (to, from) in out.iter_mut().zip(row) {
                        *to = *from;
                    }
                }
            });
            halved
        })
    }

    /// The places of row `y` where a template of `size` would reach into an area that no monitor shows.
    pub(super) fn void_places(&self, y: usize, size: Size<Physical>) -> impl Iterator<Item = Range<usize>> {
        let (width, height) = (i64::from(size.width), i64::from(size.height));
        let columns = (self.width + 1).saturating_sub(size.width as usize);
        let top = i64::try_from(y).unwrap_or(i64::MAX);
        let meets = move |void: &&Rect<Physical>| {
            !void.is_empty() && top < void.bottom() && top.saturating_add(height) > i64::from(void.y)
        };
        let inside = move |x: i64| usize::try_from(x.max(0)).unwrap_or(0).min(columns);
        let voids = self.frame.voids().iter().filter(meets);
        voids.map(move |void| inside(i64::from(void.x) - width + 1)..inside(void.right()))
    }

    fn luma(&self) -> &[u16] {
        self.luma.get_or_init(|| {
            let mut values = vec![0; self.width * self.height + BLOCK];
            let (frame, width, level) = (self.frame, self.width, self.level);
            self.by_rows(&mut values[..width * self.height], width, |rows, out| {
                for (y, out) in rows.zip(out.chunks_exact_mut(width)) {
                    let pixels = u32::try_from(y).ok().and_then(|y| frame.row(y)).unwrap_or_default();
                    dispatch!(level, simd => luma_row(simd, pixels, out));
                }
            });
            values
        })
    }

    /// Fills `out`, rows of `stride` values, by bands of rows on several threads.
    fn by_rows(&self, out: &mut [u16], stride: usize, fill: impl Fn(Range<usize>, &mut [u16]) + Sync) {
        if out.is_empty() {
            return;
        }
        let rows = u32::try_from(out.len() / stride).unwrap_or(0);
        let mut rest = out;
        let mut bands = Vec::new();
        for range in threads::split(rows, self.tuning.threads) {
            let (band, after) = rest.split_at_mut(range.len() * stride);
            bands.push((range.start as usize..range.end as usize, band));
            rest = after;
        }
        threads::in_parallel(bands, |(rows, band)| fill(rows, band));
    }
}

/// Values in a row of [`Picture::split`].
pub(super) fn split_stride(width: usize, power: usize) -> usize {
    width.div_ceil(1 << power) << power
}

/// Where in a row of [`Picture::split`] the square at `x` is; the squares to its right that touch follow.
pub(super) fn split_index(width: usize, power: usize, x: usize) -> usize {
    let side = 1 << power;
    (x % side) * (split_stride(width, power) >> power) + (x >> power)
}

fn split_row(row: &[u16], power: usize, out: &mut [u16]) {
    let side = 1 << power;
    for (remainder, out) in out.chunks_exact_mut(out.len() >> power).enumerate() {
        for (to, from) in out.iter_mut().zip(row.iter().skip(remainder).step_by(side)) {
            *to = *from;
        }
    }
}

#[inline(always)]
fn luma_row<S: Simd>(simd: S, pixels: &[u8], out: &mut [u16]) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (value, pixel) in out.iter_mut().zip(pixels.as_chunks::<BYTES_PER_PIXEL>().0) {
                // At most 765.
                #[allow(clippy::cast_possible_truncation)]
                let sum = luma(pixel) as u16;
                *value = sum;
            }
        },
    );
}

/// Fills `out` with the sums of the squares of side 2^`power` whose top rows are `rows`.
#[inline(always)]
fn sum_squares<S: Simd>(
    simd: S,
    luma: &[u16],
    width: usize,
    power: usize,
    rows: Range<usize>,
    out: &mut [u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let side = 1 << power;
            let row = |y: usize| &luma[y * width..][..width];
            let mut columns = vec![0_u32; width];
            let mut sums = vec![0_u32; width];
            let mut doubled = vec![0_u32; width];
            for y in rows.start..rows.start + side - 1 {
                add_row(&mut columns, row(y));
            }
            for (y, out) in rows.zip(out.chunks_exact_mut(width)) {
                add_row(&mut columns, row(y + side - 1));
                sums.copy_from_slice(&columns);
                for step in 0..power {
                    double(&sums, &mut doubled, 1 << step);
                    std::mem::swap(&mut sums, &mut doubled);
                }
                for (to, sum) in out.iter_mut().zip(&sums) {
                    // Divided so that it fits; past the last whole square it is rubbish that nobody reads.
                    #[allow(clippy::cast_possible_truncation)]
                    let kept = (sum >> divisor_power(power)) as u16;
                    *to = kept;
                }
                for (column, value) in columns.iter_mut().zip(row(y)) {
                    *column = column.wrapping_sub(u32::from(*value));
                }
            }
        },
    );
}

// Sums of at most 2^12 values of at most 765 don't wrap; checked sums would not become vector code.
#[inline(always)]
fn add_row(columns: &mut [u32], row: &[u16]) {
    for (column, value) in columns.iter_mut().zip(row) {
        *column = column.wrapping_add(u32::from(*value));
    }
}

/// Every sum with the one `step` to its right.
#[inline(always)]
fn double(sums: &[u32], doubled: &mut [u32], step: usize) {
    let right = sums.get(step..).unwrap_or_default();
    for ((to, sum), right) in doubled.iter_mut().zip(sums).zip(right) {
        *to = sum.wrapping_add(*right);
    }
}
