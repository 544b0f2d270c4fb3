//! A macro in numbers.

use super::document::Macro;
use super::event::{Action, Space};
use crate::Direction;

/// How many events of each kind there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// Motions.
    pub mouse_move: usize,
    /// Buttons that go down.
    pub button_press: usize,
    /// Buttons that come up.
    pub button_release: usize,
    /// Clicks, and notches of the wheel.
    pub click: usize,
    /// Keys that go down.
    pub key_press: usize,
    /// Keys that come up.
    pub key_release: usize,
}

/// What the places of a macro mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoordinateMode {
    /// All are points of the desktop.
    Absolute,
    /// All are distances.
    Relative,
    /// There are both.
    Mixed,
    /// There is no place.
    None,
}

impl CoordinateMode {
    /// The word of reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::Mixed => "mixed",
            Self::None => "none",
        }
    }
}

impl Macro {
    /// Counts the events by kind.
    pub fn breakdown(&self) -> Breakdown {
        let mut counts = Breakdown::default();
        for event in &self.events {
            let count = match event.action {
                Action::Move(_) => &mut counts.mouse_move,
                Action::Button { direction: Direction::Press, .. } => &mut counts.button_press,
                Action::Button { direction: Direction::Release, .. } => &mut counts.button_release,
                Action::Click { .. } | Action::Wheel(_) => &mut counts.click,
                Action::Key { direction: Direction::Press, .. } => &mut counts.key_press,
                Action::Key { direction: Direction::Release, .. } => &mut counts.key_release,
            };
            *count += 1;
        }
        counts
    }

    /// What the places of the events mean; those at the pointer don't count.
    pub fn coordinate_mode(&self) -> CoordinateMode {
        let places = self.events.iter().filter_map(|event| event.action.place());
        let mut spaces = places.map(|at| self.resolve(at.space)).filter(|space| *space != Space::Current);
        let Some(first) = spaces.next() else { return CoordinateMode::None };
        let is_absolute = first == Space::Absolute;
        match spaces.all(|space| (space == Space::Absolute) == is_absolute) {
            false => CoordinateMode::Mixed,
            true if is_absolute => CoordinateMode::Absolute,
            true => CoordinateMode::Relative,
        }
    }
}
