//! `set NAME VALUE`, `set NAME=VALUE`.

use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::expression::Phrase;
use crate::run::name::Name;
use crate::run::variables::Variables;
use crate::run::words::{Line, Word, is_blank};
use std::fmt;

/// Sets a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assign {
    /// The variable.
    pub name: Name,
    /// What it gets.
    pub value: Phrase,
}

impl Assign {
    /// The value to store: numbers in their shortest form.
    ///
    /// # Errors
    /// [`Trouble`] as [`Phrase::evaluate`].
    pub fn evaluate(&self, variables: &Variables) -> Result<String, Trouble> {
        let value = self.value.evaluate(variables)?;
        // Six digits may be a colour, whose leading zeros count.
        match value.parse::<i32>() {
            Ok(number) if value.len() != 6 => Ok(number.to_string()),
            _ => Ok(value),
        }
    }
}

impl StepKind for Assign {
    const NEEDS: &'static [Capability] = &[];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let rest = line.rest();
        let end = rest.text.find(|c: char| is_blank(c) || c == '=').unwrap_or(rest.text.len());
        let name = Name::parse(&rest.text[..end]).map_err(|trouble| trouble.moved(rest.at))?;
        let after = rest.text[end..].trim_start_matches(is_blank);
        let text = after.strip_prefix('=').unwrap_or(after).trim_start_matches(is_blank);
        let value = Word { text, at: rest.at + rest.text.len() - text.len() };
        if text.is_empty() {
            return Err(Trouble::new(value.at, "expected a value"));
        }
        Ok(Self { name, value: Phrase::parse(value)? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.value.names().for_each(|name| seen(Use::Read, name));
        seen(Use::Write, &self.name);
    }

    fn arity(_: &str, words: &[String]) -> usize {
        if words.first().is_some_and(|word| word.contains('=')) { 1 } else { 2 }
    }
}

impl fmt::Display for Assign {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.to_string();
        let separator = if value.starts_with('=') { '=' } else { ' ' };
        write!(out, "set {}{separator}{value}", self.name)
    }
}
