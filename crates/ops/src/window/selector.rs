//! How a window is chosen: by address, title or class.

use super::Address;
use crate::limits;
use crossmacro_model::Fault;
use crossmacro_model::limits::SELECTOR;
use crossmacro_model::pattern::Pattern;
use crossmacro_platform::Window;
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

impl Selector {
    pub(crate) fn new(kind: Kind, value: &str) -> Result<Self, Fault> {
        limits::utf16("selectorValue", value, SELECTOR)?;
        if value.trim().is_empty() {
            return Err(Fault::arguments("selectorValue is blank: it would match every window")
                .detail("argument", "selectorValue"));
        }
        match kind {
            Kind::Address => Address::parse(value).map(Self::Address),
            Kind::Title | Kind::Class => Ok(Self::Text { kind, pattern: pattern(value)? }),
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

fn pattern(value: &str) -> Result<Pattern, Fault> {
    Pattern::parse(value).map_err(|why| Fault::arguments(why).detail("argument", "selectorValue"))
}
