//! Leaving out moves of the pointer within a bound: from each place that is kept, the furthest later one that a
//! straight line reaches with every place between within the bound of it.
//!
//! A line also lasts no longer than [`SPAN_US`], so pauses stay pauses and no place is passed earlier or later than
//! that. Times alone can't be the measure: they are whole milliseconds on many systems, in which a fast pointer goes
//! further than any useful bound.

/// The longest that one line may last.
const SPAN_US: u64 = 50_000;
/// The most places that one line passes, so that the time grows with the number of places only.
const PASSED: usize = 256;

/// A place at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) at_us: u64,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Marks which samples to keep: the first, the last, and between them so many that each one left out is at most
/// `bound` from the line between its kept neighbours.
pub(super) fn keep(samples: &[Sample], bound: f64) -> Vec<bool> {
    let mut kept = vec![true; samples.len()];
    let mut at = 0;
    while at < samples.len() {
        let next = at + reach(&samples[at..], bound).max(1);
        if let Some(passed) = kept.get_mut(at + 1..next) {
            passed.fill(false);
        }
        at = next;
    }
    kept
}

/// How far a straight line from the first sample gets.
fn reach(samples: &[Sample], bound: f64) -> usize {
    let Some(first) = samples.first() else { return 0 };
    let last = samples.len().min(PASSED + 2) - 1;
    let fits = |to: &usize| {
        let end = samples[*to];
        end.at_us.saturating_sub(first.at_us) <= SPAN_US
            && samples[1..*to].iter().all(|sample| distance(*sample, *first, end) <= bound)
    };
    (2..=last).take_while(fits).last().unwrap_or(last.min(1))
}

/// How far a sample is from the line between two others, its ends included.
fn distance(sample: Sample, from: Sample, to: Sample) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx * dx + dy * dy;
    let along = (sample.x - from.x) * dx + (sample.y - from.y) * dy;
    let share = if length == 0.0 { 0.0 } else { (along / length).clamp(0.0, 1.0) };
    (sample.x - from.x - share * dx).hypot(sample.y - from.y - share * dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(at_us: u64, x: f64, y: f64) -> Sample {
        Sample { at_us, x, y }
    }

    fn times(samples: &[Sample], bound: f64) -> Vec<u64> {
        let kept = samples.iter().zip(keep(samples, bound)).filter(|(_, kept)| *kept);
        kept.map(|(sample, _)| sample.at_us).collect()
    }

    #[test]
    fn a_straight_line_is_its_ends_and_a_place_each_span() {
        let at = |i: u32| sample(u64::from(i) * 1000, f64::from(i) * 3.0, f64::from(i));
        let line: Vec<_> = (0..100).map(at).collect();
        assert_eq!(times(&line, 0.5), [0, 50_000, 99_000]);
        assert_eq!(times(&line[..1], 0.5), [0]);
        assert_eq!(times(&line[..2], 0.5), [0, 1000]);
        assert_eq!(times(&[], 0.5), Vec::<u64>::new());
    }

    #[test]
    fn a_pause_stays_a_pause_and_a_turn_a_turn() {
        let at = |i: u32, from: u64| sample(from + u64::from(i) * 1000, f64::from(i) * 10.0, 0.0);
        let path: Vec<_> = (0..10).map(|i| at(i, 0)).chain((10..20).map(|i| at(i, 1_000_000))).collect();
        assert_eq!(times(&path, 2.0), [0, 9_000, 1_010_000, 1_019_000]);
        // There and back on one line: the turning point is no part of the line between the ends.
        let back = [sample(0, 0.0, 0.0), sample(1, 10.0, 0.0), sample(2, 5.0, 0.0)];
        assert_eq!(keep(&back, 2.0), [true, true, true]);
    }

    #[test]
    fn a_flood_at_one_moment_takes_no_longer_than_any_other() {
        let flood: Vec<_> = (0..100_000).map(|_| sample(7, 1.0, 1.0)).collect();
        assert_eq!(times(&flood, 1.0).len(), 100_000 / (PASSED + 1) + 2);
    }

    fn path() -> impl Strategy<Value = Vec<Sample>> {
        let step = (0_u64..20_000, -40_i32..40, -40_i32..40);
        prop::collection::vec(step, 0..200).prop_map(|steps| {
            let (mut at_us, mut x, mut y) = (0, 0, 0);
            let mut next = |(wait, dx, dy): (u64, i32, i32)| {
                // Some at the very same time, as a fast mouse gives within one millisecond.
                at_us += if wait < 4000 { 0 } else { wait };
                (x, y) = (x + dx / 4, y + dy / 4);
                sample(at_us, f64::from(x), f64::from(y))
            };
            steps.into_iter().map(&mut next).collect()
        })
    }

    /// The same by another way: the nearest of many points of the line.
    fn nearest(sample: Sample, from: Sample, to: Sample) -> f64 {
        let away = |step: i32| {
            let share = f64::from(step) / 2000.0;
            (sample.x - from.x - share * (to.x - from.x)).hypot(sample.y - from.y - share * (to.y - from.y))
        };
        (0..=2000).map(away).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn what_is_left_out_is_within_the_bound(path in path(), bound in 0.1_f64..50.0) {
            let kept = keep(&path, bound);
            prop_assert_eq!(kept.len(), path.len());
            prop_assert!(kept.first().is_none_or(|kept| *kept) && kept.last().is_none_or(|kept| *kept));
            let mut from = 0;
            for to in (1..path.len()).filter(|at| kept[*at]) {
                for between in from + 1..to {
                    let off = nearest(path[between], path[from], path[to]);
                    prop_assert!(off <= bound + 0.2, "{off} > {bound}");
                    prop_assert!(path[to].at_us - path[from].at_us <= SPAN_US);
                }
                from = to;
            }
        }
    }
}
