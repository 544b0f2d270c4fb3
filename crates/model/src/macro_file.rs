//! The `.macro` file as values: what was recorded, or written by hand, and how it reads as text.
//!
//! [`read`] makes a [`Macro`] of the bytes of a file, [`read_from`] of a stream; [`write()`] makes the text
//! again. Every form that files have had is read; there is one form that is written, and writing what was
//! read from it gives the same bytes.
//!
//! What it is not: it opens no file, and it plays nothing. Times are whole microseconds (waits) or whole
//! milliseconds (random ranges), as in the files. Any bytes are safe to read: time grows with their number
//! only, memory with what the limits allow, and everything that is not understood is told with its line.
//!
//! ```
//! use crossmacro_model::macro_file::{read, write};
//!
//! let old = read(b"# Name: old\n# IsAbsolute: True\nMOVE,10,20\nWAIT,100\nKEYPRESS,28\nKY,28\n");
//! assert_eq!(old.content.events.len(), 2);
//! assert_eq!(old.diagnostics.list[0].line, Some(6));
//! assert_eq!(old.diagnostics.list[0].nearest, ["KP", "KR"]);
//!
//! let mut text = Vec::new();
//! write(&old.content, &mut text)?;
//! let again = read(&text);
//! assert_eq!(again.content, old.content);
//! # Ok::<(), crossmacro_model::macro_file::WriteError>(())
//! ```

pub mod convert;
mod describe;
mod diagnostic;
mod diff;
mod document;
pub mod event;
mod event_line;
mod header;
mod lines;
mod lint;
mod number;
mod reader;
mod saving;
mod summary;
mod validity;
mod writer;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use diff::{Change, ChangeKind, Difference, HeaderChange, diff};
pub use document::{Comment, Created, Image, Macro, Section, TextBoundary};
pub use event::{Action, Event, Place, RandomDelay, Space};
pub use lint::{Finding, Rule, lint};
pub use reader::{Read, read, read_from};
pub use summary::{Breakdown, CoordinateMode};
pub use writer::{WriteError, write};
