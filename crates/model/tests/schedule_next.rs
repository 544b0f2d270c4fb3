//! The next run of a schedule against an oracle that walks through time minute by minute and looks at the clock on the
//! wall. The oracle knows nothing of gaps and repeats: a day's run is due at the first minute at which the wall shows
//! that time of that day or a later one, if the wall ever shows that day at all.
#![allow(clippy::unwrap_used, reason = "a test")]

use crossmacro_model::task::schedule::{
    Days, Kind, Moment, Prediction, Schedule, Unit, Verdict, When, judge,
};
use jiff::civil::{Date, Time, date, time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use std::collections::BTreeSet;
use std::time::Duration;

/// Zone, first year, and a year whose clock changes are of a rare kind.
const ZONES: [(&str, i16); 10] = [
    ("Europe/Berlin", 2018),
    ("America/New_York", 2018),
    // Changes at midnight, and four a year in 2014.
    ("Africa/Cairo", 2014),
    ("Asia/Beirut", 2018),
    ("America/Santiago", 2018),
    // Half an hour.
    ("Australia/Lord_Howe", 2018),
    // No 30 December 2011.
    ("Pacific/Apia", 2008),
    // From 23:00 to 24:00 on a Saturday.
    ("America/Nuuk", 2018),
    // One minute after midnight until 2011: the day before comes back.
    ("America/St_Johns", 2006),
    // Winter time in the month of Ramadan.
    ("Africa/Casablanca", 2018),
];

const YEARS: i16 = 10;

const MINUTE: i64 = 60;

/// The schedules that are looked at: days and time of day.
fn schedules() -> Vec<Schedule> {
    let times = [
        time(0, 0, 0, 0),
        time(0, 30, 0, 0),
        time(2, 0, 0, 0),
        time(2, 30, 0, 0),
        time(9, 0, 0, 0),
        time(23, 0, 0, 0),
        time(23, 59, 0, 0),
    ];
    let days = ["everyday", "weekends", "fri", "sun"];
    let all = times.iter().flat_map(|time| days.iter().map(|days| (*time, Days::parse(days).unwrap())));
    all.map(|(weekly_time, weekly_days)| Schedule {
        kind: Kind::Weekly,
        weekly_days,
        weekly_time,
        ..Schedule::default()
    })
    .collect()
}

/// The spans of time that are walked: around every change of the clock, and a fortnight of each year.
fn spans(zone: &TimeZone, first_year: i16) -> Vec<(Timestamp, Timestamp)> {
    let midnight = |date: Date| zone.to_timestamp(date.to_datetime(Time::midnight())).unwrap();
    let (start, end) = (midnight(date(first_year, 1, 1)), midnight(date(first_year + YEARS, 1, 1)));
    let mut spans = Vec::new();
    for change in zone.following(start).map(|change| change.timestamp()).take_while(|change| *change < end) {
        spans.push((change - SignedDuration::from_hours(60), change + SignedDuration::from_hours(60)));
    }
    for year in first_year..first_year + YEARS {
        let month = i8::try_from(year % 12).unwrap() + 1;
        let from = midnight(date(year, month, 5));
        spans.push((from, from + SignedDuration::from_hours(14 * 24)));
    }
    spans
}

/// One minute of the walk.
struct Minute {
    instant: Timestamp,
    /// What the wall shows.
    date: Date,
    /// The latest date and minute of the day that it has shown so far: the first minute that shows some time or a
    /// later one is the first at which this does.
    latest: (Date, i32),
}

/// Looks at the wall minute by minute.
fn walk(zone: &TimeZone, from: Timestamp, to: Timestamp) -> Vec<Minute> {
    let first = from.as_second() - from.as_second().rem_euclid(MINUTE);
    let mut latest = (Date::MIN, 0);
    (first..to.as_second())
        .step_by(60)
        .map(|second| {
            let instant = Timestamp::from_second(second).unwrap();
            let wall = zone.to_datetime(instant);
            latest = latest.max((wall.date(), i32::from(wall.hour()) * 60 + i32::from(wall.minute())));
            Minute { instant, date: wall.date(), latest }
        })
        .collect()
}

/// All runs within the walk, found by looking at the wall. Runs of its first two days are left out: they may have been
/// before it.
fn oracle(schedule: &Schedule, walked: &[Minute], shown: &BTreeSet<Date>) -> Vec<Timestamp> {
    let at = i32::from(schedule.weekly_time.hour()) * 60 + i32::from(schedule.weekly_time.minute());
    let (first, last) = (walked[0].date, walked[walked.len() - 1].date);
    let mut runs = Vec::new();
    let mut day = first + 2.days();
    while day <= last {
        if schedule.weekly_days.contains(day.weekday()) && shown.contains(&day) {
            let due = walked.partition_point(|minute| minute.latest < (day, at));
            runs.extend(walked.get(due).map(|minute| minute.instant));
        }
        day = day.tomorrow().unwrap();
    }
    runs
}

fn plan(schedule: &Schedule, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    schedule.plan(Moment { now, zone, grace: Duration::ZERO }, |range| *range.start())
}

#[test]
fn every_run_is_where_the_wall_says() {
    let schedules = schedules();
    let mut compared = 0;
    for (name, first_year) in ZONES {
        let zone = TimeZone::get(name).unwrap();
        for (from, to) in spans(&zone, first_year) {
            let walked = walk(&zone, from, to);
            let shown = walked.iter().map(|minute| minute.date).collect();
            for schedule in &schedules {
                let expected = oracle(schedule, &walked, &shown);
                let Some((first, _)) = expected.split_first() else { continue };
                let mut found = Vec::new();
                let mut now = *first - SignedDuration::from_secs(1);
                while let Some(next) = plan(schedule, now, &zone).filter(|next| *next < to) {
                    assert!(next > now);
                    found.push(next);
                    now = next;
                }
                let (days, at) = (schedule.weekly_days, schedule.weekly_time);
                assert_eq!(found, expected, "{name} {days} {at} from {from}");
                compared += found.len();
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn from_any_minute_the_next_run_is_the_first_one_after_it() {
    for (name, first_year) in ZONES {
        let zone = TimeZone::get(name).unwrap();
        for (from, to) in spans(&zone, first_year).into_iter().step_by(5) {
            let walked = walk(&zone, from, to);
            let shown = walked.iter().map(|minute| minute.date).collect();
            for schedule in schedules().iter().step_by(5) {
                let runs = oracle(schedule, &walked, &shown);
                let (Some(first), Some(last)) = (runs.first(), runs.last()) else { continue };
                // A step that is no divisor of a day visits all minutes of it in the end.
                let nows = walked.iter().map(|minute| minute.instant).step_by(37);
                for now in nows.filter(|now| now >= first && now < last) {
                    let expected = runs.iter().find(|run| **run > now);
                    assert_eq!(plan(schedule, now, &zone).as_ref(), expected, "{name} {now}");
                }
            }
        }
    }
}

/// What the files of the zones say, written down by hand.
#[test]
fn known_gaps_and_repeats() {
    let table = [
        ("Europe/Berlin", "sun", "2:30", "2026-03-28T12:00Z", "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "sun", "2:30", "2026-10-24T12:00Z", "2026-10-25T00:30:00Z"),
        ("Africa/Cairo", "fri", "0:00", "2024-04-25T12:00Z", "2024-04-25T22:00:00Z"),
        ("Asia/Beirut", "sun", "0:15", "2024-03-30T12:00Z", "2024-03-30T22:00:00Z"),
        ("America/Santiago", "sun", "0:00", "2024-09-07T12:00Z", "2024-09-08T04:00:00Z"),
        ("Australia/Lord_Howe", "sun", "2:10", "2024-10-05T12:00Z", "2024-10-05T15:30:00Z"),
        ("America/Nuuk", "sat", "23:30", "2024-03-30T12:00Z", "2024-03-31T01:00:00Z"),
        // The Friday that Samoa did not have: the next one.
        ("Pacific/Apia", "fri", "9:00", "2011-12-29T12:00Z", "2012-01-05T19:00:00Z"),
    ];
    for (name, days, at, now, expected) in table {
        let schedule = Schedule {
            kind: Kind::Weekly,
            weekly_days: Days::parse(days).unwrap(),
            weekly_time: crossmacro_model::task::schedule::time_of_day(at).unwrap(),
            ..Schedule::default()
        };
        let zone = TimeZone::get(name).unwrap();
        let found = plan(&schedule, now.parse().unwrap(), &zone).unwrap();
        assert_eq!(found.to_string(), expected, "{name} {days} {at}");
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn intervals_are_elapsed_time_and_end_at_the_end_of_time() {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let hours = |value| Schedule { interval_value: value, interval_unit: Unit::Hours, ..Schedule::default() };
    assert_eq!(plan(&hours(3), at("2026-03-29T00:00:00Z"), &zone), Some(at("2026-03-29T03:00:00Z")));
    assert_eq!(plan(&hours(i32::MAX), at("2026-01-01T00:00:00Z"), &zone), Some(Timestamp::MAX));
}

#[test]
fn a_random_interval_reaches_both_ends_and_can_only_be_bounded() {
    let schedule = Schedule {
        use_random_interval_delay: true,
        interval_min_value: 2,
        interval_max_value: 5,
        interval_unit: Unit::Minutes,
        ..Schedule::default()
    };
    let now = at("2026-01-01T00:00:00Z");
    let moment = Moment { now, zone: &TimeZone::UTC, grace: Duration::ZERO };
    let drawn = |pick: fn(std::ops::RangeInclusive<i32>) -> i32| schedule.plan(moment, pick).unwrap();
    let (first, last) = (drawn(|range| *range.start()), drawn(|range| *range.end()));
    assert_eq!((first, last), (at("2026-01-01T00:02:00Z"), at("2026-01-01T00:05:00Z")));
    assert_eq!(schedule.predict(moment), Prediction::Between(first..=last));
}

#[test]
fn a_late_run_is_made_within_the_grace_only() {
    let planned = at("2026-01-01T00:00:00Z");
    let verdict =
        |seconds| judge(planned, planned + SignedDuration::from_secs(seconds), Duration::from_secs(60));
    assert_eq!([-1, 0, 60, 61].map(verdict), [Verdict::Early, Verdict::Run, Verdict::Run, Verdict::Missed]);
}

#[test]
fn predictions_keep_a_plan_that_is_still_good() {
    let now = at("2026-06-01T12:00:00Z");
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let moment = Moment { now, zone: &zone, grace: Duration::from_secs(60) };
    let ago = |seconds| Some(now - SignedDuration::from_secs(seconds));
    let enabled = Schedule { is_enabled: true, ..Schedule::default() };
    let predict = |schedule: &Schedule| match schedule.predict(moment) {
        Prediction::At(instant) => instant.duration_since(now).as_secs(),
        Prediction::None | Prediction::Between(_) => i64::MIN,
    };
    assert_eq!(predict(&Schedule { next_run_time: ago(-7), ..enabled.clone() }), 7);
    assert_eq!(predict(&Schedule { next_run_time: ago(30), ..enabled.clone() }), -30);
    assert_eq!(predict(&Schedule { next_run_time: ago(90), ..enabled.clone() }), 30, "missed");
    assert_eq!(predict(&Schedule { next_run_time: ago(-7), is_enabled: false, ..enabled.clone() }), 30);
    let weekly = Schedule { kind: Kind::Weekly, weekly_days: Days::EVERY, ..enabled.clone() };
    // Planned in another zone: what the wall shows now counts.
    assert_eq!(predict(&Schedule { next_run_time: ago(-7), ..weekly.clone() }), 19 * 3_600);
    assert_eq!(predict(&Schedule { next_run_time: ago(30), ..weekly }), -30);
    let once = |when| Schedule { kind: Kind::SpecificTime, scheduled: Some(when), ..enabled.clone() };
    assert_eq!(predict(&once(When::Instant(ago(-9).unwrap()))), 9);
    assert_eq!(predict(&once(When::Instant(ago(61).unwrap()))), i64::MIN);
    let wall = date(2026, 6, 1).at(15, 0, 0, 0);
    assert_eq!(predict(&once(When::Wall(wall))), 3_600);
}
