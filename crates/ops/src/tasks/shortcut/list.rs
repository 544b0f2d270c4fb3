//! `shortcut.list`: all shortcuts of the active profile.

use super::{Listed, Shown};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crate::tasks::task::{self, Nothing, Sight};
use crossmacro_model::task::Shortcut;
use crossmacro_model::{Capability, Fault};

pub(crate) struct List;

impl Operation for List {
    type Params = Nothing;
    type Reply = Listed;

    const SPEC: Spec = Spec {
        name: "shortcut.list",
        title: "List shortcuts",
        summary: "Lists the shortcuts of the active profile: their hotkeys, macros, windows, and what became of the last run.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::TaskManage],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, _params: Nothing) -> Result<Done<Listed>, Fault> {
        let sight = Sight::of(context, call);
        task::list::<Shortcut, _>(context, |shortcuts| Listed {
            action: Some("list"),
            tasks: shortcuts.iter().map(|shortcut| Shown::of(shortcut, sight)).collect(),
            ..Listed::default()
        })
    }
}
