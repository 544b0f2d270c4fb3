//! Loops through an X server: something harmless is sent the way the facets send it, and a witness (another
//! connection with a small window of its own) sees it arrive.
//!
//! What it is not: a test of every key, monitor or window manager. It leaves pointer, focus, keys, keymap,
//! clipboard and windows as they were: keys and buttons are sent only while the witness holds the keyboard or
//! the pointer, so that no other window sees them, and the selection that changes hands is one of our own.

mod hearing;
mod keys;
mod picture;
mod pointing;
mod selection;
mod witness;

use super::connection::X11;
use super::displays::Monitors;
use crossmacro_platform::{
    Cancel, Capture, Error, Finding, Listener, Pointer, Result, SelfTest, Slot, Unavailable,
};
use hearing::Hearing;
use std::sync::Arc;
use witness::{Turn, Witness};

/// The slot; the others are the facets that are tried.
pub(super) fn open(
    x11: &Arc<X11>,
    capture: &Slot<dyn Capture>,
    pointer: &Slot<dyn Pointer>,
    listener: &Slot<dyn Listener>,
) -> Slot<dyn SelfTest> {
    Ok(Arc::new(Loops {
        x11: Arc::clone(x11),
        monitors: Monitors::open(x11),
        capture: capture.clone(),
        pointer: pointer.clone(),
        listener: listener.clone(),
    }))
}

struct Loops {
    x11: Arc<X11>,
    monitors: Monitors,
    capture: Slot<dyn Capture>,
    pointer: Slot<dyn Pointer>,
    listener: Slot<dyn Listener>,
}

/// One loop; what it gives back is a sentence about what was seen.
type Loop = fn(&Loops, &Turn<'_>) -> Result<String>;

const LOOPS: [(&str, Loop); 4] = [
    ("pixel-loop", |loops, turn| picture::run(turn, &*loops.capture.clone()?)),
    ("pointer-loop", |loops, turn| pointing::run(turn, &*loops.pointer.clone()?)),
    ("keyboard-loop", |loops, turn| keys::run(turn, &loops.x11)),
    ("selection-loop", |_, turn| selection::run(turn)),
];

impl SelfTest for Loops {
    fn run(&self, cancel: &Cancel) -> Vec<Finding> {
        let witness = self.witness();
        let attempt = |run: Loop| match &witness {
            Ok(witness) => run(self, &Turn::new(witness, cancel)).map_err(explain),
            Err(why) => Err(why.clone()),
        };
        // A server that answers nobody is asked once.
        let hearing = witness.as_ref().map(|_| Hearing::begin(&self.listener)).map_err(Clone::clone);
        let mut findings: Vec<_> =
            LOOPS.iter().map(|&(name, run)| Finding { name, result: attempt(run) }).collect();
        let result = hearing.and_then(|hearing| hearing.end(&findings, cancel).map_err(explain));
        findings.push(Finding { name: "listener-loop", result });
        findings
    }

    fn backend(&self) -> &'static str {
        "x11"
    }
}

impl Loops {
    fn witness(&self) -> Result<Witness, String> {
        let desk = self.monitors.read().map_err(explain)?;
        // The layout always has a display, the primary one first.
        let primary = desk.layout.displays.first().map_or(desk.root, |display| display.region);
        let second = self.x11.another().map_err(|error| {
            let error = explain(error);
            format!("{error}. Another program may hold the display server, or it takes no more programs")
        })?;
        Witness::open(second, primary).map_err(explain)
    }
}

/// An error as a sentence, with what would mend it.
fn explain(error: Error) -> String {
    match error {
        Error::Unavailable(unavailable) => {
            let remedy = |attempt: crossmacro_platform::Attempt| attempt.remedy;
            let text = unavailable.to_string();
            let remedies = unavailable.tried.into_iter().filter_map(remedy);
            remedies.fold(text, |text, remedy| format!("{text}. To fix it: {remedy}"))
        }
        other => other.to_string(),
    }
}

/// The reason of every input loop on a server that can't be sent any.
fn without_xtest(facet: &'static str) -> Error {
    let missing = "the X server lacks the XTEST extension, so no input can be sent";
    let remedy = "start the X server without \"-extension XTEST\"";
    Error::Unavailable(Unavailable::new(facet, "x11-xtest", missing).remedy(remedy))
}
