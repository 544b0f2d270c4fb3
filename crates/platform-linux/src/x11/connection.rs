//! The connection to an X server: bounded in time, shared by threads, and honest about its end.
//!
//! What it is not: it knows no facet. Facets send their requests on [`X11::conn`], pass every error through
//! [`X11::fault`], and wait for events on a connection of their own ([`X11::another`]).

use crossmacro_model::limits;
use crossmacro_platform::{Error, Result, Unavailable, clock};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::collections::HashMap;
use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, Mapping, Screen, Window};
use x11rb::reexports::x11rb_protocol::parse_display::{self, ConnectAddress};
use x11rb::reexports::x11rb_protocol::xauth;
use x11rb::rust_connection::{DefaultStream, PollMode, RustConnection, Stream};
use x11rb::utils::RawFdContainer;

/// How long the server may take to answer one request.
pub const ANSWER: Duration = Duration::from_millis(limits::DISPLAY_ANSWER.value);

/// The version of the X Input Extension that is asked for. Everywhere the same: a server keeps to the first one that
/// a connection named.
pub(super) const XINPUT: (u16, u16) = (2, 3);

/// The transport, with a limit on every wait: a server that is stopped (or a pager that is swapped out) is an
/// error after [`ANSWER`], not a call that never returns.
pub struct TimedStream {
    inner: DefaultStream,
    /// Whether the last write did not fit.
    is_full: AtomicBool,
    /// Whether what has not come yet is not waited for.
    is_hurried: AtomicBool,
}

impl TimedStream {
    /// From now on, a read of what has not come yet fails at once with [`io::ErrorKind::TimedOut`]. For an
    /// answer without end, which is waited for by the descriptor.
    pub(super) fn hurry(&self) {
        self.is_hurried.store(true, Ordering::Relaxed);
    }

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
        let is_hurried = matches!(mode, PollMode::Readable) && self.is_hurried.load(Ordering::Relaxed);
        let deadline = clock::now() + if is_hurried { Duration::ZERO } else { ANSWER };
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
    alive: Arc<AtomicBool>,
    /// Of the connection that this one was made beside: a server that is lost to one is lost to both.
    beside: Option<Arc<AtomicBool>>,
    passes_descriptors: bool,
    keymap_changed: AtomicBool,
    button_maps: AtomicU32,
    atoms: Mutex<HashMap<String, Atom>>,
    names: Mutex<HashMap<Atom, String>>,
}

/// Atom names that are remembered; a server with more monitors than that makes us ask again.
const NAMES: usize = 256;

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
        Self::connect_as(name, None)
    }

    /// Connects to a server of our own with its MIT-MAGIC-COOKIE-1, which stands in no file.
    ///
    /// # Errors
    /// [`Unavailable`] with the reason.
    pub(crate) fn connect_with_cookie(display: &str, cookie: &[u8]) -> Result<Self, Unavailable> {
        Self::connect_as(display.to_owned(), Some(cookie))
    }

    fn connect_as(name: String, cookie: Option<&[u8]>) -> Result<Self, Unavailable> {
        let (conn, screen) = establish(&name, cookie).map_err(|error| {
            Unavailable::new("display", "x11", format!("cannot connect to {name}: {error}"))
                .remedy("check that the X server runs and that this user may use it (xauth, xhost)")
        })?;
        let family = rustix::net::getsockname(conn.stream()).map(|address| address.address_family());
        Ok(Self {
            conn,
            screen,
            display_name: name,
            alive: Arc::new(AtomicBool::new(true)),
            beside: None,
            passes_descriptors: family.is_ok_and(|family| family == rustix::net::AddressFamily::UNIX),
            keymap_changed: AtomicBool::new(false),
            button_maps: AtomicU32::new(0),
            atoms: Mutex::new(HashMap::new()),
            names: Mutex::new(HashMap::new()),
        })
    }

    /// A second connection to the same server, for a facet that must select events.
    ///
    /// # Errors
    /// [`Error::Lost`] when the server takes no more connections.
    pub fn another(&self) -> Result<Self> {
        let mut another = Self::connect(Some(&self.display_name)).map_err(|unavailable| {
            self.abandon();
            Error::Lost { why: unavailable.to_string() }
        })?;
        another.beside = Some(Arc::clone(self.beside.as_ref().unwrap_or(&self.alive)));
        Ok(another)
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
        self.alive.load(Ordering::Acquire)
    }

    /// Whether file descriptors can be handed to the server, so that memory can be shared with it.
    pub fn passes_descriptors(&self) -> bool {
        self.passes_descriptors
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

    /// The names of atoms, in one round trip for those not asked for before. What is not UTF-8 in them is
    /// replaced.
    ///
    /// # Errors
    /// [`Error::Lost`], [`Error::Timeout`], and [`Error::Refused`] for a number that is no atom.
    pub fn atom_names(&self, atoms: &[Atom]) -> Result<Vec<String>> {
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > NAMES {
            known.clear();
        }
        let mut pending = Vec::new();
        for &atom in atoms {
            if !known.contains_key(&atom) {
                let cookie = self.conn.get_atom_name(atom);
                pending.push((atom, cookie.map_err(|error| self.fault("the name of an atom", error))?));
            }
        }
        for (atom, cookie) in pending {
            let reply = cookie.reply().map_err(|error| self.fault("the name of an atom", error))?;
            known.insert(atom, String::from_utf8_lossy(&reply.name).into_owned());
        }
        Ok(atoms.iter().map(|atom| known.get(atom).cloned().unwrap_or_default()).collect())
    }

    /// Throws away what the server tells every client unasked, so that the queue can't grow. Gives back
    /// whether the keymap changed since the last call. For the keyboard; others use [`X11::pump`], which
    /// leaves that answer for it.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn drain(&self) -> Result<bool> {
        self.pump()?;
        Ok(self.keymap_changed.swap(false, Ordering::AcqRel))
    }

    /// Takes in what the server tells every client unasked, without waiting: remembers changes of the
    /// keymap and of the button map, and throws the rest away.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub fn pump(&self) -> Result<()> {
        while let Some(event) = self.conn.poll_for_event().map_err(|error| self.fault("its events", error))? {
            match event {
                Event::MappingNotify(notify) if notify.request == Mapping::POINTER => {
                    self.button_maps.fetch_add(1, Ordering::AcqRel);
                }
                Event::MappingNotify(_) => self.keymap_changed.store(true, Ordering::Release),
                _ => {}
            }
        }
        Ok(())
    }

    /// How often the button map was seen to change; compare before and after [`X11::pump`].
    pub fn button_map_changes(&self) -> u32 {
        self.button_maps.load(Ordering::Acquire)
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
            // Nothing was sent, and the connection is as good as before.
            error @ (ConnectionError::MaximumRequestLengthExceeded | ConnectionError::FdPassingFailed) => {
                Error::Refused { what, why: error.to_string() }
            }
            ConnectionError::IoError(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.abandon();
                Error::Timeout { what: "the display server", limit: ANSWER }
            }
            other => {
                self.abandon();
                Error::Lost { why: other.to_string() }
            }
        }
    }

    /// Marks the connection as gone and sees to it that every thread that waits on it learns so at once.
    fn abandon(&self) {
        if !self.alive.swap(false, Ordering::AcqRel) {
            return;
        }
        if let Some(beside) = &self.beside {
            beside.store(false, Ordering::Release);
        }
        // Both may fail, because the server may have closed the connection before us.
        let _closed = rustix::net::shutdown(self.conn.stream(), rustix::net::Shutdown::Both);
        // Threads that wait for another one's read can sleep through its failure: the protocol library wakes
        // them before it gives up the read lock. One more (failing) read wakes them again.
        let _woken = self.conn.poll_for_event();
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

/// The TCP port of display 0.
const TCP_BASE: u16 = 6000;

fn establish(
    name: &str,
    cookie: Option<&[u8]>,
) -> Result<(RustConnection<TimedStream>, usize), ConnectError> {
    let parsed = parse_display::parse_display(Some(name))?;
    if parsed.display > u16::MAX - TCP_BASE {
        // The protocol library adds the two in 16 bits and panics where they don't fit.
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no display has so high a number").into());
    }
    let screen = usize::from(parsed.screen);
    let mut last = None;
    for address in parsed.connect_instruction() {
        match dial(&address) {
            Ok((inner, (family, peer))) => {
                // An unreadable authority file is not an error yet: the server may let us in without one.
                let (auth_name, auth_data) = match cookie {
                    Some(cookie) => (b"MIT-MAGIC-COOKIE-1".to_vec(), cookie.to_vec()),
                    None => xauth::get_auth(family, &peer, parsed.display).ok().flatten().unwrap_or_default(),
                };
                let stream = TimedStream {
                    inner,
                    is_full: AtomicBool::new(false),
                    is_hurried: AtomicBool::new(false),
                };
                let conn =
                    RustConnection::connect_to_stream_with_auth_info(stream, screen, auth_name, auth_data)?;
                return Ok((conn, screen));
            }
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::ErrorKind::NotFound.into()).into())
}

/// As [`DefaultStream::connect`], with a limit where the protocol library waits as long as TCP does (minutes).
fn dial(address: &ConnectAddress<'_>) -> io::Result<(DefaultStream, (xauth::Family, Vec<u8>))> {
    let ConnectAddress::Hostname(host, port) = address else { return DefaultStream::connect(address) };
    let mut last = io::ErrorKind::NotFound.into();
    for address in (*host, *port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, ANSWER) {
            Ok(stream) => return DefaultStream::from_tcp_stream(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
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
