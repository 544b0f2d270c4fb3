//! Settings and tasks: how long a command takes, and ten thousand tasks.

use super::table::Table;
use super::{release, timed};
use crossmacro_model::task::schedule::{Kind, Moment};
use crossmacro_model::task::{Schedule, TaskId};
use crossmacro_store::{Directories, SettingsHandle, tasks};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const MANY: u32 = 10_000;
/// Some zones, so that a clock change is near for one of them whatever the season.
const ZONES: [&str; 4] = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"];

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let home = Path::new("target/bench/home");
    // What an earlier run has left.
    if home.exists() {
        std::fs::remove_dir_all(home).map_err(said)?;
    }
    std::fs::create_dir_all(home).map_err(said)?;
    let home = std::path::absolute(home).map_err(said)?;
    let get = timed(40, || command(&home, &["settings", "get", "playback.speed"]))?;
    table.limit("settings get, the whole process", get, 10.0, "ms");
    let mut speed = 0;
    let set = timed(40, || {
        speed = 3 - speed.clamp(1, 2);
        command(&home, &["settings", "set", "playback.speed", &speed.to_string()])
    })?;
    table.limit("settings set, the whole process", set, 10.0, "ms");
    many(table, &home)
}

fn many(table: &mut Table, home: &Path) -> Result<(), String> {
    let settings = SettingsHandle::open(&Directories::beneath(home));
    let kinds = [Kind::Interval, Kind::Weekly, Kind::SpecificTime];
    tasks::change::<Schedule, _>(&settings, |list| {
        for (number, kind) in (1..=MANY).zip(kinds.into_iter().cycle()) {
            let mut id = [0; 16];
            id[..4].copy_from_slice(&number.to_be_bytes());
            let name = format!("schedule {number}");
            list.push(Schedule {
                id: TaskId::random(id),
                name,
                kind,
                is_enabled: true,
                ..Schedule::default()
            });
        }
        Ok(())
    })
    .map_err(said)?;
    let read = timed(20, || match tasks::read::<Schedule>(&settings).tasks.len() {
        count if count == MANY as usize => Ok(()),
        count => Err(format!("{count} of {MANY} tasks\n")),
    })?;
    table.limit("10,000 tasks listed", read, 20.0, "ms");
    let schedules = tasks::read::<Schedule>(&settings).tasks;
    let zones = ZONES.map(TimeZone::get).into_iter().collect::<Result<Vec<_>, _>>().map_err(said)?;
    let next = timed(20, || {
        let now = Timestamp::now();
        let planned = schedules.iter().zip(zones.iter().cycle()).filter_map(|(schedule, zone)| {
            schedule.plan(Moment { now, zone, grace: Duration::ZERO }, |range| *range.start())
        });
        if planned.count() > 0 { Ok(()) } else { Err("no schedule runs\n".into()) }
    })?;
    table.limit("next run of 10,000 schedules", next, 20.0, "ms");
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
fn command(home: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(release("crossmacro"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.env("XDG_CONFIG_HOME", home).status().map_err(said)?;
    if status.success() { Ok(()) } else { Err(format!("crossmacro {}: {status}\n", arguments.join(" "))) }
}

fn said(error: impl std::fmt::Display) -> String {
    format!("{error}\n")
}
