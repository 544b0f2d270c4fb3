//! How long 10,000 schedules take: reading their file, and predicting the next run of each.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods, reason = "a benchmark")]

use crossmacro_model::task::schedule::{Days, Kind, Moment};
use crossmacro_model::task::{Schedule, TaskId};
use crossmacro_store::tasks::{self, TaskList};
use crossmacro_store::{Directories, SettingsHandle};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::{Duration, Instant};

const COUNT: u32 = 10_000;

fn main() {
    let home = tempfile::tempdir().unwrap();
    let settings = SettingsHandle::open(&Directories::beneath(home.path()));
    let fill = |list: &mut TaskList<Schedule>| {
        (0..COUNT).for_each(|index| list.push(schedule(index)));
        Ok(())
    };
    let saved = Instant::now();
    tasks::change(&settings, fill).unwrap();
    println!("save {COUNT}: {:.1} ms", milliseconds(saved));
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let moment = Moment { now: Timestamp::now(), zone: &zone, grace: Duration::from_secs(60) };
    let best = |work: &dyn Fn()| {
        (0..15)
            .map(|_| Instant::now())
            .map(|start| {
                work();
                milliseconds(start)
            })
            .fold(f64::MAX, f64::min)
    };
    let read = best(&|| assert_eq!(tasks::read::<Schedule>(&settings).tasks.len(), 10_000));
    let all = tasks::read::<Schedule>(&settings).tasks;
    let predict = best(&|| {
        for schedule in &all {
            std::hint::black_box(schedule.predict(moment));
        }
    });
    println!("read {COUNT}: {read:.1} ms (best of 15)\nnext run of {COUNT}: {predict:.2} ms (best of 15)");
}

fn schedule(index: u32) -> Schedule {
    let mut bytes = [7; 16];
    bytes[..4].copy_from_slice(&index.to_le_bytes());
    Schedule {
        id: TaskId::random(bytes),
        name: format!("Schedule {index}"),
        macro_file_path: format!("/home/user/macros/{index}.macro"),
        kind: if index.is_multiple_of(3) { Kind::Interval } else { Kind::Weekly },
        weekly_days: Days::from_bits(u64::from(index % 127) + 1).unwrap(),
        is_enabled: true,
        ..Schedule::default()
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
