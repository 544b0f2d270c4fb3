//! The names of selections and formats.

use crate::x11::connection::X11;
use crossmacro_platform::Result;
use x11rb::protocol::xproto::Atom;

/// The atoms of this facet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Atoms {
    pub(super) clipboard: Atom,
    pub(super) targets: Atom,
    pub(super) timestamp: Atom,
    pub(super) multiple: Atom,
    pub(super) save_targets: Atom,
    pub(super) incr: Atom,
    pub(super) null: Atom,
    pub(super) atom_pair: Atom,
    pub(super) utf8_string: Atom,
    pub(super) compound_text: Atom,
    pub(super) text: Atom,
    pub(super) plain: Atom,
    pub(super) plain_utf8: Atom,
    pub(super) plain_utf8_capitals: Atom,
    pub(super) png: Atom,
    /// The property of our own windows into which owners write.
    pub(super) property: Atom,
}

/// Interns all names in one round trip.
///
/// # Errors
/// [`crossmacro_platform::Error::Lost`] and [`crossmacro_platform::Error::Timeout`].
pub(super) fn intern(x11: &X11) -> Result<Atoms> {
    let names = [
        "CLIPBOARD",
        "TARGETS",
        "TIMESTAMP",
        "MULTIPLE",
        "SAVE_TARGETS",
        "INCR",
        "NULL",
        "ATOM_PAIR",
        "UTF8_STRING",
        "COMPOUND_TEXT",
        "TEXT",
        "text/plain",
        "text/plain;charset=utf-8",
        "text/plain;charset=UTF-8",
        "image/png",
        "CROSSMACRO_CLIPBOARD",
    ];
    let [
        clipboard,
        targets,
        timestamp,
        multiple,
        save_targets,
        incr,
        null,
        atom_pair,
        utf8_string,
        compound_text,
        text,
        plain,
        plain_utf8,
        plain_utf8_capitals,
        png,
        property,
    ] = x11.atoms(names)?;
    Ok(Atoms {
        clipboard,
        targets,
        timestamp,
        multiple,
        save_targets,
        incr,
        null,
        atom_pair,
        utf8_string,
        compound_text,
        text,
        plain,
        plain_utf8,
        plain_utf8_capitals,
        png,
        property,
    })
}
