//! The one function around every operation: arguments, needs, policy, approval, then work.

use crate::context::{Call, Context, Surface};
use crate::operation::{Audience, Effect, Spec};
use crate::registry::{self, Entry, Extent};
use crate::response::Response;
use crossmacro_model::{Capability, Code, Fault};
use crossmacro_policy::{Approval, Authority, Needs, Policy};
use serde_json::{Map, Value};

/// Carries out one call. It never panics and never returns without an outcome.
pub fn call(context: &Context, call: &Call<'_>, name: &str, arguments: Value) -> Response {
    carry_out(context, call, name, arguments, Extent::Whole)
}

/// Checks one call as [`call`] does, and stops before its work. Success means that the arguments are right and
/// the policy allows it, not that the desktop would go along.
pub fn rehearse(context: &Context, call: &Call<'_>, name: &str, arguments: Value) -> Response {
    carry_out(context, call, name, arguments, Extent::Checks)
}

fn carry_out(context: &Context, call: &Call<'_>, name: &str, arguments: Value, extent: Extent) -> Response {
    let is_offered =
        |entry: &&Entry| call.surface == Surface::Cli || entry.spec().audience == Audience::Everyone;
    match registry::find(name).filter(is_offered) {
        Some(entry) => entry.call(context, call, arguments, extent),
        None => Response::failed(unknown(name), Map::new()),
    }
}

/// Decides whether a call may be made that needs `needs`.
pub(crate) fn admit(context: &Context, call: &Call<'_>, spec: &Spec, needs: &Needs) -> Result<(), Fault> {
    let policy = context.policy(call.surface);
    policy.decide(needs).map_err(|denied| {
        let mut fault = Fault::from(denied);
        fault.message = format!("{}: {}", spec.name, fault.message);
        fault
    })?;
    match (policy.authority, spec.effect) {
        (Authority::Client, Effect::Effectful) => approve(context, &policy, spec, needs),
        (Authority::Local, _) | (_, Effect::Read) => Ok(()),
    }
}

/// Whether a client's call that acts is approved. Nobody can be asked and no record is kept in this version: what
/// would need either is refused rather than made without.
fn approve(context: &Context, policy: &Policy, spec: &Spec, needs: &Needs) -> Result<(), Fault> {
    let settings = context.settings().current();
    let (approval, asking) = settings.approvals().decide(policy, needs);
    let key = asking.and_then(Capability::approval_key);
    let refused = |code, why: &str| {
        let own = key.map(|key| format!(" (or only {key})")).unwrap_or_default();
        let remedy =
            format!("only the user can change it: `crossmacro settings set mcp.approvalMode auto`{own}");
        let fault = Fault::new(code, format!("{}: {why}", spec.name)).remedy(remedy);
        fault.detail("capability", asking.map(Capability::name)).detail("settingsKey", key)
    };
    match approval {
        Approval::Deny => Err(refused(Code::ApprovalDenied, "the settings approve no such call")),
        Approval::Ask => Err(refused(
            Code::ApprovalUnavailable,
            "the settings want a person to approve it, and this version can ask nobody",
        )),
        Approval::Auto if settings.is_audit_required() && asking.is_some() => Err(Fault::new(
            Code::EnvironmentError,
            format!("{}: the settings want a record of it, and this version keeps none", spec.name),
        )
        .remedy("only the user can change it: `crossmacro settings reset audit.required`")),
        Approval::Auto => Ok(()),
    }
}

fn unknown(name: &str) -> Fault {
    // The name comes from outside: only as much of it is repeated as helps.
    let shown: String = name.chars().take(64).collect();
    let fault = Fault::new(Code::ToolNotAllowed, format!("there is no tool named {shown:?}"));
    match registry::nearest(name) {
        Some(near) => fault.remedy(format!("did you mean {near}? tools/list names them all")),
        None => fault.remedy("tools/list names them all"),
    }
}
