//! How a window is chosen by a text: part of its title or class in any case, or with a prefix the exact text or a
//! regular expression.

use regex::{Regex, RegexBuilder};

/// Memory that a compiled pattern may take.
const REGEX_BYTES: usize = 1 << 20;

/// A text to compare with.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// A part of the text, in any case; kept in lower case.
    Part(String),
    /// The whole text (`exact:`).
    Exact(String),
    /// A regular expression that matches somewhere (`regex:`), linear in the text.
    Regex(Regex),
}

impl Pattern {
    /// Reads a pattern with or without a prefix.
    ///
    /// # Errors
    /// What is wrong with the regular expression, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(exact) = text.strip_prefix("exact:") {
            return Ok(Self::Exact(exact.to_owned()));
        }
        let Some(expression) = text.strip_prefix("regex:") else {
            return Ok(Self::Part(text.to_lowercase()));
        };
        let built = RegexBuilder::new(expression).size_limit(REGEX_BYTES).build();
        built.map(Self::Regex).map_err(|error| {
            let why = error.to_string();
            format!("the regular expression can't be used: {}", why.lines().last().unwrap_or_default())
        })
    }

    /// Whether `text` is meant.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Part(part) => text.to_lowercase().contains(part),
            Self::Exact(exact) => text == exact,
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_choose_how_a_text_is_compared() {
        let matches = |pattern: &str, text: &str| Pattern::parse(pattern).unwrap().matches(text);
        assert!(matches("EDIT", "Text editor") && !matches("exact:editor", "Text editor"));
        assert!(matches("exact:Text editor", "Text editor") && matches("regex:^Text .*r$", "Text editor"));
        assert!(matches("größe", "GRÖSSE und GRÖßE"));
        assert!(Pattern::parse("regex:(").unwrap_err().contains("regular expression"));
        assert!(Pattern::parse("regex:(a{1000}){1000}").is_err());
    }
}
