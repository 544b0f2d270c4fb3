//! Operations on schedules: macros that the clock starts.

mod add;
mod disable;
mod edit;
mod enable;
mod form;
mod list;
mod next;
mod remove;
mod run;

use crate::registry::operations;
use crate::tasks::playing::Run;
use crate::tasks::task::{self, Patch, Sight};
use crossmacro_model::Fault;
use crossmacro_model::task::schedule::{Kind, Moment, Schedule};
use crossmacro_model::task::{Choice, Task};
use schemars::JsonSchema;
use serde::Serialize;

operations![
    list::List,
    next::Next,
    Run<Schedule>,
    add::Add,
    edit::Edit,
    remove::Remove,
    enable::Enable,
    disable::Disable,
];

/// A schedule in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// Identity.
    id: String,
    /// Name.
    name: String,
    /// Whether it is switched on.
    enabled: bool,
    /// Interval, SpecificTime or Weekly.
    r#type: &'static str,
    /// The macro; empty for who may not read macros.
    macro_file_path: String,
    /// Speed of playback; 1 is as recorded.
    playback_speed: f64,
    /// Only Interval: units between two runs.
    interval_value: Option<i32>,
    /// Only Interval: Seconds, Minutes or Hours.
    interval_unit: Option<&'static str>,
    /// Only a random Interval: fewest units.
    interval_min_value: Option<i32>,
    /// Only a random Interval: most units.
    interval_max_value: Option<i32>,
    /// Only SpecificTime: when; without an offset it is local time.
    scheduled_date_time: Option<String>,
    /// Only Weekly: names of days, or Weekdays, Weekends, EveryDay.
    weekly_days: Option<String>,
    /// Only Weekly: local time of day, hh:mm:ss.
    weekly_time: Option<String>,
    /// Planned next run, UTC.
    next_run_time: Option<String>,
    /// Last run, UTC.
    last_run_time: Option<String>,
    /// What became of it.
    last_status: Option<String>,
}

/// The reply of `schedule.list`.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// All schedules.
    tasks: Vec<Shown>,
    /// Only for run.
    run: (),
    /// Only for the others.
    task: (),
}

/// The reply of an operation on one schedule.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// Only for list.
    tasks: [(); 0],
    /// Only for run.
    run: (),
    /// The schedule it was about.
    task: Option<Shown>,
}

impl Reply {
    fn one(action: &'static str, task: Option<Shown>) -> Self {
        Self { action: Some(action), task, ..Self::default() }
    }
}

impl Shown {
    fn of(schedule: &Schedule, sight: Sight) -> Self {
        let kind = schedule.kind;
        let is_random = kind == Kind::Interval && schedule.use_random_interval_delay;
        let interval = |value| (kind == Kind::Interval).then_some(value);
        let is_weekly = kind == Kind::Weekly;
        Self {
            id: schedule.id.to_string(),
            name: schedule.name.clone(),
            enabled: schedule.is_enabled,
            r#type: kind.name(),
            macro_file_path: sight.path(&schedule.macro_file_path),
            playback_speed: schedule.playback_speed,
            interval_value: interval(schedule.interval_value),
            interval_unit: (kind == Kind::Interval).then(|| schedule.interval_unit.name()),
            interval_min_value: is_random.then_some(schedule.interval_min_value),
            interval_max_value: is_random.then_some(schedule.interval_max_value),
            scheduled_date_time: schedule.scheduled_text().filter(|_| kind == Kind::SpecificTime),
            weekly_days: is_weekly.then(|| schedule.weekly_days.to_string()),
            weekly_time: is_weekly.then(|| schedule.weekly_time_text()),
            next_run_time: schedule.next_run_time.map(|instant| instant.to_string()),
            last_run_time: schedule.last_run_time.map(|instant| instant.to_string()),
            last_status: schedule.last_status.clone(),
        }
    }
}

/// Switches a schedule as asked, and plans its next run where that has become another one.
fn settle(
    schedule: &mut Schedule,
    before: Option<&Schedule>,
    asked: Patch<bool>,
    moment: Moment<'_>,
    warnings: &mut Vec<String>,
) -> Result<(), Fault> {
    let is_asked = asked == Patch::Set(true);
    task::switch(schedule, asked, warnings)?;
    if !schedule.is_enabled {
        schedule.next_run_time = None;
        return Ok(());
    }
    let keeps_plan = before.is_some_and(|before| before.is_enabled && same_timing(before, schedule));
    if keeps_plan && schedule.next_run_time.is_some() {
        return Ok(());
    }
    schedule.next_run_time = schedule.plan(moment, task::draw);
    if schedule.next_run_time.is_some() {
        return Ok(());
    }
    const WHY: &str = "its time has passed";
    if is_asked {
        return Err(Fault::arguments(format!("the {} can't be enabled: {WHY}", Schedule::NOUN)));
    }
    schedule.set_enabled(false);
    warnings.push(format!("the {} was switched off: {WHY}", Schedule::NOUN));
    Ok(())
}

fn same_timing(a: &Schedule, b: &Schedule) -> bool {
    let timing = |schedule: &Schedule| Schedule {
        id: b.id,
        name: String::new(),
        macro_file_path: String::new(),
        playback_speed: 1.0,
        is_enabled: true,
        last_run_time: None,
        next_run_time: None,
        last_status: None,
        ..schedule.clone()
    };
    timing(a) == timing(b)
}
