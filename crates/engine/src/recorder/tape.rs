//! What is recorded, as a state machine that is fed with what was heard.

use super::Mode;
use super::control::Control;
use super::thin::{self, Sample};
use crossmacro_model::key::is_modifier;
use crossmacro_model::limits;
use crossmacro_model::macro_file::{Action, Event, Place, Space};
use crossmacro_model::{Axis, Button, Direction, KeyCode, Logical, Point};
use crossmacro_platform::{Begun, Heard, Input};
use std::collections::BTreeSet;
use std::time::Duration;

/// Of a whole notch of the wheel.
const NOTCH: i64 = 120;
/// Lines of a file that are no events, with some to spare.
const HEADER_LINES: u64 = 64;
/// How long before the end the chord that asked for it may have been pressed.
const JUST_NOW_US: u64 = 1_000_000;

/// How to record.
#[derive(Debug, Clone)]
pub struct TapeOptions {
    /// What motion becomes.
    pub mode: Mode,
    /// See [`super::Options::thin`].
    pub thin: Option<f64>,
    /// See [`super::Options::controls`].
    pub controls: Vec<Control>,
    /// Events that there is room for, the releases at the end included.
    pub limit: usize,
}

impl Default for TapeOptions {
    fn default() -> Self {
        Self { mode: Mode::Absolute, thin: None, controls: Vec::new(), limit: room() }
    }
}

/// What a file has room for: an event is two lines with its wait, beside the header.
pub(super) fn room() -> usize {
    let lines = (limits::MACRO_LINES.value - HEADER_LINES) / 2;
    usize::try_from(lines.min(limits::MACRO_EVENTS.value)).unwrap_or(usize::MAX)
}

/// There is room for nothing more; the event that was fed is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// The recording as it grows.
#[derive(Debug)]
pub struct Tape {
    options: TapeOptions,
    /// Each with the time at which it happened in place of a wait.
    events: Vec<Event>,
    /// Events that turned out to serve a control chord only.
    gone: BTreeSet<usize>,
    /// What the events press and have not released, in that order.
    downs: Vec<Held>,
    /// The keys that are down, whoever knows of it.
    keys: Vec<KeyCode>,
    /// Main keys of control chords, until they come up.
    swallowed: Vec<KeyCode>,
    place: Option<Point<Logical>>,
    /// What is left of distances after whole units were recorded.
    rest: (f64, f64),
    /// Up and right, in parts of a notch.
    wheel: (i64, i64),
    last_us: u64,
    /// The last press of a key that is recorded: its event, and the keys that were down then.
    last_press: Option<(usize, Vec<KeyCode>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Down {
    Key(KeyCode),
    Button(Button),
}

/// Something that an event pressed.
#[derive(Debug, Clone, Copy)]
struct Held {
    down: Down,
    /// The event.
    index: usize,
    /// It was part of a control chord.
    is_control: bool,
    /// Something else was done while it was down.
    is_used: bool,
}

impl Tape {
    /// An empty one.
    pub fn new(options: TapeOptions, begun: &Begun) -> Self {
        Self {
            options,
            events: Vec::new(),
            gone: BTreeSet::new(),
            downs: Vec::new(),
            keys: begun.keys.clone(),
            swallowed: Vec::new(),
            place: begun.place,
            rest: (0.0, 0.0),
            wheel: (0, 0),
            last_us: 0,
            last_press: None,
        }
    }

    /// How many events there are so far.
    pub fn len(&self) -> usize {
        self.events.len() - self.gone.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes one thing that was heard.
    ///
    /// # Errors
    /// [`Full`]; the recording is to be finished then.
    pub fn feed(&mut self, heard: &Heard) -> Result<(), Full> {
        self.last_us = self.last_us.max(heard.at_us);
        match heard.input {
            Input::Place(place) => self.moved_to(place),
            Input::Distance { dx, dy } => self.moved_by(dx, dy),
            Input::Button { button, direction } => self.button(button, direction),
            Input::Wheel { axis, amount } => self.turned(axis, amount),
            Input::Key { key, direction: Direction::Press } => self.pressed(key),
            Input::Key { key, direction: Direction::Release } => self.released(key),
            Input::Repeat(_) | Input::Devices => Ok(()),
        }
    }

    fn moved_to(&mut self, place: Point<Logical>) -> Result<(), Full> {
        let before = self.place.replace(place);
        if before == Some(place) {
            return Ok(());
        }
        match (self.options.mode, before) {
            (Mode::Absolute, _) => {
                self.push(Action::Move(Place { x: place.x, y: place.y, space: Space::Absolute }))
            }
            (Mode::RelativeLogical, Some(before)) => {
                let (x, y) = (place.x.saturating_sub(before.x), place.y.saturating_sub(before.y));
                self.push(Action::Move(Place { x, y, space: Space::RelativeLogical }))
            }
            // From an unknown place, there is no distance.
            (Mode::RelativeLogical, None) | (Mode::RelativeRaw, _) => Ok(()),
        }
    }

    fn moved_by(&mut self, dx: f64, dy: f64) -> Result<(), Full> {
        if self.options.mode != Mode::RelativeRaw || !dx.is_finite() || !dy.is_finite() {
            return Ok(());
        }
        let whole = |rest: &mut f64, by: f64| {
            *rest += by;
            let whole = rest.trunc();
            *rest -= whole;
            #[expect(clippy::cast_possible_truncation, reason = "whole, and saturates")]
            let units = whole as i32;
            units
        };
        let (x, y) = (whole(&mut self.rest.0, dx), whole(&mut self.rest.1, dy));
        if (x, y) == (0, 0) {
            return Ok(());
        }
        self.push(Action::Move(Place { x, y, space: Space::RelativeRaw }))
    }

    fn button(&mut self, button: Button, direction: Direction) -> Result<(), Full> {
        let held = self.downs.iter().position(|held| held.down == Down::Button(button));
        match (direction, held) {
            (Direction::Press, None) => {
                self.uses_modifiers();
                self.press(Down::Button(button))
            }
            (Direction::Release, Some(index)) => {
                self.downs.remove(index);
                let release = self.action(Down::Button(button), Direction::Release);
                self.push(release)
            }
            // Down before the recording began, or pressed on a second device too.
            (Direction::Press, Some(_)) | (Direction::Release, None) => Ok(()),
        }
    }

    fn turned(&mut self, axis: Axis, amount: u32) -> Result<(), Full> {
        let rest = match axis {
            Axis::Up | Axis::Down => &mut self.wheel.0,
            Axis::Left | Axis::Right => &mut self.wheel.1,
        };
        let sign = if matches!(axis, Axis::Up | Axis::Right) { 1 } else { -1 };
        let sum = *rest + sign * i64::from(amount);
        *rest = sum % NOTCH;
        let (way, back) = match axis {
            Axis::Up | Axis::Down => (Axis::Up, Axis::Down),
            Axis::Left | Axis::Right => (Axis::Right, Axis::Left),
        };
        let notches = sum / NOTCH;
        if notches != 0 {
            self.uses_modifiers();
        }
        (0..notches.abs()).try_for_each(|_| self.push(Action::Wheel(if notches > 0 { way } else { back })))
    }

    fn pressed(&mut self, key: KeyCode) -> Result<(), Full> {
        if self.keys.contains(&key) && !self.is_new(key) {
            return Ok(());
        }
        let held: Vec<KeyCode> = self.keys.iter().copied().filter(|other| *other != key).collect();
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
        if let Some(control) = self.options.controls.iter().find(|control| control.is(key, &held)).cloned() {
            self.swallowed.push(key);
            self.each_key(|code, held| held.is_control |= control.has_modifier(code));
            return Ok(());
        }
        if !is_modifier(key) {
            self.uses_modifiers();
        }
        let index = self.events.len();
        self.press(Down::Key(key))?;
        self.last_press = Some((index, held));
        Ok(())
    }

    /// Whether a press of a key that counts as down is one all the same: it was let go of unheard, before the
    /// recording had begun.
    fn is_new(&self, key: KeyCode) -> bool {
        !self.swallowed.contains(&key) && !self.downs.iter().any(|held| held.down == Down::Key(key))
    }

    fn released(&mut self, key: KeyCode) -> Result<(), Full> {
        self.keys.retain(|other| *other != key);
        if let Some(index) = self.swallowed.iter().position(|other| *other == key) {
            self.swallowed.remove(index);
            return Ok(());
        }
        // A key that was down before the recording began comes up unrecorded.
        let Some(index) = self.downs.iter().position(|held| held.down == Down::Key(key)) else {
            return Ok(());
        };
        let held = self.downs.remove(index);
        if held.is_control && !held.is_used {
            self.gone.insert(held.index);
            return Ok(());
        }
        self.push(self.action(Down::Key(key), Direction::Release))
    }

    /// Whatever is done next is done with the modifiers that are down.
    fn uses_modifiers(&mut self) {
        self.each_key(|code, held| held.is_used |= is_modifier(code));
    }

    fn each_key(&mut self, mut change: impl FnMut(KeyCode, &mut Held)) {
        for held in &mut self.downs {
            if let Down::Key(code) = held.down {
                change(code, held);
            }
        }
    }

    fn press(&mut self, down: Down) -> Result<(), Full> {
        let held = Held { down, index: self.events.len(), is_control: false, is_used: false };
        self.push(self.action(down, Direction::Press))?;
        self.downs.push(held);
        Ok(())
    }

    fn action(&self, down: Down, direction: Direction) -> Action {
        match down {
            Down::Key(code) => Action::Key { code, direction },
            Down::Button(button) => Action::Button { button, direction, at: self.here() },
        }
    }

    /// Where a button is used.
    fn here(&self) -> Place {
        match (self.options.mode, self.place) {
            (Mode::Absolute, Some(Point { x, y, .. })) => Place { x, y, space: Space::Absolute },
            _ => Place { x: 0, y: 0, space: Space::Current },
        }
    }

    fn push(&mut self, action: Action) -> Result<(), Full> {
        // Each that is down needs one more in the end, this one too.
        let room = self.options.limit.saturating_sub(self.downs.len() + 1);
        if self.events.len() >= room {
            return Err(Full);
        }
        self.events.push(Event { wait_us: self.last_us, random: None, action });
        Ok(())
    }

    /// The events, with what is still down released at the end, which came `later` than the last thing that was
    /// fed. `stop` is the chord that asked for the end.
    pub fn finish(mut self, later: Duration, stop: Option<&Control>) -> Vec<Event> {
        let end_us = self.last_us.saturating_add(u64::try_from(later.as_micros()).unwrap_or(u64::MAX));
        if let Some(stop) = stop {
            self.leave_out(stop, end_us);
        }
        for held in std::mem::take(&mut self.downs).into_iter().rev() {
            if held.is_control && !held.is_used {
                self.gone.insert(held.index);
                continue;
            }
            let action = self.action(held.down, Direction::Release);
            self.events.push(Event { wait_us: end_us, random: None, action });
        }
        let gone = std::mem::take(&mut self.gone);
        let mut index = 0;
        self.events.retain(|_| {
            index += 1;
            !gone.contains(&(index - 1))
        });
        if let Some(bound) = self.options.thin {
            thin_moves(&mut self.events, bound);
        }
        differences(&mut self.events);
        self.events
    }

    /// Leaves out the chord that asked for the end, when it is the last that was done.
    fn leave_out(&mut self, stop: &Control, end_us: u64) {
        let Some((pressed, _)) = self.last_press.clone().filter(|(_, held)| stop.is(stop.key, held)) else {
            return;
        };
        let is_part = |code: KeyCode| code == stop.key || stop.has_modifier(code);
        let mut parts = Vec::new();
        let mut is_found = false;
        for (index, event) in self.events.iter().enumerate().rev() {
            match event.action {
                _ if self.gone.contains(&index) => {}
                Action::Move(_) => {}
                Action::Key { code, direction: Direction::Release } if !is_found && is_part(code) => {
                    parts.push((index, code));
                }
                Action::Key { code, direction: Direction::Press } if index == pressed && code == stop.key => {
                    if end_us.saturating_sub(event.wait_us) > JUST_NOW_US {
                        return;
                    }
                    is_found = true;
                    parts.push((index, code));
                }
                Action::Key { code, direction: Direction::Press } if is_found && stop.has_modifier(code) => {
                    parts.push((index, code));
                }
                Action::Button { .. } | Action::Click { .. } | Action::Wheel(_) | Action::Key { .. } => break,
            }
        }
        if !is_found {
            return;
        }
        // A modifier that was pressed before something else stays, and so does its release.
        let has_both = |code: KeyCode| {
            let is = |direction| {
                parts.iter().any(|(index, other)| {
                    *other == code && self.events[*index].action == Action::Key { code, direction }
                })
            };
            is(Direction::Press)
                && (is(Direction::Release) || self.downs.iter().any(|held| held.down == Down::Key(code)))
        };
        let whole: Vec<_> = parts.iter().filter(|(_, code)| has_both(*code)).copied().collect();
        self.downs.retain(|held| !whole.iter().any(|(_, code)| held.down == Down::Key(*code)));
        self.gone.extend(whole.into_iter().map(|(index, _)| index));
    }
}

/// Turns times into waits; the first event waits for nothing.
fn differences(events: &mut [Event]) {
    let mut before = events.first().map_or(0, |first| first.wait_us);
    for event in events {
        let at = event.wait_us;
        event.wait_us = at.saturating_sub(before);
        before = at.max(before);
    }
}

/// Leaves out moves, each run of them by itself.
fn thin_moves(events: &mut Vec<Event>, bound: f64) {
    let mut thinned = Vec::with_capacity(events.len());
    let space = |event: &Event| match event.action {
        Action::Move(place) => Some(place.space),
        Action::Button { .. } | Action::Click { .. } | Action::Wheel(_) | Action::Key { .. } => None,
    };
    for run in events.chunk_by(|one, next| space(one).is_some() && space(one) == space(next)) {
        match run.first().and_then(space) {
            None => thinned.extend_from_slice(run),
            Some(space) => thin_run(run, space, bound, &mut thinned),
        }
    }
    *events = thinned;
}

fn thin_run(run: &[Event], space: Space, bound: f64, thinned: &mut Vec<Event>) {
    let is_absolute = space == Space::Absolute;
    let mut sum = (0_i64, 0_i64);
    let places: Vec<(i64, i64)> = run
        .iter()
        .map(|event| {
            let Action::Move(place) = event.action else { return sum };
            let (x, y) = (i64::from(place.x), i64::from(place.y));
            sum = if is_absolute { (x, y) } else { (sum.0 + x, sum.1 + y) };
            sum
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let sample = |(event, place): (&Event, &(i64, i64))| Sample {
        at_us: event.wait_us,
        x: place.0 as f64,
        y: place.1 as f64,
    };
    let samples: Vec<Sample> = run.iter().zip(&places).map(sample).collect();
    let mut before = (0, 0);
    for ((event, place), kept) in run.iter().zip(places).zip(thin::keep(&samples, bound)) {
        if !kept {
            continue;
        }
        let from = if is_absolute { (0, 0) } else { std::mem::replace(&mut before, place) };
        let unit = |value: i64| i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX });
        let action = Action::Move(Place { x: unit(place.0 - from.0), y: unit(place.1 - from.1), space });
        thinned.push(Event { action, ..*event });
    }
}
