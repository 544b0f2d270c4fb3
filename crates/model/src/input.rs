//! What a person can do with a mouse and a keyboard, as values.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A key, named by its Linux evdev code (`input-event-codes.h`), on every platform; back ends translate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyCode(pub u16);

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Button {
    /// The primary button.
    Left,
    /// The secondary button.
    Right,
    /// The wheel pressed.
    Middle,
    /// The first thumb button ("back").
    Side1,
    /// The second thumb button ("forward").
    Side2,
}

impl Button {
    /// All buttons.
    pub const ALL: [Self; 5] = [Self::Left, Self::Right, Self::Middle, Self::Side1, Self::Side2];

    /// The name of the run language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Middle => "middle",
            Self::Side1 => "side1",
            Self::Side2 => "side2",
        }
    }
}

impl fmt::Display for Button {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Something that can be held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Down {
    /// A key.
    Key(KeyCode),
    /// A button.
    Button(Button),
}

impl Down {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(' ')? {
            ("key", code) => code.parse().ok().map(|code| Self::Key(KeyCode(code))),
            ("button", name) => {
                Button::ALL.into_iter().find(|button| button.name() == name).map(Self::Button)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Down {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(KeyCode(code)) => write!(out, "key {code}"),
            Self::Button(button) => write!(out, "button {button}"),
        }
    }
}

/// Whether a key or button goes down or comes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Goes down.
    Press,
    /// Comes up.
    Release,
}

/// The direction of one wheel notch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Axis {
    /// Away from the user: content moves down.
    Up,
    /// Towards the user.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Axis {
    /// All four directions.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The name of the run language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}
