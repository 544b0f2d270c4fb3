//! Leaving out moves of the pointer within a bound.
//!
//! A swing filter (Elmeleegy et al., "Online piece-wise linear approximation of numerical streams with precision
//! guarantees", VLDB 2009), whose pieces end in recorded places: from the last place that is kept, a later one is
//! reached in a straight line at constant speed, and every place between lies within the bound of where that line
//! is *at its time*. So pauses and changes of speed are kept as well as the shape. One pass, no memory.

/// A place at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) at_us: u64,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Marks which samples to keep: the first, the last, and as few between as one pass finds, so that each one left out
/// is at most `bound` from the line between its kept neighbours at its own time.
pub(super) fn keep(samples: &[Sample], bound: f64) -> Vec<bool> {
    let mut kept = vec![true; samples.len()];
    let mut at = 0;
    while at < samples.len() {
        let next = reach(&samples[at..], bound) + at;
        kept[at + 1..next.max(at + 1)].fill(false);
        at = next.max(at + 1);
    }
    kept
}

/// How far a straight line from the first sample gets.
fn reach(samples: &[Sample], bound: f64) -> usize {
    let [anchor, rest @ ..] = samples else { return 0 };
    // A square inside the circle: each axis is looked at by itself.
    let bound = bound * std::f64::consts::FRAC_1_SQRT_2;
    let mut slopes = [Slopes::ANY; 2];
    for (index, sample) in rest.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a recording lasts far less than 2^53 microseconds")]
        let time = sample.at_us.saturating_sub(anchor.at_us) as f64;
        let ways = [sample.x - anchor.x, sample.y - anchor.y];
        let allowed = slopes.iter().zip(ways).all(|(slopes, way)| slopes.allow(way, time));
        if !allowed {
            return index;
        }
        slopes.iter_mut().zip(ways).for_each(|(slopes, way)| slopes.narrow(way, time, bound));
    }
    rest.len()
}

/// The speeds at which a line passes all samples so far closely enough.
#[derive(Debug, Clone, Copy)]
struct Slopes {
    least: f64,
    most: f64,
    /// Whether any sample has narrowed them.
    is_any: bool,
}

impl Slopes {
    const ANY: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY, is_any: true };

    /// Whether a line that ends `way` further after `time` is one of them.
    fn allow(&self, way: f64, time: f64) -> bool {
        if time == 0.0 {
            // No speed leads there; only the very next sample can be reached.
            return self.is_any;
        }
        (self.least..=self.most).contains(&(way / time))
    }

    fn narrow(&mut self, way: f64, time: f64, bound: f64) {
        self.is_any = false;
        if time > 0.0 {
            self.least = self.least.max((way - bound) / time);
            self.most = self.most.min((way + bound) / time);
        } else if way.abs() > bound {
            (self.least, self.most) = (f64::INFINITY, f64::NEG_INFINITY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(at_us: u64, x: f64, y: f64) -> Sample {
        Sample { at_us, x, y }
    }

    fn times(samples: &[Sample], bound: f64) -> Vec<u64> {
        samples
            .iter()
            .zip(keep(samples, bound))
            .filter(|(_, kept)| *kept)
            .map(|(sample, _)| sample.at_us)
            .collect()
    }

    #[test]
    fn a_straight_line_at_constant_speed_is_its_ends() {
        let line: Vec<_> =
            (0..100_u32).map(|i| sample(u64::from(i) * 1000, f64::from(i) * 3.0, f64::from(i))).collect();
        assert_eq!(times(&line, 0.5), [0, 99_000]);
        assert_eq!(times(&line[..1], 0.5), [0]);
        assert_eq!(times(&[], 0.5), Vec::<u64>::new());
    }

    #[test]
    fn a_pause_stays_a_pause() {
        let mut path: Vec<_> =
            (0..10_u32).map(|i| sample(u64::from(i) * 1000, f64::from(i) * 10.0, 0.0)).collect();
        path.extend(
            (0..10_u32).map(|i| sample(1_000_000 + u64::from(i) * 1000, f64::from(i + 10) * 10.0, 0.0)),
        );
        // All on one line in space, but not in time.
        assert_eq!(times(&path, 2.0), [0, 9_000, 1_000_000, 1_009_000]);
    }

    #[test]
    fn places_at_the_same_time_are_kept_unless_they_are_near() {
        let jump = [sample(0, 0.0, 0.0), sample(0, 50.0, 0.0), sample(0, 0.0, 0.0), sample(9, 1.0, 0.0)];
        assert_eq!(keep(&jump, 2.0), [true, true, true, true]);
        let near = [sample(0, 0.0, 0.0), sample(0, 1.0, 0.0), sample(9, 1.0, 0.0)];
        assert_eq!(keep(&near, 2.0), [true, false, true]);
    }

    /// The distance of a sample from the line between two others, at its time.
    fn off(sample: Sample, from: Sample, to: Sample) -> f64 {
        let part = |from: u64, to: u64| f64::from(u32::try_from(to - from).unwrap());
        let share = part(from.at_us, sample.at_us) / part(from.at_us, to.at_us);
        let (x, y) = (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
        (sample.x - x).hypot(sample.y - y)
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

    proptest! {
        #[test]
        fn what_is_left_out_is_within_the_bound(path in path(), bound in 0.1_f64..50.0) {
            let kept = keep(&path, bound);
            prop_assert_eq!(kept.len(), path.len());
            prop_assert!(kept.first().is_none_or(|kept| *kept) && kept.last().is_none_or(|kept| *kept));
            let mut from = 0;
            for to in (1..path.len()).filter(|at| kept[*at]) {
                for between in from + 1..to {
                    let off = off(path[between], path[from], path[to]);
                    prop_assert!(off <= bound + 1e-6, "{off} > {bound}");
                }
                from = to;
            }
        }
    }
}
