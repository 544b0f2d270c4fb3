//! What is wrong with a script, and where.

use crate::{Code, Fault};
use serde_json::{Value, json};
use std::fmt;

/// Most diagnostics that are kept. Reading stops soon after: a file with more is wrong as a whole.
pub(crate) const KEPT: usize = 100;

/// Something wrong at a place in one step. At run time the place is the step alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Bytes from the start of the step's text.
    pub at: usize,
    /// What is wrong, and what was expected. Holds no text of a `type` step and no value of a variable.
    pub message: String,
    /// Known names nearest to the one that was given.
    pub nearest: Vec<String>,
}

impl Trouble {
    /// Trouble at a place.
    pub fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), nearest: Vec::new() }
    }

    /// Adds names to suggest.
    #[must_use]
    pub fn nearest(mut self, nearest: Vec<String>) -> Self {
        self.nearest = nearest;
        self
    }

    /// The same trouble, found in a text that starts `offset` bytes into the step.
    #[must_use]
    pub fn moved(mut self, offset: usize) -> Self {
        self.at += offset;
        self
    }

    /// The message with the suggestions.
    pub fn sentence(&self) -> String {
        match self.nearest.as_slice() {
            [] => self.message.clone(),
            names => format!("{}; did you mean {}?", self.message, names.join(" or ")),
        }
    }
}

impl From<Trouble> for Fault {
    /// The fault of a step that can't run with the values it has.
    fn from(trouble: Trouble) -> Self {
        Self::new(Code::RuntimeError, trouble.sentence())
    }
}

/// Where a step is: its number among all steps from 1, and its line in the file it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Step number from 1.
    pub step: usize,
    /// Line number from 1; `None` when it came from no file.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Step {}", self.step)?;
        self.line.map_or(Ok(()), |line| write!(out, " (line {line})"))
    }
}

/// One thing that is wrong with a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The step.
    pub place: Place,
    /// Character in the step's text, from 1.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
    /// Known names nearest to the one that was given.
    pub nearest: Vec<String>,
}

impl Diagnostic {
    /// Places `trouble` in the step `place`, whose text is `text`.
    pub fn new(place: Place, text: &str, trouble: Trouble) -> Self {
        let column = text.char_indices().take_while(|(index, _)| *index < trouble.at).count() + 1;
        Self { place, column, message: trouble.message, nearest: trouble.nearest }
    }

    fn json(&self) -> Value {
        json!({
            "step": self.place.step,
            "line": self.place.line,
            "column": self.column,
            "message": self.message,
            "nearest": self.nearest,
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)?;
        if !self.nearest.is_empty() {
            write!(out, "; did you mean {}?", self.nearest.join(" or "))?;
        }
        Ok(())
    }
}

/// Everything that is wrong with a script, in the order of its steps; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    /// The first hundred.
    pub list: Vec<Diagnostic>,
    /// How many were found before reading stopped.
    pub total: usize,
}

impl Diagnostics {
    /// Sorts them by step, and keeps the first hundred.
    pub(crate) fn new(mut list: Vec<Diagnostic>) -> Self {
        list.sort_by_key(|diagnostic| (diagnostic.place.step, diagnostic.column));
        let total = list.len();
        list.truncate(KEPT);
        Self { list, total }
    }

    /// One diagnostic alone.
    pub(crate) fn one(place: Place, text: &str, trouble: Trouble) -> Self {
        Self::new(vec![Diagnostic::new(place, text, trouble)])
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{diagnostic}")?;
        }
        match self.total - self.list.len() {
            0 => Ok(()),
            more => write!(out, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostics> for Fault {
    /// The first one as the message, all of them in `details.diagnostics`.
    fn from(diagnostics: Diagnostics) -> Self {
        let first = diagnostics.list.first().map(ToString::to_string).unwrap_or_default();
        let message = match diagnostics.total.saturating_sub(1) {
            0 => first,
            more => format!("{first} (and {more} more)"),
        };
        let list: Vec<Value> = diagnostics.list.iter().map(Diagnostic::json).collect();
        Self::new(Code::InvalidArguments, message)
            .detail("diagnostics", list)
            .detail("diagnosticCount", diagnostics.total)
    }
}

/// A word of the script for a message: short, and without control characters.
pub(crate) fn quoted(word: &str) -> String {
    let mut short: String =
        word.chars().take(32).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if word.chars().nth(32).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}
