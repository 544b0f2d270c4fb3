//! What will be delivered, and when.

use super::motion::{self, Motion};
use crossmacro_model::macro_file::{Event, Macro, RandomDelay, Space};
use std::time::Duration;

/// The events of one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The events, their places all stated. Waits are as written; [`Plan::speed`] divides them.
    pub events: Vec<Event>,
    /// The wait after the last event, in microseconds.
    pub trailing_us: u64,
    /// A picked wait on top of it.
    pub trailing_random: Option<RandomDelay>,
    /// The speed that is kept: what was asked for, or less where the motion would come too fast.
    pub speed: f64,
    /// Whether each pass begins by moving to the corner of the desktop, where the recording began.
    pub starts_in_corner: bool,
    /// What a user should know.
    pub warnings: Vec<String>,
}

impl Plan {
    /// When each event is due after the start of the pass, with the shortest random waits.
    pub fn due(&self) -> impl Iterator<Item = (Duration, &Event)> {
        let mut at_us = 0_u64;
        self.events.iter().map(move |event| {
            at_us = at_us.saturating_add(event.shortest_us());
            let due = Duration::from_micros(at_us).as_secs_f64() / self.speed;
            (Duration::try_from_secs_f64(due).unwrap_or(Duration::MAX), event)
        })
    }
}

/// Plans a pass of `content` at `speed`.
pub fn plan(content: &Macro, speed: f64, motion: Motion) -> Plan {
    let mut plan = Plan {
        events: content.playable().collect(),
        trailing_us: content.trailing_us,
        trailing_random: content.trailing_random,
        speed,
        starts_in_corner: false,
        warnings: Vec::new(),
    };
    plan.starts_in_corner = !content.skip_initial_zero && starts_relative(&plan.events);
    motion::fit(&mut plan, motion);
    plan
}

/// Whether the first event that has a place tells it as a distance.
fn starts_relative(events: &[Event]) -> bool {
    let first = events.iter().find_map(|event| event.action.place());
    first.is_some_and(|at| matches!(at.space, Space::RelativeLogical | Space::RelativeRaw))
}
