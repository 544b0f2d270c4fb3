//! The one function around every operation: arguments, needs, policy, then work.

use crate::context::{Call, Context, Surface};
use crate::operation::{Audience, Spec};
use crate::registry::{self, Entry, Extent};
use crate::response::Response;
use crossmacro_model::{Code, Fault};
use crossmacro_policy::Needs;
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

/// Decides whether `entry` may run with `needs`.
pub(crate) fn admit(context: &Context, call: &Call<'_>, spec: &Spec, needs: &Needs) -> Result<(), Fault> {
    context.policy(call.surface).decide(needs).map_err(|denied| {
        let mut fault = Fault::from(denied);
        fault.message = format!("{}: {}", spec.name, fault.message);
        fault
    })
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
