//! `shortcut.enable`: switches a shortcut on.

use super::{Reply, Shown, conflict_warnings};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, One, Sight};
use crossmacro_model::task::Shortcut;
use crossmacro_model::{Capability, Fault};
use crossmacro_store::tasks::TaskList;

pub(crate) struct Enable;

impl Operation for Enable {
    type Params = One;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "shortcut.enable",
        title: "Enable a shortcut",
        summary: "Switches a shortcut on. It needs a hotkey, sound window rules, and a macro that is there and may be read.",
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
            |list: &TaskList<Shortcut>| {
                let mut shortcut = task::existing(list, id)?;
                task::switch_on(&mut shortcut)?;
                task::authorise(context, call, &shortcut.macro_file_path)?;
                let warnings = conflict_warnings(context, list, &shortcut);
                Ok((shortcut, warnings))
            },
            |shortcut| Reply::one("enable", Some(Shown::of(shortcut, sight))),
        )
    }
}
