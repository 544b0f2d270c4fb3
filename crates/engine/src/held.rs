//! The account of what one piece of work holds down.
//!
//! It is in debt for every key and button that it pressed, or may have pressed, and pays when it is dropped:
//! at the end, on an error, and while a panic unwinds. What somebody else pressed is not touched.

use crossmacro_model::{Button, Direction, KeyCode};
use crossmacro_platform::{Desktop, DesktopSource, Error, Keyboard, Pointer, Result, Slot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Something that can be held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Down {
    Key(KeyCode),
    Button(Button),
}

/// What one piece of work holds down, and the desktop on which it does.
pub struct Held {
    keyboard: Slot<dyn Keyboard>,
    pointer: Slot<dyn Pointer>,
    /// Where to find the desktop when the connection is lost with something held.
    source: Option<Arc<dyn DesktopSource>>,
    /// In the order of pressing.
    downs: Vec<Down>,
}

impl Held {
    /// An empty account for a desktop.
    pub fn new(desktop: &Desktop) -> Self {
        let (keyboard, pointer) = (desktop.keyboard.clone(), desktop.pointer.clone());
        Self { keyboard, pointer, source: None, downs: Vec::new() }
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
        first
    }

    fn send(&mut self, down: Down, direction: Direction) -> Result<()> {
        let was_held = self.downs.contains(&down);
        if direction == Direction::Press && !was_held {
            // On the account first: a panic inside the call finds it there.
            self.downs.push(down);
        }
        let result = self.deliver(down, direction);
        let is_up = match (&result, direction) {
            (Ok(()), Direction::Release) => true,
            (Err(error), Direction::Press) => !was_held && did_nothing(error),
            _ => false,
        };
        if is_up {
            self.downs.retain(|other| *other != down);
        }
        result
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
        for down in std::mem::take(&mut self.downs).into_iter().rev() {
            // Nobody is left to be told; `release` is for those who want to know. One that panics must not
            // keep the others down, nor end the process while another panic unwinds.
            drop(catch_unwind(AssertUnwindSafe(|| self.let_go(down))));
        }
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
