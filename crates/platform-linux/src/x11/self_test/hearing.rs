//! The listener loop: what the pointer loop sends is heard.

use super::witness::LIMIT;
use crossmacro_platform::{
    Cancel, Error, Finding, Input, ListenRequest, Listener, Listening, MotionDetail, Result, Slot, clock,
};

const REQUEST: ListenRequest =
    ListenRequest { motion: Some(MotionDetail::Places), buttons: true, keys: false };

/// An open ear, from before the other loops on.
pub(super) struct Hearing {
    ear: Result<Box<dyn Listening>>,
    backend: &'static str,
}

impl Hearing {
    pub(super) fn begin(listener: &Slot<dyn Listener>) -> Self {
        let backend = listener.as_ref().map_or("", |listener| listener.backend());
        let ear = listener.clone().map_err(Error::from).and_then(|listener| listener.listen(REQUEST));
        Self { ear, backend }
    }

    /// Whether the button of the pointer loop was heard. (The key of the keyboard loop may have no evdev code.)
    pub(super) fn end(self, loops: &[Finding], cancel: &Cancel) -> Result<String> {
        const WHAT: &str = "hearing input";
        let mut ear = self.ear?;
        if !loops.iter().any(|finding| finding.name == "pointer-loop" && finding.result.is_ok()) {
            let why = "the pointer loop sent nothing that could be heard".into();
            return Err(Error::Unsupported { what: WHAT, why });
        }
        let deadline = clock::now() + LIMIT;
        loop {
            let heard = ear.next(deadline.saturating_duration_since(clock::now()), cancel)?;
            if heard.iter().any(|heard| matches!(heard.input, Input::Button { .. })) {
                return Ok(format!("{}: the button of the pointer loop was heard", self.backend));
            }
            if heard.is_empty() {
                let why =
                    format!("the button of the pointer loop was not heard within {} ms", LIMIT.as_millis());
                return Err(Error::NoEffect { what: WHAT, why });
            }
        }
    }
}
