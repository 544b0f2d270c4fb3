//! `schedule.next`: when a schedule runs next, without saving anything.

use super::{Reply, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Schedule;
use crossmacro_model::task::schedule::Prediction;
use crossmacro_model::{Capability, Fault};
use crossmacro_store::tasks::{self, Tasks};
use jiff::Timestamp;

pub(crate) struct Next;

impl Operation for Next {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "schedule.next",
        title: "Get next schedule run",
        summary: "Predicts the next run of a schedule, enabled or not, as task.nextRunTime. A time that clocks skip becomes the first after the gap; one shown twice, the first.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: One) -> Result<Done<Reply>, Fault> {
        let id = params.id()?;
        let Tasks { tasks, warnings } = tasks::read::<Schedule>(context.settings());
        let Some(mut schedule) = tasks.into_iter().find(|schedule| schedule.id == id) else {
            return Err(Fault::arguments("there is no schedule with this id, or it can't be read")
                .detail("argument", "taskId")
                .remedy("schedule.list shows those that exist"));
        };
        let zone = task::zone();
        let moment = task::moment(context, &zone);
        let (next, message) = told(schedule.predict(moment), moment.now);
        schedule.next_run_time = next;
        let mut done =
            Done::new(Reply::one("next", Some(Shown::of(&schedule, Sight::of(context, call)))), message);
        done.warnings = warnings;
        if !schedule.is_enabled {
            done = done.warn("the schedule is disabled: it does not run before it is enabled");
        }
        Ok(done)
    }
}

fn told(prediction: Prediction, now: Timestamp) -> (Option<Timestamp>, String) {
    match prediction {
        Prediction::None => (None, "There is no next run.".to_owned()),
        Prediction::At(instant) if instant <= now => {
            (Some(instant), format!("The run of {instant} is late, and is made at once."))
        }
        Prediction::At(instant) => (Some(instant), format!("The next run is at {instant}.")),
        Prediction::Between(range) => {
            let (first, last) = range.into_inner();
            (Some(first), format!("The next run is at random between {first} and {last}."))
        }
    }
}
