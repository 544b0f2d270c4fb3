//! One trait a facet. Small, object-safe, without default bodies.

pub mod capture;
pub mod clipboard;
pub mod displays;
pub mod keyboard;
pub mod listener;
pub mod pointer;
pub mod self_test;
pub mod windows;
