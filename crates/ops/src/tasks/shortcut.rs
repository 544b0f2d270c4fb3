//! Operations on shortcuts: macros that a hotkey starts.

mod add;
mod bind;
mod disable;
mod edit;
mod enable;
mod form;
mod list;
mod remove;
mod run;

use crate::context::Context;
use crate::registry::operations;
use crate::tasks::playing::Run;
use crate::tasks::task::Sight;
use crossmacro_model::task::shortcut::conflicts;
use crossmacro_model::task::{Choice, Hotkey, Shortcut, WindowRule};
use crossmacro_store::tasks::{self, TaskList};
use schemars::JsonSchema;
use serde::Serialize;

operations![
    list::List,
    Run<Shortcut>,
    add::Add,
    edit::Edit,
    remove::Remove,
    enable::Enable,
    disable::Disable,
    bind::Bind,
];

/// A window rule in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownRule {
    /// WindowClass, WindowTitle or ProcessName.
    field: &'static str,
    /// Equals, Contains or Regex.
    match_mode: &'static str,
    /// What it is compared with.
    value: String,
}

impl From<&WindowRule> for ShownRule {
    fn from(rule: &WindowRule) -> Self {
        Self { field: rule.field.name(), match_mode: rule.match_mode.name(), value: rule.value.clone() }
    }
}

/// A shortcut in a reply.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// Identity.
    id: String,
    /// Name.
    name: String,
    /// Whether it is switched on.
    enabled: bool,
    /// The first hotkey; empty without one.
    hotkey: String,
    /// All hotkeys.
    hotkeys: Vec<String>,
    /// The macro; empty for who may not read macros.
    macro_file_path: String,
    /// Speed of playback; 1 is as recorded.
    playback_speed: f64,
    /// Whether the macro starts again after its end.
    loop_enabled: bool,
    /// Whether it runs as long as the hotkey is held.
    run_while_held: bool,
    /// Passes of a loop; 0 is without end.
    repeat_count: i32,
    /// Milliseconds between two passes.
    repeat_delay_ms: i32,
    /// Whether a random time is waited instead.
    random_repeat_delay: bool,
    /// Only random: shortest time.
    repeat_delay_min_ms: Option<i32>,
    /// Only random: longest time.
    repeat_delay_max_ms: Option<i32>,
    /// The windows it works in, any of them; all where there is no rule.
    window_rules: Vec<ShownRule>,
    /// Last run, UTC.
    last_triggered_time: Option<String>,
    /// What became of it.
    last_status: Option<String>,
}

/// The reply of `shortcut.list`.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// All shortcuts.
    tasks: Vec<Shown>,
    /// Only for run.
    run: (),
    /// Only for the others.
    task: (),
}

/// The reply of an operation on one shortcut.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// Only for list.
    tasks: [(); 0],
    /// Only for run.
    run: (),
    /// The shortcut it was about.
    task: Option<Shown>,
}

impl Reply {
    fn one(action: &'static str, task: Option<Shown>) -> Self {
        Self { action: Some(action), task, ..Self::default() }
    }
}

impl Shown {
    fn of(shortcut: &Shortcut, sight: Sight) -> Self {
        let hotkeys: Vec<String> = shortcut.hotkeys.iter().map(Hotkey::to_string).collect();
        let random = |value| shortcut.use_random_repeat_delay.then_some(value);
        Self {
            id: shortcut.id.to_string(),
            name: shortcut.name.clone(),
            enabled: shortcut.is_enabled,
            hotkey: hotkeys.first().cloned().unwrap_or_default(),
            hotkeys,
            macro_file_path: sight.path(&shortcut.macro_file_path),
            playback_speed: shortcut.playback_speed,
            loop_enabled: shortcut.loop_enabled,
            run_while_held: shortcut.run_while_held,
            repeat_count: shortcut.repeat_count,
            repeat_delay_ms: shortcut.repeat_delay_ms,
            random_repeat_delay: shortcut.use_random_repeat_delay,
            repeat_delay_min_ms: random(shortcut.repeat_delay_min_ms),
            repeat_delay_max_ms: random(shortcut.repeat_delay_max_ms),
            window_rules: shortcut.window_rules.iter().map(ShownRule::from).collect(),
            last_triggered_time: shortcut.last_triggered_time.map(|instant| instant.to_string()),
            last_status: shortcut.last_status.clone(),
        }
    }
}

/// One warning for each hotkey of a shortcut that starts something else as well.
fn conflict_warnings(context: &Context, list: &TaskList<Shortcut>, shortcut: &Shortcut) -> Vec<String> {
    let globals = tasks::global_hotkeys(context.settings());
    let found = conflicts(shortcut, list.tasks(), &globals);
    found.iter().map(|conflict| format!("{} also starts {}", conflict.hotkey, conflict.with)).collect()
}
