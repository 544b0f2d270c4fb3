//! `automation.start` of kind play: does again what a macro holds.

use super::{Params, Reply, started};
use crate::context::{Call, Context};
use crate::guard;
use crate::macro_files;
use crate::operation::{Done, Needs, Operation};
use crossmacro_engine::interpreter::{self, Assets};
use crossmacro_engine::operations::{Id, Kind, Reporter};
use crossmacro_engine::player::{self, Motion, Options};
use crossmacro_imaging::png;
use crossmacro_imaging::search::Template;
use crossmacro_model::macro_file::Macro;
use crossmacro_model::{Capability, Code, Fault};
use crossmacro_platform::{Cancel, Desktop};
use crossmacro_policy::CapabilitySet;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

/// What playing needs; a script that is played needs what its steps need, too.
pub(crate) const NEEDS: [Capability; 2] = [Capability::MacroRead, Capability::InputAutomation];

/// Lines of a plan that are told.
const PLAN: usize = 1_000;

/// What gives way where motion comes too fast.
#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MotionMode {
    Precision,
    #[serde(alias = "strictspeed")]
    StrictSpeed,
}

/// A macro that was read to know the needs; the work plays the same.
pub(crate) struct Opened {
    content: Macro,
    warnings: Vec<String>,
    /// The pictures that its script looks for, where that is what is played.
    assets: Assets,
}

impl Opened {
    /// Reads a macro to be played, and tells what playing it needs.
    pub(crate) fn read(
        context: &Context,
        call: &Call<'_>,
        path: &str,
        is_lenient: bool,
    ) -> Result<(Self, CapabilitySet), Fault> {
        let (content, warnings) = macro_files::Opened::open(context, call, path)?.usable(is_lenient)?;
        let script = content.played_script().map_err(Fault::from)?;
        let assets = if script.is_some() { assets(&content)? } else { Assets::default() };
        let steps = script.map(|program| program.capabilities()).unwrap_or_default();
        Ok((Self { content, warnings, assets }, NEEDS.into_iter().chain(steps).collect()))
    }
}

pub(super) fn needs(context: &Context, call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
    let missing = || Fault::arguments("playing needs macroPath").detail("argument", "macroPath");
    let path = params.macro_path.as_deref().ok_or_else(missing)?;
    params.passes()?;
    // A file is not opened for a client that may not play it.
    guard::admit(
        context,
        call,
        &super::Start::SPEC,
        &Needs::all(NEEDS.into_iter().collect::<CapabilitySet>()),
    )?;
    let (opened, needs) = Opened::read(context, call, path, params.lenient)?;
    params.opened = Some(opened);
    Ok(Needs::all(needs))
}

pub(super) fn start(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
    let options = params.play_options(context)?;
    let limit = params.limit(call);
    let Some(opened) = params.opened else { return Err(Fault::arguments("there is nothing to play")) };
    let desktop = if params.dry_run { None } else { Some(context.desktop()?) };
    let id = begin(context, opened, options, desktop, limit)?;
    Ok(started(context, id, Kind::Play))
}

/// Starts to play; without a desktop, it is only planned.
pub(crate) fn begin(
    context: &Context,
    opened: Opened,
    options: Options,
    desktop: Option<Arc<Desktop>>,
    limit: Option<Duration>,
) -> Result<Id, Fault> {
    let Opened { content, warnings, assets } = opened;
    let options = Options { assets: Arc::new(assets), ..options };
    let work = move |cancel: &Cancel, reporter: &Reporter| {
        let mut fields = match &desktop {
            None => planned(&content, &options, cancel)?,
            Some(desktop) => {
                let mut report = |at: &interpreter::Progress| reporter.report(*at);
                let summary = player::play(&content, desktop, &options, cancel, &mut report)?;
                with_warnings(summary.to_json(), &summary.warnings)
            }
        };
        if let Some(Value::Array(known)) = fields.get_mut("warnings") {
            known.splice(0..0, warnings.into_iter().map(Value::from));
        }
        fields.insert("dryRun".into(), desktop.is_none().into());
        fields.insert("macroName".into(), content.name.as_str().into());
        fields.insert("isAbsoluteCoordinates".into(), content.is_absolute.into());
        Ok(Value::Object(fields))
    };
    Ok(context.operations.start(Kind::Play, limit, work)?)
}

/// The pictures of the macro.
fn assets(content: &Macro) -> Result<Assets, Fault> {
    let decode = |image: &crossmacro_model::macro_file::Image| {
        let unusable = |error: &dyn std::error::Error| {
            Fault::new(Code::ValidationError, format!("the picture {}: {error}", image.name))
        };
        let decoded = png::decode(&image.png).map_err(|error| unusable(&error))?;
        let template = Template::new(&decoded).map_err(|error| unusable(&error))?;
        Ok((image.name.clone(), template))
    };
    content.images.iter().map(decode).collect()
}

fn with_warnings(mut fields: Map<String, Value>, warnings: &[String]) -> Map<String, Value> {
    fields.insert("warnings".into(), warnings.into());
    fields
}

/// What playing would do.
fn planned(content: &Macro, options: &Options, cancel: &Cancel) -> Result<Map<String, Value>, Fault> {
    if let Some(program) = content.played_script().map_err(Fault::from)? {
        let options = interpreter::Options {
            speed: options.speed,
            assets: Arc::clone(&options.assets),
            ..interpreter::Options::default()
        };
        let summary = interpreter::rehearse(&program, &options, cancel)?;
        return Ok(with_warnings(summary.to_json(), &summary.warnings));
    }
    let plan = player::plan(content, options.speed, options.motion);
    let mut lines: Vec<String> = Vec::new();
    if plan.starts_in_corner {
        lines.push(line(Duration::ZERO, "move to the corner of the desktop"));
    }
    lines.extend(plan.due().take(PLAN).map(|(due, event)| line(due, event.action)));
    if plan.events.len() > PLAN {
        lines.push(format!("... and {} more events", plan.events.len() - PLAN));
    }
    let total = plan.due().last().map_or(Duration::ZERO, |(due, _)| due);
    let fields = json!({
        "eventCount": plan.events.len(),
        "passCount": options.passes,
        "totalDurationMs": u64::try_from(total.as_millis()).unwrap_or(u64::MAX),
        "coordinateMode": content.coordinate_mode().name(),
        "speed": plan.speed,
        "plan": lines,
        "warnings": plan.warnings,
    });
    match fields {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

/// "   1.250 s  press key A".
fn line(due: Duration, what: impl std::fmt::Display) -> String {
    format!("{:>4}.{:03} s  {what}", due.as_secs(), due.subsec_millis())
}

impl Params {
    /// How often; `None` is without end.
    fn passes(&self) -> Result<Option<u32>, Fault> {
        match (self.repeat_count, self.repeats) {
            (None, true) | (Some(0), true) => Ok(None),
            (None, false) => Ok(Some(1)),
            (Some(0), false) => Err(Fault::arguments("repeatCount 0 is without end, and needs loop")
                .detail("argument", "repeatCount")),
            (Some(count), _) => Ok(Some(count)),
        }
    }

    fn play_options(&self, context: &Context) -> Result<Options, Fault> {
        let between = Duration::from_millis(self.repeat_delay_ms.unwrap_or(0).into());
        Ok(Options {
            speed: self.speed_multiplier.unwrap_or(1.0),
            passes: self.passes()?,
            between: (between, between),
            countdown: Duration::from_secs(self.countdown_seconds.unwrap_or(0).into()),
            motion: match self.motion_mode.unwrap_or(MotionMode::Precision) {
                MotionMode::Precision => {
                    Motion::Precision { rate: self.precision_motion_events_per_second.unwrap_or(300) }
                }
                MotionMode::StrictSpeed => Motion::StrictSpeed {
                    rate: self.strict_speed_motion_events_per_second.unwrap_or(1_000),
                    error: self.maximum_motion_error_pixels.unwrap_or(2.0),
                },
            },
            source: Some(context.desktops()),
            ledger: context.ledger(),
            ..Options::default()
        })
    }
}
