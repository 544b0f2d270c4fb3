//! One event of a macro: what is done, where, and how long after the one before it.

use crate::{Axis, Button, Direction, KeyCode};

/// One recorded or written event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The fixed wait before it, in microseconds. Never negative.
    pub wait_us: u64,
    /// A wait picked anew at each playing, on top of the fixed one.
    pub random: Option<RandomDelay>,
    /// What is done then.
    pub action: Action,
}

/// A wait between two bounds, both of them included. `min_ms <= max_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomDelay {
    /// The shortest, in milliseconds.
    pub min_ms: u32,
    /// The longest, in milliseconds.
    pub max_ms: u32,
}

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Moves the pointer.
    Move(Place),
    /// Presses or releases a button.
    Button {
        /// Which.
        button: Button,
        /// Down or up.
        direction: Direction,
        /// Where.
        at: Place,
    },
    /// Presses and releases a button.
    Click {
        /// Which.
        button: Button,
        /// Where.
        at: Place,
    },
    /// Turns the wheel by one notch, where the pointer is.
    Wheel(Axis),
    /// Presses or releases a key.
    Key {
        /// Which.
        code: KeyCode,
        /// Down or up.
        direction: Direction,
    },
}

/// Where a positional event happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The horizontal coordinate or distance.
    pub x: i32,
    /// The vertical coordinate or distance.
    pub y: i32,
    /// What `x` and `y` mean.
    pub space: Space,
}

/// What the two numbers of a [`Place`] mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// A point of the logical desktop (`abs`).
    Absolute,
    /// A distance in logical desktop units (`rel-logical`).
    RelativeLogical,
    /// A distance in raw device units, before any acceleration (`rel-raw`).
    RelativeRaw,
    /// The line names no mode: the header `IsAbsolute` decides.
    Unstated,
    /// Wherever the pointer is; the numbers are kept and not used (`CurrentPosition`).
    Current,
}
