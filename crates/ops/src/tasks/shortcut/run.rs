//! `shortcut.run`: plays the macro of a shortcut now.

use super::Sight;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Spec};
use crate::tasks::playing::{self, Playable, Ran, RunOne};
use crossmacro_engine::player::Options;
use crossmacro_model::task::Shortcut;
use crossmacro_model::{Capability, Fault};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

pub(crate) struct Run;

/// A shortcut that was run.
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
    /// The macro.
    macro_file_path: String,
    /// When the run began, UTC.
    last_triggered_time: Option<String>,
    /// What became of it.
    last_status: Option<String>,
}

impl Playable for Shortcut {
    fn path(&self) -> &str {
        &self.macro_file_path
    }

    fn options(&self) -> Options {
        let times = u32::try_from(self.repeat_count).unwrap_or(1);
        let passes = match (self.loop_enabled, times) {
            (false, _) => Some(1),
            (true, 0) => None,
            (true, times) => Some(times),
        };
        let time = |ms: i32| Duration::from_millis(u64::try_from(ms).unwrap_or(0));
        let between = match self.use_random_repeat_delay {
            true => (time(self.repeat_delay_min_ms), time(self.repeat_delay_max_ms)),
            false => (time(self.repeat_delay_ms), time(self.repeat_delay_ms)),
        };
        Options { speed: playing::speed(self.playback_speed), passes, between, ..Options::default() }
    }

    fn note(&mut self, at: Timestamp, status: &str) {
        self.last_triggered_time = Some(at);
        self.last_status = Some(status.to_owned());
    }
}

impl Operation for Run {
    type Params = RunOne;
    type Reply = Ran<Shown>;

    const SPEC: Spec = Spec {
        name: "shortcut.run",
        title: "Run a shortcut",
        summary: "Plays the macro of a shortcut now, in whatever window, and answers when it has ended; an endless one when the call is cancelled.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn needs(context: &Context, call: &Call<'_>, params: &mut RunOne) -> Result<Needs, Fault> {
        params.needs::<Shortcut>(context, call, &Self::SPEC)
    }

    fn run(context: &Context, call: &Call<'_>, params: RunOne) -> Result<Done<Ran<Shown>>, Fault> {
        let sight = Sight::of(context, call);
        let (shortcut, warnings) = params.play::<Shortcut>(context, call)?;
        let run = Shown {
            id: shortcut.id.to_string(),
            enabled: shortcut.is_enabled,
            hotkey: shortcut.hotkeys.first().map(ToString::to_string).unwrap_or_default(),
            hotkeys: shortcut.hotkeys.iter().map(ToString::to_string).collect(),
            macro_file_path: sight.path(&shortcut.macro_file_path),
            last_triggered_time: shortcut.last_triggered_time.map(|instant| instant.to_string()),
            last_status: shortcut.last_status.clone(),
            name: shortcut.name.clone(),
        };
        Ok(Ran::done(run, &shortcut, warnings))
    }
}
