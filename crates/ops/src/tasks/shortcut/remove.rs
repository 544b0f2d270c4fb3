//! `shortcut.remove`: takes a shortcut out of the list.

use super::{Reply, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Shortcut;
use crossmacro_model::{Capability, Fault};

pub(crate) struct Remove;

impl Operation for Remove {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "shortcut.remove",
        title: "Remove a shortcut",
        summary: "Removes a shortcut. Its macro stays.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: One) -> Result<Done<Reply>, Fault> {
        let sight = Sight::of(context, call);
        task::remove::<Shortcut, _>(context, params.id()?, |shortcut| {
            Reply::one("remove", shortcut.map(|shortcut| Shown::of(shortcut, sight)))
        })
    }
}
