//! The form of a text expansion in its file: JSON that another program writes and reads too.

use crossmacro_model::expansion::{DirectTypingMethod, Expansion, InsertionMode, PasteMethod};
use serde_json::{Value as Json, json};

/// An entry of the file.
pub(super) struct Decoded {
    /// `None` where not even the trigger can be read.
    pub(super) expansion: Option<Expansion>,
    /// The field that is damaged; the expansion is off then.
    pub(super) damaged: Option<&'static str>,
}

impl Decoded {
    /// What is wrong, to follow the name of the entry. Never a text of the user.
    pub(super) fn problem(&self) -> Option<String> {
        match (&self.expansion, self.damaged) {
            (None, _) => Some("has no trigger and is ignored".to_owned()),
            (Some(_), Some(field)) => Some(format!("has a damaged {field} and is off")),
            (Some(expansion), None) => expansion
                .check()
                .err()
                .filter(|_| expansion.is_enabled)
                .map(|why| format!("never fires: {why}")),
        }
    }
}

/// Reads an entry. What is missing has its default; what is of another type damages the entry.
pub(super) fn decode(entry: &Json) -> Decoded {
    let trigger = entry["trigger"].as_str().filter(|trigger| !trigger.trim().is_empty());
    let Some(trigger) = trigger else { return Decoded { expansion: None, damaged: None } };
    let mut damaged = None;
    let expansion = Expansion {
        trigger: trigger.to_owned(),
        replacement: read(entry, "replacement", &mut damaged, String::new(), |stored| {
            stored.as_str().map(str::to_owned)
        }),
        is_enabled: read(entry, "isEnabled", &mut damaged, true, Json::as_bool),
        method: read(entry, "method", &mut damaged, PasteMethod::default(), PasteMethod::from_stored),
        insertion_mode: read(
            entry,
            "insertionMode",
            &mut damaged,
            InsertionMode::default(),
            InsertionMode::from_stored,
        ),
        direct_typing_method: read(
            entry,
            "directTypingMethod",
            &mut damaged,
            DirectTypingMethod::default(),
            DirectTypingMethod::from_stored,
        ),
    };
    let is_enabled = expansion.is_enabled && damaged.is_none();
    Decoded { expansion: Some(Expansion { is_enabled, ..expansion }), damaged }
}

fn read<T>(
    entry: &Json,
    field: &'static str,
    damaged: &mut Option<&'static str>,
    default: T,
    decode: impl Fn(&Json) -> Option<T>,
) -> T {
    match entry.get(field).filter(|stored| !stored.is_null()) {
        None => default,
        Some(stored) => decode(stored).unwrap_or_else(|| {
            let _first = damaged.get_or_insert(field);
            default
        }),
    }
}

/// The entry of an expansion, as the reference writes it: choices as numbers.
pub(super) fn encode(expansion: &Expansion) -> Json {
    json!({
        "trigger": expansion.trigger,
        "replacement": expansion.replacement,
        "isEnabled": expansion.is_enabled,
        "method": expansion.method.index(),
        "insertionMode": expansion.insertion_mode.index(),
        "directTypingMethod": expansion.direct_typing_method.index(),
    })
}
