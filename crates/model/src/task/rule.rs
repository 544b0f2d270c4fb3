//! Comparing a property of a window with a text.
//!
//! All comparisons are by code units and tell cases apart. A pattern is linear in the text, whatever it is: the engine
//! has no back-references and no look-around, and its compiled size is bounded.

use super::choice::{Choice, choices};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

choices! {
    /// The property that is compared.
    Field {
        /// Application class.
        #[default]
        WindowClass,
        /// Title.
        WindowTitle,
        /// Workspace.
        Workspace,
        /// Name of the process.
        ProcessName,
        /// Nothing: always matches.
        None,
    }
}

choices! {
    /// How it is compared.
    MatchMode {
        /// It is the text.
        Equals,
        /// The text occurs in it.
        #[default]
        Contains,
        /// The pattern matches somewhere in it.
        Regex,
    }
}

/// Most bytes that a compiled pattern may take.
const PATTERN_SIZE: usize = 1 << 20;

/// Longest text or pattern, in characters.
pub const LONGEST_VALUE: usize = 1_024;

/// Part of a window's condition.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct WindowRule {
    /// The property.
    pub field: Field,
    /// How it is compared.
    pub match_mode: MatchMode,
    /// What it is compared with.
    #[serde(deserialize_with = "super::form::text")]
    pub value: String,
}

/// Why a rule is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The field is none that a shortcut can look at.
    #[error("a window rule looks at WindowClass, WindowTitle or ProcessName, not at {0}")]
    Field(&'static str),
    /// Nothing to compare with.
    #[error("the value to compare with is blank")]
    Blank,
    /// Too long.
    #[error("the value to compare with is longer than {LONGEST_VALUE} characters")]
    Long,
    /// No pattern, or one that can't be matched in linear time.
    #[error(
        "the value is no regular expression that can be matched in linear time (no back-references, no look-around): {0}"
    )]
    Pattern(String),
}

/// A comparison that is ready to be made.
#[derive(Debug, Clone)]
pub enum Matcher {
    /// It is the text.
    Equals(String),
    /// The text occurs in it.
    Contains(String),
    /// The pattern matches.
    Pattern(Box<Regex>),
}

impl Matcher {
    /// Prepares a comparison.
    ///
    /// # Errors
    /// [`RuleError`] when the value is blank, too long, or no pattern.
    pub fn new(mode: MatchMode, value: &str) -> Result<Self, RuleError> {
        if value.trim().is_empty() {
            return Err(RuleError::Blank);
        }
        if value.chars().nth(LONGEST_VALUE).is_some() {
            return Err(RuleError::Long);
        }
        Ok(match mode {
            MatchMode::Equals => Self::Equals(value.to_owned()),
            MatchMode::Contains => Self::Contains(value.to_owned()),
            MatchMode::Regex => Self::Pattern(Box::new(pattern(value)?)),
        })
    }

    /// Whether a property matches.
    pub fn matches(&self, property: &str) -> bool {
        match self {
            Self::Equals(text) => property == text,
            Self::Contains(text) => property.contains(text),
            Self::Pattern(pattern) => pattern.is_match(property),
        }
    }
}

fn pattern(value: &str) -> Result<Regex, RuleError> {
    let built = RegexBuilder::new(value).size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE).build();
    // The engine's message spans lines and repeats the pattern; its last line says what is wrong.
    built.map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        RuleError::Pattern(last)
    })
}

impl WindowRule {
    /// Checks that it can be used by a shortcut.
    ///
    /// # Errors
    /// [`RuleError`] names what is wrong.
    pub fn check(&self) -> Result<(), RuleError> {
        match self.field {
            Field::WindowClass | Field::WindowTitle | Field::ProcessName => {}
            Field::Workspace | Field::None => return Err(RuleError::Field(self.field.name())),
        }
        Matcher::new(self.match_mode, &self.value).map(|_| ())
    }

    /// Whether a window can exist that both match. Only a certain no is a no.
    pub fn may_overlap(&self, other: &Self) -> bool {
        if self.field != other.field {
            return true;
        }
        let takes = |rule: &Self, text: &str| {
            Matcher::new(rule.match_mode, &rule.value).is_ok_and(|matcher| matcher.matches(text))
        };
        match (self.match_mode, other.match_mode) {
            (MatchMode::Equals, _) => takes(other, &self.value),
            (_, MatchMode::Equals) => takes(self, &other.value),
            _ => true,
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({"field": self.field.index(), "matchMode": self.match_mode.index(), "value": self.value})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(field: Field, match_mode: MatchMode, value: &str) -> WindowRule {
        WindowRule { field, match_mode, value: value.to_owned() }
    }

    #[test]
    fn rules_are_checked() {
        assert_eq!(rule(Field::WindowTitle, MatchMode::Regex, r"^a+\.txt$").check(), Ok(()));
        for value in [r"(a)\1", "(?=a)b", "(", "a{1000}{1000}{1000}"] {
            let error = rule(Field::WindowTitle, MatchMode::Regex, value).check().unwrap_err();
            assert!(matches!(error, RuleError::Pattern(_)), "{value}");
            assert_eq!(rule(Field::WindowTitle, MatchMode::Contains, value).check(), Ok(()));
        }
        assert_eq!(
            rule(Field::Workspace, MatchMode::Equals, "1").check(),
            Err(RuleError::Field("Workspace"))
        );
        assert_eq!(rule(Field::WindowClass, MatchMode::Equals, " ").check(), Err(RuleError::Blank));
        assert_eq!(
            rule(Field::WindowClass, MatchMode::Equals, &"x".repeat(1_025)).check(),
            Err(RuleError::Long)
        );
    }

    #[test]
    fn comparisons_tell_cases_apart() {
        let matches = |mode, value: &str, text: &str| Matcher::new(mode, value).unwrap().matches(text);
        assert!(matches(MatchMode::Equals, "Firefox", "Firefox"));
        assert!(!matches(MatchMode::Equals, "Firefox", "firefox"));
        assert!(matches(MatchMode::Contains, "fox", "Firefox"));
        assert!(!matches(MatchMode::Contains, "Fox", "Firefox"));
        assert!(matches(MatchMode::Regex, "^F.*x$", "Firefox"));
        assert!(!matches(MatchMode::Regex, "^f.*x$", "Firefox"));
    }

    #[test]
    fn only_what_can_never_meet_does_not_overlap() {
        use Field::{WindowClass, WindowTitle};
        use MatchMode::{Contains, Equals, Regex};
        let equals = rule(WindowClass, Equals, "gimp");
        assert!(equals.may_overlap(&equals));
        assert!(!equals.may_overlap(&rule(WindowClass, Equals, "vim")));
        assert!(equals.may_overlap(&rule(WindowTitle, Equals, "vim")));
        assert!(equals.may_overlap(&rule(WindowClass, Contains, "im")));
        assert!(!rule(WindowClass, Regex, "^v").may_overlap(&equals));
        assert!(rule(WindowClass, Contains, "a").may_overlap(&rule(WindowClass, Contains, "b")));
    }
}
