//! From what a facet says to what a user meets.

use crossmacro_model::{Code, Delivered, Fault, Logical, Rect};
use crossmacro_platform::{Cancel, Error, Stop, Unavailable};
use serde_json::{Value, json};

/// The fault for an error of a facet. Its `delivered` is meant for calls that have effects.
pub fn from_platform(error: Error) -> Fault {
    let message = error.to_string();
    let fault = |code| Fault::new(code, message.clone());
    match &error {
        Error::Unavailable(unavailable) => facet(unavailable),
        Error::Lost { .. } => fault(Code::EnvironmentError)
            .remedy("The next call connects again.")
            .delivered(Delivered::Uncertain),
        Error::Timeout { limit, .. } => fault(Code::Timeout)
            .detail("limitMs", u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
            .delivered(Delivered::Uncertain),
        Error::Cancelled => fault(Code::Cancelled).delivered(Delivered::Uncertain),
        Error::NotFound { .. } => fault(Code::RuntimeError),
        Error::Unsupported { .. } => fault(Code::EnvironmentError),
        Error::NoEffect { .. } => fault(Code::RuntimeError).delivered(Delivered::Uncertain),
        Error::OutOfBounds { region, desktop } => fault(Code::InvalidArguments)
            .detail("region", rectangle(*region))
            .detail("desktop", rectangle(*desktop)),
        Error::Untypable { positions, .. } => fault(Code::RuntimeError)
            .detail("positions", positions.clone())
            .remedy("Leave these characters out, or paste the text through the clipboard."),
        Error::TooLarge { limit, unit, .. } => {
            fault(Code::RuntimeError).detail("limit", *limit).detail("unit", *unit)
        }
        Error::Malformed { .. } => fault(Code::RuntimeError),
        Error::Refused { .. } => fault(Code::RuntimeError),
    }
    .caused_by(error)
}

/// The fault for a facet that the session does not have.
pub fn facet(unavailable: &Unavailable) -> Fault {
    let tried: Vec<Value> = unavailable
        .tried
        .iter()
        .map(|attempt| json!({ "backend": attempt.backend, "why": attempt.why, "remedy": attempt.remedy }))
        .collect();
    let fault = Fault::new(Code::EnvironmentError, unavailable.to_string())
        .detail("facet", unavailable.facet)
        .detail("tried", tried);
    match unavailable.tried.iter().find_map(|attempt| attempt.remedy.clone()) {
        Some(remedy) => fault.remedy(remedy),
        None => fault,
    }
}

/// The fault for work that was stopped; `None` while it may go on.
pub fn stopped(cancel: &Cancel) -> Option<Fault> {
    match cancel.cause()? {
        Stop::Requested => Some(Fault::new(Code::Cancelled, "cancelled")),
        Stop::Expired => Some(Fault::new(Code::Timeout, "the time limit of the work has expired")),
    }
}

fn rectangle(rect: Rect<Logical>) -> Value {
    json!({ "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_platform::clock;
    use std::error::Error as _;
    use std::time::Duration;

    #[test]
    fn an_empty_slot_says_what_was_tried_and_what_helps() {
        let unavailable = Unavailable::new("keyboard", "x11-xtest", "no XTEST").remedy("enable XTEST");
        let fault = from_platform(unavailable.into());
        assert_eq!(fault.code, Code::EnvironmentError);
        assert_eq!(fault.remediation.as_deref(), Some("enable XTEST"));
        assert_eq!(fault.details["tried"][0]["backend"], "x11-xtest");
        assert!(fault.source().is_some());
    }

    #[test]
    fn positions_are_told_but_no_text() {
        let fault = from_platform(Error::Untypable { positions: vec![3, 5], why: "no key".into() });
        assert_eq!(fault.details["positions"], json!([3, 5]));
        assert_eq!(fault.delivered, Delivered::Nothing);
    }

    #[test]
    fn a_deadline_is_no_cancellation() {
        let cancel = Cancel::new();
        assert!(stopped(&cancel).is_none());
        let expired = cancel.with_deadline(clock::now());
        assert_eq!(stopped(&expired).map(|fault| fault.code), Some(Code::Timeout));
        cancel.cancel();
        assert_eq!(stopped(&expired).map(|fault| fault.code), Some(Code::Cancelled));
        assert!(clock::now().elapsed() < Duration::MAX);
    }
}
