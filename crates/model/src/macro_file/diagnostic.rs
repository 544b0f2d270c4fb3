//! What is wrong with a macro file, and where.

use crate::{Code, Fault};
use std::fmt;

/// Most diagnostics that are kept; the others are counted.
pub(crate) const KEPT: usize = 1000;

/// How much something matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The macro plays as it is written, and that may not be what was meant.
    Warning,
    /// A part of the file was not understood, or can't be played.
    Error,
}

impl Severity {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// Line of the file from 1; `None` for the macro as a whole.
    pub line: Option<usize>,
    /// Number of the step from 1, where it is about a step.
    pub step: Option<usize>,
    /// Character in the line from 1, where it is known.
    pub column: Option<usize>,
    /// What is wrong, and what was expected. Holds no text that the macro types.
    pub message: String,
    /// Known names nearest to the one that was given.
    pub nearest: Vec<String>,
}

impl Diagnostic {
    /// An error at a line.
    pub(crate) fn error(line: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        let (line, message) = (line.into(), message.into());
        Self { severity: Severity::Error, line, step: None, column: None, message, nearest: Vec::new() }
    }

    /// A warning at a line.
    pub(crate) fn warning(line: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(line, message) }
    }

    /// Adds names to suggest.
    pub(crate) fn nearest(mut self, nearest: Vec<String>) -> Self {
        self.nearest = nearest;
        self
    }

    /// The message with the suggestions, without the place.
    pub fn sentence(&self) -> String {
        match self.nearest.as_slice() {
            [] => self.message.clone(),
            names => format!("{}; did you mean {}?", self.message, names.join(" or ")),
        }
    }
}

/// Most errors that one fault tells.
const TOLD: usize = 100;

impl From<&Diagnostic> for Fault {
    fn from(found: &Diagnostic) -> Self {
        let mut fault = Self::new(Code::ValidationError, found.to_string());
        for (key, value) in [("line", found.line), ("step", found.step), ("column", found.column)] {
            if let Some(value) = value {
                fault = fault.detail(key, value);
            }
        }
        if found.nearest.is_empty() { fault } else { fault.detail("nearest", found.nearest.clone()) }
    }
}

impl From<Diagnostics> for Fault {
    /// The errors, each as a fault, and the warnings. The first hundred are told.
    fn from(found: Diagnostics) -> Self {
        let mut errors = found.of(Severity::Error).take(TOLD).map(Self::from);
        let mut fault =
            errors.next().unwrap_or_else(|| Self::new(Code::ValidationError, "the macro is not valid"));
        fault.others = errors.collect();
        let warnings = found.of(Severity::Warning).take(TOLD);
        fault.warnings = warnings.map(ToString::to_string).collect();
        let untold = found.errors.saturating_sub(TOLD);
        if untold > 0 {
            fault.warnings.push(format!("there are {untold} more errors"));
        }
        fault
    }
}

impl From<crate::run::Diagnostic> for Diagnostic {
    fn from(found: crate::run::Diagnostic) -> Self {
        Self {
            severity: Severity::Error,
            line: found.place.line,
            step: Some(found.place.step),
            column: Some(found.column),
            message: found.message,
            nearest: found.nearest,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.step) {
            (Some(line), Some(step)) => write!(out, "line {line} (step {step}): ")?,
            (Some(line), None) => write!(out, "line {line}: ")?,
            (None, Some(step)) => write!(out, "step {step}: ")?,
            (None, None) => {}
        }
        out.write_str(&self.sentence())
    }
}

/// Everything that was found, in the order in which it was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostics {
    /// The first thousand.
    pub list: Vec<Diagnostic>,
    /// How many errors there are, kept or not.
    pub errors: usize,
    /// How many warnings there are, kept or not.
    pub warnings: usize,
}

impl Diagnostics {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Warning => self.warnings += 1,
            Severity::Error => self.errors += 1,
        }
        if self.list.len() < KEPT {
            self.list.push(diagnostic);
        }
    }

    /// Adds an error about the macro as a whole.
    pub fn error(&mut self, message: impl Into<String>) {
        self.push(Diagnostic::error(None, message));
    }

    /// Adds the diagnostics of a script.
    pub fn extend_from_script(&mut self, found: crate::run::Diagnostics) {
        let more = found.total - found.list.len();
        found.list.into_iter().for_each(|diagnostic| self.push(diagnostic.into()));
        self.errors += more;
    }

    /// Adds all of `other`.
    pub fn append(&mut self, other: Self) {
        let (errors, warnings) = (self.errors + other.errors, self.warnings + other.warnings);
        other.list.into_iter().for_each(|diagnostic| self.push(diagnostic));
        (self.errors, self.warnings) = (errors, warnings);
    }

    /// Whether there is no error.
    pub fn is_ok(&self) -> bool {
        self.errors == 0
    }

    /// Those of one severity among the first thousand.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(move |diagnostic| diagnostic.severity == severity)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{}: {diagnostic}", diagnostic.severity.name())?;
        }
        match self.errors + self.warnings - self.list.len() {
            0 => Ok(()),
            more => write!(out, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Diagnostics {}
