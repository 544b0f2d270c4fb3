//! What the person at the simulated desktop does.

use super::FakeDesktop;
use crate::cancel::Cancel;
use crate::clock;
use crate::error::{Error, Result};
use crate::facets::listener::{Begun, Heard, Input, ListenRequest, Listener, Listening, MotionDetail};
use std::time::Duration;

/// How often a listener of the simulation looks at its state.
const GLANCE: Duration = Duration::from_millis(1);

impl FakeDesktop {
    /// Lets the person do something at a time of the simulation's own clock. It has no effect but that it is
    /// heard, and that the pointer is where it was moved to.
    pub fn act(&self, at_us: u64, input: Input) {
        let mut state = self.lock();
        if let Input::Place(place) = input {
            state.pointer = place;
        }
        state.acts.push(Heard { at_us, input, is_injected: false });
    }
}

impl Listener for FakeDesktop {
    fn listen(&self, request: ListenRequest) -> Result<Box<dyn Listening>> {
        let mut state = self.enter()?;
        state.note("listen");
        let begun = Begun { keys: state.keys.iter().copied().collect(), place: Some(state.pointer) };
        let heard = state.acts.len();
        drop(state);
        Ok(Box::new(FakeListening { desktop: self.clone(), request, begun, heard }))
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

struct FakeListening {
    desktop: FakeDesktop,
    request: ListenRequest,
    begun: Begun,
    /// How many acts were heard, or happened before.
    heard: usize,
}

impl FakeListening {
    fn take(&mut self) -> Result<Vec<Heard>> {
        let state = self.desktop.enter()?;
        let acts = state.acts[self.heard..].iter().filter(|act| wanted(&self.request, act.input));
        let acts = acts.copied().collect();
        self.heard = state.acts.len();
        Ok(acts)
    }
}

impl Listening for FakeListening {
    fn begun(&self) -> &Begun {
        &self.begun
    }

    fn next(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Heard>> {
        let until = clock::now().checked_add(limit);
        loop {
            let acts = self.take()?;
            let left = until.map_or(GLANCE, |until| until.saturating_duration_since(clock::now()));
            if !acts.is_empty() || left.is_zero() {
                return Ok(acts);
            }
            if cancel.sleep(left.min(GLANCE)) {
                return Err(Error::Cancelled);
            }
        }
    }
}

impl Drop for FakeListening {
    fn drop(&mut self) {
        self.desktop.lock().note("listen no more");
    }
}

fn wanted(request: &ListenRequest, input: Input) -> bool {
    match input {
        Input::Place(_) => request.motion == Some(MotionDetail::Places),
        Input::Distance { .. } => request.motion == Some(MotionDetail::Distances),
        Input::Button { .. } | Input::Wheel { .. } => request.buttons,
        Input::Key { .. } | Input::Repeat(_) => request.keys,
        Input::Devices => true,
    }
}
