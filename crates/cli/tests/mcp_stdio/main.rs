//! `crossmacro mcp` as a host meets it: a process, two pipes, and whatever a host may send.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::cast_possible_truncation,
    clippy::cast_lossless,
    reason = "a test may fail loudly, starts its own programs and files, and measures real time"
)]

mod bad_input;
mod display;
mod ending;
mod server;
