//! `text-expansion ...`, also `text ...`.

use super::{Shell, without_nulls};
use crate::render::Answer;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

#[derive(Subcommand)]
pub(crate) enum TextExpansion {
    /// All text expansions, in the order in which they are tried
    List(Whose),
    /// Add one at the end
    #[command(
        after_help = "Examples:\n  crossmacro text-expansion add :mail me@example.com\n  crossmacro text add :sig 'Kind regards' --insertion-mode DirectTyping"
    )]
    Add {
        /// What is typed
        #[arg(allow_hyphen_values = true)]
        trigger: String,
        /// What takes its place
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// CtrlV, CtrlShiftV or ShiftInsert
        #[arg(long, value_name = "METHOD")]
        method: Option<String>,
        /// Paste or DirectTyping
        #[arg(long, value_name = "MODE")]
        insertion_mode: Option<String>,
        /// FastBatch or CompatibleKeyByKey
        #[arg(long, value_name = "METHOD")]
        direct_typing_method: Option<String>,
        #[command(flatten)]
        whose: Whose,
    },
    /// Remove one
    Remove(One),
    /// Let one fire
    Enable(One),
    /// Keep one from firing
    Disable(One),
    /// Show what a trigger stands for; types nothing
    Test(One),
}

#[derive(Args)]
pub(crate) struct Whose {
    /// Id or name of another profile than the active one
    #[arg(long)]
    profile: Option<String>,
}

#[derive(Args)]
pub(crate) struct One {
    /// The trigger, in any case
    #[arg(allow_hyphen_values = true)]
    trigger: String,
    #[command(flatten)]
    whose: Whose,
}

pub(super) fn run(shell: &Shell, command: TextExpansion) -> Answer {
    match command {
        TextExpansion::List(whose) => {
            Answer::of(&call(shell, "text_expansion.list", json!({"profile": whose.profile})), |reply| {
                let count = reply["expansions"].as_array().map_or(0, Vec::len);
                json!({"expansions": reply["expansions"], "profileId": reply["profileId"], "count": count})
            })
        }
        TextExpansion::Add { trigger, text, method, insertion_mode, direct_typing_method, whose } => {
            let arguments = json!({
                "trigger": trigger, "replacement": text, "method": method, "insertionMode": insertion_mode,
                "directTypingMethod": direct_typing_method, "profile": whose.profile,
            });
            Answer::of(&call(shell, "text_expansion.add", arguments), first)
        }
        TextExpansion::Remove(one) => Answer::of(&on(shell, "text_expansion.remove", &one), first),
        TextExpansion::Enable(one) => Answer::of(&on(shell, "text_expansion.enable", &one), first),
        TextExpansion::Disable(one) => Answer::of(&on(shell, "text_expansion.disable", &one), first),
        TextExpansion::Test(one) => Answer::of(
            &on(shell, "text_expansion.test", &one),
            |reply| json!({"found": reply["found"], "expansion": first(reply)}),
        ),
    }
}

fn on(shell: &Shell, operation: &str, one: &One) -> crossmacro_ops::Response {
    call(shell, operation, json!({"trigger": one.trigger, "profile": one.whose.profile}))
}

fn call(shell: &Shell, operation: &str, arguments: Value) -> crossmacro_ops::Response {
    shell.call(operation, without_nulls(arguments))
}

fn first(reply: &Value) -> Value {
    reply["expansions"][0].clone()
}
