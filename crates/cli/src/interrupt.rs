//! Ctrl+C, and the other signals that ask us to end: the running work stops and releases what it holds.

use crossmacro_platform::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// A request to stop that signals make. A second signal ends the process at once.
pub(crate) fn cancel_on_signal() -> Cancel {
    let cancel = Cancel::new();
    let request = cancel.clone();
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return cancel };
    let watcher = std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            if request.is_cancelled() {
                std::process::exit(128 + signal);
            }
            request.cancel();
        }
    });
    // Without the thread the default action of the signals is gone too; the work still ends by itself.
    drop(watcher);
    cancel
}
