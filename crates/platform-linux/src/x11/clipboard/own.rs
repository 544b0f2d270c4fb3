//! Owning the clipboard (ICCCM 2.1, 2.2 and 2.6, the owner's side): taking it, answering requests, and
//! giving it up. Requestors are other programs; none of them can hold up another one or end the service.

use super::atoms::{Atoms, intern};
use super::offer::Offer;
use super::transfer::{PIECE, Transfers};
use crate::x11::connection::X11;
use crate::x11::events;
use crossmacro_platform::{Error, Result, clock};
use x11rb::connection::Connection;
use x11rb::errors::ConnectionError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Property, SelectionNotifyEvent,
    SelectionRequestEvent, Timestamp, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

/// Most formats one `MULTIPLE` request may ask for.
const MOST_PAIRS: u32 = 64;

/// A window that is never shown, for properties and their events.
///
/// # Errors
/// [`Error::Lost`] and [`Error::Timeout`].
pub(super) fn invisible_window(x11: &X11) -> Result<Window> {
    let window = x11.conn().generate_id().map_err(|error| x11.fault("a window", error))?;
    let events = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    let class = WindowClass::INPUT_ONLY;
    x11.conn()
        .create_window(0, window, x11.root(), -1, -1, 1, 1, 0, class, x11rb::COPY_FROM_PARENT, &events)
        .map_err(|error| x11.fault("a window", error))?;
    Ok(window)
}

/// The ownership of the clipboard; it ends with its connection.
pub(super) struct Owner {
    x11: X11,
    window: Window,
    atoms: Atoms,
    /// When it began.
    since: Timestamp,
}

impl Owner {
    /// Takes the clipboard over, and has the server confirm it.
    ///
    /// # Errors
    /// [`Error::NoEffect`] when somebody else has it nevertheless; [`Error::Lost`] and [`Error::Timeout`].
    pub(super) fn take(x11: X11) -> Result<Self> {
        let window = invisible_window(&x11)?;
        let atoms = intern(&x11)?;
        let since = events::server_time(&x11, window)?;
        let owner = Self { x11, window, atoms, since };
        owner.set_owner(window)?;
        if owner.is_owner()? {
            return Ok(owner);
        }
        Err(Error::NoEffect { what: super::SETTING, why: "another program keeps the clipboard".into() })
    }

    pub(super) fn window(&self) -> Window {
        self.window
    }

    pub(super) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    fn set_owner(&self, window: Window) -> Result<()> {
        let sent = self.x11.conn().set_selection_owner(window, self.atoms.clipboard, self.since);
        sent.map(drop).map_err(|error| self.x11.fault("the clipboard", error))
    }

    fn is_owner(&self) -> Result<bool> {
        let asked = self.x11.conn().get_selection_owner(self.atoms.clipboard);
        Ok(self.x11.reply("the clipboard's owner", asked)?.owner == self.window)
    }

    /// Gives the clipboard up, so that nobody owns it.
    ///
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`].
    pub(super) fn release(self) -> Result<()> {
        self.set_owner(x11rb::NONE)?;
        self.x11.sync()
    }

    /// Hands `offer` out until another program owns the clipboard and the transfers under way are over.
    ///
    /// # Errors
    /// [`Error::Lost`] when the server is gone.
    pub(super) fn serve(&self, offer: &Offer) -> Result<()> {
        let mut transfers = Transfers::new(self.window);
        let mut is_lost = false;
        while !(is_lost && transfers.is_empty()) {
            let event = events::next(&self.x11, transfers.deadline())?;
            let conn = self.x11.conn();
            let handled = match event {
                Some(Event::SelectionRequest(request)) => {
                    self.answer(&request, (!is_lost).then_some(offer), &mut transfers)
                }
                Some(Event::SelectionClear(_)) => {
                    // Any program can send this event: the server's word counts.
                    is_lost = is_lost || !self.is_owner()?;
                    Ok(())
                }
                Some(Event::PropertyNotify(event)) if event.state == Property::DELETE => {
                    transfers.proceed(conn, event.window, event.atom)
                }
                Some(Event::DestroyNotify(event)) => {
                    transfers.forget(event.window);
                    Ok(())
                }
                // Errors are those of requests about windows that vanished.
                _ => Ok(()),
            };
            handled
                .and_then(|()| transfers.expire(conn, clock::now()))
                .map_err(|error| self.x11.fault("the clipboard", error))?;
        }
        Ok(())
    }

    /// Answers one request; without an offer it is refused.
    fn answer(
        &self,
        request: &SelectionRequestEvent,
        offer: Option<&Offer>,
        transfers: &mut Transfers,
    ) -> std::result::Result<(), ConnectionError> {
        // Old programs leave the property to us (ICCCM 2.2).
        let property = if request.property == x11rb::NONE { request.target } else { request.property };
        let offer = offer.filter(|_| request.selection == self.atoms.clipboard);
        let is_answered = match offer {
            Some(offer) if request.target == self.atoms.multiple => {
                self.convert_several(request.requestor, property, offer, transfers)?
            }
            Some(offer) => self.convert(request.requestor, request.target, property, offer, transfers)?,
            None => false,
        };
        let event = SelectionNotifyEvent {
            response_type: x11rb::protocol::xproto::SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property: if is_answered { property } else { x11rb::NONE },
        };
        self.x11.conn().send_event(false, request.requestor, EventMask::NO_EVENT, event).map(drop)
    }

    /// Writes the content as `target` into a property of the requestor; `false` where we don't have it.
    fn convert(
        &self,
        requestor: Window,
        target: Atom,
        property: Atom,
        offer: &Offer,
        transfers: &mut Transfers,
    ) -> std::result::Result<bool, ConnectionError> {
        let (conn, atoms) = (self.x11.conn(), &self.atoms);
        let replace = PropMode::REPLACE;
        if target == atoms.targets {
            let own = [atoms.targets, atoms.timestamp, atoms.multiple, atoms.save_targets];
            let targets: Vec<Atom> = own.into_iter().chain(offer.targets()).collect();
            conn.change_property32(replace, requestor, property, AtomEnum::ATOM, &targets)?;
        } else if target == atoms.timestamp {
            conn.change_property32(replace, requestor, property, AtomEnum::INTEGER, &[self.since])?;
        } else if target == atoms.save_targets {
            conn.change_property8(replace, requestor, property, atoms.null, &[])?;
        } else if let Some(format) = offer.find(target) {
            if format.bytes.len() > PIECE {
                transfers.begin(conn, atoms.incr, requestor, property, format)?;
            } else {
                conn.change_property8(replace, requestor, property, format.kind, &format.bytes)?;
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// A `MULTIPLE` request: pairs of target and property, of which those that fail get the property "none".
    fn convert_several(
        &self,
        requestor: Window,
        property: Atom,
        offer: &Offer,
        transfers: &mut Transfers,
    ) -> std::result::Result<bool, ConnectionError> {
        let conn = self.x11.conn();
        let asked = conn.get_property(false, requestor, property, AtomEnum::ANY, 0, MOST_PAIRS * 2)?;
        let reply = match asked.reply() {
            Ok(reply) => reply,
            Err(x11rb::errors::ReplyError::X11Error(_)) => return Ok(false),
            Err(x11rb::errors::ReplyError::ConnectionError(error)) => return Err(error),
        };
        let Some(values) = reply.value32() else { return Ok(false) };
        let mut values: Vec<u32> = values.collect();
        for [target, place] in values.as_chunks_mut().0 {
            // A MULTIPLE in a MULTIPLE is no format, so this does not recurse.
            if *place != x11rb::NONE && !self.convert(requestor, *target, *place, offer, transfers)? {
                *place = x11rb::NONE;
            }
        }
        conn.change_property32(PropMode::REPLACE, requestor, property, self.atoms.atom_pair, &values)?;
        Ok(true)
    }
}
