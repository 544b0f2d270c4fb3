//! The account of what one piece of work holds down.
//!
//! It is in debt for every key and button that it pressed, or may have pressed, and pays when it is dropped:
//! at the end, on an error, and while a panic unwinds. What somebody else pressed is not touched.

use crossmacro_model::{Button, Direction, Down, KeyCode};
use crossmacro_platform::{Desktop, DesktopSource, Error, Keyboard, Pointer, Result, Slot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Where it is written down what is held: after a process was killed, the next one finds it there and releases it.
pub trait Ledger: Send + Sync {
    /// A page for one account on a session; `None` where none can be had, which stops no work.
    fn page(&self, session: &str) -> Option<Box<dyn Page>>;
}

/// What one account holds, in a place that outlives the process. Dropped when nothing is held, it is gone.
pub trait Page: Send {
    /// Replaces what is written. Called before each press and after each release: it must be quick, and need not
    /// reach the disk, since a killed process takes nothing of it along.
    fn write(&mut self, downs: &[Down]);
}

/// What one piece of work holds down, and the desktop on which it does.
pub struct Held {
    keyboard: Slot<dyn Keyboard>,
    pointer: Slot<dyn Pointer>,
    /// Where to find the desktop when the connection is lost with something held.
    source: Option<Arc<dyn DesktopSource>>,
    /// In the order of pressing.
    downs: Vec<Down>,
    ledger: Option<Arc<dyn Ledger>>,
    session: String,
    /// From the first press on.
    page: Option<Box<dyn Page>>,
}

impl Held {
    /// An empty account for a desktop.
    pub fn new(desktop: &Desktop) -> Self {
        let (keyboard, pointer) = (desktop.keyboard.clone(), desktop.pointer.clone());
        let session = desktop.session.name.clone();
        Self { keyboard, pointer, source: None, downs: Vec::new(), ledger: None, session, page: None }
    }

    /// The same, written down in a ledger.
    #[must_use]
    pub fn recorded(mut self, ledger: Option<Arc<dyn Ledger>>) -> Self {
        self.ledger = ledger;
        self
    }

    /// The same, able to connect again when what is held can't be released because the connection is lost.
    #[must_use]
    pub fn reconnecting(mut self, source: Option<Arc<dyn DesktopSource>>) -> Self {
        self.source = source;
        self
    }

    /// Presses or releases a key.
    ///
    /// # Errors
    /// Those of [`Keyboard::key`].
    pub fn key(&mut self, key: KeyCode, direction: Direction) -> Result<()> {
        self.send(Down::Key(key), direction)
    }

    /// Presses or releases a button where the pointer is.
    ///
    /// # Errors
    /// Those of [`Pointer::button`].
    pub fn button(&mut self, button: Button, direction: Direction) -> Result<()> {
        self.send(Down::Button(button), direction)
    }

    /// Whether it holds this key.
    pub fn holds(&self, key: KeyCode) -> bool {
        self.downs.contains(&Down::Key(key))
    }

    /// What it holds, in the order of pressing.
    pub(crate) fn downs(&self) -> &[Down] {
        &self.downs
    }

    /// How many keys and buttons it holds.
    pub fn count(&self) -> usize {
        self.downs.len()
    }

    /// Releases everything, the last pressed first. What can't be released stays on the account, and is tried
    /// again when that is dropped.
    ///
    /// # Errors
    /// The first error, after everything was tried.
    pub fn release(&mut self) -> Result<()> {
        let mut first = Ok(());
        for down in self.downs.clone().into_iter().rev() {
            match self.let_go(down) {
                // Off the account only now: a panic inside the call leaves it to the drop.
                Ok(()) => self.downs.retain(|other| *other != down),
                Err(error) => first = first.and(Err(error)),
            }
        }
        self.note();
        first
    }

    fn send(&mut self, down: Down, direction: Direction) -> Result<()> {
        let was_held = self.downs.contains(&down);
        if direction == Direction::Press && !was_held {
            // On the account first: a panic inside the call finds it there.
            self.downs.push(down);
            self.note();
        }
        let result = self.deliver(down, direction);
        let is_up = match (&result, direction) {
            (Ok(()), Direction::Release) => true,
            (Err(error), Direction::Press) => !was_held && did_nothing(error),
            _ => false,
        };
        if is_up {
            self.downs.retain(|other| *other != down);
            self.note();
        }
        result
    }

    /// Brings the ledger up to date.
    fn note(&mut self) {
        if self.page.is_none() && !self.downs.is_empty() {
            self.page = self.ledger.take().and_then(|ledger| ledger.page(&self.session));
        }
        if let Some(page) = &mut self.page {
            page.write(&self.downs);
        }
    }

    fn deliver(&self, down: Down, direction: Direction) -> Result<()> {
        match down {
            Down::Key(key) => self.keyboard.as_ref().map_err(Clone::clone)?.key(key, direction),
            Down::Button(button) => self.pointer.as_ref().map_err(Clone::clone)?.button(button, direction),
        }
    }

    /// Releases one, over a new connection where the old one is lost.
    fn let_go(&mut self, down: Down) -> Result<()> {
        match self.deliver(down, Direction::Release) {
            Err(error) if error.is_lost() => {
                let Some(source) = &self.source else { return Err(error) };
                let desktop = source.desktop()?;
                self.keyboard = desktop.keyboard.clone();
                self.pointer = desktop.pointer.clone();
                self.deliver(down, Direction::Release)
            }
            result => result,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        for down in self.downs.clone().into_iter().rev() {
            // Nobody is left to be told; `release` is for those who want to know. One that panics must not
            // keep the others down, nor end the process while another panic unwinds.
            if let Ok(Ok(())) = catch_unwind(AssertUnwindSafe(|| self.let_go(down))) {
                self.downs.retain(|other| *other != down);
            }
        }
        // What could not be released stays in the ledger, for the next process.
        self.note();
    }
}

/// Whether a press that failed like this has certainly not happened.
fn did_nothing(error: &Error) -> bool {
    match error {
        Error::Unavailable(_)
        | Error::Unsupported { .. }
        | Error::NotFound { .. }
        | Error::OutOfBounds { .. }
        | Error::Untypable { .. }
        | Error::TooLarge { .. }
        | Error::Malformed { .. }
        | Error::Refused { .. } => true,
        Error::Lost { .. } | Error::Timeout { .. } | Error::Cancelled | Error::NoEffect { .. } => false,
    }
}
