//! Text expansions: a trigger that is typed, and the text that takes its place.
//!
//! What it is not: nothing here watches keys or types. Lengths are counted in UTF-16 code units, as the files'
//! other reader counts them.

use crate::limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $($(#[$member_doc])* $member,)* }

        impl $name {
            /// All of them, in the order of their numbers in files.
            pub const ALL: &'static [Self] = &[$(Self::$member,)*];

            /// The name in results.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$member => stringify!($member),)* }
            }

            /// The number in files.
            pub fn index(self) -> u64 {
                Self::ALL.iter().zip(0..).find(|(other, _)| **other == self).map_or(0, |(_, index)| index)
            }

            /// The one that a file means: by its number, or by its name in any case.
            pub fn from_stored(stored: &Value) -> Option<Self> {
                let named = |text: &str| {
                    Self::ALL.iter().find(|one| one.name().eq_ignore_ascii_case(text.trim())).copied()
                };
                match stored {
                    Value::String(text) => named(text),
                    Value::Number(number) => {
                        Self::ALL.get(usize::try_from(number.as_u64()?).ok()?).copied()
                    }
                    _ => None,
                }
            }
        }
    };
}

choices! {
    /// The keys that paste.
    PasteMethod {
        /// Ctrl+V.
        #[default]
        CtrlV,
        /// Ctrl+Shift+V, for terminals.
        CtrlShiftV,
        /// Shift+Insert.
        ShiftInsert,
    }
}

choices! {
    /// How the text gets into the application.
    InsertionMode {
        /// Over the clipboard, which is restored afterwards.
        #[default]
        Paste,
        /// Key by key.
        DirectTyping,
    }
}

choices! {
    /// How fast the keys follow each other.
    DirectTypingMethod {
        /// All at once.
        #[default]
        FastBatch,
        /// One after the other, for applications that lose keys.
        CompatibleKeyByKey,
    }
}

/// One text expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// What is typed.
    pub trigger: String,
    /// What takes its place; may be empty, and may have lines.
    pub replacement: String,
    /// Whether it fires.
    pub is_enabled: bool,
    /// The keys that paste.
    pub method: PasteMethod,
    /// How the text gets into the application.
    pub insertion_mode: InsertionMode,
    /// How fast the keys follow each other.
    pub direct_typing_method: DirectTypingMethod,
}

/// Why a text can't be an expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExpansionProblem {
    /// There is nothing to type.
    #[error("the trigger is blank")]
    Blank,
    /// It could never fire: the keys that make such a character end the watching.
    #[error("the trigger has a line break, a tab or another control character, and could never fire")]
    Control,
    /// It could never fire: so much is not remembered.
    #[error(
        "the trigger has {used} characters; one with more than {most} can never fire",
        used = .0,
        most = limits::EXPANSION_TRIGGER.value
    )]
    TooLong(u64),
    /// The clipboard does not take it.
    #[error(
        "the replacement has {used} characters; at most {most} are accepted",
        used = .0,
        most = limits::EXPANSION_TEXT.value
    )]
    TooMuch(u64),
}

impl From<ExpansionProblem> for crate::Fault {
    fn from(problem: ExpansionProblem) -> Self {
        let argument = match problem {
            ExpansionProblem::TooMuch(_) => "replacement",
            ExpansionProblem::Blank | ExpansionProblem::Control | ExpansionProblem::TooLong(_) => "trigger",
        };
        Self::arguments(problem.to_string()).detail("argument", argument)
    }
}

impl Expansion {
    /// An expansion that is on, with the usual way of inserting.
    pub fn new(trigger: impl Into<String>, replacement: impl Into<String>) -> Self {
        Self {
            trigger: trigger.into(),
            replacement: replacement.into(),
            is_enabled: true,
            method: PasteMethod::default(),
            insertion_mode: InsertionMode::default(),
            direct_typing_method: DirectTypingMethod::default(),
        }
    }

    /// Whether it could fire.
    ///
    /// # Errors
    /// [`ExpansionProblem`] says why not.
    pub fn check(&self) -> Result<(), ExpansionProblem> {
        let (trigger, text) = (units(&self.trigger), units(&self.replacement));
        if self.trigger.trim().is_empty() {
            return Err(ExpansionProblem::Blank);
        }
        if self.trigger.chars().any(char::is_control) {
            return Err(ExpansionProblem::Control);
        }
        if trigger > limits::EXPANSION_TRIGGER.value {
            return Err(ExpansionProblem::TooLong(trigger));
        }
        if text > limits::EXPANSION_TEXT.value {
            return Err(ExpansionProblem::TooMuch(text));
        }
        Ok(())
    }
}

fn units(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn choices_are_read_as_numbers_and_as_names_in_any_case() {
        for (stored, expected) in [
            (json!(0), Some(PasteMethod::CtrlV)),
            (json!(2), Some(PasteMethod::ShiftInsert)),
            (json!("ctrlshiftv"), Some(PasteMethod::CtrlShiftV)),
            (json!(3), None),
            (json!(-1), None),
            (json!(1.5), None),
            (json!("1"), None),
            (json!(null), None),
            (json!([0]), None),
        ] {
            assert_eq!(PasteMethod::from_stored(&stored), expected, "{stored}");
        }
        assert_eq!(InsertionMode::ALL.iter().map(|mode| mode.index()).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(DirectTypingMethod::CompatibleKeyByKey.name(), "CompatibleKeyByKey");
    }

    #[test]
    fn a_trigger_that_could_never_fire_is_refused() {
        let check = |trigger: &str| Expansion::new(trigger, "x").check();
        assert_eq!(check(" \u{3000}"), Err(ExpansionProblem::Blank));
        assert_eq!(check("a\nb"), Err(ExpansionProblem::Control));
        assert_eq!(check(&"x".repeat(50)), Ok(()));
        assert_eq!(check(&"x".repeat(51)), Err(ExpansionProblem::TooLong(51)));
        assert_eq!(check(&"😀".repeat(25)), Ok(()));
        assert_eq!(check(&"😀".repeat(26)), Err(ExpansionProblem::TooLong(52)));
        assert_eq!(Expansion::new("x", "").check(), Ok(()));
        assert_eq!(Expansion::new("x", "y".repeat(65_537)).check(), Err(ExpansionProblem::TooMuch(65_537)));
    }
}
