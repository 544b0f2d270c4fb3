//! Text with variables in it: `$name` is its value, `$$` a dollar sign.

use super::diagnostic::Trouble;
use super::name::Name;
use super::variables::Variables;
use crate::limits::RUN_VALUE;
use std::fmt;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(Name),
}

/// A text whose variables are filled in when the step runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    pieces: Vec<Piece>,
}

impl Template {
    /// Reads `text`.
    ///
    /// # Errors
    /// [`Trouble`] for a `$` that starts no name. The message does not repeat the text.
    pub fn parse(text: &str) -> Result<Self, Trouble> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            literal.push_str(&rest[..dollar]);
            let after = &rest[dollar + 1..];
            if let Some(more) = after.strip_prefix('$') {
                literal.push('$');
                rest = more;
            } else if let Some((name, more)) = Name::longest(after) {
                push_text(&mut pieces, &mut literal);
                pieces.push(Piece::Variable(name));
                rest = more;
            } else {
                let at = text.len() - rest.len() + dollar;
                return Err(Trouble::new(at, "expected a name after $; a dollar sign itself is written $$"));
            }
        }
        literal.push_str(rest);
        push_text(&mut pieces, &mut literal);
        Ok(Self { pieces })
    }

    /// The text, where no variable is in it.
    pub fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The variables in it.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name),
            Piece::Text(_) => None,
        })
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text with the variables filled in.
    ///
    /// # Errors
    /// [`Trouble`] for an unknown variable, and for a result longer than [`RUN_VALUE`].
    pub fn expand(&self, variables: &Variables) -> Result<String, Trouble> {
        if let Some(text) = self.literal() {
            return Ok(text.to_owned());
        }
        let mut expanded = String::new();
        for piece in &self.pieces {
            let part = match piece {
                Piece::Text(text) => text,
                Piece::Variable(name) => variables.get(name)?,
            };
            let length = expanded.len() + part.len();
            if u64::try_from(length).unwrap_or(u64::MAX) > RUN_VALUE.value {
                let message = format!("a text with its variables is longer than {} bytes", RUN_VALUE.value);
                return Err(Trouble::new(0, message));
            }
            expanded.push_str(part);
        }
        Ok(expanded)
    }
}

fn push_text(pieces: &mut Vec<Piece>, literal: &mut String) {
    if !literal.is_empty() {
        pieces.push(Piece::Text(std::mem::take(literal)));
    }
}

/// `text` as a template that means it literally.
pub(crate) fn escape(text: &str) -> String {
    text.replace('$', "$$")
}

impl fmt::Display for Template {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => out.write_str(&escape(text)),
            Piece::Variable(name) => write!(out, "${name}"),
        })
    }
}
