//! `crossmacro mcp` as a host meets it: a process, two pipes, and whatever a host may send.

mod bad_input;
mod display;
mod ending;
mod server;
