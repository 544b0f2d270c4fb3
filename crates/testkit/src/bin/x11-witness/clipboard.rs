//! Selections, both sides, by ICCCM 2: owner and requestor, INCR included.

use crate::Result;
use crate::client::Client;
use crate::report::report;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::VecDeque;
use x11rb::NONE;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, PropMode, Property,
    PropertyNotifyEvent, SELECTION_NOTIFY_EVENT, SelectionClearEvent, SelectionNotifyEvent,
    SelectionRequestEvent, Timestamp, Window,
};
use x11rb::wrapper::ConnectionExt as _;

/// Above this the owner hands the data over piece by piece.
const WHOLE: usize = 200 << 10;
const PIECE: usize = 64 << 10;

#[derive(Default)]
pub(crate) struct Clipboard {
    owned: Option<Owned>,
    /// Waits for the server's time.
    wanted: VecDeque<Owned>,
    transfers: Vec<Transfer>,
    reading: Option<Reading>,
}

struct Owned {
    selection: Atom,
    since: Timestamp,
    offers: Vec<(Atom, Vec<u8>)>,
    silent: bool,
}

struct Transfer {
    window: Window,
    property: Atom,
    kind: Atom,
    rest: VecDeque<Vec<u8>>,
}

struct Reading {
    target: String,
    pieces: Option<Vec<u8>>,
}

impl Client {
    /// Command `own`: asks for the server's time first, as ICCCM 2.1 wants; the rest follows in
    /// [`Client::selection_property`].
    pub(crate) fn own(&mut self, command: &Value) -> Result<()> {
        let selection = self.atom(command["selection"].as_str().unwrap_or("CLIPBOARD"))?;
        let mut offers = Vec::new();
        for offer in command["offers"].as_array().into_iter().flatten() {
            let target = self.atom(offer["target"].as_str().ok_or("an offer without target")?)?;
            offers.push((target, STANDARD.decode(offer["base64"].as_str().unwrap_or_default())?));
        }
        let silent = command["silent"].as_bool().unwrap_or(false);
        self.clipboard.wanted.push_back(Owned { selection, since: 0, offers, silent });
        let (property, none) = (self.atoms.CROSSMACRO_WITNESS_TIME, &[] as &[u8]);
        self.conn.change_property8(PropMode::APPEND, self.helper, property, AtomEnum::STRING, none)?;
        Ok(())
    }

    pub(crate) fn atom(&self, name: &str) -> Result<Atom> {
        Ok(self.conn.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }

    /// Command `read`; the answer comes as an event.
    pub(crate) fn read(&mut self, command: &Value) -> Result<()> {
        let selection = self.atom(command["selection"].as_str().unwrap_or("CLIPBOARD"))?;
        let target = command["target"].as_str().unwrap_or("UTF8_STRING").to_owned();
        let kind = self.atom(&target)?;
        self.clipboard.reading = Some(Reading { target, pieces: None });
        let property = self.atoms.CROSSMACRO_WITNESS_DATA;
        self.conn.delete_property(self.helper, property)?;
        self.conn.convert_selection(self.helper, selection, kind, property, x11rb::CURRENT_TIME)?;
        Ok(())
    }

    pub(crate) fn selection_notify(&mut self, event: &SelectionNotifyEvent) -> Result<()> {
        if self.clipboard.reading.is_none() || event.requestor != self.helper {
            return Ok(());
        }
        if event.property == NONE {
            return self.finish_reading(None);
        }
        let (kind, bytes) = self.take(event.property)?;
        if kind != self.atoms.INCR {
            return self.finish_reading(Some(bytes));
        }
        if let Some(reading) = &mut self.clipboard.reading {
            reading.pieces = Some(Vec::new());
        }
        Ok(())
    }

    /// The whole property, which is deleted.
    fn take(&self, property: Atom) -> Result<(Atom, Vec<u8>)> {
        let all = u32::MAX / 4;
        let reply = self.conn.get_property(true, self.helper, property, AtomEnum::ANY, 0, all)?.reply()?;
        Ok((reply.type_, reply.value))
    }

    fn finish_reading(&mut self, bytes: Option<Vec<u8>>) -> Result<()> {
        let Some(reading) = self.clipboard.reading.take() else { return Ok(()) };
        let base64 = bytes.map(|bytes| STANDARD.encode(bytes));
        report("clipboard", json!({ "target": reading.target, "base64": base64 }))?;
        report("done", json!({ "do": "read" }))
    }

    pub(crate) fn selection_property(&mut self, event: &PropertyNotifyEvent) -> Result<()> {
        if event.window == self.helper && event.atom == self.atoms.CROSSMACRO_WITNESS_TIME {
            return self.become_owner(event.time);
        }
        if event.window == self.helper && event.state == Property::NEW_VALUE {
            return self.next_piece_in(event);
        }
        if event.state == Property::DELETE { self.next_piece_out(event) } else { Ok(()) }
    }

    fn become_owner(&mut self, time: Timestamp) -> Result<()> {
        let Some(mut owned) = self.clipboard.wanted.pop_front() else { return Ok(()) };
        owned.since = time;
        self.conn.set_selection_owner(self.helper, owned.selection, time)?;
        let owner = self.conn.get_selection_owner(owned.selection)?.reply()?.owner;
        self.clipboard.owned = Some(owned);
        report("done", json!({ "do": "own", "owns": owner == self.helper }))
    }

    fn next_piece_in(&mut self, event: &PropertyNotifyEvent) -> Result<()> {
        let is_incremental = self.clipboard.reading.as_ref().is_some_and(|it| it.pieces.is_some());
        if event.atom != self.atoms.CROSSMACRO_WITNESS_DATA || !is_incremental {
            return Ok(());
        }
        let (_, piece) = self.take(event.atom)?;
        let Some(pieces) = self.clipboard.reading.as_mut().and_then(|it| it.pieces.as_mut()) else {
            return Ok(());
        };
        pieces.extend(&piece);
        if piece.is_empty() {
            let all = std::mem::take(pieces);
            return self.finish_reading(Some(all));
        }
        Ok(())
    }

    fn next_piece_out(&mut self, event: &PropertyNotifyEvent) -> Result<()> {
        let transfers = &mut self.clipboard.transfers;
        let matches = |it: &Transfer| it.window == event.window && it.property == event.atom;
        let Some(index) = transfers.iter().position(matches) else { return Ok(()) };
        let transfer = &mut transfers[index];
        let piece = transfer.rest.pop_front();
        let (window, property, kind) = (transfer.window, transfer.property, transfer.kind);
        if piece.is_none() {
            transfers.remove(index);
        }
        self.bytes(window, property, kind, &piece.unwrap_or_default())
    }

    pub(crate) fn selection_clear(&mut self, event: &SelectionClearEvent) -> Result<()> {
        let Some(owned) = &self.clipboard.owned else { return Ok(()) };
        // Our own next offer clears the one before; that is not a loss.
        if owned.selection == event.selection
            && self.conn.get_selection_owner(event.selection)?.reply()?.owner != self.helper
        {
            self.clipboard.owned = None;
            report("selection", json!({ "what": "lost" }))?;
        }
        Ok(())
    }

    pub(crate) fn selection_request(&mut self, event: &SelectionRequestEvent) -> Result<()> {
        let name = self.conn.get_atom_name(event.target)?.reply()?.name;
        report("selection", json!({ "what": "requested", "target": String::from_utf8_lossy(&name) }))?;
        // ICCCM 2.2: obsolete clients give no property; the target's name is used.
        let property = if event.property == NONE { event.target } else { event.property };
        let Some(owned) = self.clipboard.owned.as_ref().filter(|it| it.selection == event.selection) else {
            return self.answer(event, NONE);
        };
        if owned.silent {
            return Ok(());
        }
        let is_given = self.give(event, property)?;
        self.answer(event, if is_given { property } else { NONE })
    }

    fn give(&mut self, event: &SelectionRequestEvent, property: Atom) -> Result<bool> {
        let Some(owned) = &self.clipboard.owned else { return Ok(false) };
        let (window, replace) = (event.requestor, PropMode::REPLACE);
        if event.target == self.atoms.TARGETS {
            let mut targets = vec![self.atoms.TARGETS, self.atoms.TIMESTAMP];
            targets.extend(owned.offers.iter().map(|(target, _)| *target));
            self.conn.change_property32(replace, window, property, AtomEnum::ATOM, &targets)?;
            return Ok(true);
        }
        if event.target == self.atoms.TIMESTAMP {
            self.conn.change_property32(replace, window, property, AtomEnum::INTEGER, &[owned.since])?;
            return Ok(true);
        }
        let Some((kind, bytes)) = owned.offers.iter().find(|(target, _)| *target == event.target) else {
            return Ok(false);
        };
        if bytes.len() <= WHOLE {
            self.bytes(window, property, *kind, bytes)?;
            return Ok(true);
        }
        let events = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        self.conn.change_window_attributes(window, &events)?;
        let size = u32::try_from(bytes.len())?;
        let rest = bytes.chunks(PIECE).map(<[u8]>::to_vec).collect();
        let transfer = Transfer { window, property, kind: *kind, rest };
        self.conn.change_property32(replace, window, property, self.atoms.INCR, &[size])?;
        self.clipboard.transfers.push(transfer);
        Ok(true)
    }

    fn answer(&self, event: &SelectionRequestEvent, property: Atom) -> Result<()> {
        let notify = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: event.time,
            requestor: event.requestor,
            selection: event.selection,
            target: event.target,
            property,
        };
        self.conn.send_event(false, event.requestor, EventMask::NO_EVENT, notify)?;
        Ok(())
    }
}
