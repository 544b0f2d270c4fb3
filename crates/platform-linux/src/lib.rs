//! The Linux back ends. Each kind of session has one folder; one probe fills the slots of a desktop.
//!
//! `unsafe` is allowed only in the modules that touch shared memory, start processes or ask the allocator, and says so at their head.
#![deny(missing_docs)]

pub mod children;
pub mod memory;
pub mod private_x;
pub mod stdio;
pub mod x11;
