//! Decisions about what an MCP client may do: capabilities, settings, and the form of paths.
//!
//! What it is not: there is no I/O here. A decision is made over data that the caller hands in, so every one
//! of them is a table test. Whether a path leads where it claims is settled by `store::paths`, which opens
//! the file and decides over the handle.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod approval;
mod capabilities;
mod needs;
mod path;
mod roots;

pub use approval::{Approval, Approvals};
pub use capabilities::CapabilitySet;
pub use needs::{Authority, Denied, Needs, Policy};
pub use path::{CheckedPath, PathClass, PathProblem};
pub use roots::{Root, RootProblem, Roots};
