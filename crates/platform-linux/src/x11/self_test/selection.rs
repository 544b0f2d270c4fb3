//! The selection loop: bytes change hands between two windows, as on the clipboard, under a name that no other
//! program uses. The clipboard itself is not touched: taking it would destroy what the user has copied.
//!
//! Source: ICCCM 2.0, chapter 2.

use super::witness::{Turn, Witness, random};
use crossmacro_platform::{Error, Result};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

const WHAT: &str = "handing over a selection";
const NAME: &str = "_CROSSMACRO_SELF_TEST";

/// Takes the selection, asks for it from another window, and compares.
pub(super) fn run(turn: &Turn<'_>) -> Result<String> {
    let x11 = &turn.witness.x11;
    let selection = x11.atom(NAME)?;
    // Another self test of this moment.
    let is_free = turn.until(|| Ok((owner(turn.witness, selection)? == x11rb::NONE).then_some(())))?;
    if is_free.is_none() {
        let why = "another self test runs at this moment; try again".into();
        return Err(Error::Unsupported { what: WHAT, why });
    }
    let requestor = requestor(turn.witness)?;
    let secret = random().to_ne_bytes();
    let seen = transfer(turn, selection, requestor, secret);
    // Destroying the window of an owner gives the selection up; the requestor's goes with its connection.
    let conn = x11.conn();
    conn.set_selection_owner(x11rb::NONE, selection, x11rb::CURRENT_TIME)
        .and_then(|_| conn.destroy_window(requestor))
        .map_err(|error| x11.fault(WHAT, error))?;
    if seen? == secret {
        return Ok("bytes were handed over between two windows; the clipboard was not touched".into());
    }
    Err(Error::NoEffect { what: WHAT, why: "other bytes than those that were offered arrived".into() })
}

fn owner(witness: &Witness, selection: Atom) -> Result<Window> {
    Ok(witness.x11.reply(WHAT, witness.x11.conn().get_selection_owner(selection))?.owner)
}

/// A window that is never shown.
fn requestor(witness: &Witness) -> Result<Window> {
    let conn = witness.x11.conn();
    let window = conn.generate_id().map_err(|error| witness.x11.fault(WHAT, error))?;
    let class = WindowClass::INPUT_ONLY;
    let aux = CreateWindowAux::new().override_redirect(1);
    conn.create_window(0, window, witness.x11.root(), -1, -1, 1, 1, 0, class, 0, &aux)
        .map_err(|error| witness.x11.fault(WHAT, error))?;
    Ok(window)
}

fn transfer(turn: &Turn<'_>, selection: Atom, requestor: Window, secret: [u8; 8]) -> Result<Vec<u8>> {
    let x11 = &turn.witness.x11;
    let conn = x11.conn();
    let string = AtomEnum::STRING.into();
    conn.set_selection_owner(turn.witness.window, selection, x11rb::CURRENT_TIME)
        .and_then(|_| conn.convert_selection(requestor, selection, string, selection, x11rb::CURRENT_TIME))
        .map_err(|error| x11.fault(WHAT, error))?;
    let property = turn.event(WHAT, |event| match event {
        Event::SelectionRequest(request) if request.requestor == requestor => {
            answer(turn.witness, request, secret).map(|()| None)
        }
        Event::SelectionNotify(notify) if notify.requestor == requestor => Ok(Some(notify.property)),
        _ => Ok(None),
    })?;
    let cookie = conn.get_property(true, requestor, property, AtomEnum::ANY, 0, 16);
    Ok(x11.reply(WHAT, cookie)?.value)
}

fn answer(witness: &Witness, request: &SelectionRequestEvent, secret: [u8; 8]) -> Result<()> {
    let conn = witness.x11.conn();
    let SelectionRequestEvent { time, requestor, selection, target, property, .. } = *request;
    let notify = SelectionNotifyEvent {
        response_type: SELECTION_NOTIFY_EVENT,
        sequence: 0,
        time,
        requestor,
        selection,
        target,
        property,
    };
    conn.change_property8(PropMode::REPLACE, requestor, property, AtomEnum::STRING, &secret)
        .and_then(|_| conn.send_event(false, requestor, EventMask::NO_EVENT, notify))
        .and_then(|_| conn.flush())
        .map_err(|error| witness.x11.fault(WHAT, error))
}
