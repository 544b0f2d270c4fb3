//! Macros that the clock starts.

mod days;
mod next;
mod words;

pub use days::Days;
pub use next::{Moment, Prediction, Verdict, judge, wall_instant, weekly_instant};
pub use words::{WordError, date_time, interval, time_of_day};

use super::choice::{Choice, choices};
use super::shortcut::number;
use super::{Task, TaskId, clamp_speed, form};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use std::borrow::Cow;

choices! {
    /// What a schedule goes by.
    Kind {
        /// Time since the end of the run before.
        #[default]
        Interval,
        /// One instant.
        SpecificTime,
        /// Days of the week and a time of day.
        Weekly,
    }
}

choices! {
    /// The unit of an interval.
    Unit {
        /// Seconds.
        #[default]
        Seconds,
        /// Minutes.
        Minutes,
        /// Hours.
        Hours,
    }
}

impl Unit {
    /// How many seconds it has.
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Seconds => 1,
            Self::Minutes => 60,
            Self::Hours => 3_600,
        }
    }
}

/// When a one-time schedule runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At this instant.
    Instant(Timestamp),
    /// When the clock on the wall shows this.
    Wall(DateTime),
}

/// One entry of `schedules.json`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "Stored")]
pub struct Schedule {
    /// Its identity.
    pub id: TaskId,
    /// Its name.
    pub name: String,
    /// The macro it plays.
    pub macro_file_path: String,
    /// What it goes by.
    pub kind: Kind,
    /// How fast the macro is played; 1 is the speed of the recording.
    pub playback_speed: f64,
    /// Whether it is switched on.
    pub is_enabled: bool,
    /// Only [`Kind::Interval`]: units between two runs.
    pub interval_value: i32,
    /// Only [`Kind::Interval`]: the unit.
    pub interval_unit: Unit,
    /// Only [`Kind::Interval`]: whether a random number of units is drawn for each run.
    pub use_random_interval_delay: bool,
    /// The smallest such number.
    pub interval_min_value: i32,
    /// The largest.
    pub interval_max_value: i32,
    /// Only [`Kind::SpecificTime`]: when.
    pub scheduled: Option<When>,
    /// Only [`Kind::Weekly`]: the days.
    pub weekly_days: Days,
    /// Only [`Kind::Weekly`]: the time of day, on the clock on the wall.
    pub weekly_time: Time,
    /// When the last run was.
    pub last_run_time: Option<Timestamp>,
    /// When the next one is planned.
    pub next_run_time: Option<Timestamp>,
    /// What became of the last run.
    pub last_status: Option<String>,
}

impl Default for Schedule {
    fn default() -> Self {
        Stored::default().into()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stored {
    id: TaskId,
    #[serde(deserialize_with = "form::text")]
    name: String,
    #[serde(deserialize_with = "form::text")]
    macro_file_path: String,
    #[serde(rename = "type")]
    kind: Kind,
    playback_speed: f64,
    is_enabled: bool,
    interval_value: i32,
    interval_unit: Unit,
    use_random_interval_delay: bool,
    interval_min_value: i32,
    interval_max_value: i32,
    #[serde(rename = "scheduledDateTime", deserialize_with = "when")]
    scheduled: Option<When>,
    weekly_days: Days,
    #[serde(deserialize_with = "time")]
    weekly_time: Time,
    #[serde(deserialize_with = "form::instant")]
    last_run_time: Option<Timestamp>,
    #[serde(deserialize_with = "form::instant")]
    next_run_time: Option<Timestamp>,
    last_status: Option<String>,
}

impl Default for Stored {
    fn default() -> Self {
        Self {
            id: TaskId::NONE,
            name: "New Task".to_owned(),
            macro_file_path: String::new(),
            kind: Kind::Interval,
            playback_speed: 1.0,
            is_enabled: false,
            interval_value: 30,
            interval_unit: Unit::Seconds,
            use_random_interval_delay: false,
            interval_min_value: 1,
            interval_max_value: 30,
            scheduled: None,
            weekly_days: Days::WEEKDAYS,
            weekly_time: Schedule::WEEKLY_TIME,
            last_run_time: None,
            next_run_time: None,
            last_status: None,
        }
    }
}

impl From<Stored> for Schedule {
    fn from(stored: Stored) -> Self {
        let least = stored.interval_min_value.max(1);
        Self {
            id: stored.id,
            name: stored.name,
            macro_file_path: stored.macro_file_path,
            kind: stored.kind,
            playback_speed: clamp_speed(stored.playback_speed).0,
            is_enabled: stored.is_enabled,
            interval_value: stored.interval_value.max(1),
            interval_unit: stored.interval_unit,
            use_random_interval_delay: stored.use_random_interval_delay,
            interval_min_value: least,
            interval_max_value: stored.interval_max_value.max(least),
            scheduled: stored.scheduled,
            weekly_days: stored.weekly_days,
            weekly_time: stored.weekly_time,
            last_run_time: stored.last_run_time,
            next_run_time: stored.next_run_time,
            last_status: stored.last_status,
        }
    }
}

fn when<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<When>, D::Error> {
    let Some(text) = Option::<Cow<'de, str>>::deserialize(deserializer)? else { return Ok(None) };
    date_time(&text).map(Some).map_err(de::Error::custom)
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    words::time_span(&text).map_err(de::Error::custom)
}

impl Schedule {
    /// The time of day where none is given.
    pub const WEEKLY_TIME: Time = Time::constant(9, 0, 0, 0);

    /// The time of day as files and results have it.
    pub fn weekly_time_text(&self) -> String {
        let time = self.weekly_time;
        let (hours, minutes, seconds) = (time.hour(), time.minute(), time.second());
        match time.subsec_nanosecond() / 100 {
            0 => format!("{hours:02}:{minutes:02}:{seconds:02}"),
            fraction => format!("{hours:02}:{minutes:02}:{seconds:02}.{fraction:07}"),
        }
    }

    /// The one instant as files and results have it.
    pub fn scheduled_text(&self) -> Option<String> {
        self.scheduled.map(|when| match when {
            When::Instant(instant) => instant.to_string(),
            When::Wall(wall) => wall.to_string(),
        })
    }
}

impl Task for Schedule {
    const FILE: &'static str = "schedules.json";
    const NOUN: &'static str = "schedule";

    fn id(&self) -> TaskId {
        self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    fn set_enabled(&mut self, on: bool) {
        self.is_enabled = on;
    }

    fn macro_path(&self) -> &str {
        &self.macro_file_path
    }

    fn missing(&self) -> Option<String> {
        let missing = match self.kind {
            _ if self.macro_file_path.trim().is_empty() => "it has no macro",
            Kind::SpecificTime if self.scheduled.is_none() => "it has no date and time",
            Kind::Weekly if self.weekly_days.is_empty() => "it has no day of the week",
            Kind::Interval | Kind::SpecificTime | Kind::Weekly => return None,
        };
        Some(missing.to_owned())
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("id", self.id.to_string().into()),
            ("name", self.name.as_str().into()),
            ("macroFilePath", self.macro_file_path.as_str().into()),
            ("type", self.kind.index().into()),
            ("playbackSpeed", number(self.playback_speed)),
            ("isEnabled", self.is_enabled.into()),
            ("intervalValue", self.interval_value.into()),
            ("intervalUnit", self.interval_unit.index().into()),
            ("useRandomIntervalDelay", self.use_random_interval_delay.into()),
            ("intervalMinValue", self.interval_min_value.into()),
            ("intervalMaxValue", self.interval_max_value.into()),
            ("scheduledDateTime", self.scheduled_text().into()),
            ("weeklyDays", self.weekly_days.bits().into()),
            ("weeklyTime", self.weekly_time_text().into()),
            ("lastRunTime", form::instant_value(self.last_run_time)),
            ("nextRunTime", form::instant_value(self.next_run_time)),
            ("lastStatus", self.last_status.as_deref().into()),
            ("canBeEnabled", self.missing().is_none().into()),
        ]
    }
}
