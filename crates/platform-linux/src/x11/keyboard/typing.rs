//! One text being typed: what is down, locked and lent, step by step, and all of it given back at the end,
//! whichever way the end comes.

use super::delivery::{self, HASTE, PATIENCE, Reader};
use super::keymap::{Keymap, Stroke};
use super::line::{Change, Held, Line, keymap, state};
use super::neutral::{Needs, Neutral};
use super::plan::{Planner, Step, batch};
use super::spare::Spares;
use crossmacro_platform::{Cancel, Error, Result, Typed};
use std::collections::HashMap;
use std::time::Duration;

/// After so many characters without a pause we wait for the server, look for a cancellation and for a change
/// of the keymap.
const STRETCH: usize = 64;

/// Types `text`. See [`crossmacro_platform::Keyboard::type_text`].
pub(super) fn type_text(line: &mut Line, text: &str, pause: Duration, cancel: &Cancel) -> Result<Typed> {
    line.sync()?;
    line.keymap_changed();
    let before = state(&line.x11)?;
    let keymap = keymap(&line.x11, line.devices)?;
    let held = line.held(before.device_id)?;
    let is_down = |code: u8| held.iter().any(|held| held.code == code);
    let spares = Spares::new(&keymap, before.device_id, is_down);
    let steps = Planner::new(&keymap, u8::from(before.group), spares.len() > 0).text(text)?;
    if cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    if steps.is_empty() {
        return Ok(Typed::default());
    }
    let unused = (0..=u8::MAX).rev().find(|code| *code >= 8 && !is_down(*code) && !keymap.is_modifier(*code));
    line.wake(unused.unwrap_or(8))?;
    let codes: Vec<bool> = pressed_by(&steps);
    let needs = Needs {
        keymap: &keymap,
        before: &before,
        held: &held,
        presses: &|code| codes[usize::from(code)],
        looks_at: looks_at(&steps),
    };
    let mut typing = Typing::new(line, &keymap, spares, Neutral::new(&before), u8::from(before.group));
    let result = typing.start(&needs).and_then(|()| typing.all(&steps, pause, cancel));
    let ended = typing.end(if result.is_ok() { PATIENCE } else { HASTE });
    result.and_then(|typed| ended.map(|()| typed))
}

fn pressed_by(steps: &[Step]) -> Vec<bool> {
    let mut pressed = vec![false; 256];
    for step in steps {
        if let Step::Layout(_, stroke) = step {
            pressed[usize::from(stroke.code)] = true;
        }
    }
    pressed
}

fn looks_at(steps: &[Step]) -> u8 {
    steps.iter().fold(0, |mods, step| match step {
        Step::Layout(_, stroke) => mods | stroke.looks_at,
        Step::Lent(_) => mods,
    })
}

/// The keys to hold and the modifiers to lock for a combination of modifiers.
type Chord = (Vec<u8>, u8);

struct Typing<'a> {
    line: &'a mut Line,
    keymap: &'a Keymap,
    spares: Spares,
    neutral: Neutral,
    /// The group that is locked now.
    group: u8,
    /// The modifiers that we have on now, the keys that are down for it, and what is locked for it.
    mods: u8,
    down: Vec<u8>,
    locked: u8,
    chords: HashMap<(u8, u8), Chord>,
    readers: Vec<Reader>,
    ended: bool,
}

impl<'a> Typing<'a> {
    fn new(line: &'a mut Line, keymap: &'a Keymap, spares: Spares, neutral: Neutral, group: u8) -> Self {
        Self {
            line,
            keymap,
            spares,
            neutral,
            group,
            mods: 0,
            down: Vec::new(),
            locked: 0,
            chords: HashMap::new(),
            readers: Vec::new(),
            ended: false,
        }
    }

    fn start(&mut self, needs: &Needs<'_>) -> Result<()> {
        self.neutral.enter(self.line, needs)
    }

    fn all(&mut self, steps: &[Step], pause: Duration, cancel: &Cancel) -> Result<Typed> {
        let mut typed = Typed::default();
        let mut rest = steps;
        while !rest.is_empty() {
            let (count, characters) = batch(rest, self.spares.len());
            let codes = self.lend(&characters)?;
            self.some(&rest[..count], &codes, pause, cancel)?;
            typed.characters += count;
            typed.outside_layout += rest[..count].iter().filter(|step| matches!(step, Step::Lent(_))).count();
            rest = &rest[count..];
            if !rest.is_empty() && !pause.is_zero() && cancel.sleep(pause) {
                return Err(Error::Cancelled);
            }
        }
        Ok(typed)
    }

    /// Lends keys to `characters`; keys that are lent already must have been read first.
    fn lend(&mut self, characters: &[char]) -> Result<HashMap<char, u8>> {
        if characters.is_empty() {
            return Ok(HashMap::new());
        }
        if self.spares.is_lent() {
            self.let_read(PATIENCE)?;
        }
        self.readers = vec![delivery::reader(self.line)?];
        self.spares.lend(self.line, characters)
    }

    fn some(
        &mut self,
        steps: &[Step],
        lent: &HashMap<char, u8>,
        pause: Duration,
        cancel: &Cancel,
    ) -> Result<()> {
        for (index, step) in steps.iter().enumerate() {
            if !pause.is_zero() && index > 0 && cancel.sleep(pause) {
                return Err(Error::Cancelled);
            }
            match *step {
                Step::Layout(group, stroke) => self.stroke(group, stroke)?,
                Step::Lent(character) => self.tap(lent.get(&character).copied(), 0)?,
            }
            if !pause.is_zero() {
                self.modifiers(0)?;
                self.line.sync()?;
            } else if index % STRETCH == STRETCH - 1 {
                self.line.sync()?;
                if cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
            }
        }
        self.line.sync()
    }

    fn stroke(&mut self, group: u8, stroke: Stroke) -> Result<()> {
        if group != self.group {
            self.modifiers(0)?;
            self.line.lock(Change { locked_group: Some(group), ..Change::default() })?;
            self.group = group;
        }
        self.tap(Some(stroke.code), stroke.mods)
    }

    fn tap(&mut self, code: Option<u8>, mods: u8) -> Result<()> {
        let Some(code) = code else { return Ok(()) };
        self.modifiers(mods)?;
        let key = Held { device: None, code };
        self.line.key(key, true)?;
        self.line.key(key, false)
    }

    /// Makes `mods` the modifiers that are on.
    fn modifiers(&mut self, mods: u8) -> Result<()> {
        if mods == self.mods {
            return Ok(());
        }
        while let Some(code) = self.down.last().copied() {
            self.line.modifier_key(code, false)?;
            self.down.pop();
        }
        let (group, keymap) = (self.group, self.keymap);
        let (keys, locks) =
            self.chords.entry((group, mods)).or_insert_with(|| keymap.chord(group, mods)).clone();
        if locks != self.locked {
            let affect_locks = locks | self.locked;
            self.line.lock(Change { affect_locks, locks, ..Change::default() })?;
            self.locked = locks;
        }
        for code in keys {
            self.down.push(code);
            self.line.modifier_key(code, true)?;
        }
        self.mods = mods;
        Ok(())
    }

    /// Waits until the keys sent so far have been read by the programs they went to.
    fn let_read(&mut self, patience: Duration) -> Result<()> {
        self.line.sync()?;
        let now = delivery::reader(self.line)?;
        if !self.readers.contains(&now) {
            self.readers.push(now);
        }
        for reader in std::mem::take(&mut self.readers) {
            if !delivery::wait(self.line, reader, patience)? {
                return Err(Error::Timeout {
                    what: "the program that has the keyboard focus",
                    limit: patience,
                });
            }
        }
        Ok(())
    }

    /// Gives everything back. Does all of it even if a part fails.
    fn end(&mut self, patience: Duration) -> Result<()> {
        self.ended = true;
        let released = self.modifiers(0);
        let read = if self.spares.is_lent() { self.let_read(patience) } else { Ok(()) };
        let given_back = self.spares.give_back(self.line);
        let left = self.neutral.leave(self.line, self.group);
        released.and(read).and(given_back).and(left)
    }
}

impl Drop for Typing<'_> {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.end(HASTE)
        {
            tracing::warn!(%error, "the keyboard could not be given back as it was");
        }
    }
}
