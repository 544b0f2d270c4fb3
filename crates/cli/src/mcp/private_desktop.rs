//! The desktop of `--private-desktop`.

use crate::session;
use crossmacro_model::{Physical, Size};
use crossmacro_platform::{Desktop, DesktopSource, Unavailable};
use crossmacro_platform_linux::private_x::{PrivateX, PrivateXOptions};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use std::sync::{Arc, Mutex, PoisonError};

/// A desktop of the server's own, started at the first call that needs one, and anew where it has died.
pub(crate) struct PrivateDesktop {
    size: Size<Physical>,
    // The connection goes before what it is connected to.
    running: Mutex<Option<(X11Source, PrivateX)>>,
}

impl PrivateDesktop {
    pub(crate) fn new(size: Size<Physical>) -> Self {
        Self { size, running: Mutex::new(None) }
    }

    fn start(&self) -> Result<(X11Source, PrivateX), Unavailable> {
        let session = PrivateX::start(&PrivateXOptions { size: self.size, ..PrivateXOptions::default() })?;
        for warning in session.warnings() {
            tracing::warn!("{warning}");
        }
        let options = X11Options {
            display: Some(session.display().to_owned()),
            clipboard_server: session::clipboard_server(),
            is_private: true,
        };
        Ok((X11Source::new(options), session))
    }
}

impl DesktopSource for PrivateDesktop {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((source, session)) = &*running {
            if session.is_running() {
                return source.desktop();
            }
            // Never silently an empty desktop in the place of the one that the caller knows: this call fails,
            // and the next one starts another.
            drop(running.take());
            return Err(Unavailable::new(
                "display",
                "private",
                "the private desktop has ended, with everything on it",
            )
            .remedy("the next call starts a new, empty one: look at it before acting"));
        }
        let (source, session) = self.start()?;
        let desktop = source.desktop()?;
        *running = Some((source, session));
        Ok(desktop)
    }
}
