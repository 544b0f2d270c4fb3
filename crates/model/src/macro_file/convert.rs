//! One form of a macro to another: events to steps and back, steps as a plain file, and the scripts of
//! xdotool, ydotool and AutoHotkey.
//!
//! What can't be said in the other form is a diagnostic with its line; nothing is left out in silence.

mod autohotkey;
mod foreign;
mod keysym;
mod shell;
mod to_events;
mod to_script;
mod to_steps;
mod xdotool;
mod ydotool;

pub use foreign::{Foreign, from_foreign};
pub use to_events::to_events;
pub use to_script::to_script;
pub use to_steps::to_steps;
