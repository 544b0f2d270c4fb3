//! The X11 back end: core protocol plus XTEST, MIT-SHM, RandR, XFixes and XKEYBOARD, over a pure Rust
//! transport. No external program takes part.
//!
//! One connection serves every facet. No events are selected on it; a facet that must wait for events opens
//! a connection of its own ([`connection::X11::another`]), so that nobody eats another's events.

mod capture;
mod clipboard;
pub mod connection;
mod cursor;
mod displays;
mod events;
mod keyboard;
mod listener;
mod pixels;
mod pointer;
mod self_test;
mod shm;
mod text;
mod watch;
mod windows;

use connection::X11;
use crossmacro_platform::{Desktop, DesktopSource, Session, SessionKind, Unavailable};
use std::ffi::OsString;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

pub use clipboard::serve as serve_clipboard;

/// How to reach an X server.
#[derive(Debug, Clone, Default)]
pub struct X11Options {
    /// Display name (":0"); the value of `DISPLAY` where absent.
    pub display: Option<String>,
    /// Program and arguments that run [`serve_clipboard`] in a process of its own, so that what was set on
    /// the clipboard survives ours. Absent: a thread of this process serves it, and it ends with us.
    pub clipboard_server: Option<Vec<OsString>>,
    /// Whether the server was started by us for an agent.
    pub is_private: bool,
}

/// Hands out the desktop of one X server and connects anew after the connection was lost.
pub struct X11Source {
    options: X11Options,
    shared: Mutex<Shared>,
    /// Told when an attempt to connect has ended.
    ended: Condvar,
}

/// What the callers of one source share. The lock is never held while anybody waits for the server.
#[derive(Default)]
struct Shared {
    current: Option<(Arc<X11>, Arc<Desktop>)>,
    is_connecting: bool,
    /// Number of attempts that have come to a result, and the failure of the last.
    attempts: u64,
    failure: Option<Unavailable>,
}

impl Shared {
    fn alive(&self) -> Option<Arc<Desktop>> {
        self.current.as_ref().filter(|(x11, _)| x11.is_alive()).map(|(_, desktop)| Arc::clone(desktop))
    }
}

/// One attempt to connect; whichever way it ends, somebody else may try then.
struct Attempt<'a>(&'a X11Source);

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.0.lock().is_connecting = false;
        self.0.ended.notify_all();
    }
}

impl X11Source {
    /// A source that has not connected yet.
    pub fn new(options: X11Options) -> Self {
        Self { options, shared: Mutex::default(), ended: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The desktop that is there already, or the right to connect. Who finds an attempt under way waits for it
    /// and shares its result: a server that is stopped costs all callers one limit, not one limit each.
    fn find(&self) -> Result<Result<Arc<Desktop>, Attempt<'_>>, Unavailable> {
        let mut shared = self.lock();
        loop {
            if let Some(desktop) = shared.alive() {
                return Ok(Ok(desktop));
            }
            if !shared.is_connecting {
                shared.is_connecting = true;
                return Ok(Err(Attempt(self)));
            }
            let seen = shared.attempts;
            let waits = |shared: &mut Shared| shared.is_connecting && shared.attempts == seen;
            shared = self.ended.wait_while(shared, waits).unwrap_or_else(PoisonError::into_inner);
            if shared.attempts != seen
                && let Some(failure) = &shared.failure
            {
                return Err(failure.clone());
            }
        }
    }

    fn connect(&self) -> Result<(Arc<X11>, Arc<Desktop>), Unavailable> {
        let x11 = Arc::new(X11::connect(self.options.display.as_deref())?);
        let desktop = Arc::new(open(&x11, &self.options));
        Ok((x11, desktop))
    }
}

impl DesktopSource for X11Source {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let attempt = match self.find()? {
            Ok(desktop) => return Ok(desktop),
            Err(attempt) => attempt,
        };
        let connected = self.connect();
        let mut shared = self.lock();
        shared.attempts += 1;
        shared.failure = connected.as_ref().err().cloned();
        shared.current = connected.as_ref().ok().cloned();
        drop(shared);
        drop(attempt);
        connected.map(|(_, desktop)| desktop)
    }
}

fn open(x11: &Arc<X11>, options: &X11Options) -> Desktop {
    let (capture, pointer, listener) = (capture::open(x11), pointer::open(x11), listener::open(x11));
    Desktop {
        session: Session {
            kind: SessionKind::X11,
            name: x11.display_name().to_owned(),
            is_private: options.is_private,
        },
        displays: displays::open(x11),
        keyboard: keyboard::open(x11),
        windows: windows::open(x11),
        clipboard: clipboard::open(x11, options),
        self_test: self_test::open(x11, &capture, &pointer, &listener),
        capture,
        pointer,
        listener,
    }
}
