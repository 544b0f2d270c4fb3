//! `shortcut.disable`: switches a shortcut off.

use super::{Reply, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Shortcut;
use crossmacro_model::{Capability, Fault};
use crossmacro_store::tasks::TaskList;

pub(crate) struct Disable;

impl Operation for Disable {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "shortcut.disable",
        title: "Disable a shortcut",
        summary: "Switches a shortcut off. It stays in the list.",
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
            |list: &TaskList<Shortcut>| {
                let mut shortcut = task::existing(list, id)?;
                shortcut.is_enabled = false;
                Ok((shortcut, Vec::new()))
            },
            |shortcut| Reply::one("disable", Some(Shown::of(shortcut, sight))),
        )
    }
}
