//! A pause: asked for by somebody else, seen by the playing within a moment.

use crossmacro_platform::Cancel;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks whether there is a pause.
const LOOK: Duration = Duration::from_millis(20);

/// The wish to pause; clones are the same wish.
#[derive(Debug, Clone, Default)]
pub struct Pause {
    is_paused: Arc<AtomicBool>,
}

impl Pause {
    /// Pauses: within a moment, what is held is released and nothing more is delivered.
    pub fn pause(&self) {
        self.is_paused.store(true, Ordering::Release);
    }

    /// Goes on: buttons and modifiers that were held are pressed again.
    pub fn resume(&self) {
        self.is_paused.store(false, Ordering::Release);
    }

    /// Whether there is a pause.
    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Acquire)
    }

    /// Until when a wait that ends at `due` may sleep before it looks again. Nobody but the playing holds one that
    /// can't be paused.
    pub(super) fn next_look(&self, now: Instant, due: Instant) -> Instant {
        if Arc::strong_count(&self.is_paused) == 1 { due } else { due.min(now + LOOK) }
    }

    /// Waits for the end of the pause; `true` when that was cut short.
    pub(super) fn wait(&self, cancel: &Cancel) -> bool {
        while self.is_paused() {
            if cancel.sleep(LOOK) {
                return true;
            }
        }
        false
    }
}
