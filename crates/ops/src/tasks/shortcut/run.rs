//! `shortcut.run`: plays the macro of a shortcut now.

use crate::tasks::playing::{self, Playable};
use crate::tasks::task::Sight;
use crossmacro_engine::player::Options;
use crossmacro_model::task::Shortcut;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

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
    const NAME: &'static str = "shortcut.run";
    const TITLE: &'static str = "Run a shortcut";
    const SUMMARY: &'static str = "Plays the macro of a shortcut now, in whatever window, and answers when it has ended; an endless one when the call is cancelled.";

    type Shown = Shown;

    fn shown(&self, sight: Sight) -> Shown {
        Shown {
            id: self.id.to_string(),
            enabled: self.is_enabled,
            hotkey: self.hotkeys.first().map(ToString::to_string).unwrap_or_default(),
            hotkeys: self.hotkeys.iter().map(ToString::to_string).collect(),
            macro_file_path: sight.path(&self.macro_file_path),
            last_triggered_time: self.last_triggered_time.map(|instant| instant.to_string()),
            last_status: self.last_status.clone(),
            name: self.name.clone(),
        }
    }

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
