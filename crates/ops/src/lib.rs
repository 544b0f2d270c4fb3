//! The spine: every thing a user can ask for is one operation, a value that holds its name, documentation,
//! parameters, result, needs and body. The MCP tools, the command line, the help and the policy are
//! projections of the one list in [`registry`].
//!
//! The only door is [`guard::call`]: arguments, needs, policy, work. No operation can be called around it,
//! because nothing else has access to an operation's body.
//!
//! What it is not: nothing here knows MCP, the command line or how an answer is drawn.
#![forbid(unsafe_code)]

pub mod arguments;
mod automation;
mod captures;
mod clipboard;
pub mod context;
pub mod guard;
mod image;
mod limits;
mod macro_files;
pub mod operation;
mod profile;
pub mod registry;
pub mod response;
mod screen;
mod settings;
mod status;
mod tasks;
mod text_expansion;
mod window;

pub use context::{Call, Context, Surface};
pub use operation::{Audience, Done, Effect, Needs, Operation, Picture, Spec};
pub use response::{Outcome, Response};
