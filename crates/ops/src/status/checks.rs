//! Checks of function, not of presence: each one uses what it reports on.

use crate::context::{Call, Context};
use crossmacro_model::{Fault, Point, Rect};
use crossmacro_platform::{CaptureRequest, Desktop};
use schemars::JsonSchema;
use serde::Serialize;

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
}

impl Check {
    fn new(name: &'static str, status: Verdict, message: impl Into<String>) -> Self {
        Self { name, status, message: message.into() }
    }

    fn of(name: &'static str, result: Result<String, String>) -> Self {
        match result {
            Ok(message) => Self::new(name, Verdict::Pass, message),
            Err(message) => Self::new(name, Verdict::Fail, message),
        }
    }
}

/// The checks that change nothing on the desktop.
pub(crate) fn undisturbing(context: &Context) -> Vec<Check> {
    let desktop = match context.desktop() {
        Ok(desktop) => desktop,
        Err(fault) => return vec![Check::new("display-session", Verdict::Fail, explain(&fault))],
    };
    let session = &desktop.session;
    let kind = if session.is_private { "a private desktop" } else { "the desktop" };
    let mut checks =
        vec![Check::new("display-session", Verdict::Pass, format!("{kind} on {}", session.name))];
    checks.push(Check::of("displays", displays(&desktop)));
    checks.push(Check::of("screen-reading", screen_reading(&desktop)));
    checks.push(Check::of("position-provider", position(&desktop)));
    checks.push(Check::of("input-simulator", simulator(&desktop)));
    checks.push(windows(&desktop));
    checks.push(Check::of("clipboard", clipboard(&desktop)));
    checks
}

/// The loops through input and capture, by a witness of the back end's own.
pub(crate) fn loops(context: &Context, call: &Call<'_>) -> Vec<Check> {
    let Ok(desktop) = context.desktop() else { return Vec::new() };
    match &desktop.self_test {
        Ok(test) => {
            test.run(call.cancel).into_iter().map(|finding| Check::of(finding.name, finding.result)).collect()
        }
        Err(unavailable) => vec![Check::new("self-test", Verdict::Warn, unavailable.to_string())],
    }
}

fn displays(desktop: &Desktop) -> Result<String, String> {
    let layout = desktop
        .displays
        .as_ref()
        .map_err(ToString::to_string)?
        .layout()
        .map_err(|error| error.to_string())?;
    let names: Vec<String> =
        layout.displays.iter().map(|display| format!("{} {}", display.name, display.region)).collect();
    if names.is_empty() { Err("the server shows no monitor".into()) } else { Ok(names.join(", ")) }
}

/// Reads one pixel: the smallest capture that goes the whole way.
fn screen_reading(desktop: &Desktop) -> Result<String, String> {
    let layout = desktop
        .displays
        .as_ref()
        .map_err(ToString::to_string)?
        .layout()
        .map_err(|error| error.to_string())?;
    let capture = desktop.capture.as_ref().map_err(ToString::to_string)?;
    let corner =
        layout.displays.first().map(|display| display.region.origin()).ok_or("there is no monitor")?;
    let request = CaptureRequest { region: Some(Rect::new(corner.x, corner.y, 1, 1)), include_cursor: false };
    let frame = capture.capture(request).map_err(|error| error.to_string())?;
    frame
        .rgb(Point::new(0, 0))
        .map(|_| format!("{} read a pixel", capture.backend()))
        .ok_or_else(|| "no pixel came back".into())
}

fn position(desktop: &Desktop) -> Result<String, String> {
    let pointer = desktop.pointer.as_ref().map_err(ToString::to_string)?;
    pointer
        .position()
        .map(|at| format!("{}: the pointer is at {at}", pointer.backend()))
        .map_err(|error| error.to_string())
}

fn simulator(desktop: &Desktop) -> Result<String, String> {
    let pointer = desktop.pointer.as_ref().map_err(ToString::to_string)?;
    let keyboard = desktop.keyboard.as_ref().map_err(ToString::to_string)?;
    keyboard.check_text("a").map_err(|error| error.to_string())?;
    Ok(format!("pointer by {}, keys by {}", pointer.backend(), keyboard.backend()))
}

fn windows(desktop: &Desktop) -> Check {
    const NAME: &str = "windows";
    let support = match &desktop.windows {
        Ok(windows) => windows.support().map_err(|error| error.to_string()),
        Err(unavailable) => Err(unavailable.to_string()),
    };
    match support {
        Err(why) => Check::new(NAME, Verdict::Fail, why),
        Ok(support) => {
            let manager = support.manager.as_deref().unwrap_or("no window manager");
            let missing: Vec<&str> = support.missing.iter().map(|(what, _)| *what).collect();
            match missing.is_empty() {
                true => Check::new(NAME, Verdict::Pass, manager),
                false => Check::new(
                    NAME,
                    Verdict::Warn,
                    format!("{manager}; not possible here: {}", missing.join(", ")),
                ),
            }
        }
    }
}

fn clipboard(desktop: &Desktop) -> Result<String, String> {
    let clipboard = desktop.clipboard.as_ref().map_err(ToString::to_string)?;
    Ok(format!("{}: text and PNG, both ways", clipboard.backend()))
}

fn explain(fault: &Fault) -> String {
    match &fault.remediation {
        Some(remedy) => format!("{}. To fix it: {remedy}", fault.message),
        None => fault.message.clone(),
    }
}
