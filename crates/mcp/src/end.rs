//! The request to end a session.

use crossmacro_platform::Cancel;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Why a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The host closed our input. What it asked for before may still be answered, for a moment.
    InputEnded,
    /// The host does not read our output any more.
    OutputGone,
    /// A signal.
    Signal,
}

/// A request to end that anyone may make, from any thread. Clones are the same request.
#[derive(Clone)]
pub struct End {
    reason: Arc<watch::Sender<Option<Reason>>>,
    announced: Cancel,
}

impl Default for End {
    fn default() -> Self {
        Self { reason: Arc::new(watch::Sender::new(None)), announced: Cancel::new() }
    }
}

impl End {
    /// Says that the end will be requested as soon as what came before it is handled.
    pub(crate) fn announce(&self) {
        self.announced.cancel();
    }

    /// Waits until the end is announced or requested. From then on the process has little time, whatever
    /// hangs; this is for the one who sees to that.
    pub fn wait(&self) {
        self.announced.sleep(Duration::MAX);
    }

    /// Asks. The first reason stays.
    pub fn request(&self, reason: Reason) {
        self.announce();
        self.reason.send_if_modified(|current| {
            let is_first = current.is_none();
            current.get_or_insert(reason);
            is_first
        });
    }

    /// Waits until someone asks.
    pub(crate) async fn requested(&self) -> Reason {
        let mut reason = self.reason.subscribe();
        // The sender lives in `self`, so this ends with a reason.
        let given = reason.wait_for(Option::is_some).await.ok().and_then(|reason| *reason);
        given.unwrap_or(Reason::Signal)
    }
}
