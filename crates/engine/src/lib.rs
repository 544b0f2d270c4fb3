//! Time and control: the interpreter of the run language, the player and the recorder of macros, the account of what is held down, and the slot in
//! which one long operation runs.
//!
//! What it is not: no policy and no protocol is known here, and no file is touched. Everything is
//! synchronous and takes a [`Cancel`](crossmacro_platform::Cancel), which may carry a deadline; long work
//! runs on a thread of [`operations`].
//!
//! The promise of this crate: whatever ends a piece of work (its end, an error, a cancellation, a deadline, a
//! panic), the keys and buttons that it pressed are released.
#![forbid(unsafe_code)]

mod corner;
pub mod fault;
mod hands;
pub mod held;
pub mod interpreter;
pub mod operations;
pub mod player;
mod random;
pub mod recorder;
mod schedule;
pub mod sight;
pub mod time;
pub mod windows;
