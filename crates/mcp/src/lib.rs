//! The MCP server: every operation of the registry as a tool, over one pair of byte streams.
//!
//! The protocol itself (versions, negotiation, method tables) is the SDK's, rmcp; this crate adds the list of tools, the
//! calls and their cancellation, the bounded line transport, and an end that is always reached. What a tool
//! does, and whether it may, is decided behind [`crossmacro_ops::guard`].
//!
//! Async stays inside: one thread runs the protocol, and every call runs on a thread of its own
//! (`spawn_blocking`, the one door), so a call that waits holds up no other.
//!
//! Source of the protocol: modelcontextprotocol.io/specification, revisions 2024-11-05 to 2026-07-28.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod calls;
mod catalog;
mod end;
mod id;
mod incoming;
mod instructions;
mod line;
mod listing;
mod options;
mod outbox;
mod server;
mod session;
mod transport;

pub use end::{End, Reason};
pub use options::{Options, ToolNames, UnknownTool};
pub use session::{LONGEST_END, serve};
pub use transport::Pipes;
