//! A macro in a reply: facts about it, never its events, steps or pictures.

use crossmacro_model::macro_file::{Breakdown, Macro};
use schemars::JsonSchema;
use serde::Serialize;

/// The short form.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Short {
    /// The file.
    macro_path: String,
    /// Its name.
    macro_name: String,
    /// Number of events.
    event_count: usize,
    /// Number of script steps.
    step_count: usize,
    /// Time of the last event; random waits count with their least.
    #[serde(rename = "totalDurationMs")]
    duration_ms: u64,
    /// absolute, relative, mixed or none.
    coordinate_mode: &'static str,
    /// What events without a mode of their own mean.
    is_absolute_coordinates: bool,
}

impl Short {
    pub(crate) fn of(path: &str, content: &Macro) -> Self {
        Self {
            macro_path: path.to_owned(),
            macro_name: content.name.clone(),
            event_count: content.events.len(),
            step_count: content.script.len(),
            duration_ms: content.duration_us().saturating_add(500) / 1000,
            coordinate_mode: content.coordinate_mode().name(),
            is_absolute_coordinates: content.is_absolute,
        }
    }
}

/// Events by kind.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    /// Motions.
    mouse_move: usize,
    /// Buttons going down.
    button_press: usize,
    /// Buttons coming up.
    button_release: usize,
    /// Clicks and wheel notches.
    click: usize,
    /// Keys going down.
    key_press: usize,
    /// Keys coming up.
    key_release: usize,
}

impl From<Breakdown> for Counts {
    fn from(counts: Breakdown) -> Self {
        let Breakdown { mouse_move, button_press, button_release, click, key_press, key_release } = counts;
        Self { mouse_move, button_press, button_release, click, key_press, key_release }
    }
}

/// The long form.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Long {
    #[serde(flatten)]
    short: Short,
    /// When it was made; null where the file does not say.
    #[schemars(extend("format" = "date-time"))]
    created_at: Option<String>,
    /// Whether it starts where the pointer is.
    skip_initial_zero_zero: bool,
    /// Wait after the last event.
    trailing_delay_microseconds: u64,
    /// The same in milliseconds.
    trailing_delay_ms: u64,
    /// Whether a random wait comes on top.
    has_trailing_random_delay: bool,
    /// Its least.
    trailing_delay_min_ms: u32,
    /// Its most.
    trailing_delay_max_ms: u32,
    event_breakdown: Counts,
}

impl Long {
    pub(crate) fn of(path: &str, content: &Macro) -> Self {
        let created = content.created.as_ref().and_then(crossmacro_model::macro_file::Created::timestamp);
        Self {
            short: Short::of(path, content),
            created_at: created.map(|moment| moment.to_string()),
            skip_initial_zero_zero: content.skip_initial_zero,
            trailing_delay_microseconds: content.trailing_us,
            trailing_delay_ms: content.trailing_us / 1000,
            has_trailing_random_delay: content.trailing_random.is_some(),
            trailing_delay_min_ms: content.trailing_random.map_or(0, |range| range.min_ms),
            trailing_delay_max_ms: content.trailing_random.map_or(0, |range| range.max_ms),
            event_breakdown: content.breakdown().into(),
        }
    }
}
