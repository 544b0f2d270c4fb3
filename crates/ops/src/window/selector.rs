//! How a window is chosen: by address, title or class.

use super::Address;
use crate::limits;
use crossmacro_model::Fault;
use crossmacro_model::limits::SELECTOR;
use crossmacro_platform::Window;
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The identity that window.query gave.
    Address,
    /// Part of the title, in any case; `exact:` and `regex:` prefixes are understood.
    Title,
    /// Part of the application class, in any case; `exact:` and `regex:` prefixes are understood.
    Class,
}

/// A choice that has been checked.
pub(crate) enum Selector {
    Address(Address),
    Text { kind: Kind, pattern: Pattern },
}

/// How a text is compared.
pub(crate) enum Pattern {
    /// Case-insensitive part of the text: the rule on every back end.
    Part(String),
    Exact(String),
    Regex(Regex),
}

/// Memory that a compiled pattern may take.
const REGEX_BYTES: usize = 1 << 20;

impl Selector {
    pub(crate) fn new(kind: Kind, value: &str) -> Result<Self, Fault> {
        limits::utf16("selectorValue", value, SELECTOR)?;
        if value.trim().is_empty() {
            return Err(Fault::arguments("selectorValue is blank: it would match every window")
                .detail("argument", "selectorValue"));
        }
        match kind {
            Kind::Address => Address::parse(value).map(Self::Address),
            Kind::Title | Kind::Class => Ok(Self::Text { kind, pattern: Pattern::new(value)? }),
        }
    }

    pub(crate) fn matches(&self, window: &Window) -> bool {
        match self {
            Self::Address(address) => window.id == address.0,
            Self::Text { kind: Kind::Class, pattern } => pattern.matches(&window.class),
            Self::Text { pattern, .. } => pattern.matches(&window.title),
        }
    }
}

impl Pattern {
    fn new(value: &str) -> Result<Self, Fault> {
        if let Some(exact) = value.strip_prefix("exact:") {
            return Ok(Self::Exact(exact.to_owned()));
        }
        let Some(expression) = value.strip_prefix("regex:") else {
            return Ok(Self::Part(value.to_lowercase()));
        };
        RegexBuilder::new(expression).size_limit(REGEX_BYTES).build().map(Self::Regex).map_err(|error| {
            let why = error.to_string();
            Fault::arguments(format!(
                "the regular expression can't be used: {}",
                why.lines().last().unwrap_or_default()
            ))
            .detail("argument", "selectorValue")
        })
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            Self::Part(part) => text.to_lowercase().contains(part),
            Self::Exact(exact) => text == exact,
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}
