//! `schedule.run`: plays the macro of a schedule now.

use super::Sight;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Spec};
use crate::tasks::playing::{self, Playable, Ran, RunOne};
use crossmacro_engine::player::Options;
use crossmacro_model::task::Schedule;
use crossmacro_model::{Capability, Fault};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) struct Run;

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

impl Operation for Run {
    type Params = RunOne;
    type Reply = Ran<Shown>;

    const SPEC: Spec = Spec {
        name: "schedule.run",
        title: "Run a schedule",
        summary: "Plays the macro of a schedule now, whatever its times, and answers when it has ended.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn needs(context: &Context, call: &Call<'_>, params: &mut RunOne) -> Result<Needs, Fault> {
        params.needs::<Schedule>(context, call, &Self::SPEC)
    }

    fn run(context: &Context, call: &Call<'_>, params: RunOne) -> Result<Done<Ran<Shown>>, Fault> {
        let sight = Sight::of(context, call);
        let (schedule, warnings) = params.play::<Schedule>(context, call)?;
        let run = Shown {
            id: schedule.id.to_string(),
            enabled: schedule.is_enabled,
            macro_file_path: sight.path(&schedule.macro_file_path),
            last_run_time: schedule.last_run_time.map(|instant| instant.to_string()),
            last_status: schedule.last_status.clone(),
            name: schedule.name.clone(),
        };
        Ok(Ran::done(run, &schedule, warnings))
    }
}
