//! Motion at a rate that the desktop takes: by time (precision) or by path (strict speed).
//!
//! * Precision keeps every point and gives up speed, where more motions than the cap would come in a second.
//! * Strict speed keeps the time and gives up points: runs of moves are sampled at the rate, with straight lines
//!   between the recorded points; where the sampled path would leave a recorded point by more than the budget, the
//!   sample nearest in time takes the place of that point.

use super::plan::Plan;
use crossmacro_model::macro_file::{Action, Event, Place, Space};
use std::ops::Range;

/// What gives way, and the bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// Every point is kept.
    Precision {
        /// Most moves in a second, 1 to 10,000.
        rate: u32,
    },
    /// The time is kept.
    StrictSpeed {
        /// Most moves in a second, 1 to 10,000.
        rate: u32,
        /// How far the path may be from a recorded point, in pixels, 0.25 to 500.
        error: f64,
    },
}

impl Default for Motion {
    fn default() -> Self {
        Self::Precision { rate: 300 }
    }
}

/// Moves are counted in windows of this length.
const WINDOW_US: u64 = 100_000;
/// The slowest that precision makes a playing.
const SLOWEST: f64 = 0.1;
/// Distances that one macro may cost before sampling gives up: some tenths of a second.
const MOST_DISTANCES: usize = 4_000_000;

/// Fits the motion of a plan to the rate.
pub(super) fn fit(plan: &mut Plan, motion: Motion) {
    match motion {
        Motion::Precision { rate } => slow_down(plan, rate),
        Motion::StrictSpeed { rate, error } => sample(plan, rate, error),
    }
}

fn slow_down(plan: &mut Plan, rate: u32) {
    let peak = peak(&plan.events);
    let fitting = (f64::from(rate) / peak).max(SLOWEST);
    if peak > 0.0 && fitting < plan.speed {
        plan.warnings.push(format!(
            "The pointer makes up to {peak} moves a second here. To keep each of them within {rate} a second, it is played at speed {fitting:.2} instead of {}; the motion mode strict-speed keeps the time instead.",
            plan.speed
        ));
        plan.speed = fitting;
    }
}

/// The most moves in a second, from the fullest window.
fn peak(events: &[Event]) -> f64 {
    let mut at = 0_u64;
    let mut window = std::collections::VecDeque::new();
    let mut most = 0;
    for event in events {
        at = at.saturating_add(event.shortest_us());
        if logical(event).is_none() {
            continue;
        }
        window.push_back(at);
        while window.front().is_some_and(|first| at - first >= WINDOW_US) {
            window.pop_front();
        }
        most = most.max(window.len());
    }
    f64::from(u32::try_from(most).unwrap_or(u32::MAX)) * 10.0
}

/// The place of a move on the desktop.
fn logical(event: &Event) -> Option<Place> {
    match event.action {
        Action::Move(at) if matches!(at.space, Space::Absolute | Space::RelativeLogical) => Some(at),
        _ => None,
    }
}

fn sample(plan: &mut Plan, rate: u32, error: f64) {
    let interval = plan.speed / f64::from(rate) * 1e6;
    let events = std::mem::take(&mut plan.events);
    let mut budget = Budget { error, left: MOST_DISTANCES, is_met: true };
    let mut next = 0;
    while next < events.len() {
        let run = run(&events, next);
        next = run.end;
        match events.get(run) {
            Some([one]) => plan.events.push(*one),
            Some(moves) => resample(moves, interval, &mut budget, &mut plan.events),
            None => {}
        }
    }
    if !budget.is_met {
        plan.warnings.push(format!(
            "At {rate} moves a second the pointer leaves its recorded path by more than {error} pixels in places."
        ));
    }
}

/// The moves from `start` on that belong to one motion, or the one event that is none.
fn run(events: &[Event], start: usize) -> Range<usize> {
    let space = |index: usize| {
        let event = events.get(index)?;
        logical(event).map(|at| at.space)
    };
    let first = space(start);
    let goes_on = |index: &usize| {
        let random = events.get(*index).is_some_and(|event| event.random.is_some());
        first.is_some() && space(*index) == first && !random
    };
    let more = (start + 1..events.len()).take_while(goes_on).count();
    start..start + 1 + more
}

struct Budget {
    error: f64,
    /// Distances that may still be measured.
    left: usize,
    is_met: bool,
}

/// A point of a motion and its time from the first one, in microseconds.
#[derive(Debug, Clone, Copy)]
struct Sample {
    at: f64,
    x: f64,
    y: f64,
    /// Whether it is a recorded point that may not move any more.
    is_fixed: bool,
}

/// Appends `moves`, at most one each `interval` microseconds.
fn resample(moves: &[Event], interval: f64, budget: &mut Budget, out: &mut Vec<Event>) {
    let points = points(moves);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive; too many saturates"
    )]
    let slots = (last.at / interval).ceil() as usize + 1;
    if slots >= points.len() {
        // There is nothing to leave out.
        out.extend_from_slice(moves);
        return;
    }
    let mut samples: Vec<Sample> = Vec::with_capacity(slots);
    let mut source = points.windows(2).peekable();
    for slot in 0..slots - 1 {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let at = slot as f64 * interval;
        while source.peek().is_some_and(|pair| pair[1].at < at) {
            source.next();
        }
        samples.push(source.peek().map_or(*first, |pair| between(pair[0], pair[1], at)));
    }
    samples.push(*last);
    for end in [0, samples.len() - 1] {
        samples[end].is_fixed = true;
    }
    keep_to_the_path(&points, &mut samples, budget);
    emit(moves, &samples, out);
}

/// Recorded moves as points; distances add up from zero.
fn points(moves: &[Event]) -> Vec<Sample> {
    let (mut at, mut x, mut y) = (0_u64, 0_i64, 0_i64);
    let moves = moves.iter().filter_map(|event| Some((event, logical(event)?)));
    moves
        .enumerate()
        .map(|(index, (event, place))| {
            // The wait before the first is that of the whole motion.
            at = if index == 0 { 0 } else { at.saturating_add(event.wait_us) };
            let is_distance = place.space == Space::RelativeLogical;
            (x, y) = match is_distance {
                true => (x + i64::from(place.x), y + i64::from(place.y)),
                false => (place.x.into(), place.y.into()),
            };
            #[expect(clippy::cast_precision_loss, reason = "pixels and microseconds of a recording")]
            Sample { at: at as f64, x: x as f64, y: y as f64, is_fixed: false }
        })
        .collect()
}

fn between(a: Sample, b: Sample, at: f64) -> Sample {
    let share = if b.at > a.at { ((at - a.at) / (b.at - a.at)).clamp(0.0, 1.0) } else { 1.0 };
    Sample { at, x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, is_fixed: false }
}

/// Puts the recorded point that is furthest from the sampled path into it, until all are near enough.
fn keep_to_the_path(points: &[Sample], samples: &mut [Sample], budget: &mut Budget) {
    loop {
        let Some(cost) = budget.left.checked_sub(points.len()) else {
            budget.is_met = false;
            return;
        };
        budget.left = cost;
        let Some((worst, distance)) = furthest(points, samples) else { return };
        if distance <= budget.error {
            return;
        }
        let nearest = nearest_free(samples, worst.at);
        let Some(slot) = nearest else {
            budget.is_met = false;
            return;
        };
        samples[slot] = Sample { is_fixed: true, ..worst };
        // The order of times holds: a slot moves by less than one interval.
        samples.sort_by(|a, b| a.at.total_cmp(&b.at));
    }
}

fn furthest(points: &[Sample], samples: &[Sample]) -> Option<(Sample, f64)> {
    let mut segment = 0;
    let mut worst: Option<(Sample, f64)> = None;
    for point in points {
        while samples.get(segment + 2).is_some() && samples[segment + 1].at < point.at {
            segment += 1;
        }
        let (a, b) = (samples.get(segment)?, samples.get(segment + 1)?);
        let distance = distance(*point, *a, *b);
        if worst.is_none_or(|(_, most)| distance > most) {
            worst = Some((*point, distance));
        }
    }
    worst
}

/// From a point to a straight line between two others.
fn distance(point: Sample, a: Sample, b: Sample) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let share = match square > 0.0 {
        true => (((point.x - a.x) * dx + (point.y - a.y) * dy) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    (point.x - a.x - share * dx).hypot(point.y - a.y - share * dy)
}

/// The slot nearest in time to `at` that holds no recorded point yet, among the two neighbours of that time.
fn nearest_free(samples: &[Sample], at: f64) -> Option<usize> {
    let after = samples.partition_point(|sample| sample.at < at);
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten();
    let free = near.filter(|slot| samples.get(*slot).is_some_and(|sample| !sample.is_fixed));
    free.min_by(|a, b| (samples[*a].at - at).abs().total_cmp(&(samples[*b].at - at).abs()))
}

fn emit(moves: &[Event], samples: &[Sample], out: &mut Vec<Event>) {
    let Some((first, place)) = moves.first().and_then(|event| Some((event, logical(event)?))) else { return };
    let (mut at_us, mut last) = (0, (0, 0));
    for (index, sample) in samples.iter().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates")]
        let (due, x, y) = (sample.at.round() as i64, sample.x.round() as i32, sample.y.round() as i32);
        let wait = u64::try_from(due).unwrap_or(0).saturating_sub(at_us);
        let (to_x, to_y) = match place.space {
            Space::RelativeLogical => (x.saturating_sub(last.0), y.saturating_sub(last.1)),
            _ => (x, y),
        };
        at_us += wait;
        last = (x, y);
        out.push(Event {
            wait_us: if index == 0 { first.wait_us } else { wait },
            random: if index == 0 { first.random } else { None },
            action: Action::Move(Place { x: to_x, y: to_y, space: place.space }),
        });
    }
}
