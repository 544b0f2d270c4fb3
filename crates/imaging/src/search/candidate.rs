//! A place and its sum of differences, and the two ways to find the best of them.

/// A place where the template could be: better ones are smaller. Equal sums are ordered from the top, then
/// from the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// Sum of differences, weighted by coverage.
    pub(super) sum: u64,
    /// Top left corner.
    pub(super) y: u32,
    /// Top left corner.
    pub(super) x: u32,
}

impl Candidate {
    /// Worse than every place with this sum.
    pub(super) fn worst_of(sum: u64) -> Self {
        Self { sum, y: u32::MAX, x: u32::MAX }
    }
}

/// Places of a template in a picture, by how well it matches there.
pub(super) trait Ranking {
    /// The best of the places looked at so far, whatever its sum.
    fn nearest(&self) -> Option<Candidate>;

    /// The best place with a sum of at most `limit`; at most `budget` pixels are compared.
    fn best(&mut self, limit: u64, budget: u64) -> Found;

    /// The topmost place with a sum of at most `limit`, and of these the leftmost.
    fn first(&mut self, limit: u64, budget: u64) -> Found;

    /// Takes `place` and all places that would overlap it by more than half each way out of the ranking.
    fn exclude(&mut self, place: Candidate);
}

/// What a search came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// The place, if any.
    pub(super) place: Option<Candidate>,
    /// Whether every place was looked at or shown to be worse. If not, the budget ran out first.
    pub(super) is_proven: bool,
}

/// The places from the first to the last that overlap `center` by more than half of `length`, among `count`.
pub(super) fn overlapping(center: u32, length: u32, count: usize) -> std::ops::Range<usize> {
    // Nearer than half: the largest whole distance d with 2 d < length.
    let distance = (length.saturating_sub(1) / 2) as usize;
    let center = center as usize;
    center.saturating_sub(distance)..(center + distance + 1).min(count)
}
