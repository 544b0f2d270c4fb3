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
use std::sync::{Arc, Mutex, PoisonError};

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
    current: Mutex<Option<(Arc<X11>, Arc<Desktop>)>>,
}

impl X11Source {
    /// A source that has not connected yet.
    pub fn new(options: X11Options) -> Self {
        Self { options, current: Mutex::new(None) }
    }
}

impl DesktopSource for X11Source {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((x11, desktop)) = &*current
            && x11.is_alive()
        {
            return Ok(Arc::clone(desktop));
        }
        *current = None;
        let x11 = Arc::new(X11::connect(self.options.display.as_deref())?);
        let desktop = Arc::new(open(&x11, &self.options));
        *current = Some((x11, Arc::clone(&desktop)));
        Ok(desktop)
    }
}

fn open(x11: &Arc<X11>, options: &X11Options) -> Desktop {
    let (capture, pointer) = (capture::open(x11), pointer::open(x11));
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
        self_test: self_test::open(x11, &capture, &pointer),
        capture,
        pointer,
    }
}
