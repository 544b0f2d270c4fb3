//! When a schedule runs next.
//!
//! The policy for clocks that are put forward and back:
//! * intervals are elapsed time, whatever the clock on the wall shows;
//! * a wall time that the clock skips becomes the first instant after the gap;
//! * one that the clock shows twice is the first of the two;
//! * so every selected day of the calendar has exactly one run. Only a day that a zone leaves out altogether (Samoa had
//!   no 30 December 2011) has none.
//!
//! A run whose time passed while nobody was there to start it (suspend, no runtime, a clock put forward) is still made
//! when it is at most the grace late, and is skipped otherwise.

use super::{Days, Kind, Schedule, When};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Days that are looked at: the one before today, whose run a gap may have moved past midnight, then a week, and
/// another one in case a zone leaves a day out.
const DAYS_AHEAD: usize = 16;

/// The time, the zone and the tolerance that a decision is made with.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The present instant.
    pub now: Timestamp,
    /// The zone of the clock on the wall.
    pub zone: &'a TimeZone,
    /// How late a run may be and still be made.
    pub grace: Duration,
}

/// When the next run would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prediction {
    /// Never.
    None,
    /// Then. An instant that has passed means at once.
    At(Timestamp),
    /// Some time between the two, drawn anew for each run.
    Between(RangeInclusive<Timestamp>),
}

/// What to do about a planned run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Its time has not come.
    Early,
    /// Make it.
    Run,
    /// It is too late; plan the next one.
    Missed,
}

/// Judges a planned run.
pub fn judge(planned: Timestamp, now: Timestamp, grace: Duration) -> Verdict {
    let grace = SignedDuration::try_from(grace).unwrap_or(SignedDuration::MAX);
    match now.duration_since(planned) {
        late if late.is_negative() => Verdict::Early,
        late if late <= grace => Verdict::Run,
        _ => Verdict::Missed,
    }
}

/// The instant at which the clock on the wall shows `wall`, by the policy of this module.
pub fn wall_instant(wall: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    instant_and_gap(wall, zone).map(|(instant, _)| instant)
}

/// The instant of the run of one day; `None` where the zone leaves that day out.
pub fn weekly_instant(day: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    let (instant, gap) = instant_and_gap(day.to_datetime(time), zone)?;
    let leaves_out = |(before, after): (Offset, Offset)| {
        let starts_before_it = before.to_datetime(instant) <= day.to_datetime(Time::midnight());
        starts_before_it && after.to_datetime(instant).date() > day
    };
    (!gap.is_some_and(leaves_out)).then_some(instant)
}

/// The instant, and the offsets around the gap that `wall` lies in.
fn instant_and_gap(wall: DateTime, zone: &TimeZone) -> Option<(Timestamp, Option<(Offset, Offset)>)> {
    match zone.to_ambiguous_timestamp(wall).offset() {
        AmbiguousOffset::Unambiguous { offset } => Some((offset.to_timestamp(wall).ok()?, None)),
        AmbiguousOffset::Fold { before, .. } => Some((before.to_timestamp(wall).ok()?, None)),
        AmbiguousOffset::Gap { before, after } => {
            Some((after_gap(wall, before, after, zone)?, Some((before, after))))
        }
    }
}

/// The first second with the offset `after`. It lies where `wall` would be by the one offset and by the other; offsets
/// change at whole seconds.
fn after_gap(wall: DateTime, before: Offset, after: Offset, zone: &TimeZone) -> Option<Timestamp> {
    let mut low = after.to_timestamp(wall).ok()?.as_second();
    let mut high = before.to_timestamp(wall).ok()?.as_second();
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match zone.to_offset(Timestamp::from_second(middle).ok()?) == before {
            true => low = middle,
            false => high = middle,
        }
    }
    Timestamp::from_second(high).ok()
}

fn next_weekly(days: Days, time: Time, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    if days.is_empty() {
        return None;
    }
    let today = zone.to_datetime(now).date();
    let mut day = today.yesterday().unwrap_or(today);
    for _ in 0..DAYS_AHEAD {
        if days.contains(day.weekday())
            && let Some(instant) = weekly_instant(day, time, zone).filter(|instant| *instant > now)
        {
            return Some(instant);
        }
        day = day.tomorrow().ok()?;
    }
    None
}

/// `units` later; the end of time where there is no later.
fn later(from: Timestamp, units: i32, unit_seconds: i64) -> Timestamp {
    let seconds = i64::from(units).saturating_mul(unit_seconds);
    from.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

impl Schedule {
    /// The run to plan at `now`, after a run or when the schedule is switched on or changed. `draw` picks a number of a
    /// range, both ends included. A one-time schedule whose instant has passed by more than the grace has none.
    pub fn plan(
        &self,
        moment: Moment<'_>,
        draw: impl FnOnce(RangeInclusive<i32>) -> i32,
    ) -> Option<Timestamp> {
        match self.kind {
            Kind::Interval if self.use_random_interval_delay => {
                let units = draw(self.interval_min_value..=self.interval_max_value);
                Some(later(moment.now, units, self.interval_unit.seconds()))
            }
            Kind::Interval => Some(later(moment.now, self.interval_value, self.interval_unit.seconds())),
            Kind::SpecificTime => {
                let instant = self.instant(moment.zone)?;
                (judge(instant, moment.now, moment.grace) != Verdict::Missed).then_some(instant)
            }
            Kind::Weekly => next_weekly(self.weekly_days, self.weekly_time, moment.now, moment.zone),
        }
    }

    /// When the next run would be if a runtime were there at `now`, whether the schedule is switched on or not. A plan
    /// that is still good is kept; one for the clock on the wall is made anew, for the zone may be another one.
    pub fn predict(&self, moment: Moment<'_>) -> Prediction {
        let verdict = |planned: Timestamp| judge(planned, moment.now, moment.grace);
        let planned = self.next_run_time.filter(|_| self.is_enabled);
        let kept = planned.filter(|planned| match self.kind {
            Kind::Interval => verdict(*planned) != Verdict::Missed,
            Kind::SpecificTime => false,
            Kind::Weekly => verdict(*planned) == Verdict::Run,
        });
        if let Some(planned) = kept {
            return Prediction::At(planned);
        }
        if self.kind == Kind::Interval && self.use_random_interval_delay {
            let end = |units| later(moment.now, units, self.interval_unit.seconds());
            return Prediction::Between(end(self.interval_min_value)..=end(self.interval_max_value));
        }
        self.plan(moment, |range| *range.start()).map_or(Prediction::None, Prediction::At)
    }

    /// The instant of a one-time schedule.
    pub fn instant(&self, zone: &TimeZone) -> Option<Timestamp> {
        match self.scheduled? {
            When::Instant(instant) => Some(instant),
            When::Wall(wall) => wall_instant(wall, zone),
        }
    }
}
