//! How well a playing keeps its times, and how soon it stops.

use super::median;
use super::table::Table;
use crossmacro_engine::player::{Options, play};
use crossmacro_model::macro_file::{Action, Event, Macro};
use crossmacro_model::{Axis, Button, Code, Direction, KeyCode, Logical, Point, Size};
use crossmacro_platform::{
    Cancel, Desktop, DesktopSource, Keyboard, Pointer, Result as Delivered, Typed, clock,
};
use crossmacro_platform_linux::private_x::{PrivateX, PrivateXOptions};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const EVENTS: usize = 10_000;
const SPACING: Duration = Duration::from_millis(1);
const A: KeyCode = KeyCode(30);

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let options =
        PrivateXOptions { size: Size::new(1280, 800), window_manager: false, ..PrivateXOptions::default() };
    let session = PrivateX::start(&options).map_err(said)?;
    let display = Some(session.display().into());
    let desktop = X11Source::new(X11Options { display, ..X11Options::default() }).desktop().map_err(said)?;
    times(table, &desktop)?;
    stops(table, &desktop)
}

fn key(direction: Direction, wait: Duration) -> Event {
    let wait_us = u64::try_from(wait.as_micros()).unwrap_or(u64::MAX);
    Event { wait_us, random: None, action: Action::Key { code: A, direction } }
}

/// Against the plan: the moment in which each event is handed to the facet.
fn times(table: &mut Table, desktop: &Desktop) -> Result<(), String> {
    let ear = Arc::new(Ear::default());
    let desktop = Desktop { keyboard: Ok(ear.clone()), pointer: Ok(ear.clone()), ..desktop.clone() };
    let events = (0..EVENTS)
        .map(|index| key(if index % 2 == 0 { Direction::Press } else { Direction::Release }, SPACING))
        .collect();
    let content = Macro { skip_initial_zero: true, events, ..Macro::default() };
    let mut begun = None;
    play(&content, &desktop, &Options::default(), &Cancel::new(), &mut |_| {
        begun.get_or_insert_with(clock::now);
    })
    .map_err(said)?;
    let heard = ear.heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let first = *heard.first().ok_or("nothing was played\n")?;
    let mut errors: Vec<f64> = heard
        .iter()
        .zip(0_u32..)
        .map(|(at, index)| {
            let due = first + SPACING * index;
            let late = at.saturating_duration_since(due).max(due.saturating_duration_since(*at));
            late.as_secs_f64() * 1000.0
        })
        .collect();
    let drift = errors.last().copied().unwrap_or(f64::NAN);
    errors.sort_by(f64::total_cmp);
    let worst_of_thousand = errors.get(errors.len() * 999 / 1000).copied().unwrap_or(f64::NAN);
    table.limit("10,000 events 1 ms apart: error, median", median(errors), 0.05, "ms");
    table.limit("  error, 99.9th percentile", worst_of_thousand, 1.0, "ms");
    table.limit("  drift at the end", drift, 1.0, "ms");
    Ok(())
}

/// From the request to stop to the last release, confirmed by the server.
fn stops(table: &mut Table, desktop: &Desktop) -> Result<(), String> {
    let long = Duration::from_secs(3600);
    let events = vec![key(Direction::Press, Duration::ZERO), key(Direction::Release, long)];
    let content = Macro { skip_initial_zero: true, events, ..Macro::default() };
    let mut worst: f64 = 0.0;
    for _ in 0..20 {
        let (cancel, begun) = (Cancel::new(), Mutex::new(None));
        let stopped = std::thread::scope(|scope| {
            let playing = scope.spawn(|| play(&content, desktop, &Options::default(), &cancel, &mut |_| {}));
            Cancel::new().sleep(Duration::from_millis(30));
            *begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock::now());
            cancel.cancel();
            playing.join()
        });
        let took =
            begun.lock().unwrap_or_else(PoisonError::into_inner).map_or(Duration::MAX, |at| at.elapsed());
        match stopped {
            Ok(Err(fault)) if fault.code == Code::Cancelled => worst = worst.max(took.as_secs_f64() * 1000.0),
            _ => return Err("a playing was not stopped\n".into()),
        }
    }
    table.limit("stop to the last release, the worst of 20", worst, 50.0, "ms");
    Ok(())
}

/// Writes down when it was called.
#[derive(Default)]
struct Ear {
    heard: Mutex<Vec<Instant>>,
}

impl Keyboard for Ear {
    fn key(&self, _: KeyCode, _: Direction) -> Delivered<()> {
        let now = clock::now();
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(now);
        Ok(())
    }

    fn key_for(&self, _: char) -> Delivered<Option<KeyCode>> {
        Ok(None)
    }

    fn check_text(&self, _: &str) -> Delivered<()> {
        Ok(())
    }

    fn type_text(&self, _: &str, _: Duration, _: &Cancel) -> Delivered<Typed> {
        Ok(Typed::default())
    }

    fn backend(&self) -> &'static str {
        "ear"
    }
}

impl Pointer for Ear {
    fn position(&self) -> Delivered<Point<Logical>> {
        Ok(Point::new(0, 0))
    }

    fn move_to(&self, to: Point<Logical>) -> Delivered<Point<Logical>> {
        Ok(to)
    }

    fn move_by(&self, _: i32, _: i32) -> Delivered<Point<Logical>> {
        Ok(Point::new(0, 0))
    }

    fn button(&self, _: Button, _: Direction) -> Delivered<()> {
        Ok(())
    }

    fn scroll(&self, _: Axis, _: u32) -> Delivered<()> {
        Ok(())
    }

    fn backend(&self) -> &'static str {
        "ear"
    }
}

fn said(error: impl std::fmt::Display) -> String {
    format!("{error}\n")
}
