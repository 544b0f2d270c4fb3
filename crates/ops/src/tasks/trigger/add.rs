//! `trigger.add`: a new trigger.

use super::form::{Form, fresh};
use super::{MODES, Reply, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Sight};
use crossmacro_model::task::Trigger;
use crossmacro_model::task::rule::Field;
use crossmacro_model::{Capability, Fault};
use crossmacro_policy::Needs;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Add;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// Name.
    #[schemars(length(min = 1, max = 1024))]
    name: String,
    /// The property of the focused window that is compared; None always matches.
    field: Field,
    /// What it is compared with. May be left out with field None only.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    value: String,
    #[serde(flatten)]
    form: Form,
}

impl Operation for Add {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "trigger.add",
        title: "Add a trigger",
        summary: "Adds an action for when a window that matches gets or loses the focus: switching the profile, or playing a macro. Works while crossmacro headless runs.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::TaskManage, Capability::InputAutomation],
        any_of: &[],
        modes: MODES,
    };

    fn needs(_context: &Context, _call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
        Ok(params.form.needs(Self::SPEC.fixed_needs()))
    }

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let sight = Sight::of(context, call);
        task::put(
            context,
            "added",
            |_| build(context, call, params),
            |trigger| Reply::one("add", Some(Shown::of(trigger, sight))),
        )
    }
}

fn build(context: &Context, call: &Call<'_>, params: Params) -> Result<(Trigger, Vec<String>), Fault> {
    let Params { name, field, value, form } = params;
    if field != Field::None && value.trim().is_empty() {
        return Err(Fault::arguments("the value to compare with is blank").detail("argument", "value"));
    }
    let mut warnings = Vec::new();
    let mut trigger = fresh(task::new_id()?, task::new_name(&name)?, field, value);
    form.apply(context, call, &mut trigger, &mut warnings)?;
    Ok((trigger, warnings))
}
