//! The interpreter of the run language: carries out a script step by step, on a desktop or as a rehearsal.
//!
//! Events are delivered as they come up, so that memory does not grow with loops. Every step that fails names
//! its place and says how far the script had come; nothing that the script pressed stays pressed.

mod blocks;
mod clipboard;
mod screen;
mod steps;
mod summary;
mod windows;

use crate::fault::stopped;
use crate::hands::Hands;
use crate::held::Ledger;
use crate::schedule::Schedule;
use crate::time::{Machine, Time};
use crossmacro_imaging::search::Template;
use crossmacro_model::macro_file::Action;
use crossmacro_model::run::{Place, Program, Variables};
use crossmacro_model::{Code, Delivered, Fault, Point};
use crossmacro_platform::{Cancel, Desktop, DesktopSource};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};
pub use summary::Summary;
use summary::Tally;

/// Speeds that a script may run at.
pub const SPEEDS: RangeInclusive<f64> = 0.1..=10.0;

/// The pictures that a script may look for, by name.
pub type Assets = BTreeMap<String, Template>;

/// How to run a script.
#[derive(Clone)]
pub struct Options {
    /// Divides all waits; within [`SPEEDS`].
    pub speed: f64,
    /// Waited before the first step, at no speed.
    pub countdown: Duration,
    /// When to give up, with [`Code::Timeout`].
    pub deadline: Option<Instant>,
    /// Waited between two typed characters.
    pub key_delay: Duration,
    /// The pictures that the steps name.
    pub assets: Arc<Assets>,
    /// Where to find the desktop again when its connection is lost with a key held.
    pub source: Option<Arc<dyn DesktopSource>>,
    /// Where it is written down what is held.
    pub ledger: Option<Arc<dyn Ledger>>,
    /// The clock.
    pub time: Arc<dyn Time>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            speed: 1.0,
            countdown: Duration::ZERO,
            deadline: None,
            key_delay: Duration::ZERO,
            assets: Arc::default(),
            source: None,
            ledger: None,
            time: Arc::new(Machine),
        }
    }
}

/// How far a script has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Since the start, the countdown included.
    pub elapsed: Duration,
    /// Events delivered.
    pub events: u64,
    /// The step or event that comes next, from 1.
    pub step: usize,
    /// What that is, where it is an event of a macro.
    pub next: Option<Action>,
}

/// Runs a script on a desktop. `progress` is called before each step, often: it should be quick.
///
/// # Errors
/// A [`Fault`] with `details.step` (and `details.line`, from a file) of the step that failed, and
/// `partial.eventCount`.
pub fn run(
    program: &Program,
    desktop: &Desktop,
    options: &Options,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Summary, Fault> {
    let hands = Hands::real(desktop, options.source.clone(), options.ledger.clone());
    Interpreter::new(program, options, cancel, progress, hands)?.run(program)
}

/// Goes through a script without input and without waiting: the same summary, as far as it can be known, and
/// the same faults of the script itself. Random waits count with their least; what follows from readings of
/// the desktop is an estimate, and a warning says so.
///
/// # Errors
/// As [`run`].
pub fn rehearse(program: &Program, options: &Options, cancel: &Cancel) -> Result<Summary, Fault> {
    let countdown = Duration::ZERO;
    let options = Options { countdown, ..options.clone() };
    Interpreter::new(program, &options, cancel, &mut |_| {}, Hands::rehearsal())?.run(program)
}

/// Where buttons act.
#[derive(Debug, Clone, Copy)]
enum Anchor {
    /// Wherever the pointer is.
    Live,
    /// At the place of the last absolute move.
    At(Point),
}

struct Interpreter<'a> {
    options: &'a Options,
    cancel: Cancel,
    progress: &'a mut dyn FnMut(&Progress),
    program_asks_outside: bool,
    hands: Hands,
    variables: Variables,
    schedule: Schedule,
    tally: Tally,
    anchor: Anchor,
    iterations: u64,
    /// Whether a rehearsal has passed a step whose result it can't know.
    is_estimate: bool,
    started: Instant,
}

impl<'a> Interpreter<'a> {
    fn new(
        program: &Program,
        options: &'a Options,
        cancel: &Cancel,
        progress: &'a mut dyn FnMut(&Progress),
        hands: Hands,
    ) -> Result<Self, Fault> {
        if !SPEEDS.contains(&options.speed) {
            return Err(Fault::arguments(format!(
                "the speed must be from {} to {}",
                SPEEDS.start(),
                SPEEDS.end()
            )));
        }
        Ok(Self {
            options,
            cancel: options
                .deadline
                .map_or_else(|| cancel.clone(), |deadline| cancel.with_deadline(deadline)),
            progress,
            program_asks_outside: program.asks_outside(),
            hands,
            variables: Variables::default(),
            schedule: Schedule::new(options.speed, Arc::clone(&options.time)),
            tally: Tally::default(),
            anchor: Anchor::Live,
            iterations: 0,
            is_estimate: false,
            started: options.time.now(),
        })
    }

    fn run(mut self, program: &Program) -> Result<Summary, Fault> {
        let result = self.count_down().and_then(|()| self.block(&program.body).map(drop));
        let released = self.hands.release();
        match (result, released) {
            // An estimate may have gone a way that the script itself would not go.
            (Err(fault), _) if self.is_estimate && !matches!(fault.code, Code::Cancelled | Code::Timeout) => {
            }
            (Err(fault), released) => return Err(self.with_release(fault, released)),
            (Ok(()), Err(fault)) => return Err(fault.delivered(Delivered::Done)),
            (Ok(()), Ok(0)) => {}
            (Ok(()), Ok(count)) => {
                self.tally
                    .warnings
                    .push(format!("{count} keys or buttons were still down at the end and were released."));
            }
        }
        if self.tally.events == 0 && !self.tally.has_acted {
            return Err(Fault::arguments("nothing to execute: the script reached no event and no delay"));
        }
        Ok(self.tally.summary(program.step_count, &self.variables))
    }

    fn with_release(&self, mut fault: Fault, released: Result<usize, Fault>) -> Fault {
        if let Err(release) = released {
            fault.warnings.push(format!("Some keys or buttons could not be released: {}", release.message));
            fault = fault.detail("stillHeld", release.details.get("stillHeld").cloned().unwrap_or_default());
        }
        fault.with_partial("eventCount", self.tally.events)
    }

    fn count_down(&mut self) -> Result<(), Fault> {
        let start = self.started.checked_add(self.options.countdown).unwrap_or(self.started);
        if self.options.time.wait_until(start, &self.cancel) {
            return self.go_on();
        }
        self.schedule.resume();
        Ok(())
    }

    /// Whether the script may go on.
    fn go_on(&self) -> Result<(), Fault> {
        stopped(&self.cancel).map_or(Ok(()), Err)
    }

    fn report(&mut self, place: Place) {
        let elapsed = self.options.time.now().saturating_duration_since(self.started);
        (self.progress)(&Progress { elapsed, events: self.tally.events, step: place.step, next: None });
    }

    /// Does `work` for the step at `place`: its fault names the place and says how far the script had come.
    fn at<T>(&mut self, place: Place, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        work(self).map_err(|mut fault| {
            // A facet that was cancelled does not know why.
            if let (Code::Cancelled, Some(stop)) = (fault.code, stopped(&self.cancel)) {
                (fault.code, fault.message) = (stop.code, stop.message);
            }
            fault.message = format!("{place}: {}", fault.message);
            if fault.delivered == Delivered::Nothing && self.hands.has_touched() {
                fault.delivered = Delivered::Done;
            }
            let fault = fault.detail("step", place.step);
            match place.line {
                Some(line) => fault.detail("line", line),
                None => fault,
            }
        })
    }
}
