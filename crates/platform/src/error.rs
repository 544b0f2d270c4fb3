//! What a facet may answer instead of doing its work.

use crate::desktop::Unavailable;
use crossmacro_model::{Logical, Rect};
use std::time::Duration;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a facet could not do what was asked. Messages hold no typed text, clipboard content or window title.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session has no such facet.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The connection to the display is gone. The call may or may not have taken effect; the next call
    /// connects anew.
    #[error("the connection to the display was lost during this call ({why})")]
    Lost {
        /// What the transport said.
        why: String,
    },
    /// The display server or another program did not answer in time.
    #[error("{what} did not answer within {} ms", limit.as_millis())]
    Timeout {
        /// Who was asked.
        what: &'static str,
        /// How long we waited.
        limit: Duration,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The thing that was named does not exist, or no longer does.
    #[error("{what} does not exist (any more)")]
    NotFound {
        /// What was looked for: "the window", "the workspace".
        what: &'static str,
    },
    /// The session works, but can't do this.
    #[error("{what} is not possible here: {why}")]
    Unsupported {
        /// The request.
        what: &'static str,
        /// The reason.
        why: String,
    },
    /// It was asked for, and a witness shows that it did not happen.
    #[error("{what} was requested, but did not take effect: {why}")]
    NoEffect {
        /// The request.
        what: &'static str,
        /// What was seen instead.
        why: String,
    },
    /// The region lies (wholly) outside the desktop.
    #[error("the region {region} lies outside the desktop {desktop}")]
    OutOfBounds {
        /// What was asked for.
        region: Rect<Logical>,
        /// What there is.
        desktop: Rect<Logical>,
    },
    /// Some characters can't be typed here. Nothing was typed.
    #[error("{} of the characters can't be typed here, the first at position {}", positions.len(), positions.first().copied().unwrap_or(0))]
    Untypable {
        /// Positions (in characters, from 0) of what can't be typed.
        positions: Vec<usize>,
        /// Why not.
        why: String,
    },
    /// Something from outside is larger than we accept.
    #[error("{what} is larger than {limit} {unit}")]
    TooLarge {
        /// What it is.
        what: &'static str,
        /// The limit.
        limit: u64,
        /// Unit of the limit.
        unit: &'static str,
    },
    /// Something from outside does not follow its format.
    #[error("{what} is malformed: {why}")]
    Malformed {
        /// What it is.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// The server refused the request.
    #[error("the display server refused {what}: {why}")]
    Refused {
        /// The request.
        what: &'static str,
        /// The protocol error.
        why: String,
    },
}

impl Error {
    /// Whether the connection is gone, so that a new one must be made.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Timeout { what: "the display server", .. })
    }
}
