//! What leaves the server: one queue of lines, written by one thread, in order.
//!
//! Putting a line never waits, so nothing in the server can be held up by a host that does not read its
//! answers. Memory stays bounded because the reader takes no new work while the queue is full ([`Outbox::wait_for_room`]).

use crate::listing;
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
/// A line of this many bytes leaves memory behind that is worth giving back.
const LARGE: usize = 1 << 16;
/// The session is quiet when nothing has left it for so long.
const QUIET: Duration = Duration::from_millis(250);

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

/// What the writer does next.
enum Next {
    Line(Vec<u8>),
    Quiet,
    End,
}

impl Outbox {
    /// Puts a message; it is dropped when the queue is closed.
    pub(crate) fn put(&self, mut message: ServerJsonRpcMessage) {
        // At the end of a session there may be hundreds of answers that nobody will read.
        if self.lock().is_closed {
            return;
        }
        match listing::line(&mut message).unwrap_or_else(|| serde_json::to_vec(&message)) {
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
    /// writer thread. `give_back` is called when nothing has followed a large line for a moment.
    pub(crate) fn drain(&self, mut output: impl Write, give_back: impl Fn()) {
        let mut was_large = false;
        loop {
            let line = match self.next(was_large.then_some(QUIET)) {
                Next::Line(line) => line,
                Next::Quiet => {
                    give_back();
                    was_large = false;
                    continue;
                }
                Next::End => break,
            };
            was_large |= line.len() >= LARGE;
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

    /// Waits for the next line, or until nothing has come for the time of `quiet`.
    fn next(&self, quiet: Option<Duration>) -> Next {
        let waits = |queue: &mut Queue| queue.lines.is_empty() && !queue.is_closed;
        let queue = self.lock();
        let mut queue = match quiet {
            None => self.shared.changed.wait_while(queue, waits).unwrap_or_else(PoisonError::into_inner),
            Some(time) => {
                let waited = self.shared.changed.wait_timeout_while(queue, time, waits);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        match queue.lines.pop_front() {
            Some(line) => Next::Line(line),
            None if queue.is_closed => Next::End,
            None => Next::Quiet,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn memory_is_given_back_once_after_large_lines_and_never_after_small_ones() {
        let outbox = Outbox::default();
        let ((told, heard), (given, returned)) = (mpsc::channel(), mpsc::channel());
        let writer = outbox.clone();
        let writer = std::thread::spawn(move || {
            writer.drain(Told(told), || given.send(()).unwrap());
        });
        let limit = Duration::from_secs(20);
        outbox.put_line(vec![b' '; LARGE]);
        outbox.put_line(b"small".to_vec());
        returned.recv_timeout(limit).unwrap();
        assert_eq!(heard.try_iter().sum::<usize>(), LARGE + 1 + 6);
        outbox.put_line(b"small".to_vec());
        outbox.close();
        writer.join().unwrap();
        assert_eq!(returned.try_iter().count(), 0);
    }

    /// Tells how much was written.
    struct Told(mpsc::Sender<usize>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.send(bytes.len()).unwrap();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
}
