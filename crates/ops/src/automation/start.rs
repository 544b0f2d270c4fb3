//! `automation.start`: compiles a script, decides on everything its steps need, and starts it; or plays a macro; or
//! starts a recording.

pub(crate) mod play;
mod record;

use super::view::OperationView;
use crate::context::{Call, Context, Surface};
use crate::guard;
use crate::image::template::Templates;
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Spec};
use crossmacro_engine::interpreter::{self, Assets, Options, Summary};
use crossmacro_engine::operations::{Id, Kind, Reporter};
use crossmacro_model::limits::{PATH, RUN_STEP, RUN_TEXT, STEP_FILE};
use crossmacro_model::run::{self, Diagnostics, Program, SourceStep};
use crossmacro_model::{Capability, Code, Fault};
use crossmacro_platform::Cancel;
use crossmacro_policy::{CapabilitySet, PathClass};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Start;

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StartKind {
    Play,
    Run,
    Record,
}

impl StartKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Play => Kind::Play.name(),
            Self::Run => Kind::Run.name(),
            Self::Record => Kind::Record.name(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// run: carries out steps. play: does again what a macro holds. record: writes down what the person does.
    kind: StartKind,
    /// play: absolute path of the .macro file.
    #[schemars(length(min = 1, max = PATH.value))]
    macro_path: Option<String>,
    /// One step a string, for instance: move abs 640 360; click left; down left; up left; scroll down 3; key down ctrl; key up ctrl; tap ctrl+s; type Hello; delay 250; delay random 80..140; set n 3; repeat $n {; }; waitcolor 10 20 00FF00 3000; waitimage ok_button; imageclick ok_button. Needed unless stepFilePath is given.
    #[schemars(length(min = 1, max = 100), inner(length(min = 1, max = 16_384)))]
    steps: Option<Vec<String>>,
    /// Absolute path of a file of steps, one a line; they come before steps. Needs FileRead and ShellExecute.
    #[schemars(length(min = 1, max = PATH.value))]
    step_file_path: Option<String>,
    /// The pictures that imagesearch, waitimage and imageclick look for, by name. Needs FileRead.
    #[schemars(length(max = 100))]
    image_assets: Option<Vec<ImageAsset>>,
    /// Divides all delays. Default 1.
    #[schemars(range(min = 0.1, max = 10.0))]
    speed_multiplier: Option<f64>,
    /// Seconds to wait first. Default 0.
    #[schemars(range(min = 0, max = 3600))]
    countdown_seconds: Option<u32>,
    /// Seconds after which it is stopped and fails with code timeout; the countdown counts. Default 3600.
    #[schemars(range(min = 1, max = 3600))]
    timeout_seconds: Option<u32>,
    /// Check everything and touch nothing. Default false.
    #[serde(default)]
    dry_run: bool,
    /// Keep the final variables for automation.get. Default false.
    #[serde(default)]
    return_variables: bool,
    /// play: again and again; without repeatCount, until it is stopped. Default false.
    #[serde(default, rename = "loop")]
    repeats: bool,
    /// play: how often; 0, with loop only, is without end. Default 1.
    repeat_count: Option<u32>,
    /// play: wait between two times. Default 0.
    #[schemars(range(max = 3_600_000))]
    repeat_delay_ms: Option<u32>,
    /// play: precision (default) keeps every point and may take longer; strict-speed keeps the time.
    motion_mode: Option<play::MotionMode>,
    /// play: moves a second. Default 1000.
    #[schemars(range(min = 1, max = 10_000))]
    strict_speed_motion_events_per_second: Option<u32>,
    /// play: moves a second. Default 300.
    #[schemars(range(min = 1, max = 10_000))]
    precision_motion_events_per_second: Option<u32>,
    /// play: how far strict-speed may leave the path. Default 2.
    #[schemars(range(min = 0.25, max = 500.0))]
    maximum_motion_error_pixels: Option<f64>,
    /// play: leave out what is wrong in the file. Default false.
    #[serde(default)]
    lenient: bool,
    /// record: absolute path of the .macro file to write.
    #[schemars(length(min = 1, max = PATH.value))]
    output_path: Option<String>,
    /// record: default true.
    record_mouse: Option<bool>,
    /// record: default true.
    record_keyboard: Option<bool>,
    /// record: default auto.
    coordinate_mode: Option<record::CoordinateMode>,
    /// record: a relative one starts at the pointer.
    skip_initial_zero: Option<bool>,
    /// record: default 3600.
    #[schemars(range(min = 1, max = 3600))]
    duration_seconds: Option<u32>,
    /// record: leave out moves this near to the path.
    #[schemars(range(min = 0.25, max = 500.0))]
    thin_pixels: Option<f64>,
    /// What was compiled to know the needs; the work uses the same.
    #[serde(skip)]
    program: Option<Program>,
    /// The same for a macro.
    #[serde(skip)]
    opened: Option<play::Opened>,
}

/// A picture by name.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ImageAsset {
    /// The name that the steps use; its case counts.
    #[schemars(length(min = 1, max = 64), extend("pattern" = "^[A-Za-z_][A-Za-z0-9_]*$"))]
    name: String,
    /// Absolute path of a PNG file.
    #[schemars(length(min = 1, max = PATH.value))]
    file_path: String,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The operation that was started; null when none was.
    operation: Option<OperationView>,
}

/// Variables of a script that are kept.
const VARIABLES_BYTES: usize = 64 << 10;

impl Operation for Start {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "automation.start",
        title: "Start automation",
        summary: "Starts a script of input steps, a macro or a recording and returns its operationId at once; automation.get with waitMs tells how it ended. One operation runs at a time. What is left down is released at its end. automation.stop ends and saves a recording.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[],
        any_of: &[],
        modes: &[
            ("play", &play::NEEDS),
            ("run", &[Capability::CommandExecute, Capability::InputAutomation]),
            ("record", &record::NEEDS),
        ],
    };

    fn needs(context: &Context, call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
        params.belong()?;
        match params.kind {
            StartKind::Record => return record::needs(params),
            StartKind::Play => return play::needs(context, call, params),
            StartKind::Run => {}
        }
        let mut fixed = Needs::all(Capability::CommandExecute);
        if params.step_file_path.is_some() {
            fixed = fixed.and([Capability::FileRead, Capability::ShellExecute]);
        }
        if !params.assets().is_empty() {
            fixed = fixed.and([Capability::FileRead]);
        }
        // A file is not opened for a client that may not read files.
        guard::admit(context, call, &Self::SPEC, &fixed)?;
        let program =
            run::parse(&params.source(context, call)?).map_err(|found| params.wrong(call, found))?;
        program.check_assets(&params.asset_names()?).map_err(Fault::from)?;
        let needs = fixed.and(program.capabilities().into_iter().collect::<CapabilitySet>());
        params.program = Some(program);
        Ok(needs)
    }

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        match params.kind {
            StartKind::Record => return record::start(context, call, &params),
            StartKind::Play => return play::start(context, call, params),
            StartKind::Run => {}
        }
        let assets = Arc::new(params.open_assets(context, call)?);
        let options = Options { assets, ..params.options(context) };
        let limit = params.limit(call);
        let Some(program) = params.program else {
            return Err(Fault::arguments("there is nothing to run"));
        };
        let readers: Vec<&str> = program.capabilities().into_iter().map(Capability::name).collect();
        let (is_dry, keeps_variables) = (params.dry_run, params.return_variables);
        // A desktop that is not there is the answer to this call, not to a later question.
        let desktop = if is_dry { None } else { Some(context.desktop()?) };
        let work = move |cancel: &Cancel, reporter: &Reporter| {
            let summary = match &desktop {
                None => interpreter::rehearse(&program, &options, cancel),
                Some(desktop) => {
                    interpreter::run(&program, desktop, &options, cancel, &mut |at| reporter.report(*at))
                }
            }?;
            Ok(result(&summary, is_dry, keeps_variables, &readers))
        };
        let id = context.operations.start(Kind::Run, limit, work)?;
        Ok(started(context, id, Kind::Run))
    }
}

/// The answer to a start.
fn started(context: &Context, id: Id, kind: Kind) -> Done<Reply> {
    let operation = context.operations.get(id).as_ref().map(OperationView::from);
    let kind = kind.name();
    let message =
        format!("Operation {id} ({kind}) was started. automation.get with waitMs tells how it ends.");
    Done::new(Reply { operation }, message)
}

impl Params {
    /// Arguments of another kind are a misunderstanding, not something to pass over.
    fn belong(&self) -> Result<(), Fault> {
        let play: &[StartKind] = &[StartKind::Play];
        let run: &[StartKind] = &[StartKind::Run];
        let acting: &[StartKind] = &[StartKind::Play, StartKind::Run];
        let record: &[StartKind] = &[StartKind::Record];
        let given = [
            ("macroPath", self.macro_path.is_some(), play),
            ("steps", self.steps.is_some(), run),
            ("stepFilePath", self.step_file_path.is_some(), run),
            ("imageAssets", self.image_assets.is_some(), run),
            ("speedMultiplier", self.speed_multiplier.is_some(), acting),
            ("countdownSeconds", self.countdown_seconds.is_some(), acting),
            ("timeoutSeconds", self.timeout_seconds.is_some(), acting),
            ("dryRun", self.dry_run, acting),
            ("returnVariables", self.return_variables, run),
            ("loop", self.repeats, play),
            ("repeatCount", self.repeat_count.is_some(), play),
            ("repeatDelayMs", self.repeat_delay_ms.is_some(), play),
            ("motionMode", self.motion_mode.is_some(), play),
            ("strictSpeedMotionEventsPerSecond", self.strict_speed_motion_events_per_second.is_some(), play),
            ("precisionMotionEventsPerSecond", self.precision_motion_events_per_second.is_some(), play),
            ("maximumMotionErrorPixels", self.maximum_motion_error_pixels.is_some(), play),
            ("lenient", self.lenient, play),
            ("outputPath", self.output_path.is_some(), record),
            ("recordMouse", self.record_mouse.is_some(), record),
            ("recordKeyboard", self.record_keyboard.is_some(), record),
            ("coordinateMode", self.coordinate_mode.is_some(), record),
            ("skipInitialZero", self.skip_initial_zero.is_some(), record),
            ("durationSeconds", self.duration_seconds.is_some(), record),
            ("thinPixels", self.thin_pixels.is_some(), record),
        ];
        let stray = given.iter().find(|(_, is_given, kinds)| *is_given && !kinds.contains(&self.kind));
        stray.map_or(Ok(()), |(name, _, kinds)| {
            let kinds: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            let message =
                format!("{name} belongs to kind {}, not to {}", kinds.join(" or "), self.kind.name());
            Err(Fault::arguments(message).detail("argument", *name))
        })
    }

    /// The steps of the file, then those given inline.
    fn source(&self, context: &Context, call: &Call<'_>) -> Result<Vec<SourceStep>, Fault> {
        if self.steps.is_none() && self.step_file_path.is_none() {
            return Err(Fault::arguments("a run needs steps or stepFilePath"));
        }
        let mut source = match &self.step_file_path {
            Some(path) => run::from_lines(&step_file(context, call, path)?).map_err(Fault::from)?,
            None => Vec::new(),
        };
        let inline = self.steps.as_deref().unwrap_or_default();
        let mut units = 0;
        for step in inline {
            if step.trim().is_empty() {
                return Err(Fault::arguments("a step is blank").detail("argument", "steps"));
            }
            units += limits::utf16("steps", step, RUN_STEP)?;
        }
        if units > RUN_TEXT.value {
            return Err(Fault::arguments(format!(
                "the steps have {units} characters; at most {} are accepted",
                RUN_TEXT.value
            )));
        }
        source.extend(run::from_steps(inline.iter().cloned()));
        Ok(source)
    }

    /// When to give up. A person at the command line sees the work and can stop it; a client may be gone.
    fn limit(&self, call: &Call<'_>) -> Option<Duration> {
        let default = (call.surface == Surface::Mcp).then_some(3600);
        self.timeout_seconds.or(default).map(|seconds| Duration::from_secs(seconds.into()))
    }

    fn assets(&self) -> &[ImageAsset] {
        self.image_assets.as_deref().unwrap_or_default()
    }

    fn asset_names(&self) -> Result<Vec<&str>, Fault> {
        let mut names: Vec<&str> = Vec::new();
        for ImageAsset { name, .. } in self.assets() {
            run::Name::parse(name).map_err(|_| {
                Fault::arguments("the name of a picture is a letter or _, then letters, digits and _")
                    .detail("argument", "imageAssets")
            })?;
            if names.contains(&name.as_str()) {
                return Err(Fault::arguments(format!("two pictures have the name {name}"))
                    .detail("argument", "imageAssets"));
            }
            names.push(name);
        }
        Ok(names)
    }

    fn open_assets(&self, context: &Context, call: &Call<'_>) -> Result<Assets, Fault> {
        let mut templates = Templates::default();
        let open = |asset: &ImageAsset| {
            let template = templates.open(context, call, &asset.file_path);
            template
                .map(|template| (asset.name.clone(), template))
                .map_err(|fault| fault.detail("asset", asset.name.clone()))
        };
        self.assets().iter().map(open).collect()
    }

    /// What is wrong with the steps. A client learns of a file only where it is wrong, not what stands there: a
    /// list of complaints about any text file would be a way to read it.
    fn wrong(&self, call: &Call<'_>, found: Diagnostics) -> Fault {
        if self.step_file_path.is_none() || call.surface == Surface::Cli {
            return found.into();
        }
        let place = |one: &run::Diagnostic| json!({"step": one.place.step, "line": one.place.line, "column": one.column});
        let places: Vec<Value> = found.list.iter().map(place).collect();
        let first = found.list.first().map(|one| one.place.to_string()).unwrap_or_default();
        Fault::arguments(format!("{first} is wrong, and {} more", found.total.saturating_sub(1)))
            .remedy("`crossmacro run --file FILE --dry-run` tells a person what is wrong with each line")
            .detail("diagnostics", places)
            .detail("diagnosticCount", found.total)
    }

    fn options(&self, context: &Context) -> Options {
        Options {
            speed: self.speed_multiplier.unwrap_or(1.0),
            countdown: Duration::from_secs(self.countdown_seconds.unwrap_or(0).into()),
            source: Some(context.desktops()),
            ledger: context.ledger(),
            ..Options::default()
        }
    }
}

fn step_file(context: &Context, call: &Call<'_>, path: &str) -> Result<String, Fault> {
    let opened = context.open_read(call, PathClass::FileRead, path)?;
    let limit = STEP_FILE.value;
    let mut bytes = Vec::new();
    opened
        .file
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::new(Code::FileError, format!("the step file can't be read: {error}")))?;
    if bytes.len() as u64 > limit {
        return Err(Fault::new(Code::FileError, format!("the step file is larger than {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Fault::new(Code::ValidationError, "the step file is not UTF-8 text"))
}

/// What is remembered of a run, within bounds.
fn result(summary: &Summary, is_dry: bool, keeps_variables: bool, needs: &[&str]) -> Value {
    let mut fields = summary.to_json();
    let size: usize = summary.variables.iter().map(|(name, value)| name.len() + value.len()).sum();
    let mut warnings = summary.warnings.clone();
    if !keeps_variables {
        fields.remove("variables");
    } else if size > VARIABLES_BYTES {
        fields.remove("variables");
        warnings.push(format!(
            "the variables have {size} bytes; at most {VARIABLES_BYTES} are returned, so none are"
        ));
    }
    fields.insert("warnings".into(), warnings.into());
    fields.insert("dryRun".into(), is_dry.into());
    // Whoever reads the variables needs what the steps needed that may have filled them.
    fields.insert("needs".into(), needs.into());
    Value::Object(fields)
}
