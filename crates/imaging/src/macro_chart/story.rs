//! What happens in a macro, by place and by time.

use super::canvas::Color;
use crossmacro_model::macro_file::{Action, Macro, Place, Space};
use crossmacro_model::{Axis, Button, Direction, KeyCode};
use std::collections::BTreeMap;

/// More motions are thinned out: no eye could tell them apart.
const MOTIONS: usize = 100_000;

/// More bars of one row are not drawn.
const BARS: usize = 20_000;

/// A point of the pointer's way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) x: i64,
    pub(super) y: i64,
    /// Microseconds from the start.
    pub(super) time: u64,
    /// Whether a button is down on the way there.
    pub(super) is_drag: bool,
}

/// A click at a known place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) button: Button,
}

/// A time during which something is down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bar {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Everything that is drawn.
#[derive(Default)]
pub(super) struct Story {
    pub(super) path: Vec<Step>,
    pub(super) marks: Vec<Mark>,
    /// Whether distances are drawn from a start that is not known.
    pub(super) is_from_unknown: bool,
    pub(super) motions: Vec<u64>,
    pub(super) notches: Vec<(u64, Axis)>,
    pub(super) buttons: BTreeMap<&'static str, (Button, Vec<Bar>)>,
    /// In the order in which they first go down.
    pub(super) keys: Vec<(KeyCode, Vec<Bar>)>,
    /// When it ends, in microseconds from the start.
    pub(super) end: u64,
}

impl Story {
    pub(super) fn of(content: &Macro) -> Self {
        let count = content.breakdown().mouse_move;
        let mut teller = Teller {
            story: Self::default(),
            at: None,
            time: 0,
            thin: count.div_ceil(MOTIONS).max(1),
            moved: 0,
            keys_down: BTreeMap::new(),
            buttons_down: BTreeMap::new(),
        };
        for event in content.playable() {
            teller.time = teller.time.saturating_add(event.shortest_us());
            teller.act(event.action);
        }
        teller.finish(content.trailing_us)
    }
}

struct Teller {
    story: Story,
    at: Option<(i64, i64)>,
    time: u64,
    thin: usize,
    moved: usize,
    keys_down: BTreeMap<KeyCode, u64>,
    buttons_down: BTreeMap<&'static str, (Button, u64)>,
}

impl Teller {
    /// Where the pointer is then; nothing changes for what happens where it is.
    fn go(&mut self, place: Place) {
        let (x, y) = (i64::from(place.x), i64::from(place.y));
        match place.space {
            Space::Absolute | Space::Unstated => self.at = Some((x, y)),
            Space::Current => {}
            Space::RelativeLogical | Space::RelativeRaw => {
                if self.at.is_none() {
                    if (x, y) == (0, 0) {
                        return;
                    }
                    self.story.is_from_unknown = true;
                    self.push_step(0, 0);
                }
                let (from_x, from_y) = self.at.unwrap_or((0, 0));
                self.at = Some((from_x.saturating_add(x), from_y.saturating_add(y)));
            }
        }
    }

    fn push_step(&mut self, x: i64, y: i64) {
        let is_drag = !self.buttons_down.is_empty();
        self.story.path.push(Step { x, y, time: self.time, is_drag });
    }

    fn act(&mut self, action: Action) {
        if let Some(place) = action.place() {
            let before = self.at;
            self.go(place);
            let is_motion = matches!(action, Action::Move(_));
            self.moved += usize::from(is_motion);
            let is_kept = !is_motion || self.moved.is_multiple_of(self.thin) || self.moved == 1;
            if let Some((x, y)) = self.at.filter(|_| is_kept && (before != self.at || is_motion)) {
                self.push_step(x, y);
            }
            if is_motion && is_kept {
                self.story.motions.push(self.time);
            }
        }
        match action {
            Action::Move(_) => {}
            Action::Button { button, direction: Direction::Press, .. } => {
                self.mark(button);
                self.buttons_down.entry(button.name()).or_insert((button, self.time));
            }
            Action::Button { button, .. } => {
                if let Some((_, from)) = self.buttons_down.remove(button.name()) {
                    self.button_bar(button, from);
                }
            }
            Action::Click { button, .. } => {
                self.mark(button);
                self.button_bar(button, self.time);
            }
            Action::Wheel(axis) => {
                if self.story.notches.len() < BARS {
                    self.story.notches.push((self.time, axis));
                }
            }
            Action::Key { code, direction: Direction::Press } => {
                self.row(code);
                self.keys_down.entry(code).or_insert(self.time);
            }
            Action::Key { code, .. } => {
                if let Some(from) = self.keys_down.remove(&code) {
                    self.key_bar(code, from);
                }
            }
        }
    }

    fn mark(&mut self, button: Button) {
        if let Some((x, y)) = self.at.filter(|_| self.story.marks.len() < BARS) {
            self.story.marks.push(Mark { x, y, button });
        }
    }

    fn button_bar(&mut self, button: Button, from: u64) {
        let (_, bars) = self.story.buttons.entry(button.name()).or_insert_with(|| (button, Vec::new()));
        push_bar(bars, from, self.time);
    }

    fn row(&mut self, code: KeyCode) -> &mut Vec<Bar> {
        let index = match self.story.keys.iter().position(|(known, _)| *known == code) {
            Some(index) => index,
            None => {
                self.story.keys.push((code, Vec::new()));
                self.story.keys.len() - 1
            }
        };
        &mut self.story.keys[index].1
    }

    fn key_bar(&mut self, code: KeyCode, from: u64) {
        let to = self.time;
        push_bar(self.row(code), from, to);
    }

    fn finish(mut self, trailing_us: u64) -> Story {
        self.time = self.time.saturating_add(trailing_us);
        for (code, from) in std::mem::take(&mut self.keys_down) {
            self.key_bar(code, from);
        }
        for (button, from) in std::mem::take(&mut self.buttons_down).into_values() {
            self.button_bar(button, from);
        }
        self.story.end = self.time;
        self.story
    }
}

fn push_bar(bars: &mut Vec<Bar>, from: u64, to: u64) {
    if bars.len() < BARS {
        bars.push(Bar { from, to });
    }
}

/// The color of a button, everywhere.
pub(super) fn button_color(button: Button) -> Color {
    match button {
        Button::Left => [208, 44, 44],
        Button::Right => [24, 132, 72],
        Button::Middle => [136, 60, 180],
        Button::Side1 => [170, 110, 20],
        Button::Side2 => [20, 120, 150],
    }
}

/// A time for people.
pub(super) fn seconds(us: u64) -> String {
    let (whole, hundredths, unit) = match us {
        0..1_000 => (us, 0, "us"),
        1_000..1_000_000 => (us / 1_000, us % 1_000 / 10, "ms"),
        1_000_000..600_000_000 => (us / 1_000_000, us % 1_000_000 / 10_000, "s"),
        _ => (us / 60_000_000, 0, "min"),
    };
    let digits = format!("{whole}.{hundredths:02}");
    format!("{} {unit}", digits.trim_end_matches('0').trim_end_matches('.'))
}
