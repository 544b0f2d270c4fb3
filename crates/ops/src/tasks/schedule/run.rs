//! `schedule.run`: plays the macro of a schedule now.

use crate::tasks::playing::{self, Playable};
use crate::tasks::task::Sight;
use crossmacro_engine::player::Options;
use crossmacro_model::task::Schedule;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

/// A schedule that was run.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// Identity.
    id: String,
    /// Name.
    name: String,
    /// Whether it is switched on.
    enabled: bool,
    /// The macro.
    macro_file_path: String,
    /// When the run began, UTC.
    last_run_time: Option<String>,
    /// What became of it.
    last_status: Option<String>,
}

impl Playable for Schedule {
    const NAME: &'static str = "schedule.run";
    const TITLE: &'static str = "Run a schedule";
    const SUMMARY: &'static str =
        "Plays the macro of a schedule now, whatever its times, and answers when it has ended.";

    type Shown = Shown;

    fn shown(&self, sight: Sight) -> Shown {
        Shown {
            id: self.id.to_string(),
            enabled: self.is_enabled,
            macro_file_path: sight.path(&self.macro_file_path),
            last_run_time: self.last_run_time.map(|instant| instant.to_string()),
            last_status: self.last_status.clone(),
            name: self.name.clone(),
        }
    }

    fn path(&self) -> &str {
        &self.macro_file_path
    }

    fn options(&self) -> Options {
        Options { speed: playing::speed(self.playback_speed), ..Options::default() }
    }

    fn note(&mut self, at: Timestamp, status: &str) {
        self.last_run_time = Some(at);
        self.last_status = Some(status.to_owned());
    }
}
