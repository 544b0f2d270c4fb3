//! What the tests of every crate share: private displays, a witness program, a driver for an MCP server in
//! a child process, and a private home.
//!
//! What it is not: part of the product. It knows the platform crates and nothing above them. Everything that
//! is started here ends with the test, even when the test is killed. Waits are for a condition, with a limit.
//! Errors are texts: a test unwraps them.
#![deny(missing_docs)]
#![allow(
    clippy::disallowed_methods,
    reason = "tests start programs and look at files and at the environment"
)]

pub mod home;
pub mod mcp;
pub mod private;
pub mod witness;
pub mod witness_x11;

pub use home::Home;
pub use mcp::Mcp;
pub use witness::Witness;

use std::time::Duration;

/// How long anything may take on a busy machine before it counts as broken.
pub const LIMIT: Duration = Duration::from_secs(20);
