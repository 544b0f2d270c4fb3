//! The time that playing goes by: the machine's, or, in tests, one that is moved by hand.

use crossmacro_platform::{Cancel, clock};
use std::time::{Duration, Instant};

/// A clock that can be waited for.
pub trait Time: Send + Sync {
    /// Monotonic time.
    fn now(&self) -> Instant;

    /// Waits until `due`; `true` when it was cut short by a request to stop or its deadline.
    fn wait_until(&self, due: Instant, cancel: &Cancel) -> bool;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine;

/// The end of a wait is spent awake: the system wakes a sleeper some tens of microseconds late, now and then more.
const AWAKE: Duration = Duration::from_micros(300);

impl Time for Machine {
    fn now(&self) -> Instant {
        clock::now()
    }

    fn wait_until(&self, due: Instant, cancel: &Cancel) -> bool {
        if let Some(early) = due.checked_sub(AWAKE).filter(|early| *early > clock::now())
            && cancel.sleep_until(early)
        {
            return true;
        }
        while clock::now() < due {
            std::hint::spin_loop();
        }
        cancel.is_cancelled()
    }
}
