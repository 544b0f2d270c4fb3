//! Cancellation: one flag that many threads can wait on.

use crate::clock;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A request to stop, shared by the one who asks and all who work. Clones are the same request. It may have
/// a deadline, after which it counts as made.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
    deadline: Option<Instant>,
}

/// Why to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Somebody asked for it.
    Requested,
    /// The deadline has passed.
    Expired,
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

    /// The same request, which is also made by the time `deadline`; the earlier one where it has one already.
    #[must_use]
    pub fn with_deadline(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |before| before.min(deadline));
        Self { shared: Arc::clone(&self.shared), deadline: Some(deadline) }
    }

    /// Whether to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cause().is_some()
    }

    /// Why to stop, if at all. A request goes before an expired deadline.
    pub fn cause(&self) -> Option<Stop> {
        if *self.shared.requested.lock().unwrap_or_else(PoisonError::into_inner) {
            return Some(Stop::Requested);
        }
        self.deadline.filter(|deadline| *deadline <= clock::now()).map(|_| Stop::Expired)
    }

    /// Waits for `duration`; `true` when it was cut short by a cancellation or the deadline. The only way to
    /// sleep.
    pub fn sleep(&self, duration: Duration) -> bool {
        self.wait(clock::now().checked_add(duration))
    }

    /// Waits until `until`; `true` when it was cut short by a cancellation or the deadline.
    pub fn sleep_until(&self, until: Instant) -> bool {
        self.wait(Some(until))
    }

    /// Waits until `until`, or for ever.
    fn wait(&self, until: Option<Instant>) -> bool {
        let end = [until, self.deadline].into_iter().flatten().min();
        let mut requested = self.shared.requested.lock().unwrap_or_else(PoisonError::into_inner);
        while !*requested {
            let left = end.map(|end| end.saturating_duration_since(clock::now()));
            requested = match left {
                None => self.shared.changed.wait(requested).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return end == self.deadline,
                Some(left) => {
                    self.shared
                        .changed
                        .wait_timeout(requested, left)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
            };
        }
        true
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Cancel({:?})", self.cause())
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

    #[test]
    fn a_deadline_ends_a_sleep_and_is_told_from_a_request() {
        let cancel = Cancel::new();
        let limited = cancel.with_deadline(clock::now() + Duration::from_millis(5));
        assert_eq!(limited.cause(), None);
        assert!(limited.sleep(Duration::MAX));
        assert_eq!(limited.cause(), Some(Stop::Expired));
        assert_eq!(cancel.cause(), None);
        assert!(limited.with_deadline(clock::now() + Duration::from_secs(3600)).is_cancelled());
        limited.cancel();
        assert_eq!((limited.cause(), cancel.cause()), (Some(Stop::Requested), Some(Stop::Requested)));
    }
}
