//! The Linux back ends. Each kind of session has one folder; one probe fills the slots of a desktop.
//!
//! `unsafe` is allowed only in the modules that touch shared memory or start processes, and says so at their head.
#![deny(missing_docs)]

pub mod children;
pub mod private_x;
pub mod stdio;
pub mod x11;
