//! A template of one colour: the sum of differences of every place, exactly, by sums that slide along.

use super::candidate::{Candidate, Found, Ranking, overlapping};
use super::picture::Picture;
use super::template::Template;
use crossmacro_model::frame::BYTES_PER_PIXEL;

/// Excluded, outside or in a void.
const EXCLUDED: u32 = u32::MAX;
/// The largest template whose sums fit in 32 bits.
pub(super) const LARGEST: u64 = (u32::MAX as u64 - 1) / (3 * 255);

pub(super) struct Flat<'a> {
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
        let mut flat = Self { template, columns, sums: Vec::new(), nearest: None };
        if columns > 0 && rows > 0 {
            flat.sums = vec![0; columns * rows];
            slide(picture, color, (width, height), &mut flat.sums);
            flat.exclude_voids(picture);
            flat.nearest = flat.least();
        }
        flat
    }

    fn exclude_voids(&mut self, picture: &Picture<'_>) {
        let (width, height) = (i64::from(self.template.size().width), i64::from(self.template.size().height));
        let rows = self.sums.len() / self.columns;
        let clip = |at: i64, count: usize| usize::try_from(at.max(0)).unwrap_or(0).min(count);
        for void in picture.frame.voids().iter().filter(|void| !void.is_empty()) {
            let columns = clip(i64::from(void.x) - width + 1, self.columns)..clip(void.right(), self.columns);
            for y in clip(i64::from(void.y) - height + 1, rows)..clip(void.bottom(), rows) {
                self.sums[y * self.columns..][columns.clone()].fill(EXCLUDED);
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
        let least = self.sums.iter().fold(EXCLUDED, |least, sum| least.min(*sum));
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

/// Fills `sums` with the sum of differences from `color` of every rectangle of `size`.
fn slide(picture: &Picture<'_>, color: [u8; 3], (width, height): (usize, usize), sums: &mut [u32]) {
    let columns = picture.width + 1 - width;
    // The differences of a column, as high as the template, below every pixel of the current row.
    let mut heights = vec![0_u32; picture.width];
    for y in 0..height - 1 {
        apart(picture, color, y, |x, apart| heights[x] += apart);
    }
    for (y, out) in sums.chunks_exact_mut(columns).enumerate() {
        apart(picture, color, y + height - 1, |x, apart| heights[x] += apart);
        let mut sum = heights[..width].iter().sum::<u32>();
        out[0] = sum;
        for x in 1..columns {
            sum = sum - heights[x - 1] + heights[x + width - 1];
            out[x] = sum;
        }
        apart(picture, color, y, |x, apart| heights[x] -= apart);
    }
}

/// Calls `take` with the difference of every pixel of row `y` from `color`.
fn apart(picture: &Picture<'_>, color: [u8; 3], y: usize, mut take: impl FnMut(usize, u32)) {
    let row = u32::try_from(y).ok().and_then(|y| picture.frame.row(y)).unwrap_or_default();
    for (x, pixel) in row.as_chunks::<BYTES_PER_PIXEL>().0.iter().enumerate() {
        let apart = pixel.iter().zip(color).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
        take(x, apart);
    }
}
