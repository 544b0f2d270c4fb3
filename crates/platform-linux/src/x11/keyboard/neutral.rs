//! The keyboard with nothing held, latched or locked that could change a character, and the way back to what
//! the user had.

use super::keymap::{Keymap, LOCK, low};
use super::line::{Change, Held, Line, state};
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
    let_go: Vec<Held>,
}

/// What the typing needs.
pub(super) struct Needs<'a> {
    pub(super) keymap: &'a Keymap,
    /// The state that the plan was made from.
    pub(super) before: &'a GetStateReply,
    pub(super) held: &'a [Held],
    /// Whether a key will be pressed, so that it must not be down.
    pub(super) presses: &'a dyn Fn(u8) -> bool,
    /// All modifiers that the keys to be pressed look at.
    pub(super) looks_at: u8,
}

impl Neutral {
    /// Nothing taken away yet.
    pub(super) fn new(before: &GetStateReply) -> Self {
        Self { controls: 0, user: State::of(before), ours: State::of(before), let_go: Vec::new() }
    }

    /// Takes everything away that is in the way of `needs`.
    pub(super) fn enter(&mut self, line: &mut Line, needs: &Needs<'_>) -> Result<()> {
        self.controls_off(line)?;
        self.release(line, needs)?;
        // Num Lock is on in most sessions and has no say in a text; it is left alone unless a key looks at it.
        let harmless = needs.keymap.num_lock() & !needs.looks_at & !LOCK;
        let change = Change {
            affect_locks: self.user.locks & !harmless,
            affect_latches: self.user.latches,
            latched_group: (self.user.latched_group != 0).then_some(0),
            locked_group: Some(u8::from(needs.before.group)),
            ..Change::default()
        };
        line.lock(change)?;
        line.sync()?;
        let now = state(&line.x11)?;
        self.ours = State::of(&now);
        let left = low(u16::from(now.mods)) & !harmless;
        if left == 0 && now.group == needs.before.group {
            return Ok(());
        }
        Err(Error::NoEffect {
            what: "letting go of the modifiers that are held",
            why: format!("the server still reports modifiers {left:#04x}, group {}", u8::from(now.group)),
        })
    }

    fn controls_off(&mut self, line: &Line) -> Result<()> {
        let enabled = u32::from(line.controls()?.enabled_controls);
        self.controls = IN_THE_WAY.iter().fold(0, |bits, control| bits | u32::from(*control)) & enabled;
        if self.controls == 0 { Ok(()) } else { line.set_controls(self.controls, false) }
    }

    fn release(&mut self, line: &mut Line, needs: &Needs<'_>) -> Result<()> {
        let is_modifier = |held: &&Held| needs.keymap.is_modifier(held.code);
        // What locks would lock again when it is pressed again; plain keys would type again.
        self.let_go = needs.held.iter().filter(is_modifier).copied().collect();
        for held in needs.held.iter().filter(|held| is_modifier(held) || (needs.presses)(held.code)) {
            line.key(*held, false)?;
        }
        if !self.let_go.is_empty() {
            line.sync()?;
            line.watch_keys(true)?;
        }
        self.let_go.retain(|held| !needs.keymap.locks(held.code));
        Ok(())
    }

    /// Gives back what was taken away, except what the user has changed in the meantime.
    pub(super) fn leave(&mut self, line: &mut Line, group: u8) -> Result<()> {
        let refused = line.sync();
        let now = State::of(&state(&line.x11)?);
        if self.controls != 0 {
            line.set_controls(std::mem::take(&mut self.controls), true)?;
        }
        let locks = self.user.locks ^ self.ours.locks ^ now.locks;
        let is_ours = now.locked_group == group;
        line.lock(Change {
            affect_locks: locks ^ now.locks,
            locks: locks & !now.locks,
            locked_group: is_ours.then_some(self.user.locked_group),
            ..Change::default()
        })?;
        self.press_again(line)?;
        if self.user.latches != 0 || self.user.latched_group != 0 {
            line.lock(Change {
                affect_latches: self.user.latches,
                latches: self.user.latches,
                latched_group: Some(self.user.latched_group).filter(|group| *group != 0),
                ..Change::default()
            })?;
        }
        refused.and(line.sync())
    }

    fn press_again(&mut self, line: &mut Line) -> Result<()> {
        let keys = std::mem::take(&mut self.let_go);
        if keys.is_empty() {
            return Ok(());
        }
        for held in keys {
            if !line.let_go(held) {
                line.key(held, true)?;
            }
        }
        line.watch_keys(false)
    }
}
