//! Waiting for a change to be seen.

use crossmacro_platform::{Cancel, Error, Result, clock};
use std::time::{Duration, Instant};

/// How long a change may take to be seen.
pub(super) const LIMIT: Duration = Duration::from_secs(2);
/// Pause between two looks, at first and at last: most managers answer within a few milliseconds.
const PAUSE: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(10)];

/// Looks until `look` finds what it looks for or `deadline` has passed (`None`). Looks once at least.
///
/// # Errors
/// [`Error::Cancelled`], and what `look` fails with.
pub(super) fn until<T>(
    cancel: &Cancel,
    deadline: Instant,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<Option<T>> {
    let [mut pause, longest] = PAUSE;
    loop {
        if let Some(found) = look()? {
            return Ok(Some(found));
        }
        if clock::now() >= deadline {
            return Ok(None);
        }
        if cancel.sleep(pause) {
            return Err(Error::Cancelled);
        }
        pause = (pause * 2).min(longest);
    }
}
