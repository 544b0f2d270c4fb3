//! Signals that ask the server to end.

use crossmacro_mcp::{End, Reason};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;

/// Requests the end at the first SIGTERM, SIGINT or SIGHUP.
pub(super) fn end_on_signal(end: &End) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    let end = end.clone();
    let wait = move || {
        if signals.forever().next().is_some() {
            end.request(Reason::Signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}
