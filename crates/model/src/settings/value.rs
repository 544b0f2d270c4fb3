//! The value of a setting.

use std::fmt;

/// The value of a setting, of the type that its row says.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// The name of a choice.
    Choice(&'static str),
    /// A text.
    Text(String),
    /// Folders, in order. What a file holds may be no valid folder; whoever uses them checks.
    Paths(Vec<String>),
    /// A secret: only whether there is one. The secret itself is never part of a value.
    Secret(bool),
}

impl Value {
    /// The value as JSON, for replies. (The files have their own form.)
    pub fn json(&self) -> serde_json::Value {
        match self {
            Self::Bool(value) => (*value).into(),
            Self::Integer(value) => (*value).into(),
            Self::Number(value) => (*value).into(),
            Self::Choice(_) | Self::Text(_) | Self::Paths(_) | Self::Secret(_) => self.to_string().into(),
        }
    }
}

/// The text that a person reads, and that parses to the same value again (a secret does not).
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(out, "{value}"),
            Self::Integer(value) => write!(out, "{value}"),
            Self::Number(value) => write!(out, "{value}"),
            Self::Choice(name) => out.write_str(name),
            Self::Text(text) => out.write_str(text),
            Self::Paths(paths) => out.write_str(&paths.join(";")),
            Self::Secret(present) => out.write_str(if *present { "set" } else { "empty" }),
        }
    }
}
