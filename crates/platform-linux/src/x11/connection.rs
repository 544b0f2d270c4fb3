//! The connection to an X server: bounded in time, shared by threads, and honest about its end.

use crossmacro_model::limits;
use crossmacro_platform::{Error, Result, Unavailable, clock};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, Screen, Window};
use x11rb::reexports::x11rb_protocol::{parse_display, xauth};
use x11rb::rust_connection::{DefaultStream, PollMode, RustConnection, Stream};
use x11rb::utils::RawFdContainer;

/// How long the server may take to answer one request.
pub const ANSWER: Duration = Duration::from_millis(limits::DISPLAY_ANSWER.value);

/// The transport, with a limit on every wait: a server that is stopped (or a pager that is swapped out) is an
/// error after [`ANSWER`], not a call that never returns.
pub struct TimedStream {
    inner: DefaultStream,
    /// Whether the last write did not fit.
    is_full: AtomicBool,
}

impl TimedStream {
    fn written(&self, result: io::Result<usize>) -> io::Result<usize> {
        if matches!(&result, Err(error) if error.kind() == io::ErrorKind::WouldBlock) {
            self.is_full.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl AsFd for TimedStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inner.as_fd()
    }
}

impl Stream for TimedStream {
    fn poll(&self, mode: PollMode) -> io::Result<()> {
        // The protocol library asks this before every request, though all but few only fill its buffer. The
        // kernel is asked once a write did not fit; without that, typing takes twice as long.
        if matches!(mode, PollMode::ReadAndWritable) && !self.is_full.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, mode.readable());
        flags.set(PollFlags::OUT, mode.writable());
        let deadline = clock::now() + ANSWER;
        loop {
            let mut fds = [PollFd::new(&self.inner, flags)];
            match rustix::event::poll(&mut fds, Some(&left(deadline))) {
                Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
                Ok(_) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    fn read(&self, buffer: &mut [u8], fds: &mut Vec<RawFdContainer>) -> io::Result<usize> {
        self.inner.read(buffer, fds)
    }

    fn write(&self, buffer: &[u8], fds: &mut Vec<RawFdContainer>) -> io::Result<usize> {
        self.written(self.inner.write(buffer, fds))
    }

    fn write_vectored(
        &self,
        buffers: &[io::IoSlice<'_>],
        fds: &mut Vec<RawFdContainer>,
    ) -> io::Result<usize> {
        self.written(self.inner.write_vectored(buffers, fds))
    }
}

fn left(deadline: Instant) -> Timespec {
    let left = deadline.saturating_duration_since(clock::now());
    Timespec {
        tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    }
}

/// One connection to an X server.
pub struct X11 {
    conn: RustConnection<TimedStream>,
    screen: usize,
    display_name: String,
    alive: AtomicBool,
    atoms: Mutex<HashMap<String, Atom>>,
}

impl X11 {
    /// Connects to `display`, or to the display named by `DISPLAY`.
    ///
    /// # Errors
    /// [`Unavailable`] with the reason: no name, nobody there, or access refused.
    #[expect(clippy::disallowed_methods, reason = "DISPLAY is this back end's environment, see PLATFORM.md")]
    pub fn connect(display: Option<&str>) -> Result<Self, Unavailable> {
        let name = match display {
            Some(name) => name.to_owned(),
            None => std::env::var("DISPLAY").unwrap_or_default(),
        };
        if name.is_empty() {
            return Err(Unavailable::new("display", "x11", "DISPLAY is not set").remedy(
                "run inside a graphical session, or use a private desktop (crossmacro mcp --private-desktop)",
            ));
        }
        let (conn, screen) = establish(&name).map_err(|error| {
            Unavailable::new("display", "x11", format!("cannot connect to {name}: {error}"))
                .remedy("check that the X server runs and that this user may use it (xauth, xhost)")
        })?;
        Ok(Self {
            conn,
            screen,
            display_name: name,
            alive: AtomicBool::new(true),
            atoms: Mutex::new(HashMap::new()),
        })
    }

    /// A second connection to the same server, for a facet that must select events.
    ///
    /// # Errors
    /// [`Error::Lost`] when the server takes no more connections.
    pub fn another(&self) -> Result<Self> {
        Self::connect(Some(&self.display_name)).map_err(|unavailable| {
            self.alive.store(false, Ordering::Relaxed);
            Error::Lost { why: unavailable.to_string() }
        })
    }

    /// The raw connection, for requests. Pass every error through [`X11::fault`].
    pub fn conn(&self) -> &RustConnection<TimedStream> {
        &self.conn
    }

    /// The display name that was connected to.
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// The screen in use.
    pub fn screen(&self) -> &Screen {
        &self.conn.setup().roots[self.screen]
    }

    /// The root window of the screen in use.
    pub fn root(&self) -> Window {
        self.screen().root
    }

    /// Whether the connection can still be used.
    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed)
    }

    /// Whether the server has an extension (`x11rb::protocol::xtest::X11_EXTENSION_NAME`).
    ///
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`].
    pub fn has(&self, extension: &'static str) -> Result<bool> {
        self.conn
            .extension_information(extension)
            .map(|found| found.is_some())
            .map_err(|error| self.fault(extension, error))
    }

    /// The atom of `name`, remembered after the first call.
    ///
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`].
    pub fn atom(&self, name: &str) -> Result<Atom> {
        self.atoms([name]).map(|[atom]| atom)
    }

    /// Several atoms in one round trip.
    ///
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`].
    pub fn atoms<const N: usize>(&self, names: [&str; N]) -> Result<[Atom; N]> {
        let mut known = self.atoms.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pending = Vec::new();
        for name in names {
            if !known.contains_key(name) {
                let cookie = self.conn.intern_atom(false, name.as_bytes());
                pending.push((name, cookie.map_err(|error| self.fault("an atom", error))?));
            }
        }
        for (name, cookie) in pending {
            let reply = cookie.reply().map_err(|error| self.fault("an atom", error))?;
            known.insert(name.to_owned(), reply.atom);
        }
        Ok(names.map(|name| known.get(name).copied().unwrap_or_default()))
    }

    /// Waits until the server has carried out everything that was sent (one round trip).
    ///
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`].
    pub fn sync(&self) -> Result<()> {
        let cookie = self.conn.get_input_focus().map_err(|error| self.fault("a round trip", error))?;
        cookie.reply().map_err(|error| self.fault("a round trip", error))?;
        Ok(())
    }

    /// Throws away what the server tells every client unasked, so that the queue can't grow. Gives back
    /// whether the keymap changed since the last call.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn drain(&self) -> Result<bool> {
        let mut keymap_changed = false;
        while let Some(event) = self.conn.poll_for_event().map_err(|error| self.fault("its events", error))? {
            keymap_changed |= matches!(event, x11rb::protocol::Event::MappingNotify(_));
        }
        Ok(keymap_changed)
    }

    /// Turns an error of the protocol library into one of ours, and remembers when the connection is gone.
    pub fn fault(&self, what: &'static str, error: impl Into<ReplyOrIdError>) -> Error {
        let error = match error.into() {
            ReplyOrIdError::X11Error(error) => {
                return Error::Refused { what, why: format!("{:?}", error.error_kind) };
            }
            ReplyOrIdError::IdsExhausted => {
                return Error::Refused { what, why: "no resource ids left".into() };
            }
            ReplyOrIdError::ConnectionError(error) => error,
        };
        match error {
            ConnectionError::UnsupportedExtension => {
                Error::Unsupported { what, why: "the display server lacks the extension".into() }
            }
            ConnectionError::IoError(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.alive.store(false, Ordering::Relaxed);
                Error::Timeout { what: "the display server", limit: ANSWER }
            }
            other => {
                self.alive.store(false, Ordering::Relaxed);
                Error::Lost { why: other.to_string() }
            }
        }
    }

    /// As [`X11::fault`], for a window that may have vanished: `BadWindow` and `BadDrawable` mean "not found".
    pub fn window_fault(&self, what: &'static str, error: impl Into<ReplyOrIdError>) -> Error {
        use x11rb::protocol::ErrorKind;
        match error.into() {
            ReplyOrIdError::X11Error(error)
                if matches!(error.error_kind, ErrorKind::Window | ErrorKind::Drawable) =>
            {
                Error::NotFound { what: "the window" }
            }
            other => self.fault(what, other),
        }
    }
}

fn establish(name: &str) -> Result<(RustConnection<TimedStream>, usize), ConnectError> {
    let parsed = parse_display::parse_display(Some(name))?;
    let screen = usize::from(parsed.screen);
    let mut last = None;
    for address in parsed.connect_instruction() {
        match DefaultStream::connect(&address) {
            Ok((inner, (family, peer))) => {
                // An unreadable authority file is not an error yet: the server may let us in without one.
                let (auth_name, auth_data) =
                    xauth::get_auth(family, &peer, parsed.display).ok().flatten().unwrap_or_default();
                let stream = TimedStream { inner, is_full: AtomicBool::new(false) };
                let conn =
                    RustConnection::connect_to_stream_with_auth_info(stream, screen, auth_name, auth_data)?;
                return Ok((conn, screen));
            }
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::ErrorKind::NotFound.into()).into())
}

/// A reply error is one of the two kinds of the wider enum; this spares every caller the detour.
impl X11 {
    /// Waits for `cookie` and maps its error.
    ///
    /// # Errors
    /// What [`X11::fault`] makes of it.
    pub fn reply<R: x11rb::x11_utils::TryParse>(
        &self,
        what: &'static str,
        cookie: Result<x11rb::cookie::Cookie<'_, RustConnection<TimedStream>, R>, ConnectionError>,
    ) -> Result<R> {
        cookie
            .map_err(ReplyError::from)
            .and_then(x11rb::cookie::Cookie::reply)
            .map_err(|error| self.fault(what, error))
    }
}
