//! The player: the events of a macro happen again, each at its time.
//!
//! [`plan`](plan::plan) turns a macro into the events to deliver, once; [`play`] delivers them, as often as asked.
//! Every event is due at a fixed distance from the start, so that the errors of single waits do not add up; after a
//! stall the line is taken up anew instead of hurrying (`schedule`). A macro whose script looks at the desktop, or
//! that has no events, is played by the interpreter.
//!
//! What it is not: it knows no file and no policy. It does not wait for the pointer to settle before a button acts,
//! since the facets return only after the server has confirmed a move.
//!
//! Whatever ends a playing, what it pressed is released.

mod motion;
mod pause;
mod plan;

pub use motion::Motion;
pub use pause::Pause;
pub use plan::{Plan, plan};

use crate::fault::stopped;
use crate::hands::Hands;
use crate::held::Ledger;
use crate::interpreter::{self, Assets, Progress, SPEEDS};
use crate::random;
use crate::schedule::Schedule;
use crate::time::{Machine, Time};
use crossmacro_model::macro_file::{Action, Event, Macro, Place, RandomDelay, Space};
use crossmacro_model::run::Program;
use crossmacro_model::{Code, Delivered, Direction, Fault, Point};
use crossmacro_platform::{Cancel, Desktop, DesktopSource};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Events that may fail before a playing gives up.
const MOST_FAILURES: u64 = 10;
/// The least time of one pass of an endless playing, so that an empty one does not spin.
const LEAST_PASS: Duration = Duration::from_millis(1);

/// How to play a macro.
#[derive(Clone)]
pub struct Options {
    /// Divides all waits but those between passes; within [`SPEEDS`].
    pub speed: f64,
    /// How often it is played; `None` is without end.
    pub passes: Option<u32>,
    /// Waited between two passes: the least and the most. A time between them is picked each time.
    pub between: (Duration, Duration),
    /// Waited before the first event, at no speed.
    pub countdown: Duration,
    /// What gives way where the desktop takes fewer motions than were recorded.
    pub motion: Motion,
    /// The pictures that the script of the macro names.
    pub assets: Arc<Assets>,
    /// Where to find the desktop again when its connection is lost with a key held.
    pub source: Option<Arc<dyn DesktopSource>>,
    /// Where it is written down what is held.
    pub ledger: Option<Arc<dyn Ledger>>,
    /// Holds the playing up.
    pub pause: Pause,
    /// The clock.
    pub time: Arc<dyn Time>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            speed: 1.0,
            passes: Some(1),
            between: (Duration::ZERO, Duration::ZERO),
            countdown: Duration::ZERO,
            motion: Motion::default(),
            assets: Arc::default(),
            source: None,
            ledger: None,
            pause: Pause::default(),
            time: Arc::new(Machine),
        }
    }
}

/// What a playing did.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Events that were delivered, in all passes.
    pub event_count: u64,
    /// Events that failed and were passed over.
    pub failed: u64,
    /// Whole passes.
    pub passes: u64,
    /// From the first event of a pass to its last as written, with the shortest random waits.
    pub total: Duration,
    /// `absolute`, `relative`, `mixed` or `none`.
    pub coordinate_mode: &'static str,
    /// What a user should know although it worked.
    pub warnings: Vec<String>,
}

impl Summary {
    /// The fields of the reply, without the warnings.
    pub fn to_json(&self) -> Map<String, Value> {
        let fields = [
            ("eventCount", json!(self.event_count)),
            ("failedEventCount", json!(self.failed)),
            ("passCount", json!(self.passes)),
            ("totalDurationMs", json!(u64::try_from(self.total.as_millis()).unwrap_or(u64::MAX))),
            ("coordinateMode", json!(self.coordinate_mode)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Plays a macro on a desktop. `progress` is called before each event: it should be quick.
///
/// # Errors
/// `cancelled` or `timeout` when it was stopped; `environment_error` when the desktop or a facet is not there (any
/// more); `runtime_error` when more than ten events failed; what the interpreter says where the script is played. All
/// of them carry `partial.eventCount`.
pub fn play(
    content: &Macro,
    desktop: &Desktop,
    options: &Options,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Summary, Fault> {
    if !SPEEDS.contains(&options.speed) {
        let (least, most) = SPEEDS.into_inner();
        return Err(Fault::arguments(format!("the speed must be from {least} to {most}")));
    }
    let piece = match content.played_script().map_err(Fault::from)? {
        Some(program) => Piece::Script(program),
        None => Piece::Events(plan(content, options.speed, options.motion)),
    };
    let (speed, warnings) = match &piece {
        Piece::Script(_) => (options.speed, Vec::new()),
        Piece::Events(plan) => (plan.speed, plan.warnings.clone()),
    };
    let player = Player {
        options,
        cancel,
        progress,
        hands: Hands::real(desktop, options.source.clone(), options.ledger.clone()),
        schedule: Schedule::new(speed, Arc::clone(&options.time)),
        started: options.time.now(),
        events: 0,
        failures: Failures::default(),
        warnings,
    };
    player.play(content, desktop, &piece)
}

/// What is played.
enum Piece {
    Script(Program),
    Events(Plan),
}

/// Events that failed.
#[derive(Default)]
struct Failures {
    count: u64,
    first: Option<Fault>,
}

struct Player<'a> {
    options: &'a Options,
    cancel: &'a Cancel,
    progress: &'a mut dyn FnMut(&Progress),
    hands: Hands,
    schedule: Schedule,
    started: Instant,
    events: u64,
    failures: Failures,
    warnings: Vec<String>,
}

impl Player<'_> {
    fn play(mut self, content: &Macro, desktop: &Desktop, piece: &Piece) -> Result<Summary, Fault> {
        let passes = self.passes(desktop, piece);
        let released = self.hands.release();
        let fault = match (passes, released) {
            (Ok(passes), Ok(_)) if self.events > 0 || self.failures.count == 0 => {
                return Ok(self.summary(content, passes));
            }
            // Nothing of it worked.
            (Ok(_), Ok(_)) => {
                self.failures.first.take().unwrap_or_else(|| Fault::arguments("it has no event"))
            }
            (Ok(_), Err(release)) => release.delivered(Delivered::Done),
            (Err(fault), Ok(_)) => fault,
            (Err(mut fault), Err(release)) => {
                fault
                    .warnings
                    .push(format!("Some keys or buttons could not be released: {}", release.message));
                fault
            }
        };
        let has_touched = fault.delivered == Delivered::Nothing && self.hands.has_touched();
        let fault = if has_touched { fault.delivered(Delivered::Done) } else { fault };
        Err(fault.with_partial("eventCount", self.events))
    }

    fn summary(self, content: &Macro, passes: u64) -> Summary {
        let mut warnings = self.warnings;
        if let Some(first) = &self.failures.first {
            warnings.push(format!(
                "{} events failed and were passed over; the first: {first}",
                self.failures.count
            ));
        }
        Summary {
            event_count: self.events,
            failed: self.failures.count,
            passes,
            total: Duration::from_micros(content.duration_us()),
            coordinate_mode: content.coordinate_mode().name(),
            warnings,
        }
    }

    fn passes(&mut self, desktop: &Desktop, piece: &Piece) -> Result<u64, Fault> {
        let start = self.started.checked_add(self.options.countdown).unwrap_or(self.started);
        self.wait_until(start)?;
        let mut passed = 0;
        while self.options.passes.is_none_or(|most| passed < u64::from(most)) {
            if passed > 0 {
                let (least, most) = self.options.between;
                self.wait_until(self.options.time.now() + random::between(least, most.max(least)))?;
            }
            let began = self.options.time.now();
            self.schedule.resume();
            match piece {
                Piece::Script(program) => self.run(program, desktop)?,
                Piece::Events(plan) => self.pass(plan)?,
            }
            passed += 1;
            if self.options.passes.is_none() {
                self.wait_until(began + LEAST_PASS)?;
            }
        }
        Ok(passed)
    }

    /// One pass of the script. A pause does not reach into it.
    fn run(&mut self, program: &Program, desktop: &Desktop) -> Result<(), Fault> {
        let options = interpreter::Options {
            speed: self.options.speed,
            assets: Arc::clone(&self.options.assets),
            source: self.options.source.clone(),
            ledger: self.options.ledger.clone(),
            time: Arc::clone(&self.options.time),
            ..interpreter::Options::default()
        };
        let (before, elapsed) = (self.events, self.started);
        let time = Arc::clone(&self.options.time);
        let progress = &mut *self.progress;
        let mut report = |at: &Progress| {
            progress(&Progress {
                elapsed: time.now().saturating_duration_since(elapsed),
                events: before + at.events,
                step: at.step,
                next: None,
            });
        };
        let summary = interpreter::run(program, desktop, &options, self.cancel, &mut report)?;
        self.events += summary.event_count;
        for warning in summary.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(())
    }

    /// One pass of the events.
    fn pass(&mut self, plan: &Plan) -> Result<(), Fault> {
        if plan.starts_in_corner {
            self.hands.go_to_corner()?;
        }
        for (index, event) in plan.events.iter().enumerate() {
            let elapsed = self.options.time.now().saturating_duration_since(self.started);
            (self.progress)(&Progress {
                elapsed,
                events: self.events,
                step: index + 1,
                next: Some(event.action),
            });
            self.wait(event.wait_us, event.random)?;
            match self.deliver(event) {
                Ok(()) => self.events += 1,
                Err(fault) => self.passed_over(index, event, fault)?,
            }
        }
        self.wait(plan.trailing_us, plan.trailing_random)?;
        let held = self.hands.release()?;
        let warning = "Keys or buttons were still down at the end and were released.";
        if held > 0 && !self.warnings.iter().any(|known| known == warning) {
            self.warnings.push(warning.to_owned());
        }
        Ok(())
    }

    /// An event that failed; an error when that is the end.
    fn passed_over(&mut self, index: usize, event: &Event, mut fault: Fault) -> Result<(), Fault> {
        if let Some(stop) = stopped(self.cancel) {
            return Err(stop);
        }
        let is_final = matches!(fault.code, Code::EnvironmentError | Code::Cancelled);
        self.failures.count += 1;
        fault.message = format!("event {} ({}): {}", index + 1, event.action, fault.message);
        if is_final {
            return Err(fault);
        }
        let first = self.failures.first.get_or_insert(fault);
        if self.failures.count > MOST_FAILURES {
            let message = format!("more than {MOST_FAILURES} events failed; the first: {}", first.message);
            return Err(Fault::new(Code::RuntimeError, message));
        }
        Ok(())
    }

    fn wait(&mut self, fixed_us: u64, random: Option<RandomDelay>) -> Result<(), Fault> {
        let picked = random.map_or(Duration::ZERO, |RandomDelay { min_ms, max_ms }| {
            random::between(Duration::from_millis(min_ms.into()), Duration::from_millis(max_ms.into()))
        });
        let due = self.schedule.after(Duration::from_micros(fixed_us).saturating_add(picked));
        self.wait_until(due)
    }

    /// Waits until `due`, later by what a pause takes.
    fn wait_until(&mut self, mut due: Instant) -> Result<(), Fault> {
        let time = Arc::clone(&self.options.time);
        loop {
            if self.options.pause.is_paused() {
                let pause = self.hold_up()?;
                self.schedule.shift(pause);
                due = due.checked_add(pause).unwrap_or(due);
            }
            let next = self.options.pause.next_look(time.now(), due);
            if time.wait_until(next, self.cancel) {
                return Err(stopped(self.cancel).unwrap_or_else(|| Fault::new(Code::Cancelled, "cancelled")));
            }
            if next >= due && !self.options.pause.is_paused() {
                return Ok(());
            }
        }
    }

    /// Lets go of everything until the pause is over; how long that was.
    fn hold_up(&mut self) -> Result<Duration, Fault> {
        let began = self.options.time.now();
        let downs = self.hands.put_down()?;
        if self.options.pause.wait(self.cancel) {
            return Err(stopped(self.cancel).unwrap_or_else(|| Fault::new(Code::Cancelled, "cancelled")));
        }
        self.hands.take_again(&downs)?;
        Ok(self.options.time.now().saturating_duration_since(began))
    }

    fn deliver(&mut self, event: &Event) -> Result<(), Fault> {
        match event.action {
            Action::Move(at) => self.go(at),
            Action::Button { button, direction, at } => {
                self.reach(at)?;
                self.hands.button(button, direction)
            }
            Action::Click { button, at } => {
                self.reach(at)?;
                self.hands.button(button, Direction::Press)?;
                self.hands.button(button, Direction::Release)
            }
            Action::Wheel(axis) => self.hands.scroll(axis, 1),
            Action::Key { code, direction } => self.hands.key(code, direction),
        }
    }

    fn go(&mut self, at: Place) -> Result<(), Fault> {
        match at.space {
            Space::Absolute => self.hands.move_to(Point::new(at.x, at.y)),
            Space::RelativeLogical => self.hands.move_logically(at.x, at.y),
            Space::RelativeRaw | Space::Unstated => self.hands.move_by(at.x, at.y),
            Space::Current => Ok(()),
        }
    }

    /// Goes to where a button acts, unless the pointer is there.
    fn reach(&mut self, at: Place) -> Result<(), Fault> {
        let is_there = match at.space {
            Space::Absolute => self.hands.position()? == Some(Point::new(at.x, at.y)),
            _ => (at.x, at.y) == (0, 0),
        };
        if is_there { Ok(()) } else { self.go(at) }
    }
}
