//! The settings table: one row for each key, from which the command line, MCP, validation, completions and
//! the documentation come.
//!
//! What it is not: nothing here reads or writes a file. Where a value lies on disk is part of the row
//! ([`Row::property`]), so that the store needs no second table.
//!
//! Units: durations are whole milliseconds or seconds as the key says, distances are logical pixels.

mod nearest;
mod parse;
mod table;
mod value;

pub use parse::{Parsed, ValueFault};
pub use value::Value;

use crate::Fault;

/// Which file holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One value for all profiles: `global-settings.json`.
    Global,
    /// One value in each profile: `profiles/<id>/settings.json`.
    Profile,
}

impl Scope {
    /// The name in listings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Profile => "profile",
        }
    }
}

/// Who may see a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    /// Everyone.
    Open,
    /// The user at the command line, but no MCP client.
    HiddenFromClients,
    /// Nobody: only whether there is one.
    Hidden,
}

/// What happens to a number outside its bounds when a person sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnSet {
    /// It is an error.
    Refuse,
    /// The nearest bound is taken, with a warning.
    Clamp,
}

/// What happens to a number outside its bounds when a file holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRead {
    /// The nearest bound is taken.
    Clamp,
    /// The default is taken.
    Default,
}

/// One name of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The name that is shown.
    pub name: &'static str,
    /// The other spellings that are accepted, in lower case.
    pub aliases: &'static [&'static str],
}

/// How a choice lies in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// As its place in the list, from 0.
    Index,
    /// As its name.
    Name,
}

/// Type and bounds of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// A value outside in a file.
        on_read: OnRead,
    },
    /// A finite number.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// A value outside from a person.
        on_set: OnSet,
        /// A value outside in a file.
        on_read: OnRead,
    },
    /// One of a fixed list.
    Choice {
        /// The list.
        choices: &'static [Choice],
        /// How it lies in the file.
        stored: Stored,
    },
    /// A text that is not blank.
    Text {
        /// The values that have a meaning here; another one is accepted with a warning.
        known: &'static [&'static str],
    },
    /// Absolute folders.
    Paths,
    /// A text that is never shown and can't be set, only cleared.
    Secret,
}

impl Kind {
    /// The name of the type in listings.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Bool => "boolean",
            Self::Integer { .. } => "integer",
            Self::Number { .. } => "number",
            Self::Choice { .. } => "choice",
            Self::Text { .. } => "text",
            Self::Paths => "paths",
            Self::Secret => "secret",
        }
    }

    /// What is accepted, in a few words.
    pub fn accepts(&self) -> String {
        match self {
            Self::Bool => "true, false, yes, no, on, off, 1 or 0".to_owned(),
            Self::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Choice { choices, .. } => {
                choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", ")
            }
            Self::Text { known } => format!("a text, for example {}", known.join(", ")),
            Self::Paths => "absolute folders joined by semicolons, or nothing for no limit".to_owned(),
            Self::Secret => "nothing; it can only be cleared".to_owned(),
        }
    }
}

/// One key.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name that a person gives, case-sensitive.
    pub key: &'static str,
    /// Type and bounds.
    pub kind: Kind,
    /// The value where no file has one.
    pub default: Value,
    /// Which file holds it.
    pub scope: Scope,
    /// Who may see it.
    pub secrecy: Secrecy,
    /// The names of the JSON properties that lead to it, outermost first.
    pub property: &'static [&'static str],
    /// What holds where a file has something that is no such value, or is damaged as a whole: the narrowest
    /// value of what guards against clients. Where there is none, the default holds.
    pub narrowest: Option<Value>,
    /// What it does, as a sentence.
    pub description: &'static str,
}

impl Row {
    /// Whether an MCP client may never change it: it is part of the policy that guards against that client.
    pub fn guards_clients(&self) -> bool {
        guards_clients(self.key)
    }
}

/// Whether `key`, known or not, belongs to the policy that guards against MCP clients.
pub fn guards_clients(key: &str) -> bool {
    ["mcp.", "audit."]
        .iter()
        .any(|known| key.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known)))
}

/// All rows, in the order of listings.
pub fn rows() -> &'static [Row] {
    &table::ROWS
}

/// The row of `key`.
///
/// # Errors
/// [`UnknownKey`] with the nearest keys.
pub fn row(key: &str) -> Result<&'static Row, UnknownKey> {
    rows().iter().find(|row| row.key == key).ok_or_else(|| UnknownKey { nearest: nearest::keys(key) })
}

/// There is no such key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no such setting{}", suggestion(.nearest))]
pub struct UnknownKey {
    /// The keys that look most like it, best first; at most three.
    pub nearest: Vec<&'static str>,
}

fn suggestion(nearest: &[&str]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(" or ")) }
}

impl From<UnknownKey> for Fault {
    fn from(unknown: UnknownKey) -> Self {
        let fault = Self::arguments(unknown.to_string()).detail("nearest", unknown.nearest);
        fault.remedy("settings.list_keys and `crossmacro settings list-keys` name all settings")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Capability;
    use std::collections::HashSet;

    #[test]
    fn keys_and_properties_are_unique() {
        let keys: HashSet<_> = rows().iter().map(|row| row.key).collect();
        let places: HashSet<_> = rows().iter().map(|row| (row.scope.name(), row.property)).collect();
        assert_eq!((keys.len(), places.len()), (rows().len(), rows().len()));
        assert_eq!(rows().len(), 23 + 19 + 2 + 18 + 6 + 1);
    }

    #[test]
    fn every_capability_but_status_has_its_row() {
        for capability in Capability::ALL {
            let Some(key) = capability.settings_key() else {
                assert_eq!(*capability, Capability::StatusRead);
                continue;
            };
            let row = row(key).unwrap();
            assert_eq!(row.default, Value::Bool(*capability != Capability::PrivilegeElevation), "{key}");
            assert_eq!((row.scope, row.guards_clients()), (Scope::Global, true));
        }
        assert_eq!(Capability::ShellExecute.settings_property(), ["mcpSecurity", "allowShellExecute"]);
        assert_eq!(Capability::FileRead.summary(), "Files are read.");
    }

    #[test]
    fn every_default_is_a_value_of_its_own_kind() {
        for row in rows() {
            if !matches!(row.kind, Kind::Secret) {
                let parsed = row.parse(&row.default.to_string()).unwrap();
                assert_eq!((parsed.value, parsed.warning), (row.default.clone(), None), "{}", row.key);
            }
            assert!(row.description.ends_with('.'), "{}", row.key);
        }
    }

    #[test]
    fn an_unknown_key_names_its_neighbours() {
        let near = |key: &str| row(key).unwrap_err().nearest;
        assert_eq!(near("playback.sped").first(), Some(&"playback.speed"));
        assert_eq!(near("Playback.Speed").first(), Some(&"playback.speed"));
        assert_eq!(near("shellExecute").first(), Some(&"mcp.shellExecute"));
        assert_eq!(near("theme").first(), Some(&"ui.theme"));
        assert!(near("zzzzzzzzzzzzzzzzzzz").is_empty());
        assert!(near(&"x".repeat(10_000_000)).is_empty());
        assert!(near("").is_empty());
    }

    #[test]
    fn keys_that_guard_are_known_in_any_spelling() {
        assert!(
            guards_clients("mcp.shellExecute") && guards_clients("MCP.nothing") && guards_clients("mcp.")
        );
        assert!(guards_clients("audit.required") && guards_clients("Audit.x"));
        assert!(!guards_clients("ui.theme") && !guards_clients("mcp") && !guards_clients("äöü"));
    }

    #[test]
    fn what_guards_has_a_narrowest_value_or_narrows_by_itself() {
        for row in rows() {
            // Roots that can't be read allow nothing, and a wait of any length asks the same person.
            let by_itself = row.kind == Kind::Paths || row.key == "mcp.approvalTimeoutSeconds";
            assert_eq!(row.narrowest.is_some(), row.guards_clients() && !by_itself, "{}", row.key);
        }
        let narrowest = |key: &str| row(key).unwrap().narrowest.clone();
        assert_eq!(narrowest("mcp.fileRead"), Some(Value::Bool(false)));
        assert_eq!(narrowest("mcp.approvalMode"), Some(Value::Choice("deny")));
        assert_eq!(narrowest("mcp.approval.fileRead"), Some(Value::Choice("deny")));
        assert_eq!(narrowest("audit.required"), Some(Value::Bool(true)));
    }
}
