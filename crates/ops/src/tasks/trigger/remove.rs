//! `trigger.remove`: takes a trigger out of the list.

use super::{Reply, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Trigger;
use crossmacro_model::{Capability, Fault};

pub(crate) struct Remove;

impl Operation for Remove {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "trigger.remove",
        title: "Remove a trigger",
        summary: "Removes a trigger. Its macro or profile stays.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: One) -> Result<Done<Reply>, Fault> {
        let sight = Sight::of(context, call);
        task::remove::<Trigger, _>(context, params.id()?, |trigger| {
            Reply::one("remove", trigger.map(|trigger| Shown::of(trigger, sight)))
        })
    }
}
