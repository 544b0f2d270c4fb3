//! The `.macro` file as values: what was recorded, or written by hand, and how it reads as text.
//!
//! What it is not: it opens no file, and it plays nothing. Times are whole microseconds (waits) or whole
//! milliseconds (random ranges), as in the files.

pub mod event;

pub use event::{Action, Event, Place, RandomDelay, Space};
