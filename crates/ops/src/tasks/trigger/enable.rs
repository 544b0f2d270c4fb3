//! `trigger.enable`: switches a trigger on.

use super::form::authorise;
use super::{MODES, Reply, Shown, stored_needs};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Trigger;
use crossmacro_model::{Capability, Fault};
use crossmacro_policy::Needs;
use crossmacro_store::tasks::TaskList;

pub(crate) struct Enable;

impl Operation for Enable {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "trigger.enable",
        title: "Enable a trigger",
        summary: "Switches a trigger on. It needs something to compare with, and a profile to switch to or a macro that is there and may be read.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage, Capability::InputAutomation],
        any_of: &[],
        modes: MODES,
    };

    fn needs(context: &Context, _call: &Call<'_>, params: &mut One) -> Result<Needs, Fault> {
        Ok(stored_needs(context, &params.task_id, Self::SPEC.fixed_needs()))
    }

    fn run(context: &Context, call: &Call<'_>, params: One) -> Result<Done<Reply>, Fault> {
        let id = params.id()?;
        let sight = Sight::of(context, call);
        task::put(
            context,
            "switched on",
            |list: &TaskList<Trigger>| {
                let mut trigger = task::existing(list, id)?;
                task::switch_on(&mut trigger)?;
                authorise(context, call, &trigger)?;
                Ok((trigger, Vec::new()))
            },
            |trigger| Reply::one("enable", Some(Shown::of(trigger, sight))),
        )
    }
}
