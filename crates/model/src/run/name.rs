//! Names of variables.

use super::diagnostic::{Trouble, quoted};
use super::words::Word;
use std::fmt;

/// A variable's name as it was written. `count` and `Count` are the same variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// A letter or `_`, then letters, digits and `_`, all ASCII.
    ///
    /// # Errors
    /// [`Trouble`] for anything else.
    pub fn parse(text: &str) -> Result<Self, Trouble> {
        if !text.is_empty() && prefix(text) == text.len() {
            return Ok(Self(text.to_owned()));
        }
        if let Some(bare) = text.strip_prefix('$')
            && prefix(bare) == bare.len()
        {
            return Err(Trouble::new(0, "a variable that is set is written without $"));
        }
        let wanted = "expected the name of a variable (a letter or _, then letters, digits and _)";
        Err(Trouble::new(0, format!("{wanted}, found {}", quoted(text))))
    }

    /// A word that names a variable to fill; the $ may be written.
    pub(crate) fn output(word: Word<'_>) -> Result<Self, Trouble> {
        let text = word.text.strip_prefix('$').unwrap_or(word.text);
        Self::parse(text).map_err(|trouble| trouble.moved(word.at))
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form that is equal for all spellings.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Takes the longest name that `text` starts with.
    pub(crate) fn longest(text: &str) -> Option<(Self, &str)> {
        match prefix(text) {
            0 => None,
            length => Some((Self(text[..length].to_owned()), &text[length..])),
        }
    }
}

/// Length of the name that `text` starts with.
fn prefix(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return 0;
    }
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
