//! The arguments that say when a schedule runs.

use crate::tasks::task::{self, Patch};
use crossmacro_model::Fault;
use crossmacro_model::task::schedule::{Days, Kind, Schedule, Unit, When};
use crossmacro_model::task::schedule::{date_time, interval, time_of_day, wall_instant};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;

/// When, how fast, and whether. Of interval, intervalMin with intervalMax, at, and weekly at most one.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Form {
    /// Time between the end of a run and the next: a whole number from 1 with s, m or h after it (none: seconds).
    #[schemars(length(max = 32))]
    interval: Patch<String>,
    /// Shortest random time between two runs, like interval. Together with intervalMax.
    #[schemars(length(max = 32))]
    interval_min: Patch<String>,
    /// Longest random time between two runs.
    #[schemars(length(max = 32))]
    interval_max: Patch<String>,
    /// One run at this ISO 8601 date and time; local without an offset.
    #[schemars(length(max = 64))]
    at: Patch<String>,
    /// Days of the week, separated by commas: mon to sun, full names, weekdays, weekends, everyday.
    #[schemars(length(max = 256))]
    weekly: Patch<String>,
    /// Only with weekly: local time of day, H, HH:MM or HH:MM:SS. Default 09:00.
    #[schemars(length(max = 16))]
    time: Patch<String>,
    /// Speed, 0.1 to 10 (beyond is clamped, with a warning). Default 1.
    speed: Patch<f64>,
    /// Switched on. Default false.
    pub(super) enabled: Patch<bool>,
}

impl Form {
    /// Changes a schedule. Two ways to say when at once, or half of one, are refused.
    pub(super) fn apply(
        self,
        schedule: &mut Schedule,
        zone: &TimeZone,
        warnings: &mut Vec<String>,
    ) -> Result<(), Fault> {
        self.check()?;
        self.interval(schedule)?;
        match &self.at {
            Patch::Set(at) => {
                schedule.scheduled = Some(in_utc(date_time(at)?, zone));
                schedule.kind = Kind::SpecificTime;
            }
            Patch::Clear => schedule.scheduled = None,
            Patch::Keep => {}
        }
        match &self.weekly {
            Patch::Set(days) => {
                schedule.weekly_days = Days::parse(days)?;
                schedule.kind = Kind::Weekly;
            }
            Patch::Clear => schedule.weekly_days = Days::NONE,
            Patch::Keep => {}
        }
        match &self.time {
            Patch::Set(_) if schedule.kind != Kind::Weekly => {
                return Err(Fault::arguments("time belongs to weekly").detail("argument", "time"));
            }
            Patch::Set(time) => schedule.weekly_time = time_of_day(time)?,
            Patch::Clear => schedule.weekly_time = Schedule::WEEKLY_TIME,
            Patch::Keep => {}
        }
        match self.speed {
            Patch::Set(asked) => schedule.playback_speed = task::speed(asked, warnings),
            Patch::Clear => schedule.playback_speed = 1.0,
            Patch::Keep => {}
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Fault> {
        let random = self.interval_min.is_set() || self.interval_max.is_set();
        let forms = [self.interval.is_set(), random, self.at.is_set(), self.weekly.is_set()];
        if forms.into_iter().filter(|is_given| *is_given).count() > 1 {
            return Err(Fault::arguments(
                "interval, intervalMin with intervalMax, at, and weekly exclude each other: give one",
            ));
        }
        let (min, max) = (&self.interval_min, &self.interval_max);
        if min.is_set() != max.is_set() || min.is_keep() != max.is_keep() {
            return Err(Fault::arguments("intervalMin and intervalMax belong together"));
        }
        Ok(())
    }

    fn interval(&self, schedule: &mut Schedule) -> Result<(), Fault> {
        let default = Schedule::default();
        match &self.interval {
            Patch::Set(text) => {
                (schedule.interval_value, schedule.interval_unit) = interval(text)?;
                schedule.use_random_interval_delay = false;
                schedule.kind = Kind::Interval;
            }
            Patch::Clear => {
                (schedule.interval_value, schedule.interval_unit) =
                    (default.interval_value, default.interval_unit);
            }
            Patch::Keep => {}
        }
        match (&self.interval_min, &self.interval_max) {
            (Patch::Set(min), Patch::Set(max)) => {
                let (least, most, unit) = range(min, max)?;
                (schedule.interval_min_value, schedule.interval_max_value) = (least, most);
                schedule.interval_unit = unit;
                schedule.use_random_interval_delay = true;
                schedule.kind = Kind::Interval;
            }
            (Patch::Clear, Patch::Clear) => schedule.use_random_interval_delay = false,
            _ => {}
        }
        Ok(())
    }
}

/// A range in the finer of two units: files have one for both ends.
fn range(min: &str, max: &str) -> Result<(i32, i32, Unit), Fault> {
    let ((least, small), (most, large)) = (interval(min)?, interval(max)?);
    let unit = if small.seconds() <= large.seconds() { small } else { large };
    let converted = |value: i32, from: Unit| i64::from(value) * (from.seconds() / unit.seconds());
    let (least, most) = (converted(least, small), converted(most, large));
    match (i32::try_from(least), i32::try_from(most)) {
        (Ok(least), Ok(most)) if least <= most => Ok((least, most, unit)),
        (Ok(_), Ok(_)) => Err(Fault::arguments("intervalMin is longer than intervalMax")),
        _ => Err(Fault::arguments("intervalMax is too long for the unit of intervalMin")),
    }
}

/// An instant, so that a change of the zone does not move it. The wall's own form stays where no instant is known.
fn in_utc(when: When, zone: &TimeZone) -> When {
    match when {
        When::Instant(_) => when,
        When::Wall(wall) => wall_instant(wall, zone).map_or(when, When::Instant),
    }
}
