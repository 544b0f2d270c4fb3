//! The nouns of the program: geometry, frames, input, capabilities, limits and faults.
//!
//! What it is not: there is no I/O here, no clock, no thread and no `unsafe`. Everything can be built and
//! compared in a test without a desktop.
//!
//! Units: lengths are logical desktop units unless a type says [`Physical`]; durations
//! are `std::time::Duration`; names on the wire carry their unit (`timeoutMs`).
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod capability;
pub mod chord;
pub mod expansion;
pub mod fault;
pub mod frame;
pub mod geometry;
pub mod input;
pub mod key;
pub mod limits;
pub mod macro_file;
pub mod nearest;
pub mod pattern;
pub mod run;
pub mod settings;
pub mod task;

pub use capability::Capability;
pub use chord::Chord;
pub use fault::{Code, Delivered, Fault};
pub use frame::Frame;
pub use geometry::{Logical, Physical, Point, Rect, Size};
pub use input::{Axis, Button, Direction, Down, KeyCode};
pub use key::KeyName;
