//! The request to end a session.

use std::sync::Arc;
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
}

impl Default for End {
    fn default() -> Self {
        Self { reason: Arc::new(watch::Sender::new(None)) }
    }
}

impl End {
    /// Asks. The first reason stays.
    pub fn request(&self, reason: Reason) {
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
