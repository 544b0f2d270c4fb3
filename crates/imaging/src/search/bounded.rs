//! Branch and bound: a lower bound for every place, and the true sum only where the bound leaves a chance.
//!
//! The bounds come from few large squares for all places at once; a place that they leave is bounded again
//! by many small squares, and only then compared pixel by pixel until it is over the limit. On plain and
//! repetitive pictures, where many places are equally good, the bounds are the truth itself and ties are
//! settled by the order of places; what is left is limited by a budget.

use super::candidate::{Candidate, Found, Ranking, overlapping};
use super::difference::{Alive, Comparison};
use super::picture::{BLOCK, Picture};
use super::squares::{Coarse, EXCLUDED, Fine, MOST, block_leasts};
use super::template::Template;
use crate::threads;
use fearless_simd::Level;
use std::sync::{Mutex, PoisonError};

/// Rows whose most promising place is compared before anything else, so that a good limit is known early.
const SEEDS: usize = 256;
/// What looking at one place costs beside its pixels, in pixels.
const OVERHEAD: u64 = 128;
/// Places after which a thread knows whether fine bounds are of use in this part of the picture.
const TRIED: u64 = 512;
/// Places that are compared without them when they are not.
const PAUSE: u64 = 4_096;

pub(super) struct Bounded<'a> {
    judge: Judge<'a>,
    rows: Vec<Row>,
    /// Places compared to the end and not excluded.
    known: Vec<Candidate>,
    nearest: Option<Candidate>,
}

/// Which place is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Best,
    First,
}

/// Bounds of the places of one row.
struct Row {
    y: usize,
    /// The smallest of `bounds`.
    least: u16,
    /// The smallest of every block of `bounds`.
    leasts: Vec<u16>,
    /// A whole number of blocks; those beyond the last place are excluded.
    bounds: Vec<u16>,
}

impl Row {
    fn new(level: Level, y: usize, bounds: Vec<u16>) -> Self {
        let mut row = Self { y, least: EXCLUDED, leasts: vec![EXCLUDED; bounds.len() / BLOCK], bounds };
        row.refresh(level);
        row
    }

    /// After changes of `bounds`.
    fn refresh(&mut self, level: Level) {
        block_leasts(level, &self.bounds, &mut self.leasts);
        self.least = self.leasts.iter().min().copied().unwrap_or(EXCLUDED);
    }
}

impl<'a> Bounded<'a> {
    pub(super) fn new(picture: &'a Picture<'a>, template: &'a Template) -> Self {
        let judge = Judge::new(picture, template);
        let rows = judge.bound_all();
        let mut ranking = Self { judge, rows, known: Vec::new(), nearest: None };
        ranking.seed();
        ranking
    }

    /// Compares the most promising place of the most promising rows.
    fn seed(&mut self) {
        let mut order = (0..self.rows.len()).collect::<Vec<_>>();
        order.sort_by_key(|y| self.rows[*y].least);
        for index in order.into_iter().take(SEEDS) {
            let row = &mut self.rows[index];
            let Some(x) = row.bounds.iter().position(|bound| *bound == row.least) else { continue };
            let Some(place) = self.judge.candidate(row.least, x, row.y) else { break };
            let limit = self.nearest.unwrap_or(Candidate::worst_of(u64::MAX));
            if place > limit {
                break;
            }
            let mut worker = Worker::new(&self.judge, false, u64::MAX);
            worker.alive.push(Alive { x, sum: 0 });
            worker.compare(row, limit);
            row.refresh(self.judge.picture.level);
            self.known.append(&mut worker.known);
            self.nearest = self.known.iter().min().copied();
        }
    }

    /// Whether the coarse bounds leave so many places under `limit` that fine ones are worth their preparation.
    fn leaves_many(&self, limit: u64) -> bool {
        let bound = self.judge.bound_of(limit);
        let mut count = 0;
        for row in self.rows.iter().filter(|row| row.least <= bound) {
            let blocks = row.leasts.iter().zip(row.bounds.as_chunks::<BLOCK>().0);
            let blocks = blocks.filter(|(least, _)| **least <= bound);
            count +=
                blocks.map(|(_, block)| block.iter().filter(|value| **value <= bound).count()).sum::<usize>();
            if count >= self.judge.picture.tuning.worth_fine {
                return true;
            }
        }
        false
    }

    /// Deals the rows, best first or from the top, to threads.
    fn in_parallel(&mut self, limit: Candidate, budget: u64, goal: Goal) -> bool {
        let uses_fine = self.leaves_many(limit.sum);
        let bound = self.judge.bound_of(limit.sum);
        let mut rows = self.rows.iter_mut().filter(|row| row.least <= bound).collect::<Vec<_>>();
        if goal == Goal::Best {
            rows.sort_by_key(|row| row.least);
        }
        let count = if uses_fine { self.judge.picture.tuning.threads } else { 1 };
        let mut hands = (0..count).map(|_| Vec::new()).collect::<Vec<Vec<&mut Row>>>();
        for (index, row) in rows.into_iter().enumerate() {
            hands[index % count].push(row);
        }
        let shared = Mutex::new(limit);
        let judge = &self.judge;
        let results = threads::in_parallel(hands, |hand| {
            let mut worker = Worker::new(judge, uses_fine, budget / count as u64);
            for row in hand {
                match goal {
                    Goal::Best => worker.search_best(row, &shared),
                    Goal::First => worker.search_first(row, &shared),
                }
            }
            worker.finish()
        });
        let mut is_proven = true;
        for (mut known, is_done) in results {
            self.known.append(&mut known);
            is_proven &= is_done;
        }
        is_proven
    }
}

impl Ranking for Bounded<'_> {
    fn nearest(&self) -> Option<Candidate> {
        self.nearest
    }

    fn best(&mut self, limit: u64, budget: u64) -> Found {
        let known = |known: &[Candidate]| known.iter().filter(|place| place.sum <= limit).min().copied();
        let start = known(&self.known).unwrap_or(Candidate::worst_of(limit));
        let is_proven = self.in_parallel(start, budget, Goal::Best);
        Found { place: known(&self.known), is_proven }
    }

    fn first(&mut self, limit: u64, budget: u64) -> Found {
        let topmost = |known: &[Candidate]| {
            known.iter().filter(|place| place.sum <= limit).min_by_key(|place| (place.y, place.x)).copied()
        };
        // The sum stays; the place moves up as places are found.
        let start =
            topmost(&self.known).map_or(Candidate::worst_of(limit), |at| Candidate { sum: limit, ..at });
        let is_proven = self.in_parallel(start, budget, Goal::First);
        Found { place: topmost(&self.known), is_proven }
    }

    fn exclude(&mut self, place: Candidate) {
        let size = self.judge.template.size();
        let columns = overlapping(place.x, size.width, self.judge.columns);
        let rows = overlapping(place.y, size.height, self.rows.len());
        self.known
            .retain(|known| !(columns.contains(&(known.x as usize)) && rows.contains(&(known.y as usize))));
        for row in &mut self.rows[rows] {
            row.bounds[columns.clone()].fill(EXCLUDED);
            row.refresh(self.judge.picture.level);
        }
    }
}

/// What decides about places; shared by all threads.
struct Judge<'a> {
    picture: &'a Picture<'a>,
    template: &'a Template,
    coarse: Coarse,
    fine: Option<Fine>,
    comparison: Comparison<'a>,
    /// Places in a row.
    columns: usize,
}

impl<'a> Judge<'a> {
    fn new(picture: &'a Picture<'a>, template: &'a Template) -> Self {
        let coarse = Coarse::new(template, MOST);
        let fine = Fine::new(template, &coarse);
        let comparison = Comparison::new(picture, template);
        let columns = (picture.width + 1).saturating_sub(template.size().width as usize);
        Self { picture, template, coarse, fine, comparison, columns }
    }

    fn bound_all(&self) -> Vec<Row> {
        let rows = (self.picture.height + 1).saturating_sub(self.template.size().height as usize);
        if self.columns == 0 || rows == 0 {
            return Vec::new();
        }
        // Made here rather than by the first thread that needs it, since it is made by threads itself.
        self.picture.squares(self.coarse.power());
        let offsets = self.coarse.offsets(self.picture.width, 1);
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let bands = threads::split(rows, self.picture.tuning.threads);
        let bands = threads::in_parallel(bands, |band| {
            (band.start as usize..band.end as usize).map(|y| self.bound_row(y, &offsets)).collect::<Vec<_>>()
        });
        bands.into_iter().flatten().collect()
    }

    fn bound_row(&self, y: usize, offsets: &[(usize, u16)]) -> Row {
        let mut bounds = vec![0; self.columns.next_multiple_of(BLOCK)];
        let plane = &self.picture.squares(self.coarse.power())[y * self.picture.width..];
        self.coarse.bounds(self.picture.level, plane, offsets, &mut bounds);
        bounds[self.columns..].fill(EXCLUDED);
        // A template that reaches into a void is not found.
        for places in self.picture.void_places(y, self.template.size()) {
            bounds[places].fill(EXCLUDED);
        }
        Row::new(self.picture.level, y, bounds)
    }

    /// The place (`x`, `y`) with the sum that its coarse bound stands for; `None` where it is excluded.
    fn candidate(&self, bound: u16, x: usize, y: usize) -> Option<Candidate> {
        if bound == EXCLUDED {
            return None;
        }
        let sum = u64::from(bound) * self.coarse.unit();
        Some(Candidate { sum, y: u32::try_from(y).ok()?, x: u32::try_from(x).ok()? })
    }

    /// The largest sum that makes a place of `row` better than `limit`: below it, an equal one is not.
    fn sum_for(row: &Row, limit: Candidate) -> Option<u64> {
        if row.y > limit.y as usize { limit.sum.checked_sub(1) } else { Some(limit.sum) }
    }

    /// The largest coarse bound of a place of `row` that may be better than `limit`.
    fn most(&self, row: &Row, limit: Candidate) -> Option<u16> {
        Self::sum_for(row, limit).map(|sum| self.bound_of(sum))
    }

    /// The largest coarse bound that leaves a chance for a sum of at most `limit`.
    fn bound_of(&self, limit: u64) -> u16 {
        u16::try_from(limit / self.coarse.unit()).unwrap_or(u16::MAX).min(EXCLUDED - 1)
    }
}

/// One thread of a search.
struct Worker<'w> {
    judge: &'w Judge<'w>,
    fine: Option<(&'w Fine, &'w [u16])>,
    /// Places that were bounded finely, and those of them that it spared.
    tried: u64,
    spared: u64,
    /// Places to go without fine bounds.
    pause: u64,
    /// Places being compared; kept for its memory.
    alive: Vec<Alive>,
    known: Vec<Candidate>,
    /// Pixels that may still be compared.
    budget: u64,
    is_done: bool,
}

impl<'w> Worker<'w> {
    fn new(judge: &'w Judge<'w>, uses_fine: bool, budget: u64) -> Self {
        let fine = judge.fine.as_ref().filter(|_| uses_fine);
        let fine = fine.map(|fine| (fine, fine.plane(judge.picture)));
        Self {
            judge,
            fine,
            tried: 0,
            spared: 0,
            pause: 0,
            alive: Vec::new(),
            known: Vec::new(),
            budget,
            is_done: true,
        }
    }

    fn finish(self) -> (Vec<Candidate>, bool) {
        (self.known, self.is_done)
    }

    /// Compares what may be better than the best so far.
    fn search_best(&mut self, row: &mut Row, shared: &Mutex<Candidate>) {
        let mut best = read(shared);
        let mut most = self.judge.most(row, best);
        if most.is_none_or(|most| row.least > most) {
            return;
        }
        for block in 0..row.leasts.len() {
            if most.is_some_and(|most| row.leasts[block] <= most)
                && let Some(found) = self.compare_block(row, block, best).iter().min().copied()
            {
                best = improve(shared, found);
                most = self.judge.most(row, best);
            }
        }
        row.refresh(self.judge.picture.level);
    }

    /// Compares from the left until a place is good enough; nothing below one that was found.
    fn search_first(&mut self, row: &mut Row, shared: &Mutex<Candidate>) {
        let topmost = read(shared);
        if row.y > topmost.y as usize {
            return;
        }
        let limit = Candidate::worst_of(topmost.sum);
        let most = self.judge.bound_of(limit.sum);
        for block in 0..row.leasts.len() {
            if row.leasts[block] <= most
                && let Some(found) =
                    self.compare_block(row, block, limit).iter().min_by_key(|at| at.x).copied()
            {
                improve(shared, Candidate { sum: topmost.sum, ..found });
                break;
            }
        }
        row.refresh(self.judge.picture.level);
    }

    /// Compares what the bounds of a block leave under `limit`.
    fn compare_block(&mut self, row: &mut Row, block: usize, limit: Candidate) -> &[Candidate] {
        let mut alive = std::mem::take(&mut self.alive);
        alive.clear();
        if let Some(most) = self.judge.most(row, limit) {
            let places = (block * BLOCK..).zip(&row.bounds[block * BLOCK..][..BLOCK]);
            alive.extend(places.filter(|(_, bound)| **bound <= most).map(|(x, _)| Alive { x, sum: 0 }));
        }
        self.alive = alive;
        self.compare(row, limit)
    }

    /// Compares the places of `row` that are in `alive`. Returns those of a sum that is at most that of
    /// `limit`; keeps in `row` what became known.
    fn compare(&mut self, row: &mut Row, limit: Candidate) -> &[Candidate] {
        let judge = self.judge;
        let from = self.known.len();
        let y = u32::try_from(row.y).unwrap_or(u32::MAX);
        let mut alive = std::mem::take(&mut self.alive);
        if let Some(sum) = Judge::sum_for(row, limit).filter(|_| self.may_go_on(&alive)) {
            self.budget = self.budget.saturating_sub(OVERHEAD * alive.len() as u64);
            self.spare(row, &mut alive, sum);
            let bounds = &mut row.bounds;
            let dropped = |place: Alive| bounds[place.x] = bounds[place.x].max(judge.bound_of(place.sum));
            let compared = judge.comparison.compare(row.y, &mut alive, sum, dropped);
            self.budget = self.budget.saturating_sub(compared);
            for place in &alive {
                row.bounds[place.x] = EXCLUDED;
                let x = u32::try_from(place.x).unwrap_or(u32::MAX);
                self.known.push(Candidate { sum: place.sum, y, x });
            }
        }
        self.alive = alive;
        &self.known[from..]
    }

    /// Whether there is anything to compare, and the budget allows it.
    fn may_go_on(&mut self, alive: &[Alive]) -> bool {
        self.is_done &= alive.is_empty() || self.budget > 0;
        self.budget > 0 && !alive.is_empty()
    }

    /// Drops the places that finer bounds show to be over `limit`, as long as they do so often enough.
    fn spare(&mut self, row: &mut Row, alive: &mut Vec<Alive>, limit: u64) {
        let Some((fine, plane)) = self.fine else { return };
        let before = alive.len() as u64;
        if self.pause > 0 {
            self.pause = self.pause.saturating_sub(before);
            return;
        }
        let bounds = &mut row.bounds;
        let dropped = |place: Alive| bounds[place.x] = bounds[place.x].max(self.judge.bound_of(place.sum));
        fine.keep(self.judge.picture, plane, row.y, alive, limit, dropped);
        self.budget = self.budget.saturating_sub(before * fine.cost());
        self.tried += before;
        self.spared += before - alive.len() as u64;
        if self.tried >= TRIED {
            self.pause = if self.spared * 8 < self.tried { PAUSE } else { 0 };
            (self.tried, self.spared) = (0, 0);
        }
    }
}

fn read(shared: &Mutex<Candidate>) -> Candidate {
    *shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The better of what is shared and `found`, which is what is shared from now on. In a search for the first
/// place all sums are the same.
fn improve(shared: &Mutex<Candidate>, found: Candidate) -> Candidate {
    let mut best = shared.lock().unwrap_or_else(PoisonError::into_inner);
    *best = found.min(*best);
    *best
}
