//! Events in words, for reports.

use super::event::{Action, Event, Place, RandomDelay, Space};
use crate::{Direction, KeyName};
use std::fmt;

impl fmt::Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |direction| if direction == Direction::Press { "press" } else { "release" };
        match *self {
            Self::Move(at) if at.space == Space::Absolute => write!(out, "move to ({}, {})", at.x, at.y),
            Self::Move(at) if at.space == Space::Unstated => write!(out, "move ({}, {})", at.x, at.y),
            Self::Move(at) => write!(out, "move by ({}, {}){}", at.x, at.y, unit(at)),
            Self::Button { button, direction, at } => {
                write!(out, "{} {button} button{}", word(direction), Where(at))
            }
            Self::Click { button, at } => write!(out, "click {button}{}", Where(at)),
            Self::Wheel(axis) => write!(out, "scroll {}", axis.name()),
            Self::Key { code, direction } => {
                let name = crate::key::display_name(code)
                    .map_or_else(|| KeyName::Code(code).spell(), ToOwned::to_owned);
                write!(out, "{} key {name}", word(direction))
            }
        }
    }
}

fn unit(at: Place) -> &'static str {
    if at.space == Space::RelativeRaw { " raw" } else { "" }
}

/// Where a button acts, with the blank before it.
struct Where(Place);

impl fmt::Display for Where {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.0;
        match at.space {
            Space::Current => out.write_str(" at the pointer"),
            Space::Absolute | Space::Unstated => write!(out, " at ({}, {})", at.x, at.y),
            Space::RelativeLogical | Space::RelativeRaw if (at.x, at.y) == (0, 0) => {
                out.write_str(" at the pointer")
            }
            Space::RelativeLogical | Space::RelativeRaw => {
                write!(out, " ({}, {}){} from the pointer", at.x, at.y, unit(at))
            }
        }
    }
}

/// A time in milliseconds with the digits that it needs.
pub(crate) fn milliseconds(us: u64) -> String {
    match us % 1000 {
        0 => format!("{} ms", us / 1000),
        rest => format!("{} ms", format!("{}.{rest:03}", us / 1000).trim_end_matches('0')),
    }
}

/// The wait before an event, in words.
pub(crate) fn wait(event: &Event) -> String {
    match event.random {
        None => milliseconds(event.wait_us),
        Some(RandomDelay { min_ms, max_ms }) if event.wait_us == 0 => format!("{min_ms} to {max_ms} ms"),
        Some(RandomDelay { min_ms, max_ms }) => {
            format!("{} and {min_ms} to {max_ms} ms", milliseconds(event.wait_us))
        }
    }
}
