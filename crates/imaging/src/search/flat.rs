//! A template of one colour: the sum of differences of every place, exactly, by sums that slide along.

use super::candidate::{Candidate, Found, Ranking, overlapping};
use super::picture::Picture;
use super::template::Template;
use crate::threads;
use crossmacro_model::frame::BYTES_PER_PIXEL;
use fearless_simd::{Level, Simd, dispatch};

/// Excluded, outside or in a void.
const EXCLUDED: u32 = u32::MAX;
/// The largest template whose sums fit in 32 bits.
pub(super) const LARGEST: u64 = (u32::MAX as u64 - 1) / (3 * 255);

pub(super) struct Flat<'a> {
    level: Level,
    template: &'a Template,
    columns: usize,
    /// Sums of differences of all places, without the factor of the coverage.
    sums: Vec<u32>,
    nearest: Option<Candidate>,
}

impl<'a> Flat<'a> {
    /// All sums of `template`, which is `color` (blue, green, red) throughout.
    pub(super) fn new(picture: &Picture<'_>, template: &'a Template, color: [u8; 3]) -> Self {
        let (width, height) = (template.size().width as usize, template.size().height as usize);
        let columns = (picture.width + 1).saturating_sub(width);
        let rows = (picture.height + 1).saturating_sub(height);
        let mut flat = Self { level: picture.level, template, columns, sums: Vec::new(), nearest: None };
        if columns > 0 && rows > 0 {
            flat.sums = vec![0; columns * rows];
            slide(picture, color, (width, height), columns, &mut flat.sums);
            flat.exclude_voids(picture);
            flat.nearest = flat.least();
        }
        flat
    }

    fn exclude_voids(&mut self, picture: &Picture<'_>) {
        for (y, row) in self.sums.chunks_exact_mut(self.columns).enumerate() {
            for places in picture.void_places(y, self.template.size()) {
                row[places].fill(EXCLUDED);
            }
        }
    }

    fn candidate(&self, index: usize) -> Option<Candidate> {
        let sum = self.sums[index];
        let place = |n: usize| u32::try_from(n).ok();
        let (y, x) = (place(index / self.columns)?, place(index % self.columns)?);
        (sum != EXCLUDED).then_some(Candidate { sum: 255 * u64::from(sum), y, x })
    }

    fn least(&self) -> Option<Candidate> {
        let least = dispatch!(self.level, simd => least_sum(simd, &self.sums));
        self.candidate(self.sums.iter().position(|sum| *sum == least)?)
    }
}

impl Ranking for Flat<'_> {
    fn nearest(&self) -> Option<Candidate> {
        self.nearest
    }

    fn best(&mut self, limit: u64, _budget: u64) -> Found {
        Found { place: self.least().filter(|place| place.sum <= limit), is_proven: true }
    }

    fn first(&mut self, limit: u64, _budget: u64) -> Found {
        let limit = u32::try_from(limit / 255).unwrap_or(EXCLUDED).min(EXCLUDED - 1);
        let index = self.sums.iter().position(|sum| *sum <= limit);
        Found { place: index.and_then(|index| self.candidate(index)), is_proven: true }
    }

    fn exclude(&mut self, place: Candidate) {
        let size = self.template.size();
        let columns = overlapping(place.x, size.width, self.columns);
        for y in overlapping(place.y, size.height, self.sums.len() / self.columns) {
            self.sums[y * self.columns..][columns.clone()].fill(EXCLUDED);
        }
    }
}

#[inline(always)]
fn least_sum<S: Simd>(simd: S, sums: &[u32]) -> u32 {
    simd.vectorize(
        #[inline(always)]
        || sums.iter().fold(EXCLUDED, |least, sum| least.min(*sum)),
    )
}

/// Fills `sums`, rows of `columns` places, with the sum of differences from `color` of every rectangle of
/// `size`.
fn slide(picture: &Picture<'_>, color: [u8; 3], size: (usize, usize), columns: usize, sums: &mut [u32]) {
    let rows = u32::try_from(sums.len() / columns).unwrap_or(0);
    let mut rest = sums;
    let mut bands = Vec::new();
    for range in threads::split(rows, picture.tuning.threads) {
        let (band, after) = rest.split_at_mut(range.len() * columns);
        bands.push((range.start as usize, band));
        rest = after;
    }
    threads::in_parallel(bands, |(top, band)| {
        let mut window = Window { picture, color, size, columns: vec![0; picture.width + 1] };
        window.fill(top, columns, band);
    });
}

/// As many rows as the template is high, sliding down.
struct Window<'a> {
    picture: &'a Picture<'a>,
    /// Blue, green, red.
    color: [u8; 3],
    size: (usize, usize),
    /// The differences of every column of the picture, added up; one value more.
    columns: Vec<u32>,
}

impl Window<'_> {
    /// Fills `out` from the row `top` on.
    fn fill(&mut self, top: usize, columns: usize, out: &mut [u32]) {
        let (width, height) = self.size;
        let mut ends = vec![0_u32; self.columns.len()];
        for y in top..top + height - 1 {
            self.add(y, u32::wrapping_add);
        }
        for (y, out) in (top..).zip(out.chunks_exact_mut(columns)) {
            self.add(y + height - 1, u32::wrapping_add);
            let mut sum = 0_u32;
            for (end, column) in ends[1..].iter_mut().zip(&self.columns) {
                // The sum of a whole wide row may wrap; the difference of two sums is right all the same.
                sum = sum.wrapping_add(*column);
                *end = sum;
            }
            for (to, (left, right)) in out.iter_mut().zip(ends.iter().zip(&ends[width..])) {
                *to = right.wrapping_sub(*left);
            }
            self.add(y, u32::wrapping_sub);
        }
    }

    /// Adds the differences of row `y`, or takes them away.
    fn add(&mut self, y: usize, with: impl Fn(u32, u32) -> u32) {
        let row = u32::try_from(y).ok().and_then(|y| self.picture.frame.row(y)).unwrap_or_default();
        let (color, columns) = (self.color, &mut self.columns);
        dispatch!(self.picture.level, simd => add_row(simd, row, color, columns, &with));
    }
}

#[inline(always)]
fn add_row<S: Simd>(
    simd: S,
    row: &[u8],
    [blue, green, red]: [u8; 3],
    columns: &mut [u32],
    with: &impl Fn(u32, u32) -> u32,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (column, pixel) in columns.iter_mut().zip(row.as_chunks::<BYTES_PER_PIXEL>().0) {
                let apart = u32::from(pixel[0].abs_diff(blue))
                    + u32::from(pixel[1].abs_diff(green))
                    + u32::from(pixel[2].abs_diff(red));
                *column = with(*column, apart);
            }
        },
    );
}
