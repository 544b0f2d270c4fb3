//! `shortcut ...`.

use super::Shell;
use super::task::{self, Given};
use crate::render::Answer;
use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use crossmacro_model::task::rule::{Field, MatchMode};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Shortcut {
    /// Show all shortcuts of the active profile
    List,
    /// Add a shortcut (off unless --enabled true)
    #[command(
        after_help = "Examples:\n  crossmacro shortcut add --name Sign --macro sign.macro --hotkey Ctrl+Shift+F5 --enabled true\n  crossmacro shortcut add --name Save --macro save.macro --hotkey F6 --window-rule ProcessName Equals gimp"
    )]
    Add {
        /// Name
        #[arg(long)]
        name: String,
        /// The .macro file
        #[arg(long = "macro", value_name = "FILE")]
        macro_path: PathBuf,
        /// Modifiers and a key or mouse button, joined by + (may be given several times)
        #[arg(long = "hotkey", value_name = "HOTKEY", required = true)]
        hotkeys: Vec<String>,
        #[command(flatten)]
        form: Form,
    },
    /// Change a shortcut; what is not given stays
    Edit {
        /// Its id, as listed
        id: String,
        /// Name
        #[arg(long)]
        name: Option<String>,
        /// The .macro file
        #[arg(long = "macro", value_name = "FILE")]
        macro_path: Option<PathBuf>,
        /// Replaces all hotkeys (may be given several times)
        #[arg(long = "hotkey", value_name = "HOTKEY")]
        hotkeys: Vec<String>,
        #[command(flatten)]
        form: Form,
        /// Always wait the same time between two passes
        #[arg(long, conflicts_with = "random_repeat_delay")]
        no_random_repeat_delay: bool,
        /// Make it work in all windows
        #[arg(long, conflicts_with = "window_rules")]
        clear_window_rules: bool,
    },
    /// Replace the hotkeys of a shortcut
    Bind {
        /// Its id, as listed
        id: String,
        /// Modifiers and a key or mouse button, joined by + (may be given several times)
        #[arg(long = "hotkey", value_name = "HOTKEY", required = true)]
        hotkeys: Vec<String>,
    },
    /// Play the macro of a shortcut now
    Run {
        /// Its id, as listed
        id: String,
    },
    /// Remove a shortcut
    Remove {
        /// Its id, as listed
        id: String,
    },
    /// Switch a shortcut on
    Enable {
        /// Its id, as listed
        id: String,
    },
    /// Switch a shortcut off
    Disable {
        /// Its id, as listed
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct Form {
    /// Speed of playback, 0.1 to 10
    #[arg(long, value_parser = task::finite)]
    speed: Option<f64>,
    /// Start the macro again after its end; --loop=false ends that
    #[arg(long = "loop", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = BoolishValueParser::new())]
    looped: Option<bool>,
    /// Passes of a loop, 0 without end; turns the loop on
    #[arg(long, value_name = "N")]
    repeat: Option<i32>,
    /// Time between two passes
    #[arg(long, value_name = "MS")]
    repeat_delay_ms: Option<i32>,
    /// Random time between two passes
    #[arg(long, num_args = 2, value_names = ["MIN", "MAX"])]
    random_repeat_delay: Option<Vec<i32>>,
    /// Run as long as the hotkey is held; --run-while-held=false ends that
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = BoolishValueParser::new())]
    run_while_held: Option<bool>,
    /// Work only in windows that match, any rule being enough: WindowClass, WindowTitle or ProcessName; Equals, Contains or Regex (may be given several times)
    #[arg(long = "window-rule", num_args = 3, value_names = ["FIELD", "MODE", "VALUE"])]
    window_rules: Vec<String>,
    /// Switch it on or off
    #[arg(long, value_name = "BOOL", value_parser = BoolishValueParser::new())]
    enabled: Option<bool>,
}

pub(super) fn run(shell: &Shell, command: Shortcut) -> Answer {
    match command {
        Shortcut::List => task::list(shell, "shortcut.list"),
        Shortcut::Add { name, macro_path, hotkeys, form } => {
            let given = Given::default().with("name", Some(name)).with_macro(Some(&macro_path));
            form.add_to(given.with("hotkeys", Some(hotkeys))).call(shell, "shortcut.add")
        }
        Shortcut::Edit {
            id,
            name,
            macro_path,
            hotkeys,
            form,
            no_random_repeat_delay,
            clear_window_rules,
        } => {
            let given = Given::of(&id).with("name", name).with_macro(macro_path.as_deref());
            let given = given.with("hotkeys", Some(hotkeys).filter(|hotkeys| !hotkeys.is_empty()));
            let given = form.add_to(given).with("clearWindowRules", clear_window_rules.then_some(true));
            let none = || no_random_repeat_delay.then_some(Value::Null);
            let given = given.with("repeatDelayMinMs", none()).with("repeatDelayMaxMs", none());
            given.call(shell, "shortcut.edit")
        }
        Shortcut::Bind { id, hotkeys } => {
            Given::of(&id).with("hotkeys", Some(hotkeys)).call(shell, "shortcut.bind")
        }
        Shortcut::Run { id } => Given::of(&id).run(shell, "shortcut.run"),
        Shortcut::Remove { id } => Given::of(&id).call(shell, "shortcut.remove"),
        Shortcut::Enable { id } => Given::of(&id).call(shell, "shortcut.enable"),
        Shortcut::Disable { id } => Given::of(&id).call(shell, "shortcut.disable"),
    }
}

impl Form {
    fn add_to(self, given: Given) -> Given {
        let end = |index: usize| self.random_repeat_delay.as_ref().and_then(|ends| ends.get(index)).copied();
        let rules: Vec<Value> = self.window_rules.chunks_exact(3).map(rule).collect();
        given
            .with("repeatDelayMinMs", end(0))
            .with("repeatDelayMaxMs", end(1))
            .with("speed", self.speed)
            .with("loop", self.looped.or(self.repeat.map(|_| true)))
            .with("repeatCount", self.repeat)
            .with("repeatDelayMs", self.repeat_delay_ms)
            .with("runWhileHeld", self.run_while_held)
            .with("windowRules", Some(rules).filter(|rules| !rules.is_empty()))
            .with("enabled", self.enabled)
    }
}

/// A rule; names are accepted in any case, and what is no name is left for the operation to refuse.
fn rule(words: &[String]) -> Value {
    let field = task::choice::<Field>(&words[0]).unwrap_or(&words[0]);
    let mode = task::choice::<MatchMode>(&words[1]).unwrap_or(&words[1]);
    json!({"field": field, "matchMode": mode, "value": words[2]})
}
