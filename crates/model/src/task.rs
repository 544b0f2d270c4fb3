//! What runs by itself: schedules (by the clock), shortcuts (by a hotkey) and triggers (by the focused window).
//!
//! Each is one entry of a JSON list that another program writes and reads too: [`Task::fields`] is what is written,
//! `Deserialize` what is read. Numbers out of range are taken as the nearest good value, as that program does; a
//! wrong type makes the entry unreadable.
//!
//! What it is not: nothing here runs, saves, or asks for the time or the time zone; both are handed in.

pub mod choice;
mod form;
pub mod hotkey;
mod id;
pub mod rule;
pub mod schedule;
pub mod shortcut;
pub mod trigger;

pub use choice::{Choice, UnknownChoice};
pub use hotkey::{Hotkey, HotkeyError};
pub use id::TaskId;
pub use rule::{RuleError, WindowRule};
pub use schedule::Schedule;
pub use shortcut::Shortcut;
pub use trigger::Trigger;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Slowest playback.
pub const SLOWEST: f64 = 0.1;
/// Fastest playback.
pub const FASTEST: f64 = 10.0;

/// The nearest speed that playback has, and whether that is another one.
pub fn clamp_speed(speed: f64) -> (f64, bool) {
    let clamped = if speed.is_nan() { 1.0 } else { speed.clamp(SLOWEST, FASTEST) };
    (clamped, clamped.to_bits() != speed.to_bits())
}

/// One entry of a list of tasks.
pub trait Task: Clone + PartialEq + DeserializeOwned {
    /// The file in the profile's folder.
    const FILE: &'static str;
    /// What one is called in messages.
    const NOUN: &'static str;

    /// Its identity.
    fn id(&self) -> TaskId;

    /// Its name.
    fn name(&self) -> &str;

    /// Whether it is switched on.
    fn is_enabled(&self) -> bool;

    /// Switches it on or off. On only where [`Task::missing`] finds nothing.
    fn set_enabled(&mut self, on: bool);

    /// The macro it plays; empty where it has none, or does something else.
    fn macro_path(&self) -> &str;

    /// Why it can't be switched on, whatever the time.
    fn missing(&self) -> Option<String>;

    /// All fields as they are written, in the order of the file.
    fn fields(&self) -> Vec<(&'static str, Value)>;

    /// Fields of older versions that must not contradict the present ones: written only where they are there.
    fn older_fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}
