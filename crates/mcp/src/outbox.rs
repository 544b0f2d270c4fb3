//! What leaves the server: one queue of lines, written by one thread, in order.
//!
//! Putting a line never waits, so nothing in the server can be held up by a host that does not read its
//! answers. Memory stays bounded because the reader takes no new work while the queue is full ([`Outbox::wait_for_room`]).

use crossmacro_platform::clock;
use rmcp::model::ServerJsonRpcMessage;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// With this many bytes unread, the server stops taking requests. Two of the largest pictures fit.
const FULL: usize = 32 << 20;
/// How often a reader that is held up looks whether the host has gone.
const LOOK: Duration = Duration::from_millis(50);

/// The queue. Clones are the same queue.
#[derive(Clone, Default)]
pub(crate) struct Outbox {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    /// No more lines are taken.
    is_closed: bool,
    /// The writer has ended: everything is written, or nothing more can be.
    is_done: bool,
}

impl Outbox {
    /// Puts a message; it is dropped when the queue is closed.
    pub(crate) fn put(&self, message: &ServerJsonRpcMessage) {
        // At the end of a session there may be hundreds of answers that nobody will read.
        if self.lock().is_closed {
            return;
        }
        match serde_json::to_vec(message) {
            Ok(line) => self.put_line(line),
            Err(error) => tracing::error!("a message can't be written as JSON: {error}"),
        }
    }

    /// Puts a line without its end.
    pub(crate) fn put_line(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        let mut queue = self.lock();
        if !queue.is_closed {
            queue.bytes += line.len();
            queue.lines.push_back(line);
            self.shared.changed.notify_all();
        }
    }

    /// Whether the host is behind with reading.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().bytes >= FULL
    }

    /// Waits while the host is behind with reading; `false` when it is gone.
    pub(crate) fn wait_for_room(&self, is_gone: &dyn Fn() -> bool) -> bool {
        let mut queue = self.lock();
        while queue.bytes >= FULL && !queue.is_closed {
            if is_gone() {
                return false;
            }
            queue = self.shared.changed.wait_timeout(queue, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        !queue.is_closed
    }

    /// Takes no more lines; what is queued is still written.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.shared.changed.notify_all();
    }

    /// Waits until the writer has ended, at most `limit`.
    pub(crate) fn wait_until_written(&self, limit: Duration) {
        let until = clock::now() + limit;
        let mut queue = self.lock();
        loop {
            let left = until.saturating_duration_since(clock::now());
            if queue.is_done || left.is_zero() {
                return;
            }
            queue = self.shared.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Writes line after line until the queue is closed and empty, or the other end is gone. The work of the
    /// writer thread.
    pub(crate) fn drain(&self, mut output: impl Write) {
        while let Some(line) = self.next() {
            if let Err(error) = output.write_all(&line).and_then(|()| output.flush()) {
                tracing::debug!("the host does not read any more: {error}");
                break;
            }
            // Only now: a line counts until it is out.
            self.lock().bytes -= line.len();
            self.shared.changed.notify_all();
        }
        let mut queue = self.lock();
        *queue = Queue { is_closed: true, is_done: true, ..Queue::default() };
        self.shared.changed.notify_all();
    }

    fn next(&self) -> Option<Vec<u8>> {
        let mut queue = self.lock();
        loop {
            if let Some(line) = queue.lines.pop_front() {
                return Some(line);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
