//! Checks of function, not of presence: each one uses what it reports on. Names are those of the reference.

use crate::context::{Call, Context};
use crossmacro_engine::fault::facet;
use crossmacro_model::{Fault, Point, Rect};
use crossmacro_platform::{CaptureRequest, Desktop, Layout, Unavailable};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Pass,
    Warn,
    Fail,
}

/// One check.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Check {
    /// Name, stable.
    pub(crate) name: &'static str,
    /// How it ended.
    pub(crate) status: Verdict,
    /// What was found, and what would mend it.
    pub(crate) message: String,
    /// More for those who ask, where there is more.
    pub(crate) details: Option<String>,
}

impl Check {
    fn new(name: &'static str, status: Verdict, message: impl Into<String>) -> Self {
        Self { name, status, message: message.into(), details: None }
    }

    fn of(name: &'static str, result: Result<String, String>) -> Self {
        match result {
            Ok(message) => Self::new(name, Verdict::Pass, message),
            Err(message) => Self::new(name, Verdict::Fail, message),
        }
    }

    fn details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into()).filter(|details| !details.is_empty());
        self
    }
}

/// What a check needs a desktop for.
type OnDesktop = fn(&Desktop) -> Check;

/// The checks that need a desktop: name, and how each is done.
const ON_DESKTOP: [(&str, OnDesktop); 8] = [
    ("display-session", session),
    ("displays", displays),
    (SCREEN_READING, |desktop| Check::of(SCREEN_READING, screen_reading(desktop))),
    ("position-provider", position),
    ("input-simulator", |desktop| Check::of("input-simulator", simulator(desktop))),
    ("windows", windows),
    ("clipboard", |desktop| Check::of("clipboard", clipboard(desktop))),
    ("input-capture", input_capture),
];

/// The reference names this one after the operating system.
const SCREEN_READING: &str = match std::env::consts::OS.as_bytes() {
    b"linux" => "linux-screen-reading",
    _ => "screen-reading",
};

/// The checks that change nothing on the desktop. The list is the same with and without one.
pub(crate) fn undisturbing(context: &Context) -> Vec<Check> {
    let desktop = context.desktop();
    let mut checks = vec![platform(), environment(&desktop), configuration(context)];
    checks.extend(ON_DESKTOP.iter().map(|&(name, check)| match &desktop {
        Ok(desktop) => check(desktop),
        Err(_) => Check::new(name, Verdict::Fail, "there is no desktop, see display-environment"),
    }));
    checks
}

/// The operating system; a desktop that works on another one than ours would be a surprise, not a failure.
fn platform() -> Check {
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    match system {
        "linux" => Check::new("platform", Verdict::Pass, format!("{system} on {machine}")),
        _ => Check::new("platform", Verdict::Warn, format!("{system} is not supported in this version")),
    }
}

/// Whether the environment leads to a display.
fn environment(desktop: &Result<Arc<Desktop>, Fault>) -> Check {
    const NAME: &str = "display-environment";
    match desktop {
        Ok(desktop) => {
            let session = &desktop.session;
            Check::new(
                NAME,
                Verdict::Pass,
                format!("connected to {} ({})", session.name, session.kind.name()),
            )
        }
        Err(fault) => Check::new(NAME, Verdict::Fail, explain(fault)),
    }
}

/// Whether the settings can be used as they are on disk.
fn configuration(context: &Context) -> Check {
    const NAME: &str = "config-path";
    let settings = context.settings().current();
    match settings.warnings() {
        [] => Check::new(NAME, Verdict::Pass, "the settings are in order"),
        warnings => Check::new(NAME, Verdict::Warn, warnings.join("; ")),
    }
}

fn session(desktop: &Desktop) -> Check {
    let kind = if desktop.session.is_private { "a private desktop" } else { "the desktop of this session" };
    Check::new("display-session", Verdict::Pass, format!("{kind} on {}", desktop.session.name))
}

/// The loops through input and capture, by a witness of the back end's own.
pub(crate) fn loops(context: &Context, call: &Call<'_>) -> Vec<Check> {
    let Ok(desktop) = context.desktop() else { return Vec::new() };
    match &desktop.self_test {
        Ok(test) => {
            test.run(call.cancel).into_iter().map(|finding| Check::of(finding.name, finding.result)).collect()
        }
        Err(unavailable) => vec![Check::new("self-test", Verdict::Warn, missing(unavailable))],
    }
}

fn layout(desktop: &Desktop) -> Result<Layout, String> {
    let displays = desktop.displays.as_ref().map_err(missing)?;
    displays.layout().map_err(|error| error.to_string())
}

fn displays(desktop: &Desktop) -> Check {
    const NAME: &str = "displays";
    let layout = match layout(desktop) {
        Ok(layout) => layout,
        Err(why) => return Check::new(NAME, Verdict::Fail, why),
    };
    let names: Vec<String> =
        layout.displays.iter().map(|display| format!("{} {}", display.name, display.region)).collect();
    match names.len() {
        0 => Check::new(NAME, Verdict::Fail, "the server shows no monitor"),
        1 => Check::new(NAME, Verdict::Pass, format!("one monitor: {}", names[0])),
        count => Check::new(NAME, Verdict::Pass, format!("{count} monitors")).details(names.join(", ")),
    }
}

/// Reads one pixel: the smallest capture that goes the whole way.
fn screen_reading(desktop: &Desktop) -> Result<String, String> {
    let layout = layout(desktop)?;
    let capture = desktop.capture.as_ref().map_err(missing)?;
    let corner =
        layout.displays.first().map(|display| display.region.origin()).ok_or("there is no monitor")?;
    let request = CaptureRequest { region: Some(Rect::new(corner.x, corner.y, 1, 1)), include_cursor: false };
    let frame = capture.capture(request).map_err(|error| error.to_string())?;
    frame
        .rgb(Point::new(0, 0))
        .map(|_| format!("{} read a pixel", capture.backend()))
        .ok_or_else(|| "no pixel came back".into())
}

/// A pointer whose place can't be told still clicks.
fn position(desktop: &Desktop) -> Check {
    const NAME: &str = "position-provider";
    let pointer = match &desktop.pointer {
        Ok(pointer) => pointer,
        Err(unavailable) => return Check::new(NAME, Verdict::Warn, missing(unavailable)),
    };
    match pointer.position() {
        // Where it is, is for `cursor.position` to say: that needs a capability of its own.
        Ok(_) => {
            Check::new(NAME, Verdict::Pass, format!("{} knows the place of the pointer", pointer.backend()))
        }
        Err(error) => Check::new(NAME, Verdict::Warn, error.to_string()),
    }
}

fn simulator(desktop: &Desktop) -> Result<String, String> {
    let pointer = desktop.pointer.as_ref().map_err(missing)?;
    let keyboard = desktop.keyboard.as_ref().map_err(missing)?;
    keyboard.check_text("a").map_err(|error| error.to_string())?;
    Ok(format!("pointer by {}, keys by {}", pointer.backend(), keyboard.backend()))
}

fn windows(desktop: &Desktop) -> Check {
    const NAME: &str = "windows";
    let support = match &desktop.windows {
        Ok(windows) => windows.support().map_err(|error| error.to_string()),
        Err(unavailable) => Err(missing(unavailable)),
    };
    match support {
        Err(why) => Check::new(NAME, Verdict::Fail, why),
        Ok(support) => {
            let manager = support.manager.as_deref().unwrap_or("no window manager");
            let (names, reasons): (Vec<_>, Vec<_>) =
                support.missing.iter().map(|(what, why)| (*what, format!("{what}: {why}"))).unzip();
            match names.is_empty() {
                true => Check::new(NAME, Verdict::Pass, manager),
                false => Check::new(
                    NAME,
                    Verdict::Warn,
                    format!("{manager}; not possible here: {}", names.join(", ")),
                )
                .details(reasons.join("; ")),
            }
        }
    }
}

fn clipboard(desktop: &Desktop) -> Result<String, String> {
    let clipboard = desktop.clipboard.as_ref().map_err(missing)?;
    Ok(format!("{}: text and PNG, both ways", clipboard.backend()))
}

/// Recording needs it; everything else works without.
fn input_capture(desktop: &Desktop) -> Check {
    const NAME: &str = "input-capture";
    match &desktop.listener {
        Ok(listener) => Check::new(NAME, Verdict::Pass, format!("{} hears input", listener.backend())),
        Err(unavailable) => Check::new(NAME, Verdict::Warn, missing(unavailable)),
    }
}

/// Why a facet is not there, and what would mend it.
fn missing(unavailable: &Unavailable) -> String {
    explain(&facet(unavailable))
}

fn explain(fault: &Fault) -> String {
    match &fault.remediation {
        Some(remedy) => format!("{}. To fix it: {remedy}", fault.message),
        None => fault.message.clone(),
    }
}
