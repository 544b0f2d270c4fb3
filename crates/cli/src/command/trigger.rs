//! `trigger ...`.

use super::Shell;
use super::task::{self, Given};
use crate::render::Answer;
use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use crossmacro_model::task::rule::{Field, MatchMode};
use crossmacro_model::task::trigger::{Action, FireMode};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Trigger {
    /// Show all triggers of the active profile
    List,
    /// Add a trigger (off unless --enabled true)
    #[command(
        after_help = "Examples:\n  crossmacro trigger add --name Games --field ProcessName --match-mode Equals --value supertux --action SwitchProfile --profile games --enabled true\n  crossmacro trigger add --name Mail --field WindowTitle --match-mode Regex --value '^Inbox' --action RunMacro --macro mail.macro --debounce-ms 2000"
    )]
    Add {
        /// Name
        #[arg(long)]
        name: String,
        /// WindowClass, WindowTitle, Workspace, ProcessName, or None for any window
        #[arg(long, value_parser = task::choice::<Field>)]
        field: &'static str,
        /// Equals, Contains or Regex
        #[arg(long, value_name = "MODE", value_parser = task::choice::<MatchMode>)]
        match_mode: &'static str,
        /// What it is compared with
        #[arg(long)]
        value: Option<String>,
        /// SwitchProfile or RunMacro
        #[arg(long, value_parser = task::choice::<Action>)]
        action: &'static str,
        #[command(flatten)]
        form: Form,
    },
    /// Change a trigger; what is not given stays
    Edit {
        /// Its id, as listed
        id: String,
        /// Name
        #[arg(long)]
        name: Option<String>,
        /// WindowClass, WindowTitle, Workspace, ProcessName, or None for any window
        #[arg(long, value_parser = task::choice::<Field>)]
        field: Option<&'static str>,
        /// Equals, Contains or Regex
        #[arg(long, value_name = "MODE", value_parser = task::choice::<MatchMode>)]
        match_mode: Option<&'static str>,
        /// What it is compared with
        #[arg(long)]
        value: Option<String>,
        /// SwitchProfile or RunMacro
        #[arg(long, value_parser = task::choice::<Action>)]
        action: Option<&'static str>,
        #[command(flatten)]
        form: Form,
    },
    /// Remove a trigger
    Remove {
        /// Its id, as listed
        id: String,
    },
    /// Switch a trigger on
    Enable {
        /// Its id, as listed
        id: String,
    },
    /// Switch a trigger off
    Disable {
        /// Its id, as listed
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct Form {
    /// For SwitchProfile: id or name of the profile
    #[arg(long)]
    profile: Option<String>,
    /// For RunMacro: the .macro file
    #[arg(long = "macro", value_name = "FILE")]
    macro_path: Option<PathBuf>,
    /// OnceOnChange, EveryMatch, OnEnter or OnExit
    #[arg(long, value_name = "MODE", value_parser = task::choice::<FireMode>)]
    fire_mode: Option<&'static str>,
    /// Quiet after it has fired; 0 for none
    #[arg(long, value_name = "MS")]
    cooldown_ms: Option<i32>,
    /// How long the match must last before it fires; 0 for none
    #[arg(long, value_name = "MS")]
    debounce_ms: Option<i32>,
    /// Switch it on or off
    #[arg(long, value_name = "BOOL", value_parser = BoolishValueParser::new())]
    enabled: Option<bool>,
}

pub(super) fn run(shell: &Shell, command: Trigger) -> Answer {
    match command {
        Trigger::List => task::list(shell, "trigger.list"),
        Trigger::Add { name, field, match_mode, value, action, form } => {
            let given = Given::default().with("name", Some(name)).with("field", Some(field));
            let given = given.with("matchMode", Some(match_mode)).with("action", Some(action));
            form.add_to(given.with("value", value)).call(shell, "trigger.add")
        }
        Trigger::Edit { id, name, field, match_mode, value, action, form } => {
            let given = Given::of(&id).with("name", name).with("field", field);
            let given = given.with("matchMode", match_mode).with("action", action);
            form.add_to(given.with("value", value)).call(shell, "trigger.edit")
        }
        Trigger::Remove { id } => Given::of(&id).call(shell, "trigger.remove"),
        Trigger::Enable { id } => Given::of(&id).call(shell, "trigger.enable"),
        Trigger::Disable { id } => Given::of(&id).call(shell, "trigger.disable"),
    }
}

impl Form {
    fn add_to(self, given: Given) -> Given {
        given
            .with("targetProfileId", self.profile)
            .with_macro(self.macro_path.as_deref())
            .with("fireMode", self.fire_mode)
            .with("cooldownMs", self.cooldown_ms)
            .with("debounceMs", self.debounce_ms)
            .with("enabled", self.enabled)
    }
}
