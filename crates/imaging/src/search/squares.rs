//! The template as sums over squares, and the lower bounds of a sum of differences that they give.
//!
//! For a square that counts fully, the sum of its differences is at least the difference of its sums (see
//! [`picture`](super::picture)); so the bounds of squares that don't overlap add up.

use super::difference::Alive;
use super::picture::{BLOCK, LARGEST_POWER, Picture, divisor_power, split_index, split_stride};
use super::template::{Template, luma};
use crossmacro_model::frame::BYTES_PER_PIXEL;
use fearless_simd::{Level, Simd, dispatch};

/// Squares that a coarse bound should have at least: fewer tell too little.
const ENOUGH: usize = 24;
/// Squares that a coarse bound has at most: more take too long.
pub(super) const MOST: usize = 80;
/// Side of the squares of fine bounds, as a power of two, and at most half of that of the coarse ones.
const FINE_POWER: usize = 2;
/// Values of one row of squares that a fine bound compares at once.
const LANES: usize = 16;
/// What comparing [`LANES`] values costs, in pixels compared (measured).
const COST: u64 = 48;
/// No place: outside, in a void, or dealt with.
pub(super) const EXCLUDED: u16 = u16::MAX;

/// The smallest value of every block.
pub(super) fn block_leasts(level: Level, bounds: &[u16], leasts: &mut [u16]) {
    dispatch!(level, simd => least_values(simd, bounds, leasts));
}

#[inline(always)]
fn least_values<S: Simd>(simd: S, bounds: &[u16], leasts: &mut [u16]) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (least, block) in leasts.iter_mut().zip(bounds.as_chunks::<BLOCK>().0) {
                *least = block.iter().fold(EXCLUDED, |least, bound| least.min(*bound));
            }
        },
    );
}

/// A square of the template that counts fully.
struct Square {
    x: usize,
    y: usize,
    /// The sum of its luma, divided as the sums of the picture are.
    sum: u16,
}

/// The squares of side 2^`power` of a template.
fn squares(template: &Template, power: usize) -> Vec<Square> {
    let (width, height) = (template.size().width as usize, template.size().height as usize);
    let side = 1 << power;
    let corners = (0..height / side).flat_map(|y| (0..width / side).map(move |x| (x * side, y * side)));
    corners.filter_map(|(x, y)| square(template, power, x, y)).collect()
}

fn square(template: &Template, power: usize, x: usize, y: usize) -> Option<Square> {
    let width = template.size().width as usize;
    let side = 1_usize << power;
    let mut sum = 0;
    for row in y..y + side {
        let start = row * width + x;
        if template.coverage[start..start + side].iter().any(|weight| *weight != u8::MAX) {
            return None;
        }
        let pixels = template.pixels[start * BYTES_PER_PIXEL..][..side * BYTES_PER_PIXEL].as_chunks().0;
        sum += pixels.iter().map(luma).sum::<u32>();
    }
    Some(Square { x, y, sum: u16::try_from(sum >> divisor_power(power)).ok()? })
}

/// A bound for every place, from few large squares.
pub(super) struct Coarse {
    power: usize,
    squares: Vec<Square>,
    shift: u32,
}

impl Coarse {
    /// Squares as large as leaves [`ENOUGH`] of them, and of these the `most` most telling.
    pub(super) fn new(template: &Template, most: usize) -> Self {
        let mut power = LARGEST_POWER;
        let mut found = squares(template, power);
        while found.len() < ENOUGH && power > 0 {
            power -= 1;
            found = squares(template, power);
        }
        // With pixels for squares there may be any number: those that differ most from the others.
        let count = u32::try_from(found.len().max(1)).unwrap_or(u32::MAX);
        let mean = found.iter().map(|square| u64::from(square.sum)).sum::<u64>() / u64::from(count);
        found.sort_by_key(|square| std::cmp::Reverse(u64::from(square.sum).abs_diff(mean)));
        found.truncate(most);
        let largest = (765_u32 << (2 * power)) >> divisor_power(power);
        let total = u64::from(largest) * found.len() as u64;
        let shift = (0..).find(|shift| total >> shift < u64::from(EXCLUDED)).unwrap_or(0);
        found.sort_by_key(|square| (square.y, square.x));
        Self { power, squares: found, shift }
    }

    /// The side of its squares as a power of two.
    pub(super) fn power(&self) -> usize {
        self.power
    }

    /// What a bound of 1 stands for, in the unit of sums of differences.
    pub(super) fn unit(&self) -> u64 {
        255 << (self.shift + divisor_power(self.power))
    }

    /// Where the squares are in a plane with rows of `stride` values that has every `step`th place each way.
    pub(super) fn offsets(&self, stride: usize, step: usize) -> Vec<(usize, u16)> {
        let offset = |square: &Square| (square.y / step * stride + square.x / step, square.sum);
        self.squares.iter().map(offset).collect()
    }

    /// Writes the bounds of places side by side to `out`, whose length is a multiple of [`BLOCK`]. `plane`
    /// starts at the first of them.
    pub(super) fn bounds(&self, level: Level, plane: &[u16], offsets: &[(usize, u16)], out: &mut [u16]) {
        // Both sums are rounded down: the true difference may be one less.
        let slack = u16::from(divisor_power(self.power) > 0);
        dispatch!(level, simd => bounds(simd, plane, offsets, slack, self.shift, out));
    }
}

#[inline(always)]
fn bounds<S: Simd>(
    simd: S,
    plane: &[u16],
    squares: &[(usize, u16)],
    slack: u16,
    shift: u32,
    out: &mut [u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (index, out) in out.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
                let mut sums = [0_u16; BLOCK];
                for &(offset, sum) in squares {
                    let start = index * BLOCK + offset;
                    let Some(values) = plane.get(start..).and_then(|plane| plane.first_chunk::<BLOCK>())
                    else {
                        continue;
                    };
                    for (total, value) in sums.iter_mut().zip(values) {
                        let difference = value.abs_diff(sum).saturating_sub(slack);
                        // At most 15.
                        *total = total.saturating_add(difference.wrapping_shr(shift));
                    }
                }
                *out = sums;
            }
        },
    );
}

/// A bound for one place, from many small squares: nearer to the truth, and exact where the picture is
/// plain.
pub(super) struct Fine {
    power: usize,
    /// Row of squares by row of squares: where it is in the template, and its values.
    rows: Vec<FineRow>,
}

struct FineRow {
    y: usize,
    sums: Vec<[u16; LANES]>,
    /// All bits set where a square counts fully.
    masks: Vec<[u16; LANES]>,
}

impl Fine {
    /// Squares of at most half the side of `coarse`'s, or `None` where those are single pixels already.
    pub(super) fn new(template: &Template, coarse: &Coarse) -> Option<Self> {
        let power = coarse.power().checked_sub(1)?.min(FINE_POWER);
        let columns = (template.size().width as usize) >> power;
        let mut rows = Vec::<FineRow>::new();
        for square in squares(template, power) {
            if rows.last().is_none_or(|row| row.y != square.y) {
                let empty = vec![[0; LANES]; columns.div_ceil(LANES)];
                rows.push(FineRow { y: square.y, sums: empty.clone(), masks: empty });
            }
            if let Some(row) = rows.last_mut() {
                let column = square.x >> power;
                row.sums[column / LANES][column % LANES] = square.sum;
                row.masks[column / LANES][column % LANES] = u16::MAX;
            }
        }
        Some(Self { power, rows })
    }

    /// The sums of the picture that [`Fine::bound`] reads.
    pub(super) fn plane<'p>(&self, picture: &'p Picture<'_>) -> &'p [u16] {
        picture.split(self.power)
    }

    /// What a bound costs, in pixels compared.
    pub(super) fn cost(&self) -> u64 {
        self.rows.iter().map(|row| row.sums.len() as u64 * COST).sum()
    }

    /// Keeps the places `alive` of row `y` with a bound of at most `limit` and hands the others to `dropped`
    /// with their bound.
    pub(super) fn keep(
        &self,
        picture: &Picture<'_>,
        plane: &[u16],
        y: usize,
        alive: &mut Vec<Alive>,
        limit: u64,
        mut dropped: impl FnMut(Alive),
    ) {
        let row = &plane[y * split_stride(picture.width, self.power)..];
        dispatch!(picture.level, simd => fine_bounds(simd, self, picture.width, row, alive));
        alive.retain_mut(|place| {
            if place.sum > limit {
                dropped(*place);
                return false;
            }
            place.sum = 0;
            true
        });
    }
}

/// Sets the sum of every place to its bound.
#[inline(always)]
fn fine_bounds<S: Simd>(simd: S, fine: &Fine, width: usize, row: &[u16], alive: &mut [Alive]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let stride = split_stride(width, fine.power);
            for place in alive {
                let start = split_index(width, fine.power, place.x);
                place.sum = 255 * u64::from(fine_bound(&fine.rows, row, stride, start));
            }
        },
    );
}

#[inline(always)]
fn fine_bound(rows: &[FineRow], plane: &[u16], stride: usize, start: usize) -> u32 {
    let mut totals = [0_u32; LANES];
    for row in rows {
        let mut rest = plane.get(start + row.y * stride..).unwrap_or_default();
        for (sums, masks) in row.sums.iter().zip(&row.masks) {
            let Some((values, after)) = rest.split_first_chunk::<LANES>() else { break };
            for i in 0..LANES {
                let difference = values[i].abs_diff(sums[i]) & masks[i];
                totals[i] = totals[i].wrapping_add(u32::from(difference));
            }
            rest = after;
        }
    }
    totals.iter().fold(0, |sum: u32, total| sum.wrapping_add(*total))
}
