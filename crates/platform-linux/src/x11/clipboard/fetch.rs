//! Asking the owner of the clipboard for its content (ICCCM 2.4 and 2.7.2, the requestor's side). The owner
//! is another program: it may never answer, trickle, or send without end.

use super::atoms::{Atoms, intern};
use super::own::invisible_window;
use crate::x11::connection::X11;
use crate::x11::events;
use crossmacro_platform::{Cancel, Error, Result, clock};
use std::time::{Duration, Instant};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, GetPropertyReply, Property, Window};

/// How long the owner may stay silent.
const SILENCE: Duration = Duration::from_secs(2);
/// How long one transfer may take, however busy the owner seems.
const WHOLE: Duration = Duration::from_secs(30);
/// Time between two looks at the cancellation while waiting.
const LOOK: Duration = Duration::from_millis(10);
/// Who is asked, in messages.
const OWNER: &str = "the program that owns the clipboard";

/// Something an owner sent.
pub(super) struct Fetched {
    /// The format it says it has.
    pub(super) kind: Atom,
    /// Bits per item: 8, 16 or 32.
    format: u8,
    pub(super) bytes: Vec<u8>,
}

/// A window of ours into which owners write.
pub(super) struct Requestor {
    x11: X11,
    window: Window,
    atoms: Atoms,
}

/// The two limits of one transfer.
struct Patience {
    whole: Instant,
    silence: Instant,
}

impl Patience {
    fn new() -> Self {
        let now = clock::now();
        Self { whole: now + WHOLE, silence: now + SILENCE }
    }

    fn progress(&mut self) {
        self.silence = clock::now() + SILENCE;
    }
}

/// The error for content above `limit` bytes.
pub(super) fn too_large(limit: usize) -> Error {
    Error::TooLarge { what: "the clipboard content", limit: limit as u64, unit: "bytes" }
}

impl Requestor {
    pub(super) fn new(x11: X11) -> Result<Self> {
        let window = invisible_window(&x11)?;
        let atoms = intern(&x11)?;
        Ok(Self { x11, window, atoms })
    }

    pub(super) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// The window that owns the clipboard.
    pub(super) fn owner(&self) -> Result<Option<Window>> {
        let asked = self.x11.conn().get_selection_owner(self.atoms.clipboard);
        let owner = self.x11.reply("the clipboard's owner", asked)?.owner;
        Ok((owner != x11rb::NONE).then_some(owner))
    }

    /// The formats on offer; `None` when the owner doesn't list them.
    pub(super) fn targets(&self, limit: usize, cancel: &Cancel) -> Result<Option<Vec<Atom>>> {
        let Some(fetched) = self.fetch(self.atoms.targets, limit, cancel)? else { return Ok(None) };
        if fetched.format != 32 {
            return Ok(None);
        }
        let atoms = fetched.bytes.as_chunks().0.iter().map(|bytes| Atom::from_ne_bytes(*bytes));
        Ok(Some(atoms.collect()))
    }

    /// The names of atoms, in one round trip; an atom that doesn't exist has none.
    pub(super) fn names(&self, atoms: &[Atom]) -> Result<Vec<String>> {
        let asked: Vec<_> = atoms.iter().map(|&atom| self.x11.conn().get_atom_name(atom)).collect();
        let mut names = Vec::with_capacity(asked.len());
        for cookie in asked {
            match self.x11.reply("the name of a format", cookie) {
                Ok(reply) => names.push(String::from_utf8_lossy(&reply.name).into_owned()),
                Err(Error::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(names)
    }

    /// The content as `target`; `None` when the owner does not have it in this format.
    ///
    /// # Errors
    /// [`Error::TooLarge`], as soon as it is known; [`Error::Timeout`], [`Error::Cancelled`], [`Error::Lost`].
    pub(super) fn fetch(&self, target: Atom, limit: usize, cancel: &Cancel) -> Result<Option<Fetched>> {
        let mut patience = Patience::new();
        let Atoms { clipboard, property, .. } = self.atoms;
        let time = events::server_time(&self.x11, self.window)?;
        self.x11
            .conn()
            .convert_selection(self.window, clipboard, target, property, time)
            .map_err(|error| self.x11.fault("the clipboard", error))?;
        let is_answer = |event: &Event| match event {
            Event::SelectionNotify(event) if event.requestor == self.window && event.target == target => {
                Some(event.property)
            }
            _ => None,
        };
        if self.wait(&patience, cancel, is_answer)? == x11rb::NONE {
            return Ok(None);
        }
        let reply = self.take(limit)?;
        patience.progress();
        if reply.type_ == self.atoms.incr {
            return self.fetch_pieces(&reply, limit, &mut patience, cancel).map(Some);
        }
        if reply.bytes_after > 0 || reply.value.len() > limit {
            return Err(too_large(limit));
        }
        Ok(Some(Fetched { kind: reply.type_, format: reply.format, bytes: reply.value }))
    }

    /// The pieces of an INCR transfer. `announced` holds the least size it will have; taking it out of the
    /// property has told the owner to begin.
    fn fetch_pieces(
        &self,
        announced: &GetPropertyReply,
        limit: usize,
        patience: &mut Patience,
        cancel: &Cancel,
    ) -> Result<Fetched> {
        let least = announced.value32().and_then(|mut values| values.next()).unwrap_or_default();
        if u64::from(least) > limit as u64 {
            return Err(too_large(limit));
        }
        let mut bytes = Vec::new();
        let is_piece = |event: &Event| match event {
            Event::PropertyNotify(event) => (event.window == self.window
                && event.atom == self.atoms.property
                && event.state == Property::NEW_VALUE)
                .then_some(()),
            _ => None,
        };
        loop {
            self.wait(patience, cancel, is_piece)?;
            let piece = self.take(limit - bytes.len())?;
            if piece.type_ == x11rb::NONE {
                // Two pieces announced, one already taken: nothing came.
                continue;
            }
            patience.progress();
            if piece.value.is_empty() {
                return Ok(Fetched { kind: piece.type_, format: piece.format, bytes });
            }
            if piece.bytes_after > 0 || piece.value.len() > limit - bytes.len() {
                return Err(too_large(limit));
            }
            bytes.extend_from_slice(&piece.value);
        }
    }

    /// Takes the property the owner wrote, of which little more than `limit` bytes are read.
    fn take(&self, limit: usize) -> Result<GetPropertyReply> {
        let longs = u32::try_from(limit / 4 + 1).unwrap_or(u32::MAX / 4);
        let property = self.atoms.property;
        let asked = self.x11.conn().get_property(true, self.window, property, AtomEnum::ANY, 0, longs);
        self.x11.reply("the clipboard", asked)
    }

    /// Waits for the event that `pick` picks.
    fn wait<T>(&self, patience: &Patience, cancel: &Cancel, pick: impl Fn(&Event) -> Option<T>) -> Result<T> {
        loop {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let now = clock::now();
            if now >= patience.whole {
                return Err(Error::Timeout { what: OWNER, limit: WHOLE });
            }
            if now >= patience.silence {
                return Err(Error::Timeout { what: OWNER, limit: SILENCE });
            }
            let until = patience.whole.min(patience.silence).min(now + LOOK);
            if let Some(found) = events::next(&self.x11, Some(until))?.as_ref().and_then(&pick) {
                return Ok(found);
            }
        }
    }
}
