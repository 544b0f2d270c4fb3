//! `schedule.list`: all schedules of the active profile.

use super::{Listed, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Nothing, Sight};
use crossmacro_model::task::Schedule;
use crossmacro_model::{Capability, Fault};

pub(crate) struct List;

impl Operation for List {
    type Params = Nothing;
    type Reply = Listed;

    const SPEC: Spec = Spec {
        name: "schedule.list",
        title: "List schedules",
        summary: "Lists the schedules of the active profile: what they play, when, and what became of the last run.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, _params: Nothing) -> Result<Done<Listed>, Fault> {
        let sight = Sight::of(context, call);
        task::list::<Schedule, _>(context, |schedules| Listed {
            action: Some("list"),
            tasks: schedules.iter().map(|schedule| Shown::of(schedule, sight)).collect(),
            ..Listed::default()
        })
    }
}
