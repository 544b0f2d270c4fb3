//! `schedule.enable`: switches a schedule on.

use super::{Reply, Shown, settle};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Patch, Sight};
use crossmacro_model::task::Schedule;
use crossmacro_model::{Capability, Fault};
use crossmacro_store::tasks::TaskList;

pub(crate) struct Enable;

impl Operation for Enable {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "schedule.enable",
        title: "Enable a schedule",
        summary: "Switches a schedule on and plans its next run. Its macro must be there and may be read.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: One) -> Result<Done<Reply>, Fault> {
        let id = params.id()?;
        let sight = Sight::of(context, call);
        task::put(
            context,
            "switched on",
            |list: &TaskList<Schedule>| {
                let before = task::existing(list, id)?;
                let (mut schedule, mut warnings) = (before.clone(), Vec::new());
                let zone = task::zone();
                let asked = Patch::Set(true);
                settle(&mut schedule, Some(&before), asked, task::moment(context, &zone), &mut warnings)?;
                task::authorise(context, call, &schedule.macro_file_path)?;
                Ok((schedule, warnings))
            },
            |schedule| Reply::one("enable", Some(Shown::of(schedule, sight))),
        )
    }
}
