//! `trigger.list`: all triggers of the active profile.

use super::{Listed, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Nothing, Sight};
use crossmacro_model::task::Trigger;
use crossmacro_model::{Capability, Fault};

pub(crate) struct List;

impl Operation for List {
    type Params = Nothing;
    type Reply = Listed;

    const SPEC: Spec = Spec {
        name: "trigger.list",
        title: "List triggers",
        summary: "Lists the triggers of the active profile: the windows they wait for, what they do, and what became of it last.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, _params: Nothing) -> Result<Done<Listed>, Fault> {
        let sight = Sight::of(context, call);
        task::list::<Trigger, _>(context, |triggers| Listed {
            action: Some("list"),
            tasks: triggers.iter().map(|trigger| Shown::of(trigger, sight)).collect(),
            ..Listed::default()
        })
    }
}
