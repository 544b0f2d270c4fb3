//! Ctrl+C, and the other signals that ask us to end: the running work stops and releases what it holds.

use crossmacro_platform::{Cancel, clock};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::time::Duration;

/// How long the first signal has before another one ends the process as it stands. Releasing what is held takes
/// milliseconds; only a display that does not answer takes longer, and a terminal that closes sends two at once.
const PATIENCE: Duration = Duration::from_secs(1);

/// A request to stop that signals make.
pub(crate) fn cancel_on_signal() -> Cancel {
    let cancel = Cancel::new();
    let request = cancel.clone();
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return cancel };
    let watcher = std::thread::Builder::new().name("signals".into()).spawn(move || {
        let mut first = None;
        for _ in signals.forever() {
            let since = *first.get_or_insert_with(clock::now);
            if clock::now().saturating_duration_since(since) >= PATIENCE {
                std::process::exit(130);
            }
            request.cancel();
        }
    });
    // Without the thread the default action of the signals is gone too; the work still ends by itself.
    drop(watcher);
    cancel
}
