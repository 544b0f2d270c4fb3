//! The form of settings in their files: JSON that another program writes and reads too.

use crossmacro_model::limits;
use crossmacro_model::settings::{Kind, OnRead, Row, Stored, Value};
use serde_json::{Map, Value as Json};

/// A value from a file.
pub(super) struct Decoded {
    /// `None` when the file has something that is no such value.
    pub(super) value: Option<Value>,
    /// What is wrong with it, to follow the name of the setting. Never the value itself.
    pub(super) problem: Option<&'static str>,
}

/// Whether `value` can be a file of settings: an object, and objects or nothing where the table goes deeper.
pub(super) fn is_settings(value: &Json) -> bool {
    let object = |value: Option<&Json>| value.is_none_or(|value| value.is_object() || value.is_null());
    let policy = value.get("mcpSecurity");
    let inside = |name| object(policy.and_then(|policy| policy.get(name)));
    value.is_object() && object(policy) && inside("paths") && inside("approval")
}

/// The value at the end of `property`; null counts as absent.
pub(super) fn find<'a>(document: &'a Json, property: &[&str]) -> Option<&'a Json> {
    property.iter().try_fold(document, |value, name| value.get(name)).filter(|value| !value.is_null())
}

/// Puts `value` at the end of `property`; objects on the way are made.
pub(super) fn put(document: &mut Json, property: &[&str], value: Json) {
    let mut place = document;
    for name in property {
        if !place.is_object() {
            *place = Json::Object(Map::new());
        }
        place = &mut place[name];
    }
    *place = value;
}

/// Removes what is at the end of `property`.
pub(super) fn remove(document: &mut Json, property: &[&str]) {
    let Some((last, way)) = property.split_last() else { return };
    let holder = way.iter().try_fold(document, |value, name| value.get_mut(name));
    if let Some(Json::Object(fields)) = holder {
        fields.shift_remove(*last);
    }
}

/// The value that a file holds.
pub(super) fn decode(row: &Row, stored: &Json) -> Decoded {
    let good = |value| Decoded { value: Some(value), problem: None };
    match row.kind {
        Kind::Bool => stored.as_bool().map_or_else(unreadable, |value| good(Value::Bool(value))),
        Kind::Integer { min, max, on_read } => integer(row, stored, (min, max), on_read),
        Kind::Number { min, max, on_read, .. } => number(row, stored, (min, max), on_read),
        Kind::Choice { choices, stored: form } => match stored {
            Json::Number(index) if form == Stored::Index => index
                .as_u64()
                .and_then(|index| choices.get(usize::try_from(index).ok()?))
                .map_or_else(unreadable, |choice| good(Value::Choice(choice.name))),
            other => text(row, other),
        },
        Kind::Text { .. } => text(row, stored),
        Kind::Paths => good(Value::Paths(paths(stored))),
        Kind::Secret => good(Value::Secret(stored.as_str() != Some(""))),
    }
}

/// The form of a value in the file.
pub(super) fn encode(row: &Row, value: &Value) -> Json {
    match (value, row.kind) {
        (Value::Choice(name), Kind::Choice { choices, stored: Stored::Index }) => {
            choices.iter().position(|choice| choice.name == *name).into()
        }
        (Value::Paths(paths), _) => paths.as_slice().into(),
        _ => value.json(),
    }
}

fn unreadable() -> Decoded {
    Decoded { value: None, problem: Some("is not of its type and was ignored") }
}

fn integer(row: &Row, stored: &Json, (min, max): (i64, i64), on_read: OnRead) -> Decoded {
    match stored.as_i64() {
        Some(value) if (min..=max).contains(&value) => {
            Decoded { value: Some(Value::Integer(value)), problem: None }
        }
        Some(value) => repaired(row, Value::Integer(value.clamp(min, max)), on_read),
        // Beyond 64 bits, or with a fraction.
        None if stored.is_number() => repaired(row, row.default.clone(), on_read),
        None => unreadable(),
    }
}

fn number(row: &Row, stored: &Json, (min, max): (f64, f64), on_read: OnRead) -> Decoded {
    match stored.as_f64() {
        Some(value) if (min..=max).contains(&value) => {
            Decoded { value: Some(Value::Number(value)), problem: None }
        }
        Some(value) => repaired(row, Value::Number(value.clamp(min, max)), on_read),
        None => unreadable(),
    }
}

fn repaired(row: &Row, nearest: Value, on_read: OnRead) -> Decoded {
    match on_read {
        OnRead::Clamp => {
            Decoded { value: Some(nearest), problem: Some("is out of range; the nearest value was taken") }
        }
        OnRead::Default => Decoded {
            value: Some(row.default.clone()),
            problem: Some("is out of range; the default was taken"),
        },
    }
}

/// A text or the name of a choice, by the rules for what a person types.
fn text(row: &Row, stored: &Json) -> Decoded {
    let parsed = stored.as_str().and_then(|text| row.parse(text).ok());
    parsed.map_or_else(unreadable, |parsed| Decoded { value: Some(parsed.value), problem: None })
}

/// Folders. What is none stays in the list: it allows nothing, and still means that there is a limit.
fn paths(stored: &Json) -> Vec<String> {
    let one = |value: &Json| value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    let all: Vec<_> = match stored {
        Json::Array(entries) => entries.iter().map(one).collect(),
        Json::String(joined) => joined.split(';').map(|path| path.trim().to_owned()).collect(),
        other => vec![one(other)],
    };
    // Each of them costs a walk at every refusal; leaving some out only narrows.
    let most = usize::try_from(limits::PATH_ROOTS.value).unwrap_or(usize::MAX);
    all.into_iter().filter(|path| !path.is_empty()).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::settings::{row, rows};
    use serde_json::json;

    #[expect(clippy::needless_pass_by_value, reason = "so that `json!` can be written in a table")]
    fn read(key: &str, stored: Json) -> (Option<String>, bool) {
        let decoded = decode(row(key).unwrap(), &stored);
        (decoded.value.map(|value| value.to_string()), decoded.problem.is_some())
    }

    #[test]
    fn what_is_encoded_decodes_to_the_same() {
        for row in rows().iter().filter(|row| row.kind != Kind::Secret) {
            let decoded = decode(row, &encode(row, &row.default));
            assert_eq!((decoded.value.as_ref(), decoded.problem), (Some(&row.default), None), "{}", row.key);
        }
    }

    #[test]
    fn numbers_are_normalised_as_the_reference_does_and_it_is_said() {
        let table = [
            ("playback.speed", json!(0.01), "0.1", true),
            ("playback.speed", json!(1e300), "10", true),
            ("playback.speed", json!(2), "2", false),
            ("playback.loopCount", json!(-5), "0", true),
            ("playback.loopDelayMs", json!(-1), "0", true),
            ("playback.loopDelayMs", json!(u64::MAX), "0", true),
            ("playback.strictSpeedMotionEventsPerSecond", json!(0), "1000", true),
            ("playback.precisionMotionEventsPerSecond", json!(-3), "300", true),
            ("playback.maximumMotionErrorPixels", json!(0), "2", true),
            ("mcp.approvalTimeoutSeconds", json!(1000), "300", true),
            ("mcp.approvalTimeoutSeconds", json!(0), "1", true),
        ];
        for (key, stored, value, problem) in table {
            assert_eq!(read(key, stored.clone()), (Some(value.to_owned()), problem), "{key} {stored}");
        }
        for wrong in [json!("1"), json!(true), json!([1]), json!({})] {
            assert_eq!(read("playback.speed", wrong.clone()), (None, true), "{wrong}");
            assert_eq!(read("playback.loopCount", wrong.clone()).0, None, "{wrong}");
        }
    }

    #[test]
    fn choices_are_read_as_index_or_name_and_written_as_the_reference_does() {
        for stored in [json!(1), json!("StrictSpeed"), json!("strictspeed")] {
            assert_eq!(read("playback.motionMode", stored), (Some("StrictSpeed".to_owned()), false));
        }
        for stored in [json!(2), json!(-1), json!(0.5), json!("fast")] {
            assert_eq!(read("playback.motionMode", stored), (None, true));
        }
        let form = |key: &str, name| encode(row(key).unwrap(), &Value::Choice(name));
        assert_eq!(form("playback.motionMode", "StrictSpeed"), json!(1));
        assert_eq!(form("logging.level", "Debug"), json!("Debug"));
    }

    #[test]
    fn damaged_roots_stay_a_limit() {
        let table = [
            (json!([]), ""),
            (json!([" /a ", "", "/b"]), "/a;/b"),
            (json!([1, "/b"]), "1;/b"),
            (json!("/a;/b"), "/a;/b"),
            (json!({}), "{}"),
            (json!(false), "false"),
        ];
        for (stored, expected) in table {
            assert_eq!(read("mcp.paths.fileRead", stored), (Some(expected.to_owned()), false));
        }
        assert_eq!(paths(&json!(vec!["/a"; 100_000])).len(), 64);
    }

    #[test]
    fn a_secret_leaves_nothing_of_itself() {
        assert_eq!(read("screen.portalRestoreToken", json!("abc")), (Some("set".to_owned()), false));
        assert_eq!(read("screen.portalRestoreToken", json!("")), (Some("empty".to_owned()), false));
    }

    #[test]
    fn values_are_put_and_removed_deep_inside() {
        let mut document = json!({"x": 1, "mcpSecurity": null});
        put(&mut document, &["mcpSecurity", "paths", "fileReadRoots"], json!(["/a"]));
        assert_eq!(document, json!({"x": 1, "mcpSecurity": {"paths": {"fileReadRoots": ["/a"]}}}));
        remove(&mut document, &["mcpSecurity", "paths", "fileReadRoots"]);
        remove(&mut document, &["nothing", "there"]);
        assert_eq!(document, json!({"x": 1, "mcpSecurity": {"paths": {}}}));
    }
}
