//! `schedule.add`: a new schedule.

use super::form::Form;
use super::{Reply, Shown, settle};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Sight};
use crossmacro_model::task::Schedule;
use crossmacro_model::{Capability, Fault, limits};
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct Add;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params {
    /// Name.
    #[schemars(length(min = 1, max = 1024))]
    name: String,
    /// Absolute path of an existing .macro file.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    macro_path: String,
    #[serde(flatten)]
    form: Form,
}

impl Operation for Add {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "schedule.add",
        title: "Add a schedule",
        summary: "Adds a macro that the clock starts: at an interval (default 30 s), at random intervals, once, or on days of the week. Runs while crossmacro headless runs.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let sight = Sight::of(context, call);
        task::put(
            context,
            "added",
            |_| build(context, call, params),
            |schedule| Reply::one("add", Some(Shown::of(schedule, sight))),
        )
    }
}

fn build(context: &Context, call: &Call<'_>, params: Params) -> Result<(Schedule, Vec<String>), Fault> {
    let Params { name, macro_path, mut form } = params;
    let mut warnings = Vec::new();
    let mut schedule = Schedule {
        id: task::new_id()?,
        name: task::new_name(&name)?,
        macro_file_path: task::new_macro(context, call, &macro_path)?,
        ..Schedule::default()
    };
    let asked = std::mem::take(&mut form.enabled);
    let zone = task::zone();
    form.apply(&mut schedule, &zone, &mut warnings)?;
    settle(&mut schedule, None, asked, task::moment(context, &zone), &mut warnings)?;
    Ok((schedule, warnings))
}
