//! One text being typed: what is down, locked and lent, step by step, and all of it given back at the end,
//! whichever way the end comes.

use super::delivery::{self, HASTE, Reader};
use super::keymap::{Keymap, Stroke};
use super::line::{Change, Held, Line, View, keymap_and_state};
use super::neutral::Neutral;
use super::plan::{Planner, Step, batch, characters};
use super::rescue;
use super::spare::Spares;
use crossmacro_platform::{Cancel, Error, Result, Typed};
use std::collections::HashMap;
use std::time::Duration;

/// After so many characters without a pause we look for a cancellation and for a change of the keymap.
const STRETCH: usize = 256;

/// How to type.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    /// The time between two characters.
    pub(super) pause: Duration,
    pub(super) cancel: &'a Cancel,
}

/// Types `text`. See [`crossmacro_platform::Keyboard::type_text`].
///
/// When somebody changes the layout, the group or a lock in the meantime, everything is given back and the rest
/// is typed anew under the new circumstances.
pub(super) fn type_text(line: &mut Line, text: &str, manner: Manner<'_>) -> Result<Typed> {
    let text: Vec<(usize, char)> = characters(text).collect();
    let mut all = Typed::default();
    loop {
        let typed = type_some(line, &text[all.characters..], manner);
        let typed = typed.map_err(|error| match error {
            Error::Untypable { why, .. } if all.characters > 0 => Error::NoEffect {
                what: "typing the rest of the text",
                why: format!("the layout was changed in the meantime; {why}"),
            },
            other => other,
        })?;
        all.characters += typed.characters;
        all.outside_layout += typed.outside_layout;
        if all.characters == text.len() {
            return Ok(all);
        }
        // The rest follows without another pause: the one in which the change was made is over.
    }
}

/// Types `text` as far as the circumstances stay the same; at least one character.
fn type_some(line: &mut Line, text: &[(usize, char)], manner: Manner<'_>) -> Result<Typed> {
    line.take_events()?;
    let view = line.look()?;
    let is_down = |code: u8| view.held.iter().any(|held| held.code == code);
    let plan = |can_lend: bool| {
        // A long text takes a while to plan; a cancellation ends that too.
        let goes_on = |(index, _): &(usize, _)| index % STRETCH != 0 || !manner.cancel.is_cancelled();
        let text = text.iter().enumerate().take_while(goes_on).map(|(_, character)| *character);
        Planner::new(&view.keymap, u8::from(view.state.group), can_lend).steps(text)
    };
    let mut steps = plan(!view.keymap.free().is_empty())?;
    let mut spares = Spares::none();
    if steps.iter().any(|step| matches!(step, Step::Lent(_))) {
        spares = Spares::new(&view.keymap, &line.other_keymaps(view.state.device_id)?, is_down);
        if spares.len() == 0 {
            steps = plan(false)?;
        }
    }
    if manner.cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    if steps.is_empty() {
        return Ok(Typed::default());
    }
    let unused = (8..=u8::MAX).rev().find(|code| !is_down(*code) && !view.keymap.is_modifier(*code));
    line.wake(unused.unwrap_or(u8::MAX))?;
    let mut typing = Typing::new(line, &view, spares);
    let result = typing.enter(&view, &steps).and_then(|()| typing.all(&steps, manner));
    let ended = match &result {
        Ok(_) => typing.end(delivery::patience(typing.unread), manner.cancel),
        Err(_) => typing.give_up(),
    };
    result.and_then(|typed| ended.map(|()| typed))
}

/// The keys to hold and the modifiers to lock for a combination of modifiers.
type Chord = (Vec<u8>, u8);

struct Typing<'a> {
    line: &'a mut Line,
    keymap: &'a Keymap,
    /// What the keymap looks like without the lent keys.
    print: u64,
    spares: Spares,
    neutral: Neutral,
    /// Whether a character was typed, so that there is a pause before the next.
    begun: bool,
    /// The group that is in effect now, and the one that is locked for it.
    group: u8,
    locked_group: u8,
    /// The modifiers that we have on now (unknown while they change, and after that failed), the keys that are
    /// down for it, and what is locked for it.
    mods: Option<u8>,
    down: Vec<u8>,
    locked: u8,
    chords: HashMap<(u8, u8), Chord>,
    /// Every keycode that was pressed.
    pressed: [bool; 256],
    /// Who had the focus when keys were lent, and how many characters were sent since.
    readers: Vec<Reader>,
    unread: usize,
    ended: bool,
}

impl<'a> Typing<'a> {
    fn new(line: &'a mut Line, view: &'a View, spares: Spares) -> Self {
        Self {
            line,
            keymap: &view.keymap,
            print: view.keymap.print(&spares.codes()),
            spares,
            neutral: Neutral::new(&view.state),
            begun: false,
            group: u8::from(view.state.group),
            locked_group: u8::from(view.state.locked_group),
            mods: Some(0),
            down: Vec::new(),
            locked: 0,
            chords: HashMap::new(),
            pressed: [false; 256],
            readers: Vec::new(),
            unread: 0,
            ended: false,
        }
    }

    /// Takes away what is in the way of `steps`.
    fn enter(&mut self, view: &View, steps: &[Step]) -> Result<()> {
        let (mut pressed, mut looks_at) = ([false; 256], 0);
        for step in steps {
            if let Step::Layout(_, stroke) = step {
                pressed[usize::from(stroke.code)] = true;
                looks_at |= stroke.looks_at;
            }
        }
        self.neutral.enter(self.line, view, |code| pressed[usize::from(code)], looks_at)?;
        self.locked_group = self.neutral.group();
        Ok(())
    }

    fn all(&mut self, steps: &[Step], manner: Manner<'_>) -> Result<Typed> {
        let mut typed = Typed::default();
        let mut rest = steps;
        while !rest.is_empty() {
            let (count, lent) = batch(rest, self.spares.len());
            let codes = self.lend(&lent, manner.cancel)?;
            let done = self.some(&rest[..count], &codes, manner)?;
            typed.characters += done;
            typed.outside_layout += rest[..done].iter().filter(|step| matches!(step, Step::Lent(_))).count();
            if done < count {
                break;
            }
            rest = &rest[count..];
        }
        Ok(typed)
    }

    /// Lends keys to `characters`; keys that are lent already must have been read first.
    fn lend(&mut self, characters: &[char], cancel: &Cancel) -> Result<HashMap<char, u8>> {
        if characters.is_empty() {
            return Ok(HashMap::new());
        }
        if self.spares.is_lent() {
            self.let_read(delivery::patience(self.unread), cancel)?;
        }
        self.readers = vec![delivery::reader(self.line)?];
        self.unread = 0;
        self.spares.lend(self.line, characters)
    }

    /// Types `steps` until the circumstances change; gives back how many were typed.
    fn some(&mut self, steps: &[Step], lent: &HashMap<char, u8>, manner: Manner<'_>) -> Result<usize> {
        for (index, step) in steps.iter().enumerate() {
            let pauses = !manner.pause.is_zero();
            if std::mem::replace(&mut self.begun, true) && pauses && self.pause(manner)? {
                return Ok(index);
            }
            match *step {
                Step::Layout(group, stroke) => self.stroke(group, stroke)?,
                Step::Lent(character) => self.tap(lent.get(&character).copied(), 0)?,
            }
            if !pauses && index % STRETCH == STRETCH - 1 && self.pace(manner.cancel)? {
                return Ok(index + 1);
            }
        }
        self.line.sync()?;
        Ok(steps.len())
    }

    /// Between two stretches: whether the layout was changed.
    fn pace(&mut self, cancel: &Cancel) -> Result<bool> {
        self.line.pace()?;
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.layout_changed()
    }

    /// Between two characters that are apart: no modifier stays on. Whether anything was changed meanwhile.
    fn pause(&mut self, manner: Manner<'_>) -> Result<bool> {
        self.modifiers(0)?;
        self.line.sync()?;
        if manner.cancel.sleep(manner.pause) {
            return Err(Error::Cancelled);
        }
        let (state, refused) = self.line.sync_state()?;
        refused?;
        Ok(self.neutral.is_disturbed(&state, self.locked_group) || self.layout_changed()?)
    }

    fn layout_changed(&mut self) -> Result<bool> {
        if !self.line.keymap_changed() {
            return Ok(false);
        }
        let (keymap, _) = keymap_and_state(&self.line.x11, self.line.devices)?;
        Ok(keymap.print(&self.spares.codes()) != self.print)
    }

    fn stroke(&mut self, group: u8, stroke: Stroke) -> Result<()> {
        if group != self.group {
            self.modifiers(0)?;
            self.line.lock(Change { locked_group: Some(group), ..Change::default() })?;
            (self.group, self.locked_group) = (group, group);
        }
        self.tap(Some(stroke.code), stroke.mods)
    }

    fn tap(&mut self, code: Option<u8>, mods: u8) -> Result<()> {
        let Some(code) = code else { return Ok(()) };
        self.modifiers(mods)?;
        let key = Held { device: None, code };
        self.unread += 1;
        self.pressed[usize::from(code)] = true;
        self.line.key(key, true)?;
        self.line.key(key, false)
    }

    /// Makes `mods` the modifiers that are on.
    fn modifiers(&mut self, mods: u8) -> Result<()> {
        if self.mods == Some(mods) {
            return Ok(());
        }
        self.mods = None;
        while let Some(code) = self.down.last().copied() {
            self.line.modifier_key(code, false)?;
            self.down.pop();
        }
        let (group, keymap) = (self.group, self.keymap);
        let chord = self.chords.entry((group, mods)).or_insert_with(|| keymap.chord(group, mods));
        let (keys, locks) = chord.clone();
        if locks != self.locked {
            let affect_locks = locks | self.locked;
            self.line.lock(Change { affect_locks, locks, ..Change::default() })?;
            self.locked = locks;
        }
        for code in keys {
            self.down.push(code);
            self.pressed[usize::from(code)] = true;
            self.line.modifier_key(code, true)?;
        }
        self.mods = Some(mods);
        Ok(())
    }

    /// Waits until the keys sent so far have been read by the programs they went to.
    fn let_read(&mut self, patience: Duration, cancel: &Cancel) -> Result<()> {
        self.line.sync()?;
        let now = delivery::reader(self.line)?;
        if !self.readers.contains(&now) {
            self.readers.push(now);
        }
        for reader in std::mem::take(&mut self.readers) {
            if !delivery::wait(self.line, reader, patience, cancel)? {
                if cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                return Err(Error::Timeout {
                    what: "the program that has the keyboard focus",
                    limit: patience,
                });
            }
        }
        Ok(())
    }

    /// Gives everything back soon, because something has failed or was cancelled.
    fn give_up(&mut self) -> Result<()> {
        self.end(HASTE, &Cancel::new())
    }

    /// Gives everything back, over a new connection if this one is or gets lost.
    fn end(&mut self, patience: Duration, cancel: &Cancel) -> Result<()> {
        self.ended = true;
        let given_back = if self.line.x11.is_alive() { self.give_back(patience, cancel) } else { Ok(()) };
        // Keys stay pressed when the client that sent them is gone, and a server that only was stopped carries
        // out what is queued.
        if !self.line.x11.is_alive()
            && let Err(error) = self.restore()
        {
            tracing::warn!(%error, "the keyboard could not be given back as it was");
        }
        given_back
    }

    /// Sets everything to what it was, whatever came of the requests on the lost connection.
    fn restore(&mut self) -> Result<()> {
        let again = self.neutral.still_held(self.line);
        *self.line = rescue::reconnect(self.line)?;
        for code in (0..=u8::MAX).filter(|code| self.pressed[usize::from(*code)]) {
            self.line.key(Held { device: None, code }, false)?;
        }
        let read = if self.spares.is_lent() { self.let_read(HASTE, &Cancel::new()) } else { Ok(()) };
        let given_back = self.spares.give_back(self.line);
        let restored = self.neutral.restore(self.line, &again);
        if let Err(error) = read {
            tracing::debug!(%error, "lent keys were given back before they were known to be read");
        }
        given_back.and(restored)
    }

    /// Does all of it even if a part fails.
    fn give_back(&mut self, patience: Duration, cancel: &Cancel) -> Result<()> {
        let released = self.modifiers(0);
        let read = if self.spares.is_lent() { self.let_read(patience, cancel) } else { Ok(()) };
        let given_back = self.spares.give_back(self.line);
        let left = self.neutral.leave(self.line, self.locked_group);
        released.and(read).and(given_back).and(left)
    }
}

impl Drop for Typing<'_> {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.give_up()
        {
            tracing::warn!(%error, "the keyboard could not be given back as it was");
        }
    }
}
