//! `schedule.disable`: switches a schedule off.

use super::{Reply, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Schedule;
use crossmacro_model::{Capability, Fault};
use crossmacro_store::tasks::TaskList;

pub(crate) struct Disable;

impl Operation for Disable {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "schedule.disable",
        title: "Disable a schedule",
        summary: "Switches a schedule off. It stays in the list.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: One) -> Result<Done<Reply>, Fault> {
        let id = params.id()?;
        let sight = Sight::of(context, call);
        task::put(
            context,
            "switched off",
            |list: &TaskList<Schedule>| {
                let mut schedule = task::existing(list, id)?;
                schedule.is_enabled = false;
                schedule.next_run_time = None;
                Ok((schedule, Vec::new()))
            },
            |schedule| Reply::one("disable", Some(Shown::of(schedule, sight))),
        )
    }
}
