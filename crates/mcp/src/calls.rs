//! The calls that run now, and the order of those that act.

use crossmacro_ops::Effect;
use crossmacro_ops::registry::{self, Entry};
use crossmacro_platform::Cancel;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// Most calls at once. Each has a thread, so that none waits for another; more are refused at once, which
/// bounds what a client can make us hold.
pub(crate) const MOST_CALLS: usize = 64;

/// Places beyond [`MOST_CALLS`] for the calls that end others or look at what goes on: a client that waits for
/// too much at once must still be able to stop a script.
pub(crate) const RESERVED: usize = 8;

/// The calls that may take a reserved place.
const URGENT: &[&str] = &["automation.stop", "automation.list", "status.get"];

/// The calls that run now.
#[derive(Default)]
pub(crate) struct Calls {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: HashMap<u64, Cancel>,
    next: u64,
    is_ending: bool,
}

/// A running call. Dropping it ends it.
pub(crate) struct Ticket {
    calls: Arc<Calls>,
    number: u64,
    /// The request to stop of this call.
    pub(crate) cancel: Cancel,
}

impl Calls {
    /// A place for a call of the tool `name`, unless too many run.
    pub(crate) fn enter(self: &Arc<Self>, name: &str) -> Option<Ticket> {
        let mut state = self.lock();
        let places = if URGENT.contains(&name) { MOST_CALLS + RESERVED } else { MOST_CALLS };
        if state.running.len() >= places {
            return None;
        }
        let cancel = Cancel::new();
        if state.is_ending {
            cancel.cancel();
        }
        let number = state.next;
        state.next += 1;
        state.running.insert(number, cancel.clone());
        Some(Ticket { calls: Arc::clone(self), number, cancel })
    }

    /// Cancels every call, those that come later too.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.is_ending = true;
        state.running.values().for_each(Cancel::cancel);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.calls.lock().running.remove(&self.number);
    }
}

/// Keeps the calls that act on one subject (windows, the clipboard, ...) in the order in which they arrived.
/// Reading is never held up.
pub(crate) struct Lanes {
    lanes: HashMap<&'static str, Arc<Turn<()>>>,
}

impl Lanes {
    pub(crate) fn new() -> Self {
        let lanes = registry::all().filter_map(lane).map(|subject| (subject, Arc::default())).collect();
        Self { lanes }
    }

    /// Waits for the turn of a call; the turn ends with the guard. Turns are given in the order of asking.
    pub(crate) async fn turn(&self, entry: &Entry) -> Option<OwnedMutexGuard<()>> {
        let lane = self.lanes.get(lane(entry)?)?;
        Some(Arc::clone(lane).lock_owned().await)
    }
}

fn lane(entry: &Entry) -> Option<&'static str> {
    let spec = entry.spec();
    // A stop must overtake what it stops; and a run may take an hour, in a slot of its own.
    if spec.effect == Effect::Read || spec.name == "automation.stop" || spec.name.ends_with(".run") {
        return None;
    }
    spec.name.split('.').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_and_cancelled() {
        let calls = Arc::new(Calls::default());
        let mut tickets: Vec<Ticket> = (0..MOST_CALLS).map(|_| calls.enter("screen.read").unwrap()).collect();
        assert!(calls.enter("screen.read").is_none());
        let urgent: Vec<Ticket> = (0..RESERVED).map(|_| calls.enter("automation.stop").unwrap()).collect();
        assert!(calls.enter("automation.stop").is_none());
        drop(urgent);
        drop(tickets.pop());
        let last = calls.enter("screen.read").unwrap();
        assert!(!last.cancel.is_cancelled());
        calls.end();
        assert!(last.cancel.is_cancelled() && tickets.iter().all(|ticket| ticket.cancel.is_cancelled()));
        drop(last);
        assert!(calls.enter("screen.read").unwrap().cancel.is_cancelled());
    }
}
