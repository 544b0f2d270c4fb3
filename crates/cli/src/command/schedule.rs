//! `schedule ...`.

use super::Shell;
use super::task::{self, Given};
use crate::render::Answer;
use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Schedule {
    /// Show all schedules of the active profile
    List,
    /// Tell when a schedule runs next
    Next {
        /// Its id, as listed
        id: String,
    },
    /// Add a schedule (off unless --enabled true)
    #[command(
        after_help = "Examples:\n  crossmacro schedule add --name Tea --macro tea.macro --weekly weekdays --time 16:00 --enabled true\n  crossmacro schedule add --name Poll --macro poll.macro --interval 5m\n  crossmacro schedule add --name Once --macro once.macro --at 2030-02-03T04:05"
    )]
    Add {
        /// Name
        #[arg(long)]
        name: String,
        /// The .macro file
        #[arg(long = "macro", value_name = "FILE")]
        macro_path: PathBuf,
        #[command(flatten)]
        form: Form,
    },
    /// Change a schedule; what is not given stays
    Edit {
        /// Its id, as listed
        id: String,
        /// Name
        #[arg(long)]
        name: Option<String>,
        /// The .macro file
        #[arg(long = "macro", value_name = "FILE")]
        macro_path: Option<PathBuf>,
        #[command(flatten)]
        form: Form,
    },
    /// Play the macro of a schedule now
    Run {
        /// Its id, as listed
        id: String,
    },
    /// Remove a schedule
    Remove {
        /// Its id, as listed
        id: String,
    },
    /// Switch a schedule on
    Enable {
        /// Its id, as listed
        id: String,
    },
    /// Switch a schedule off
    Disable {
        /// Its id, as listed
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct Form {
    /// Time between two runs: 30s, 5m, 2h (default 30s)
    #[arg(long, value_name = "N[s|m|h]", group = "when")]
    interval: Option<String>,
    /// Random time between two runs
    #[arg(long, num_args = 2, value_names = ["MIN", "MAX"], group = "when")]
    interval_random: Option<Vec<String>>,
    /// Once, at this date and time (local unless it has an offset)
    #[arg(long, value_name = "DATETIME", group = "when")]
    at: Option<String>,
    /// On days of the week: mon,thu or weekdays, weekends, everyday
    #[arg(long, value_name = "DAYS", group = "when")]
    weekly: Option<String>,
    /// Time of day for --weekly (default 09:00)
    #[arg(long, value_name = "HH:MM")]
    time: Option<String>,
    /// Speed of playback, 0.1 to 10
    #[arg(long, value_parser = task::finite)]
    speed: Option<f64>,
    /// Switch it on or off
    #[arg(long, value_name = "BOOL", value_parser = BoolishValueParser::new())]
    enabled: Option<bool>,
}

pub(super) fn run(shell: &Shell, command: Schedule) -> Answer {
    match command {
        Schedule::List => task::list(shell, "schedule.list"),
        Schedule::Next { id } => next(shell, &id),
        Schedule::Add { name, macro_path, form } => {
            let given = Given::default().with("name", Some(name)).with_macro(Some(&macro_path));
            form.add_to(given).call(shell, "schedule.add")
        }
        Schedule::Edit { id, name, macro_path, form } => {
            let given = Given::of(&id).with("name", name).with_macro(macro_path.as_deref());
            form.add_to(given).call(shell, "schedule.edit")
        }
        Schedule::Run { id } => Given::of(&id).run(shell, "schedule.run"),
        Schedule::Remove { id } => Given::of(&id).call(shell, "schedule.remove"),
        Schedule::Enable { id } => Given::of(&id).call(shell, "schedule.enable"),
        Schedule::Disable { id } => Given::of(&id).call(shell, "schedule.disable"),
    }
}

fn next(shell: &Shell, id: &str) -> Answer {
    let response = shell.call("schedule.next", json!({"taskId": id}));
    Answer::of(&response, |reply| {
        let task = &reply["task"];
        let next = task["nextRunTime"].as_str().unwrap_or("none");
        json!({"id": task["id"], "name": task["name"], "nextRunTime": next})
    })
}

impl Form {
    fn add_to(self, given: Given) -> Given {
        let end = |index: usize| self.interval_random.as_ref().and_then(|ends| ends.get(index)).cloned();
        given
            .with("intervalMin", end(0))
            .with("intervalMax", end(1))
            .with("interval", self.interval)
            .with("at", self.at)
            .with("weekly", self.weekly)
            .with("time", self.time)
            .with("speed", self.speed)
            .with("enabled", self.enabled)
    }
}
