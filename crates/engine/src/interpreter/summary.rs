//! What a script did, in numbers.

use crossmacro_model::run::{Delay, MoveMode, Variables};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// What a script did, or would do. Times are as written: the speed is not applied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Steps of the source; the first and last lines of blocks count.
    pub step_count: usize,
    /// Events that were delivered. A click is one, a tap two and two for each modifier, a notch of the wheel
    /// one, a typed character two.
    pub event_count: u64,
    /// From the first event to the last.
    pub total: Duration,
    /// Fixed waits before the first event.
    pub initial_delay: Duration,
    /// Random waits before the first event: the least and the most of all together.
    pub initial_random: Option<(Duration, Duration)>,
    /// Waits after the last event.
    pub trailing_delay: Duration,
    /// `absolute`, `relative`, `mixed` or `none`, by the moves.
    pub coordinate_mode: &'static str,
    /// The variables at the end, sorted by name.
    pub variables: Vec<(String, String)>,
    /// What a user should know although it worked.
    pub warnings: Vec<String>,
}

impl Summary {
    /// The fields of the reply, without the warnings.
    pub fn to_json(&self) -> Map<String, Value> {
        let (min, max) = self.initial_random.unwrap_or_default();
        let variables: Map<String, Value> =
            self.variables.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
        let fields = [
            ("stepCount", json!(self.step_count)),
            ("eventCount", json!(self.event_count)),
            ("totalDurationMs", millis(self.total)),
            ("initialDelayMs", millis(self.initial_delay)),
            ("initialHasRandomDelay", json!(self.initial_random.is_some())),
            ("initialRandomDelayMinMs", millis(min)),
            ("initialRandomDelayMaxMs", millis(max)),
            ("trailingDelayMs", millis(self.trailing_delay)),
            ("coordinateMode", json!(self.coordinate_mode)),
            ("variables", Value::Object(variables)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Rounded to the nearest.
fn millis(time: Duration) -> Value {
    let rounded = time.saturating_add(Duration::from_micros(500)).as_millis();
    json!(u64::try_from(rounded).unwrap_or(u64::MAX))
}

/// The numbers while the script runs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) events: u64,
    pub(super) warnings: Vec<String>,
    total: Duration,
    initial: Duration,
    initial_random: Option<(Duration, Duration)>,
    /// Waits since the last event.
    pending: Duration,
    has_absolute: bool,
    has_relative: bool,
    /// Whether something happened that is no event: a wait, a reading.
    pub(super) has_acted: bool,
}

impl Tally {
    /// Counts events that were delivered.
    pub(super) fn event(&mut self, count: u64) {
        self.total = self.total.saturating_add(std::mem::take(&mut self.pending));
        self.events = self.events.saturating_add(count);
    }

    /// Counts time that passed between the events of one step.
    pub(super) fn within(&mut self, time: Duration) {
        self.total = self.total.saturating_add(time);
    }

    /// Counts a wait of `time` out of `range`.
    pub(super) fn wait(&mut self, delay: &Delay, time: Duration, (min, max): (Duration, Duration)) {
        self.has_acted = true;
        if self.events > 0 {
            self.pending = self.pending.saturating_add(time);
        } else if delay.is_random() {
            let (least, most) = self.initial_random.unwrap_or_default();
            self.initial_random = Some((least.saturating_add(min), most.saturating_add(max)));
        } else {
            self.initial = self.initial.saturating_add(time);
        }
    }

    pub(super) fn moved(&mut self, mode: MoveMode) {
        match mode {
            MoveMode::Absolute => self.has_absolute = true,
            MoveMode::RelativeLogical | MoveMode::RelativeRaw => self.has_relative = true,
        }
    }

    pub(super) fn summary(self, step_count: usize, variables: &Variables) -> Summary {
        Summary {
            step_count,
            event_count: self.events,
            total: self.total,
            initial_delay: self.initial,
            initial_random: self.initial_random,
            trailing_delay: self.pending,
            coordinate_mode: match (self.has_absolute, self.has_relative) {
                (true, true) => "mixed",
                (true, false) => "absolute",
                (false, true) => "relative",
                (false, false) => "none",
            },
            variables: variables.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            warnings: self.warnings,
        }
    }
}
