//! Large contents in pieces (INCR, ICCCM 2.7.2, the owner's side): many requestors at once, each at its own
//! pace. One that stops taking pieces is given up; it costs one entry here until then.

use super::offer::Format;
use crate::x11::windows::Conn;
use crossmacro_platform::clock;
use std::sync::Arc;
use std::time::{Duration, Instant};
use x11rb::errors::ConnectionError;
use x11rb::protocol::xproto::{
    Atom, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, PropMode, Window,
};
use x11rb::wrapper::ConnectionExt as _;

/// Bytes of one piece. Fits into the smallest request that every server takes (256 KiB).
pub(super) const PIECE: usize = 128 << 10;
/// How long a requestor may take for one piece.
const PIECE_TIME: Duration = Duration::from_secs(5);
/// Most transfers at once; the one that has waited longest makes room.
const MOST: usize = 64;

struct Transfer {
    requestor: Window,
    property: Atom,
    kind: Atom,
    bytes: Arc<[u8]>,
    sent: usize,
    deadline: Instant,
}

/// All transfers under way.
pub(super) struct Transfers {
    own_window: Window,
    active: Vec<Transfer>,
}

type Done = Result<(), ConnectionError>;

impl Transfers {
    /// `own_window`: the window whose events must stay selected, whoever asks.
    pub(super) fn new(own_window: Window) -> Self {
        Self { own_window, active: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// When the next one must be given up.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.active.iter().map(|transfer| transfer.deadline).min()
    }

    /// Announces a transfer; the requestor starts it by deleting the property.
    pub(super) fn begin(
        &mut self,
        conn: &Conn,
        incr: Atom,
        requestor: Window,
        property: Atom,
        format: &Format,
    ) -> Done {
        self.active.retain(|other| (other.requestor, other.property) != (requestor, property));
        if self.active.len() >= MOST
            && let Some(oldest) = (0..self.active.len()).min_by_key(|&index| self.active[index].deadline)
        {
            let oldest = self.active.swap_remove(oldest);
            self.deselect(conn, oldest.requestor)?;
        }
        let events = EventMask::PROPERTY_CHANGE | EventMask::STRUCTURE_NOTIFY;
        let events = ChangeWindowAttributesAux::new().event_mask(events);
        conn.change_window_attributes(requestor, &events)?;
        let size = u32::try_from(format.bytes.len()).unwrap_or(u32::MAX);
        conn.change_property32(PropMode::REPLACE, requestor, property, incr, &[size])?;
        self.active.push(Transfer {
            requestor,
            property,
            kind: format.kind,
            bytes: Arc::clone(&format.bytes),
            sent: 0,
            deadline: clock::now() + PIECE_TIME,
        });
        Ok(())
    }

    /// The requestor took what was in the property: the next piece, or the empty one that ends it.
    pub(super) fn proceed(&mut self, conn: &Conn, requestor: Window, property: Atom) -> Done {
        let is_it = |transfer: &Transfer| (transfer.requestor, transfer.property) == (requestor, property);
        let Some(index) = self.active.iter().position(is_it) else { return Ok(()) };
        let transfer = &mut self.active[index];
        let end = transfer.bytes.len().min(transfer.sent + PIECE);
        let piece = &transfer.bytes[transfer.sent..end];
        conn.change_property8(PropMode::REPLACE, requestor, property, transfer.kind, piece)?;
        transfer.sent = end;
        transfer.deadline = clock::now() + PIECE_TIME;
        if piece.is_empty() {
            self.active.swap_remove(index);
            self.deselect(conn, requestor)?;
        }
        Ok(())
    }

    /// The requestor is gone.
    pub(super) fn forget(&mut self, requestor: Window) {
        self.active.retain(|transfer| transfer.requestor != requestor);
    }

    /// Gives up those whose time is over.
    pub(super) fn expire(&mut self, conn: &Conn, now: Instant) -> Done {
        let is_over = |transfer: &mut Transfer| transfer.deadline <= now;
        let over: Vec<Transfer> = self.active.extract_if(.., is_over).collect();
        over.iter().try_for_each(|transfer| self.deselect(conn, transfer.requestor))
    }

    /// Stops listening to a window that no transfer needs any more.
    fn deselect(&self, conn: &Conn, requestor: Window) -> Done {
        let is_needed = requestor == self.own_window
            || self.active.iter().any(|transfer| transfer.requestor == requestor);
        if !is_needed {
            let nothing = ChangeWindowAttributesAux::new().event_mask(EventMask::NO_EVENT);
            conn.change_window_attributes(requestor, &nothing)?;
        }
        Ok(())
    }
}
