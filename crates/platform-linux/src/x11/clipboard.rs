//! The clipboard: the `CLIPBOARD` selection of ICCCM 2, both ways, with transfers in pieces (INCR).
//!
//! X keeps no content: the program that set the clipboard hands it out for as long as it lives. So that what
//! we set survives us, a small process of its own serves it ([`serve`]); where none was configured, a thread
//! of this process does. Sizes are bytes. Every call has a connection of its own, because it must wait for
//! events.

mod atoms;
mod fetch;
mod offer;
mod own;
mod server;
mod transfer;
mod wire;

use super::X11Options;
use super::connection::X11;
use super::text::{self, Encoding};
use atoms::Atoms;
use crossmacro_platform::{Cancel, Clipboard, ClipboardContent, Error, Result, Slot};
use fetch::{Fetched, Requestor};
use offer::Offer;
use own::Owner;
use std::ffi::OsString;
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, Window};

pub use server::serve;

/// Most bytes of the list of formats that are read.
const FORMATS: usize = 64 << 10;
/// Most formats that are shown.
const FORMATS_SHOWN: usize = 1_024;
/// The longest name of a format that is shown.
const FORMAT_NAME: usize = 256;

/// The clipboard of one X server.
struct SelectionClipboard {
    x11: Arc<X11>,
    server: Option<Vec<OsString>>,
    /// Serving processes that may still run. Kept only to collect their exit status.
    children: Mutex<Vec<Child>>,
}

pub(super) fn open(x11: &Arc<X11>, options: &X11Options) -> Slot<dyn Clipboard> {
    Ok(Arc::new(SelectionClipboard {
        x11: Arc::clone(x11),
        server: options.clipboard_server.clone().filter(|command| !command.is_empty()),
        children: Mutex::default(),
    }))
}

impl SelectionClipboard {
    /// A requestor; `None` when nobody owns the clipboard.
    fn requestor(&self) -> Result<Option<Requestor>> {
        self.collect_children();
        let requestor = Requestor::new(self.x11.another()?)?;
        Ok(requestor.owner()?.map(|_| requestor))
    }

    fn collect_children(&self) {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
    }

    /// Puts `content` on the clipboard and gives back the window that serves it.
    fn hand_over(&self, content: ClipboardContent) -> Result<Window> {
        if let Some(command) = &self.server {
            let (window, child) = server::start(command, self.x11.display_name(), &content)?;
            self.children.lock().unwrap_or_else(PoisonError::into_inner).push(child);
            return Ok(window);
        }
        let owner = Owner::take(self.x11.another()?)?;
        let window = owner.window();
        let offer = Offer::new(owner.atoms(), content);
        std::thread::Builder::new()
            .name("clipboard".into())
            // The thread ends when the clipboard is another program's, or the server is gone.
            .spawn(move || drop(owner.serve(&offer)))
            .map_err(|error| Error::Unsupported { what: SETTING, why: error.to_string() })?;
        Ok(window)
    }

    /// Asks the server, on another connection than the owner's, who owns the clipboard.
    fn confirm(&self, expected: Window) -> Result<()> {
        let clipboard = self.x11.atom("CLIPBOARD")?;
        let asked = self.x11.conn().get_selection_owner(clipboard);
        if self.x11.reply("the clipboard's owner", asked)?.owner == expected {
            return Ok(());
        }
        Err(Error::NoEffect { what: SETTING, why: "another program took the clipboard over at once".into() })
    }
}

/// The request, in messages.
const SETTING: &str = "setting the clipboard";

impl Clipboard for SelectionClipboard {
    fn text(&self, limit: usize, cancel: &Cancel) -> Result<Option<String>> {
        let Some(requestor) = self.requestor()? else { return Ok(None) };
        let offered = requestor.targets(FORMATS, cancel)?;
        for target in text_targets(requestor.atoms(), offered.as_deref()) {
            if let Some(fetched) = requestor.fetch(target, limit, cancel)? {
                return decode(requestor.atoms(), &fetched, limit).map(Some);
            }
        }
        Ok(None)
    }

    fn png(&self, limit: usize, cancel: &Cancel) -> Result<Option<Vec<u8>>> {
        let Some(requestor) = self.requestor()? else { return Ok(None) };
        let png = requestor.atoms().png;
        let offered = requestor.targets(FORMATS, cancel)?;
        if offered.is_some_and(|offered| !offered.contains(&png)) {
            return Ok(None);
        }
        Ok(requestor.fetch(png, limit, cancel)?.map(|fetched| fetched.bytes))
    }

    fn set(&self, content: ClipboardContent) -> Result<()> {
        self.collect_children();
        if content == ClipboardContent::Empty {
            Owner::take(self.x11.another()?)?.release()?;
            return self.confirm(x11rb::NONE);
        }
        let window = self.hand_over(content)?;
        self.confirm(window)
    }

    fn formats(&self, cancel: &Cancel) -> Result<Vec<String>> {
        let Some(requestor) = self.requestor()? else { return Ok(Vec::new()) };
        let mut offered = requestor.targets(FORMATS, cancel)?.unwrap_or_default();
        offered.truncate(FORMATS_SHOWN);
        Ok(requestor.names(&offered)?.into_iter().filter(|name| name.len() <= FORMAT_NAME).collect())
    }

    fn backend(&self) -> &'static str {
        "x11-selection"
    }
}

/// Text formats to ask for, the best first. An owner that lists no formats is asked for the two that every
/// program has.
fn text_targets(atoms: &Atoms, offered: Option<&[Atom]>) -> Vec<Atom> {
    let string = Atom::from(AtomEnum::STRING);
    let Some(offered) = offered else { return vec![atoms.utf8_string, string] };
    let known = [
        atoms.utf8_string,
        atoms.plain_utf8,
        atoms.plain_utf8_capitals,
        string,
        atoms.compound_text,
        atoms.plain,
        atoms.text,
    ];
    known.into_iter().filter(|target| offered.contains(target)).collect()
}

fn decode(atoms: &Atoms, fetched: &Fetched, limit: usize) -> Result<String> {
    let encoding = match fetched.kind {
        kind if kind == Atom::from(AtomEnum::STRING) => Encoding::Latin1,
        kind if kind == atoms.compound_text => Encoding::Compound,
        kind if [atoms.utf8_string, atoms.plain_utf8, atoms.plain_utf8_capitals].contains(&kind) => {
            Encoding::Utf8
        }
        _ => Encoding::Unknown,
    };
    let text = text::decode(encoding, &fetched.bytes, false);
    // Latin-1 grows when it becomes UTF-8.
    if text.len() > limit { Err(fetch::too_large(limit)) } else { Ok(text) }
}
