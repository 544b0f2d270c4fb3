//! Memory that we share with the X server, kept from one capture to the next.
//!
//! A segment is an anonymous file (`memfd`) that both sides map; it has the size of the whole screen, and
//! pages that no capture has touched cost nothing. It is lent to one frame at a time and comes back when the
//! frame is dropped. More frames at once get segments of their own, which are not kept.
//!
//! What it is not: System V shared memory. Servers before MIT-SHM 1.2 (2013), and servers behind a network,
//! are captured with `GetImage` instead.
#![allow(unsafe_code)]

use super::connection::X11;
use crossmacro_model::frame::Pixels;
use crossmacro_platform::{Error, Result};
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use std::os::fd::OwnedFd;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};
use x11rb::connection::Connection as _;
use x11rb::protocol::shm::{self, ConnectionExt as _, Seg};

/// Segments that wait for the next capture. Two, so that a caller that compares one frame with the one
/// before it needs no new memory.
const KEPT: usize = 2;

const WHAT: &str = "shared memory";

/// Whether the server takes shared memory as a file descriptor.
pub(super) fn is_offered(x11: &X11) -> Result<bool> {
    if !x11.passes_descriptors() || !x11.has(shm::X11_EXTENSION_NAME)? {
        return Ok(false);
    }
    let version = x11.reply("the version of MIT-SHM", x11.conn().shm_query_version())?;
    Ok((version.major_version, version.minor_version) >= (1, 2))
}

struct Segment {
    x11: Arc<X11>,
    id: Seg,
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: a segment owns its mapping, which is tied to no thread; it can only be written to through
// `&mut`, and the server writes into it only on a request that is made while it is lent out by `&mut`.
unsafe impl Send for Segment {}
// SAFETY: as above; `&Segment` only reads.
unsafe impl Sync for Segment {}

impl Segment {
    fn new(x11: &Arc<X11>, len: usize) -> Result<Self> {
        let file = anonymous(len)?;
        let id = x11.conn().generate_id().map_err(|error| x11.fault(WHAT, error))?;
        // SAFETY: a new mapping at an address of the kernel's choice, of a file that is `len` bytes long and
        // sealed against getting shorter.
        let start = unsafe {
            let (access, shared) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
            rustix::mm::mmap(std::ptr::null_mut(), len, access, shared, &file, 0).map_err(refused)?
        };
        let Some(start) = NonNull::new(start.cast()) else { return Err(refused(rustix::io::Errno::NOMEM)) };
        // Owns the mapping from here on, so that every way out unmaps it.
        let segment = Self { x11: Arc::clone(x11), id, start, len };
        let attached = x11.conn().shm_attach_fd(segment.id, file, false);
        let attached = attached.map_err(|error| x11.fault(WHAT, error))?;
        attached.check().map_err(|error| x11.fault(WHAT, error))?;
        Ok(segment)
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping is `len` bytes, lives as long as `self`, and nobody writes to it while it is
        // borrowed: see the note on `Send`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` means that we are alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // Sent with the next request. An error means that the connection, and with it the server's mapping,
        // is gone.
        if let Ok(cookie) = self.x11.conn().shm_detach(self.id) {
            cookie.ignore_error();
        }
        // SAFETY: made by `mmap` with this length, and not used after this.
        let unmapped = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.len) };
        if let Err(errno) = unmapped {
            tracing::warn!(%errno, "a segment of shared memory could not be unmapped");
        }
    }
}

/// A file without a name, `len` zero bytes long for ever.
fn anonymous(len: usize) -> Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = rustix::fs::memfd_create("crossmacro-capture", flags).map_err(refused)?;
    rustix::fs::ftruncate(&file, len as u64).map_err(refused)?;
    // Reading a page that the file no longer has would kill the process; the server may have the descriptor.
    let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals).map_err(refused)?;
    Ok(file)
}

fn refused(errno: rustix::io::Errno) -> Error {
    Error::Refused { what: WHAT, why: errno.to_string() }
}

/// The segments that wait for a capture, all of one size.
pub(super) struct Pool {
    x11: Arc<X11>,
    idle: Mutex<Idle>,
}

struct Idle {
    len: usize,
    segments: Vec<Segment>,
}

impl Pool {
    pub(super) fn new(x11: &Arc<X11>) -> Arc<Self> {
        Arc::new(Self { x11: Arc::clone(x11), idle: Mutex::new(Idle { len: 0, segments: Vec::new() }) })
    }

    /// Lends memory for `used` bytes, on a screen that needs `whole` of them.
    pub(super) fn lend(self: &Arc<Self>, used: usize, whole: usize) -> Result<Lent> {
        let segment = match self.idle_segment(whole.max(used)) {
            Some(segment) => segment,
            None => Segment::new(&self.x11, whole.max(used))?,
        };
        Ok(Lent { segment: Some(segment), used, pool: Arc::clone(self) })
    }

    fn idle_segment(&self, len: usize) -> Option<Segment> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len != len {
            // The screen has another size now: segments of the old one are of no use.
            idle.len = len;
            idle.segments.clear();
        }
        idle.segments.pop()
    }

    fn take_back(&self, segment: Segment) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len == segment.len && idle.segments.len() < KEPT {
            idle.segments.push(segment);
        }
    }
}

/// A segment that is lent out; goes back on drop.
pub(super) struct Lent {
    segment: Option<Segment>,
    used: usize,
    pool: Arc<Pool>,
}

impl Lent {
    /// What the server calls it.
    pub(super) fn id(&self) -> Seg {
        self.segment.as_ref().map_or(0, |segment| segment.id)
    }
}

impl Pixels for Lent {
    fn bytes(&self) -> &[u8] {
        self.segment.as_ref().map_or(&[], |segment| &segment.bytes()[..self.used])
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.segment {
            Some(segment) => &mut segment.bytes_mut()[..self.used],
            None => &mut [],
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(segment) = self.segment.take() {
            self.pool.take_back(segment);
        }
    }
}
