//! A loop through the machine: send something harmless and see it arrive.

use crate::cancel::Cancel;

/// One thing that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Stable name ("keyboard-loop").
    pub name: &'static str,
    /// What was seen, or why it did not work.
    pub result: Result<String, String>,
}

/// Proves that input and capture work, by a witness of its own that leaves the user's windows alone.
pub trait SelfTest: Send + Sync {
    /// Runs every loop that the session has. Takes at most a few seconds, and leaves pointer, focus and keys
    /// as they were.
    fn run(&self, cancel: &Cancel) -> Vec<Finding>;

    /// Name of the back end ("x11").
    fn backend(&self) -> &'static str;
}
