//! `status.get`: what works here, and what is allowed.

use super::checks::{self, Check, Verdict};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::registry;
use crate::screen::Area;
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Status;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Always mcp.
    runtime: &'static str,
    /// Version of CrossMacro.
    product_version: &'static str,
    /// linux, windows, macos or unknown.
    operating_system: &'static str,
    /// x11, wayland or private; null when there is no desktop.
    session_type: Option<&'static str>,
    /// Whether the desktop is one of the server's own, so that no person's work is touched.
    is_private_desktop: bool,
    /// Whether this is a Flatpak.
    is_flatpak: bool,
    /// The profile in use.
    active_profile: ActiveProfile,
    /// The monitors.
    monitors: Vec<Monitor>,
    /// What works in this session.
    capabilities: Checks,
    /// Pictures on the clipboard.
    image_clipboard: ImageClipboard,
    /// The operation that runs now.
    active_operation: Option<crate::automation::OperationView>,
    /// Version of the policy model.
    policy: &'static str,
    /// Whether the server was started with --restricted.
    is_restricted: bool,
    /// The capabilities that the policy grants now.
    enabled_capabilities: Vec<&'static str>,
    /// Every tool, whatever is enabled.
    available_tools: Vec<&'static str>,
}

/// A profile.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActiveProfile {
    /// Identifier.
    id: String,
    /// Name for people.
    name: String,
}

/// A monitor.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Monitor {
    /// Name, accepted by screenshot.capture.
    name: String,
    /// Whether it is the primary one.
    is_primary: bool,
    /// Pixels per logical unit.
    scale: f64,
    /// Where it is on the desktop.
    region: Area,
}

/// Results of the checks.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checks {
    /// Whether one failed.
    has_failures: bool,
    /// Whether one warns.
    has_warnings: bool,
    /// All of them.
    checks: Vec<Check>,
}

/// Support for pictures on the clipboard.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImageClipboard {
    /// They can be read.
    read_supported: bool,
    /// They can be written.
    write_supported: bool,
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            runtime: "mcp",
            product_version: env!("CARGO_PKG_VERSION"),
            operating_system: "unknown",
            session_type: None,
            is_private_desktop: false,
            is_flatpak: false,
            active_profile: ActiveProfile::default(),
            monitors: Vec::new(),
            capabilities: Checks::default(),
            image_clipboard: ImageClipboard::default(),
            active_operation: None,
            policy: "capability-policy-v1",
            is_restricted: false,
            enabled_capabilities: Vec::new(),
            available_tools: Vec::new(),
        }
    }
}

impl Operation for Status {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "status.get",
        title: "Get CrossMacro status",
        summary: "Tells what works in this desktop session, the monitors, the policy in force and the running operation. A good first call.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::StatusRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, _params: Params) -> Result<Done<Reply>, Fault> {
        let checks = checks::undisturbing(context);
        let has = |verdict| checks.iter().any(|check| check.status == verdict);
        let policy = context.policy(call.surface);
        let desktop = context.desktop().ok();
        let has_clipboard = desktop.as_ref().is_some_and(|desktop| desktop.clipboard.is_ok());
        let (id, name) = context.profile();
        let reply = Reply {
            operating_system: std::env::consts::OS,
            session_type: desktop.as_ref().map(|desktop| desktop.session.kind.name()),
            is_private_desktop: desktop.as_ref().is_some_and(|desktop| desktop.session.is_private),
            is_flatpak: std::path::Path::new("/.flatpak-info").exists(),
            active_profile: ActiveProfile { id, name },
            monitors: monitors(context),
            capabilities: Checks {
                has_failures: has(Verdict::Fail),
                has_warnings: has(Verdict::Warn),
                checks,
            },
            image_clipboard: ImageClipboard { read_supported: has_clipboard, write_supported: has_clipboard },
            active_operation: crate::automation::active(context),
            is_restricted: context.is_restricted(),
            enabled_capabilities: Capability::ALL
                .iter()
                .filter(|one| policy.allows(**one))
                .map(|one| one.name())
                .collect(),
            available_tools: registry::all().map(|entry| entry.spec().name).collect(),
            ..Reply::default()
        };
        let message = sentence(&reply);
        Ok(Done::new(reply, message))
    }
}

fn monitors(context: &Context) -> Vec<Monitor> {
    let layout = context.displays().ok().and_then(|displays| displays.layout().ok()).unwrap_or_default();
    let monitor = |display: crossmacro_platform::Display| Monitor {
        name: display.name,
        is_primary: display.is_primary,
        scale: display.scale,
        region: display.region.into(),
    };
    layout.displays.into_iter().map(monitor).collect()
}

fn sentence(reply: &Reply) -> String {
    let session = reply.session_type.unwrap_or("no desktop");
    let failing: Vec<&str> = reply
        .capabilities
        .checks
        .iter()
        .filter(|check| check.status == Verdict::Fail)
        .map(|check| check.name)
        .collect();
    let state = match failing.as_slice() {
        [] => "everything that was checked works".to_owned(),
        failing => format!("not working: {}", failing.join(", ")),
    };
    let policy = if reply.is_restricted { " Restricted mode." } else { "" };
    format!("CrossMacro {} on {session}: {state}.{policy}", reply.product_version)
}
