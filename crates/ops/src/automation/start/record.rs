//! `automation.start` of kind record: writes down what the person does, until the time is over or somebody stops
//! it. Both are good ends: the file is saved.

use super::{Params, Reply, started};
use crate::context::{Call, Context, Surface};
use crate::operation::{Done, Needs};
use crossmacro_engine::operations::{Kind, Reporter};
use crossmacro_engine::recorder::{self, Control, End, Options, Recording, Wanted};
use crossmacro_model::macro_file::{Created, Macro, WriteError, write};
use crossmacro_model::settings::Value as Setting;
use crossmacro_model::{Capability, Chord, Code, Delivered, Fault, limits};
use crossmacro_platform::{Cancel, Desktop, clock};
use crossmacro_policy::{CapabilitySet, PathClass};
use crossmacro_store::paths::Replacement;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// What a recording needs.
pub(super) const NEEDS: [Capability; 2] = [Capability::Recording, Capability::FileWrite];

/// How motion is recorded.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CoordinateMode {
    Auto,
    Absolute,
    Relative,
}

impl CoordinateMode {
    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Absolute => "absolute",
            Self::Relative => "relative",
        }
    }
}

pub(super) fn needs(params: &Params) -> Result<Needs, Fault> {
    if params.output_path.is_none() {
        return Err(Fault::arguments("a recording needs outputPath").detail("argument", "outputPath"));
    }
    if !params.record_mouse.unwrap_or(true) && !params.record_keyboard.unwrap_or(true) {
        return Err(Fault::arguments(
            "recordMouse and recordKeyboard are both false: nothing would be recorded",
        )
        .detail("argument", "recordMouse"));
    }
    Ok(Needs::all(NEEDS.into_iter().collect::<CapabilitySet>()))
}

pub(super) fn start(context: &Context, call: &Call<'_>, params: &Params) -> Result<Done<Reply>, Fault> {
    let path = params.output_path.as_deref().unwrap_or_default();
    // A desktop without a listener, and a file that can't be written, are the answer to this call.
    let desktop = context.desktop()?;
    context.listener()?;
    let file = context.create_replace(call, PathClass::MacroWrite, path)?;
    let work = Work {
        options: params.record_options(context, call, &desktop),
        requested: params.coordinate_mode.unwrap_or(CoordinateMode::Auto),
        name: name(path),
        file,
    };
    let limit = params.record_limit(call);
    let work = move |cancel: &Cancel, reporter: &Reporter| work.carry_out(&desktop, cancel, reporter);
    let id = context.operations.start(Kind::Record, limit, work)?;
    Ok(started(context, id, Kind::Record))
}

impl Params {
    fn record_options(&self, context: &Context, call: &Call<'_>, desktop: &Desktop) -> Options {
        let settings = context.settings().current();
        let is_set = |key| settings.get(key).is_ok_and(|entry| entry.value == Setting::Bool(true));
        let relative = match is_set("recording.logicalRelative") {
            true => Wanted::RelativeLogical,
            false => Wanted::Relative,
        };
        let wanted = match self.coordinate_mode.unwrap_or(CoordinateMode::Auto) {
            CoordinateMode::Auto if is_set("recording.forceRelative") => relative,
            CoordinateMode::Auto => Wanted::Auto,
            CoordinateMode::Absolute => Wanted::Absolute,
            CoordinateMode::Relative => relative,
        };
        let is_relative = matches!(wanted, Wanted::Relative | Wanted::RelativeLogical);
        let skips = self.skip_initial_zero;
        Options {
            mouse: self.record_mouse.unwrap_or(true),
            keyboard: self.record_keyboard.unwrap_or(true),
            wanted,
            skip_initial_zero: skips.unwrap_or(is_relative && is_set("recording.skipInitialZeroZero")),
            thin: self.thin_pixels,
            controls: Vec::new(),
            // A person at the command line ends it with Ctrl+C, and does not mean to record that.
            stop: (call.surface == Surface::Cli).then(|| interrupt(desktop)).flatten(),
        }
    }

    /// A person at the command line sees the recording and can stop it; a client may be gone.
    fn record_limit(&self, call: &Call<'_>) -> Option<Duration> {
        let default = (call.surface == Surface::Mcp).then_some(limits::OPERATION_SECONDS.value);
        self.duration_seconds.map(u64::from).or(default).map(Duration::from_secs)
    }
}

fn interrupt(desktop: &Desktop) -> Option<Control> {
    let chord = Chord::parse("ctrl+c").ok()?;
    Control::of(&chord, &**desktop.keyboard.as_ref().ok()?).ok()?
}

/// The name of a macro is that of its file, on one line.
fn name(path: &str) -> String {
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    stem.replace(|character: char| character.is_control(), " ")
}

/// A recording and where it goes.
struct Work {
    options: Options,
    requested: CoordinateMode,
    name: String,
    file: Replacement,
}

impl Work {
    fn carry_out(self, desktop: &Desktop, cancel: &Cancel, reporter: &Reporter) -> Result<Value, Fault> {
        let Self { options, requested, name, file } = self;
        let recording = recorder::record(desktop, &options, cancel, &mut |at| reporter.report(at))?;
        let Recording { events, mode, skip_initial_zero, end, warnings } = recording;
        let count = events.len();
        if events.is_empty() {
            return Err(match end {
                End::Lost(fault) => *fault,
                End::Requested | End::Expired | End::Full => {
                    Fault::new(Code::RuntimeError, "nothing was recorded, so no file was written")
                        .remedy("use the mouse or the keyboard while it records")
                }
            });
        }
        let content = Macro { name, created: now(), skip_initial_zero, events, ..Macro::default() };
        let duration_us = content.duration_us();
        save(&content, file)?;
        if let End::Lost(mut fault) = end {
            fault.message = format!("{}; the {count} events until then are saved", fault.message);
            return Err(fault.delivered(Delivered::Nothing).detail("eventCount", count));
        }
        Ok(json!({
            "eventCount": count,
            "totalDurationMs": duration_us / 1000,
            "recordMouse": options.mouse,
            "recordKeyboard": options.keyboard,
            "requestedMode": requested.name(),
            "actualMode": mode.name(),
            "skipInitialZero": skip_initial_zero,
            "stoppedByUser": matches!(end, End::Requested),
            "warnings": warnings,
        }))
    }
}

fn now() -> Option<Created> {
    let nanoseconds = i128::try_from(clock::unix().as_nanos()).ok()?;
    Timestamp::from_nanosecond(nanoseconds).ok().map(Created::at)
}

fn save(content: &Macro, mut file: Replacement) -> Result<(), Fault> {
    let unwritten = |error: std::io::Error| {
        Fault::new(Code::FileError, format!("the recording can't be written: {error}"))
    };
    let mut out = BufWriter::with_capacity(1 << 20, &mut file);
    match write(content, &mut out) {
        Ok(()) => {}
        Err(WriteError::Io(error)) => return Err(unwritten(error)),
        Err(error @ WriteError::Invalid(_)) => return Err(Fault::new(Code::RuntimeError, error.to_string())),
    }
    out.flush().map_err(unwritten)?;
    drop(out);
    file.commit().map_err(Fault::from)
}
