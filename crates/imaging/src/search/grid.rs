//! A quick search for the best place: bounds at every second place each way, then the true sums around the
//! most promising of them.
//!
//! Sums over squares change little from one place to the next, so the best place is nearly always beside a
//! promising one; but it is not proven. It is for templates that can't match exactly anyway, because they
//! were scaled.

use super::candidate::Candidate;
use super::difference::{Alive, Comparison};
use super::picture::{BLOCK, Picture};
use super::squares::{Coarse, EXCLUDED, block_leasts};
use super::template::Template;

/// Promising places that are compared.
const PROMISING: usize = 256;
/// The best of them, whose surroundings are compared too.
const BEST: usize = 24;
/// Squares of a bound: fewer than where bounds prove something.
const SQUARES: usize = 36;
/// Distance of the places that are bounded.
const STEP: usize = 2;

/// A template prepared for the quick search.
pub(super) struct Grid<'a> {
    picture: &'a Picture<'a>,
    template: &'a Template,
    coarse: Coarse,
    /// Places in a row and rows.
    columns: usize,
    rows: usize,
}

impl<'a> Grid<'a> {
    /// `None` where the template has no squares to make bounds of, or doesn't fit on the picture.
    pub(super) fn new(picture: &'a Picture<'a>, template: &'a Template) -> Option<Self> {
        let coarse = Coarse::new(template, SQUARES);
        let columns = (picture.width + 1).checked_sub(template.size().width as usize)?;
        let rows = (picture.height + 1).checked_sub(template.size().height as usize)?;
        // Squares must lie at even places of the template.
        let is_possible = coarse.power() > 0 && columns > 0 && rows > 0;
        is_possible.then_some(Self { picture, template, coarse, columns, rows })
    }

    /// Makes what searches have in common, with all threads.
    pub(super) fn prepare(&self) {
        self.picture.halved(self.coarse.power());
    }

    /// The best place that was found.
    pub(super) fn best(&self) -> Option<Candidate> {
        let comparison = Comparison::new(self.picture, self.template);
        let centers = self.promising().into_iter();
        let centers = centers.filter_map(|(_, y, x)| {
            let x = (STEP * x).min(self.columns - 1);
            self.compare(&comparison, (STEP * y).min(self.rows - 1), x..=x, None)
        });
        let mut centers = centers.collect::<Vec<_>>();
        centers.sort_unstable();
        let mut best = centers.first().copied();
        for center in centers.into_iter().take(BEST) {
            let (y, x) = (center.y as usize, center.x as usize);
            for row in y.saturating_sub(1)..=(y + 1).min(self.rows - 1) {
                let columns = x.saturating_sub(1)..=(x + 1).min(self.columns - 1);
                best = self.compare(&comparison, row, columns, best);
            }
        }
        best
    }

    fn compare(
        &self,
        comparison: &Comparison<'_>,
        row: usize,
        columns: impl Iterator<Item = usize>,
        best: Option<Candidate>,
    ) -> Option<Candidate> {
        let y = u32::try_from(row).ok()?;
        let is_void =
            |x: &usize| self.picture.void_places(row, self.template.size()).any(|places| places.contains(x));
        let mut alive = columns.filter(|x| !is_void(x)).map(|x| Alive { x, sum: 0 }).collect();
        let limit = best.map_or(u64::MAX, |best| best.sum);
        comparison.compare(row, &mut alive, limit, |_| ());
        let found =
            alive.iter().filter_map(|at| Some(Candidate { sum: at.sum, y, x: u32::try_from(at.x).ok()? }));
        found.chain(best).min()
    }

    /// The places (halved) with the least bounds, the most promising first.
    fn promising(&self) -> Vec<(u16, usize, usize)> {
        let (columns, rows) = (self.columns.div_ceil(STEP), self.rows.div_ceil(STEP));
        let stride = self.picture.width.div_ceil(STEP);
        let plane = self.picture.halved(self.coarse.power());
        let offsets = self.coarse.offsets(stride, STEP);
        let mut bounds = vec![0; columns.next_multiple_of(BLOCK)];
        let mut leasts = vec![0; bounds.len() / BLOCK];
        let mut kept = Vec::with_capacity(4 * PROMISING + BLOCK);
        let mut most = EXCLUDED - 1;
        for y in 0..rows {
            self.coarse.bounds(self.picture.level, &plane[y * stride..], &offsets, &mut bounds);
            bounds[columns..].fill(EXCLUDED);
            // The places beside these that are free are beside others too.
            for places in self.picture.void_places(STEP * y, self.template.size()) {
                bounds[places.start.div_ceil(STEP)..places.end.div_ceil(STEP)].fill(EXCLUDED);
            }
            block_leasts(self.picture.level, &bounds, &mut leasts);
            for block in 0..leasts.len() {
                if leasts[block] > most {
                    continue;
                }
                let places = (block * BLOCK..).zip(&bounds[block * BLOCK..][..BLOCK]);
                kept.extend(places.filter(|(_, bound)| **bound <= most).map(|(x, bound)| (*bound, y, x)));
                if kept.len() > 4 * PROMISING {
                    kept.select_nth_unstable(PROMISING);
                    kept.truncate(PROMISING);
                    // Later ones must be better: equal ones are further down.
                    let worst = kept.iter().map(|(bound, ..)| *bound).max().unwrap_or(most);
                    most = worst.saturating_sub(1);
                }
            }
        }
        kept.sort_unstable();
        kept.truncate(PROMISING);
        kept
    }
}
