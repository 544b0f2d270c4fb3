//! Cancellation: one flag that many threads can wait on.

use crate::clock;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A request to stop, shared by the one who asks and all who work. Clones are the same request.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    requested: Mutex<bool>,
    changed: Condvar,
}

impl Cancel {
    /// A request that nobody has made yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everyone who holds a clone to stop. Repeating it changes nothing.
    pub fn cancel(&self) {
        *self.shared.requested.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.changed.notify_all();
    }

    /// Whether it was asked for.
    pub fn is_cancelled(&self) -> bool {
        *self.shared.requested.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for `duration`; `true` when it was cut short by a cancellation. The only way to sleep.
    pub fn sleep(&self, duration: Duration) -> bool {
        match clock::now().checked_add(duration) {
            Some(until) => self.sleep_until(until),
            None => {
                let guard = self.shared.requested.lock().unwrap_or_else(PoisonError::into_inner);
                drop(self.shared.changed.wait_while(guard, |requested| !*requested));
                true
            }
        }
    }

    /// Waits until `until`; `true` when it was cut short by a cancellation.
    pub fn sleep_until(&self, until: Instant) -> bool {
        let mut requested = self.shared.requested.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if *requested {
                return true;
            }
            let left = until.saturating_duration_since(clock::now());
            if left.is_zero() {
                return false;
            }
            requested =
                self.shared.changed.wait_timeout(requested, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Cancel({})", self.is_cancelled())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancellation_ends_a_long_sleep() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        let sleeper = std::thread::spawn(move || other.sleep(Duration::MAX));
        cancel.cancel();
        assert!(sleeper.join().unwrap());
        assert!(cancel.sleep(Duration::from_secs(3600)));
    }

    #[test]
    fn a_sleep_that_is_left_alone_ends_by_itself() {
        assert!(!Cancel::new().sleep(Duration::from_millis(1)));
    }
}
