//! The machine seen from above: a desktop is a set of facets, and each facet is one small trait.
//!
//! A back end fills the slots of a [`Desktop`]; an empty slot holds [`Unavailable`], the list of what was
//! tried and why it failed. No trait has a default body: what a back end can't do is visible, not silent.
//!
//! All calls are synchronous, may come from any thread, and are bounded in time: a display server that does
//! not answer within [`crossmacro_model::limits::DISPLAY_ANSWER`] is an error. Calls that may take longer
//! by their nature take a [`Cancel`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod cancel;
pub mod clock;
pub mod desktop;
pub mod error;
pub mod facets;
#[cfg(feature = "fake")]
pub mod fake;
#[cfg(feature = "kit")]
pub mod kit;
pub mod polling;

pub use cancel::{Cancel, Stop};
pub use desktop::{Attempt, Desktop, DesktopSource, Session, SessionKind, Slot, Unavailable};
pub use error::{Error, Result};
pub use facets::capture::{Capture, CaptureRequest, Watch};
pub use facets::clipboard::{Clipboard, ClipboardContent};
pub use facets::displays::{Display, Displays, Layout};
pub use facets::keyboard::{Keyboard, Typed};
pub use facets::listener::{Begun, Heard, Input, ListenRequest, Listener, Listening, MotionDetail};
pub use facets::pointer::Pointer;
pub use facets::self_test::{Finding, SelfTest};
pub use facets::windows::{Change, Window, WindowId, WindowSupport, Windows};
