//! The keyboard with nothing held, latched or locked that could change a character, and the way back to what
//! the user had.

use super::keymap::{LOCK, low};
use super::line::{Change, Held, Line, View};
use crossmacro_platform::{Error, Result};
use x11rb::protocol::xkb::{BoolCtrl, GetStateReply};

/// Keyboard controls that delay, drop or reinterpret keys which are pressed as fast as ours.
const IN_THE_WAY: [BoolCtrl; 3] = [BoolCtrl::SLOW_KEYS, BoolCtrl::BOUNCE_KEYS, BoolCtrl::STICKY_KEYS];

/// Modifiers and groups, as far as they are ours to change and give back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    locks: u8,
    latches: u8,
    locked_group: u8,
    latched_group: i16,
}

impl State {
    fn of(reply: &GetStateReply) -> Self {
        Self {
            locks: low(u16::from(reply.locked_mods)),
            latches: low(u16::from(reply.latched_mods)),
            locked_group: u8::from(reply.locked_group),
            latched_group: reply.latched_group,
        }
    }
}

/// What was taken away, to be given back by [`Neutral::leave`].
pub(super) struct Neutral {
    controls: u32,
    user: State,
    ours: State,
    /// Modifier keys that were let go of and have to be pressed again.
    let_go: Vec<Held>,
    /// Whether any modifier key was let go of, so that keys are watched.
    watching: bool,
}

impl Neutral {
    /// Nothing taken away yet.
    pub(super) fn new(before: &GetStateReply) -> Self {
        Self {
            controls: 0,
            user: State::of(before),
            ours: State::of(before),
            let_go: Vec::new(),
            watching: false,
        }
    }

    /// Takes everything away that is in the way of keys which look at the modifiers `looks_at`: `presses` says
    /// of a keycode whether it will be pressed, so that it must not be down.
    pub(super) fn enter(
        &mut self,
        line: &mut Line,
        view: &View,
        presses: impl Fn(u8) -> bool,
        looks_at: u8,
    ) -> Result<()> {
        // Num Lock is on in most sessions and has no say in a text; it is left alone unless a key looks at it.
        let harmless = view.keymap.num_lock() & !looks_at & !LOCK;
        self.controls_off(line, view.controls)?;
        self.release(line, view, presses)?;
        let group = u8::from(view.state.group);
        let is_neutral = |state: &GetStateReply| {
            let own = State::of(state);
            let on = low(u16::from(state.mods)) & !harmless;
            on == 0 && own.latched_group == 0 && state.base_group == 0 && u8::from(state.group) == group
        };
        if self.controls == 0 && !self.watching && is_neutral(&view.state) {
            return Ok(());
        }
        line.lock(Change {
            affect_locks: self.user.locks & !harmless,
            affect_latches: self.user.latches,
            latched_group: (self.user.latched_group != 0).then_some(0),
            locked_group: Some(group),
            ..Change::default()
        })?;
        let (now, refused) = line.sync_state()?;
        self.ours = State::of(&now);
        refused?;
        if is_neutral(&now) { Ok(()) } else { Err(still_on(&now)) }
    }

    fn controls_off(&mut self, line: &Line, enabled: u32) -> Result<()> {
        self.controls = IN_THE_WAY.iter().fold(0, |bits, control| bits | u32::from(*control)) & enabled;
        if self.controls == 0 { Ok(()) } else { line.set_controls(self.controls, false) }
    }

    fn release(&mut self, line: &mut Line, view: &View, presses: impl Fn(u8) -> bool) -> Result<()> {
        let is_modifier = |held: &&Held| view.keymap.is_modifier(held.code);
        // Written down before the first key: what fails halfway is given back too. A key that locks would lock
        // once more when it is pressed again.
        let again = |held: &&Held| is_modifier(held) && !view.keymap.locks(held.code);
        self.let_go = view.held.iter().filter(again).copied().collect();
        self.watching = view.held.iter().any(|held| is_modifier(&held));
        for held in view.held.iter().filter(|held| is_modifier(held) || presses(held.code)) {
            line.key(*held, false)?;
        }
        if self.watching {
            line.sync()?;
            line.watch_keys(true)?;
        }
        Ok(())
    }

    /// Whether somebody has changed modifiers or the group since [`Neutral::enter`]; `group` is the group that
    /// was locked last. Only while no modifier of ours is on.
    pub(super) fn is_disturbed(&self, now: &GetStateReply, group: u8) -> bool {
        let expected = State { locked_group: group, ..self.ours };
        State::of(now) != expected || u16::from(now.base_mods) != 0
    }

    /// The group that was locked at the beginning.
    pub(super) fn group(&self) -> u8 {
        self.ours.locked_group
    }

    /// Gives back what was taken away, except what the user has changed in the meantime. `group` is the group
    /// that was locked last.
    pub(super) fn leave(&self, line: &mut Line, group: u8) -> Result<()> {
        let (now, refused) = line.sync_state()?;
        let now = State::of(&now);
        let locks = self.user.locks ^ self.ours.locks ^ now.locks;
        let is_ours = now.locked_group == group && group != self.user.locked_group;
        let nothing = self.controls == 0 && !self.watching && now.latches == self.user.latches;
        if nothing && locks == now.locks && !is_ours && now.latched_group == self.user.latched_group {
            return refused;
        }
        if self.controls != 0 {
            line.set_controls(self.controls, true)?;
        }
        line.lock(Change {
            affect_locks: locks ^ now.locks,
            locks: locks & !now.locks,
            locked_group: is_ours.then_some(self.user.locked_group),
            ..Change::default()
        })?;
        self.press_again(line)?;
        self.latch_again(line)?;
        refused.and(line.sync())
    }

    /// Presses again what the user still holds.
    fn press_again(&self, line: &mut Line) -> Result<()> {
        if !self.watching {
            return Ok(());
        }
        for held in self.let_go.iter().filter(|held| !line.let_go(**held)) {
            line.key(*held, true)?;
        }
        line.watch_keys(false)
    }

    /// The injected keys that `lost`, whose connection is gone, has seen nobody let go of. Keys of real
    /// keyboards are left out: whether the user has let go of them meanwhile went unseen, and a key that is up
    /// when it should be down does less harm than the reverse.
    pub(super) fn still_held(&self, lost: &Line) -> Vec<Held> {
        let is_sure = |held: &&Held| held.device.is_none() && !lost.let_go(**held);
        self.let_go.iter().filter(is_sure).copied().collect()
    }

    /// As [`Neutral::leave`] over a new connection. How much of what was asked for over the lost one was carried
    /// out is unknown, so all of it is set to what it was; `again` are the keys to press.
    pub(super) fn restore(&self, line: &mut Line, again: &[Held]) -> Result<()> {
        if self.controls != 0 {
            line.set_controls(self.controls, true)?;
        }
        line.lock(Change {
            affect_locks: u8::MAX,
            locks: self.user.locks,
            locked_group: Some(self.user.locked_group),
            affect_latches: u8::MAX,
            latches: 0,
            latched_group: Some(0),
        })?;
        for held in again {
            line.key(*held, true)?;
        }
        self.latch_again(line)?;
        line.sync()
    }

    fn latch_again(&self, line: &Line) -> Result<()> {
        if self.user.latches == 0 && self.user.latched_group == 0 {
            return Ok(());
        }
        line.lock(Change {
            affect_latches: self.user.latches,
            latches: self.user.latches,
            latched_group: Some(self.user.latched_group).filter(|group| *group != 0),
            ..Change::default()
        })
    }
}

fn still_on(state: &GetStateReply) -> Error {
    let (mods, group) = (low(u16::from(state.mods)), u8::from(state.group));
    Error::NoEffect {
        what: "letting go of the modifiers that are held",
        why: format!("the server still reports modifiers {mods:#04x}, group {group}"),
    }
}
