//! The recorder: what a person does becomes the events of a macro.
//!
//! [`record`] chooses how motion is recorded, listens, and feeds what it hears to [`Tape`], which decides what of
//! it becomes an event. The tape has no clock and touches nothing, so every rule is tested on written times.
//!
//! What it is not: it knows no file. What is heard also has its effect: nothing is held back.
//!
//! Rules: equal places in a row count once; the wheel is recorded in whole notches and the rest carried; a held key
//! that repeats is one press; what was down at the start is not released by the macro, and what is still down at
//! the end is. Times are those of the source; the time before the first event and after the last is not kept.

mod control;
mod tape;
mod thin;

pub use control::Control;
pub use tape::{Full, Tape, TapeOptions};

use crate::corner;
use crate::fault::{from_platform, stopped};
use crate::interpreter::Progress;
use crossmacro_model::macro_file::Event;
use crossmacro_model::{Code, Fault};
use crossmacro_platform::{Cancel, Desktop, Error, ListenRequest, Listening, MotionDetail, Stop, clock};
use std::time::{Duration, Instant};

/// How long a wait lasts before the progress is told again.
const TOLD: Duration = Duration::from_millis(250);

/// How motion is asked to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// As places where the desktop can tell them, else as distances.
    #[default]
    Auto,
    /// As places; where the desktop can't tell them, as distances, with a warning.
    Absolute,
    /// As distances of the device, before acceleration.
    Relative,
    /// As distances of the pointer on the desktop.
    RelativeLogical,
}

/// How motion is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As places on the desktop.
    Absolute,
    /// As distances of the device.
    RelativeRaw,
    /// As distances of the pointer.
    RelativeLogical,
}

impl Mode {
    /// The text in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::RelativeRaw | Self::RelativeLogical => "relative",
        }
    }
}

/// What to record.
#[derive(Debug, Clone)]
pub struct Options {
    /// The pointer, its buttons and the wheel.
    pub mouse: bool,
    /// Keys.
    pub keyboard: bool,
    /// How motion is recorded.
    pub wanted: Wanted,
    /// Whether a relative recording starts where the pointer is, instead of in the corner of the desktop.
    pub skip_initial_zero: bool,
    /// Moves may be left out as long as no place is further than this from the path that remains, in the units of
    /// the recording.
    pub thin: Option<f64>,
    /// Chords that control the program and are not recorded.
    pub controls: Vec<Control>,
    /// The chord by which a person asks to stop, where its use is told to us in another way (Ctrl+C by a
    /// signal). Left out at the very end only.
    pub stop: Option<Control>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mouse: true,
            keyboard: true,
            wanted: Wanted::Auto,
            skip_initial_zero: false,
            thin: None,
            controls: Vec::new(),
            stop: None,
        }
    }
}

/// Why a recording ended.
#[derive(Debug)]
pub enum End {
    /// Somebody asked.
    Requested,
    /// The time was over.
    Expired,
    /// There is room for no more events.
    Full,
    /// The desktop was lost. What was recorded until then is there.
    Lost(Box<Fault>),
}

/// What was recorded.
#[derive(Debug)]
pub struct Recording {
    /// The events; the first without a wait.
    pub events: Vec<Event>,
    /// How motion was recorded.
    pub mode: Mode,
    /// Whether a relative recording starts where the pointer was.
    pub skip_initial_zero: bool,
    /// Why it ended.
    pub end: End,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// Records until `cancel`, which may carry a deadline; both are good ends. `progress` is told now and then.
///
/// # Errors
/// `environment_error` where the desktop has no listener; `cancelled` when the request to stop came before it
/// began to listen.
pub fn record(
    desktop: &Desktop,
    options: &Options,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
) -> Result<Recording, Fault> {
    let listener = desktop.listener.clone().map_err(|unavailable| from_platform(unavailable.into()))?;
    unless_cancelled(cancel)?;
    let mut warnings = Vec::new();
    let mode = choose(desktop, options, &mut warnings)?;
    let skip_initial_zero = prepare(desktop, options, mode, &mut warnings)?;
    unless_cancelled(cancel)?;
    let request = ListenRequest {
        motion: options.mouse.then_some(detail(mode)),
        buttons: options.mouse,
        keys: options.keyboard,
    };
    let mut ear = listener.listen(request).map_err(from_platform)?;
    let tape = Tape::new(tape_options(options, mode), ear.begun());
    let (tape, end) = hear(&mut *ear, tape, cancel, progress);
    if matches!(end.why, End::Full) {
        let room = tape::room();
        warnings
            .push(format!("the recording ended because a macro file has room for {room} recorded events"));
    }
    let is_asked = matches!(end.why, End::Requested);
    let stop = options.stop.as_ref().filter(|_| is_asked);
    let events = tape.finish(end.since_last, stop);
    Ok(Recording { events, mode, skip_initial_zero, end: end.why, warnings })
}

/// A request to stop that comes before anything was heard.
fn unless_cancelled(cancel: &Cancel) -> Result<(), Fault> {
    stopped(cancel).map_or(Ok(()), Err)
}

/// How the hearing ended, and how long after the last thing that was heard.
struct Ended {
    why: End,
    since_last: Duration,
}

fn hear(
    ear: &mut dyn Listening,
    mut tape: Tape,
    cancel: &Cancel,
    progress: &mut dyn FnMut(Progress),
) -> (Tape, Ended) {
    let begun = clock::now();
    let mut last = begun;
    loop {
        let why = match ear.next(TOLD, cancel) {
            Ok(heard) => {
                if !heard.is_empty() {
                    last = clock::now();
                }
                heard.iter().try_for_each(|heard| tape.feed(heard)).err().map(|Full| End::Full)
            }
            Err(Error::Cancelled) if cancel.cause() == Some(Stop::Expired) => Some(End::Expired),
            Err(Error::Cancelled) => Some(End::Requested),
            Err(error) => Some(End::Lost(Box::new(from_platform(error)))),
        };
        progress(Progress { elapsed: since(begun), events: tape.len() as u64, step: 0, next: None });
        // Input without a pause must not outlast the request to stop.
        let why = why.or_else(|| match cancel.cause()? {
            Stop::Requested => Some(End::Requested),
            Stop::Expired => Some(End::Expired),
        });
        if let Some(why) = why {
            return (tape, Ended { why, since_last: since(last) });
        }
    }
}

fn since(begun: Instant) -> Duration {
    clock::now().saturating_duration_since(begun)
}

const fn detail(mode: Mode) -> MotionDetail {
    match mode {
        Mode::Absolute | Mode::RelativeLogical => MotionDetail::Places,
        Mode::RelativeRaw => MotionDetail::Distances,
    }
}

fn tape_options(options: &Options, mode: Mode) -> TapeOptions {
    TapeOptions { mode, thin: options.thin, controls: options.controls.clone(), ..TapeOptions::default() }
}

/// Whether the desktop can tell where the pointer is decides.
fn choose(desktop: &Desktop, options: &Options, warnings: &mut Vec<String>) -> Result<Mode, Fault> {
    if !options.mouse {
        return Ok(match options.wanted {
            Wanted::Auto | Wanted::Absolute => Mode::Absolute,
            Wanted::Relative => Mode::RelativeRaw,
            Wanted::RelativeLogical => Mode::RelativeLogical,
        });
    }
    let place = desktop.pointer.clone().map_err(Error::from).and_then(|pointer| pointer.position());
    match (options.wanted, place) {
        (Wanted::Relative, _) => Ok(Mode::RelativeRaw),
        (Wanted::RelativeLogical, Ok(_)) => Ok(Mode::RelativeLogical),
        (Wanted::RelativeLogical, Err(error)) => Err(Fault::new(
            Code::EnvironmentError,
            format!("distances of the pointer can't be recorded, because its place is not known: {error}"),
        )
        .remedy("record the distances of the device instead")),
        (Wanted::Auto | Wanted::Absolute, Ok(_)) => Ok(Mode::Absolute),
        (Wanted::Auto, Err(_)) => Ok(Mode::RelativeRaw),
        (Wanted::Absolute, Err(error)) => {
            warnings.push(format!(
                "recorded as distances, because the place of the pointer is not known: {error}"
            ));
            Ok(Mode::RelativeRaw)
        }
    }
}

/// Gives a relative recording a place to start from that its playing can find again. Whether it was skipped.
fn prepare(
    desktop: &Desktop,
    options: &Options,
    mode: Mode,
    warnings: &mut Vec<String>,
) -> Result<bool, Fault> {
    if mode == Mode::Absolute || !options.mouse {
        if options.skip_initial_zero {
            warnings
                .push("skipping the initial position means something only for a relative recording".into());
        }
        return Ok(false);
    }
    if options.skip_initial_zero {
        return Ok(true);
    }
    match &desktop.pointer {
        Ok(pointer) => corner::reach(desktop, &**pointer).map(|()| false).map_err(from_platform),
        Err(unavailable) => {
            warnings.push(format!(
                "the recording starts where the pointer was, because it could not be moved to the corner: {unavailable}"
            ));
            Ok(true)
        }
    }
}
