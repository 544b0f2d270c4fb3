//! The time line of a running script: waits are measured from a fixed start, so that their errors do not add
//! up.
//!
//! After a stall (the machine slept, the process was stopped, a step took long) the line is taken up anew:
//! waits that were missed are not made good by hurrying, which would bunch up keys.

use crate::time::Time;
use crossmacro_platform::Cancel;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How late a wait may begin and still be shortened to catch up; twice the wait itself where that is more.
const TOLERANCE: Duration = Duration::from_millis(30);
/// The shortest wait that is kept to half of it at least.
const TELLING: Duration = Duration::from_millis(4);
/// A wait that no clock can tell ends in a hundred years.
const FAR: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// When the next step is due.
pub(crate) struct Schedule {
    time: Arc<dyn Time>,
    due: Instant,
    speed: f64,
}

impl Schedule {
    /// A time line that starts now, `speed` times as fast as written.
    pub(crate) fn new(speed: f64, time: Arc<dyn Time>) -> Self {
        Self { due: time.now(), time, speed }
    }

    /// Waits for `delay` as written; `true` when it was cut short.
    pub(crate) fn wait(&mut self, delay: Duration, cancel: &Cancel) -> bool {
        let due = self.after(delay);
        self.time.wait_until(due, cancel)
    }

    /// When `delay` as written is over, which is when the next one begins.
    pub(crate) fn after(&mut self, delay: Duration) -> Instant {
        let delay = self.scaled(delay).min(FAR);
        let now = self.time.now();
        if now.saturating_duration_since(self.due) >= TOLERANCE.max(delay.saturating_mul(2)) {
            self.due = now;
        }
        // A little delay is caught up, but no wait is cut to less than half: keys must not bunch up. Waits that nobody
        // can tell from none are, so that a line of many does not drift.
        if delay >= TELLING {
            self.due = now.checked_sub(delay / 2).map_or(self.due, |earliest| self.due.max(earliest));
        }
        self.due = self.due.checked_add(delay).unwrap_or(self.due);
        self.due
    }

    /// Takes up the line now: the step before took time of its own.
    pub(crate) fn resume(&mut self) {
        self.due = self.due.max(self.time.now());
    }

    /// Moves the line by a pause.
    pub(crate) fn shift(&mut self, pause: Duration) {
        self.due = self.due.checked_add(pause).unwrap_or(self.due);
    }

    /// `delay` at the speed of this line.
    pub(crate) fn scaled(&self, delay: Duration) -> Duration {
        Duration::try_from_secs_f64(delay.as_secs_f64() / self.speed).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Machine;
    use crossmacro_platform::clock;

    fn schedule(speed: f64) -> Schedule {
        Schedule::new(speed, Arc::new(Machine))
    }

    #[test]
    fn many_waits_end_no_earlier_than_their_sum() {
        let start = clock::now();
        let mut schedule = schedule(2.0);
        for _ in 0..20 {
            assert!(!schedule.wait(Duration::from_millis(4), &Cancel::new()));
        }
        assert!(start.elapsed() >= Duration::from_millis(40));
    }

    #[test]
    fn a_stall_is_not_made_good_by_hurrying() {
        let cancel = Cancel::new();
        let mut schedule = schedule(1.0);
        cancel.sleep(Duration::from_millis(100));
        let resumed = clock::now();
        for _ in 0..4 {
            schedule.wait(Duration::from_millis(10), &cancel);
        }
        assert!(resumed.elapsed() >= Duration::from_millis(40));
    }

    #[test]
    fn no_wait_is_cut_to_less_than_half() {
        let cancel = Cancel::new();
        let mut schedule = schedule(1.0);
        // Late, but not so late that the line is taken up anew.
        cancel.sleep(Duration::from_millis(15));
        for _ in 0..5 {
            let start = clock::now();
            schedule.wait(Duration::from_millis(10), &cancel);
            assert!(start.elapsed() >= Duration::from_millis(5));
        }
    }

    #[test]
    fn endless_and_extreme_waits_can_be_cancelled() {
        let cancel = Cancel::new();
        cancel.cancel();
        let mut schedule = schedule(0.1);
        assert!(schedule.wait(Duration::MAX, &cancel));
        assert_eq!(schedule.scaled(Duration::MAX), Duration::MAX);
    }
}
