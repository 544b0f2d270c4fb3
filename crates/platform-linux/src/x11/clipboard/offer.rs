//! What we have on the clipboard, in each of the formats in which it can be had.

use super::atoms::Atoms;
use crossmacro_platform::ClipboardContent;
use std::sync::Arc;
use x11rb::protocol::xproto::{Atom, AtomEnum};

/// One format.
#[derive(Debug, Clone)]
pub(super) struct Format {
    /// Name by which it is asked for.
    pub(super) target: Atom,
    /// Type of the property that answers.
    pub(super) kind: Atom,
    pub(super) bytes: Arc<[u8]>,
}

/// All formats.
pub(super) struct Offer {
    formats: Vec<Format>,
}

impl Offer {
    pub(super) fn new(atoms: &Atoms, content: ClipboardContent) -> Self {
        let formats = match content {
            ClipboardContent::Empty => Vec::new(),
            ClipboardContent::Text(text) => text_formats(atoms, text),
            ClipboardContent::Png(png) => {
                vec![Format { target: atoms.png, kind: atoms.png, bytes: png.into() }]
            }
        };
        Self { formats }
    }

    pub(super) fn find(&self, target: Atom) -> Option<&Format> {
        self.formats.iter().find(|format| format.target == target)
    }

    pub(super) fn targets(&self) -> impl Iterator<Item = Atom> {
        self.formats.iter().map(|format| format.target)
    }
}

fn text_formats(atoms: &Atoms, text: String) -> Vec<Format> {
    let latin1: Option<Arc<[u8]>> = text.chars().map(|char| u8::try_from(char).ok()).collect();
    let utf8: Arc<[u8]> = text.into_bytes().into();
    let mut formats: Vec<Format> = [
        (atoms.utf8_string, atoms.utf8_string),
        (atoms.plain_utf8, atoms.plain_utf8),
        (atoms.plain, atoms.plain),
        // TEXT means: in the encoding of the owner's choice.
        (atoms.text, atoms.utf8_string),
    ]
    .into_iter()
    .map(|(target, kind)| Format { target, kind, bytes: Arc::clone(&utf8) })
    .collect();
    if let Some(bytes) = latin1 {
        let string = Atom::from(AtomEnum::STRING);
        formats.push(Format { target: string, kind: string, bytes });
    }
    formats
}
