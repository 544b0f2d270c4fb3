//! The bounds that clients are shown are those of the table of limits.
#![allow(clippy::unwrap_used, reason = "a test")]

use crossmacro_model::limits::{self, Limit};
use crossmacro_ops::registry;
use serde_json::Value;

/// Arguments whose name ends so are bounded by that limit.
const ENDINGS: [(&str, Limit); 6] = [
    ("Path", limits::PATH),
    ("Paths[]", limits::PATH),
    ("settings.set.value", limits::SETTING_VALUE),
    ("settings.set.key", limits::SETTING_KEY),
    ("text_expansion.add.trigger", limits::EXPANSION_TRIGGER),
    ("text_expansion.add.replacement", limits::EXPANSION_TEXT),
];

fn texts(path: &str, schema: &Value, found: &mut Vec<(String, u64)>) {
    if let Some(most) = schema["maxLength"].as_u64() {
        found.push((path.to_owned(), most));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        texts(&format!("{path}.{name}"), property, found);
    }
    if let Some(items) = schema.get("items") {
        texts(&format!("{path}[]"), items, found);
    }
}

#[test]
fn no_schema_has_a_bound_of_its_own() {
    let mut found = Vec::new();
    for entry in registry::all() {
        texts(entry.spec().name, &serde_json::from_str(entry.schemas().input).unwrap(), &mut found);
    }
    let mut compared = 0;
    for (argument, most) in &found {
        let known = ENDINGS.iter().find(|(ending, _)| argument.ends_with(ending));
        // Whatever is as long as a path is one.
        let limit = known
            .map_or_else(|| (*most > 4_000 && *most < 4_200).then_some(limits::PATH), |known| Some(known.1));
        if let Some(limit) = limit {
            assert_eq!(*most, limit.value, "{argument} against {}", limit.name);
            compared += 1;
        }
    }
    assert!(compared >= 18, "{compared}: {found:?}");
}
