//! The one door to the time of the machine, so that everything above it can be given another clock.

use std::time::{Duration, Instant, SystemTime};

/// Monotonic time.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub fn now() -> Instant {
    Instant::now()
}

/// Wall-clock time as the distance from the Unix epoch; zero for a clock set before it.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub fn unix() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}
