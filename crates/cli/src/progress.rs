//! One line on a terminal that changes while work goes on. Nothing where standard error is no terminal.

use std::io::{self, IsTerminal, Write};

/// The line; it is gone when this is dropped.
pub(crate) struct Line {
    is_terminal: bool,
    shown: String,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), shown: String::new() }
    }

    /// Replaces what is shown.
    pub(crate) fn show(&mut self, text: &str) {
        if self.is_terminal && self.shown != text {
            text.clone_into(&mut self.shown);
            draw(text);
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.shown.is_empty() {
            draw("");
        }
    }
}

/// Back to the start of the line, and nothing left of what stood there (ECMA-48, erase in line).
fn draw(text: &str) {
    let mut out = io::stderr().lock();
    let (Ok(()) | Err(_)) = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
}
