//! `type TEXT`: everything after the keyword and one blank.

use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::template::Template;
use crate::run::words::Line;
use std::fmt;

/// Types a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// The text; never empty.
    pub text: Template,
}

impl StepKind for Type {
    const NEEDS: &'static [Capability] = &[Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = true;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let word = line.verbatim();
        let text = Template::parse(word.text).map_err(|trouble| trouble.moved(word.at))?;
        if text.is_empty() {
            return Err(Trouble::new(word.at, "expected a text to type"));
        }
        Ok(Self { text })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.text.names().for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, _: &[String]) -> usize {
        1
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "type {}", self.text)
    }
}
