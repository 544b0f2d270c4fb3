//! Time and control.
#![forbid(unsafe_code)]
pub mod fault;
pub mod operations;
