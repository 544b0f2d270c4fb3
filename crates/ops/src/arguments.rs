//! Checks arguments against the very schema that clients were shown, so that the two can't drift apart.
//!
//! Covers the keywords that our own schemas use: `type`, `enum`, `const`, `minimum`, `maximum`, `minLength`,
//! `maxLength`, `minItems`, `maxItems`, `required`, `properties`, `additionalProperties`, `items`, `anyOf` and
//! `oneOf`. Not a general validator: the schemas are ours, and a test of the registry keeps them to this list.

use crossmacro_model::Fault;
use serde_json::{Map, Value};

/// Checks `arguments` against `schema`.
///
/// # Errors
/// `invalid_arguments` that names the argument, what is wrong, and what is accepted.
pub fn check(arguments: &Value, schema: &Value) -> Result<(), Fault> {
    if !arguments.is_object() {
        return Err(Fault::arguments("the arguments must be a JSON object"));
    }
    walk("", arguments, schema)
}

/// Gives the choices among the top arguments the spelling of the schema: they are accepted in any case.
pub(crate) fn spell_choices(arguments: &mut Value, schema: &Value) {
    let Some(fields) = arguments.as_object_mut() else { return };
    for (key, value) in fields {
        let Value::String(given) = value else { continue };
        let choices = choices(&schema["properties"][key.as_str()]);
        if let Some(meant) = choices.into_iter().find(|choice| choice.eq_ignore_ascii_case(given)) {
            meant.clone_into(given);
        }
    }
}

/// The texts that a schema lists, on their own or beside null.
fn choices(schema: &Value) -> Vec<&str> {
    let listed = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
    let mut found: Vec<&str> = listed.filter_map(Value::as_str).collect();
    for keyword in ["anyOf", "oneOf"] {
        found.extend(schema[keyword].as_array().into_iter().flatten().flat_map(choices));
    }
    found
}

fn walk(path: &str, value: &Value, schema: &Value) -> Result<(), Fault> {
    for keyword in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[keyword].as_array() {
            return any_of(path, value, choices);
        }
    }
    one_of_values(path, value, schema)?;
    of_type(path, value, schema)?;
    match value {
        Value::Object(fields) => object(path, fields, schema),
        Value::Array(items) => array(path, items, schema),
        Value::String(text) => string(path, text, schema),
        Value::Number(number) => number_in_range(path, number, schema),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

/// A choice between a value and null, or between the constants of an enum whose members are documented.
fn any_of(path: &str, value: &Value, choices: &[Value]) -> Result<(), Fault> {
    let mut first = None;
    for choice in choices {
        match walk(path, value, choice) {
            Ok(()) => return Ok(()),
            Err(fault) => drop(first.get_or_insert(fault)),
        }
    }
    let constants: Vec<&Value> = choices.iter().filter_map(|choice| choice.get("const")).collect();
    if constants.is_empty() {
        return first.map_or(Ok(()), Err);
    }
    Err(not_accepted(path, value, &constants))
}

fn one_of_values(path: &str, value: &Value, schema: &Value) -> Result<(), Fault> {
    let accepted: Vec<&Value> = match (schema["enum"].as_array(), schema.get("const")) {
        (Some(values), _) => values.iter().collect(),
        (None, Some(constant)) => vec![constant],
        (None, None) => return Ok(()),
    };
    if accepted.contains(&value) { Ok(()) } else { Err(not_accepted(path, value, &accepted)) }
}

fn not_accepted(path: &str, value: &Value, accepted: &[&Value]) -> Fault {
    let names: Vec<&str> = accepted.iter().filter_map(|value| value.as_str()).collect();
    let fault = Fault::arguments(format!("{} must be one of: {}", named(path), names.join(", ")))
        .detail("argument", path)
        .detail("accepted", names.clone());
    match value.as_str().and_then(|given| nearest(given, names.iter().copied())) {
        Some(near) => fault.remedy(format!("did you mean {near}?")),
        None => fault,
    }
}

fn of_type(path: &str, value: &Value, schema: &Value) -> Result<(), Fault> {
    let accepted: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let fits = accepted.iter().any(|kind| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        // 3.0 is an integer in JSON Schema, and some clients write it so; deserialising it would fail.
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    });
    if fits {
        return Ok(());
    }
    let wanted: Vec<&str> = accepted.into_iter().filter(|kind| *kind != "null").collect();
    Err(Fault::arguments(format!("{} must be a JSON {}", named(path), wanted.join(" or ")))
        .detail("argument", path))
}

fn object(path: &str, fields: &Map<String, Value>, schema: &Value) -> Result<(), Fault> {
    let Some(properties) = schema["properties"].as_object() else { return Ok(()) };
    for key in fields.keys() {
        if !properties.contains_key(key) && schema["additionalProperties"] == Value::Bool(false) {
            return Err(unknown_argument(path, key, properties));
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            let path = join(path, name);
            return Err(Fault::arguments(format!("{} is required", named(&path))).detail("argument", path));
        }
    }
    for (key, value) in fields {
        if let Some(property) = properties.get(key) {
            walk(&join(path, key), value, property)?;
        }
    }
    Ok(())
}

fn unknown_argument(path: &str, key: &str, properties: &Map<String, Value>) -> Fault {
    let shown: String = key.chars().take(64).collect();
    let accepted: Vec<&str> = properties.keys().map(String::as_str).collect();
    let place = if path.is_empty() { String::new() } else { format!(" in {path}") };
    let fault = Fault::arguments(format!("there is no argument {shown:?}{place}"))
        .detail("argument", join(path, &shown))
        .detail("accepted", accepted.clone());
    match nearest(key, accepted.into_iter()) {
        Some(near) => fault.remedy(format!("did you mean {near}?")),
        None => fault,
    }
}

fn array(path: &str, items: &[Value], schema: &Value) -> Result<(), Fault> {
    let count = items.len() as u64;
    let what = || format!("{} must have", named(path));
    within(path, count, schema["minItems"].as_u64(), schema["maxItems"].as_u64(), what, "entries")?;
    for (index, item) in items.iter().enumerate() {
        walk(&format!("{path}[{index}]"), item, &schema["items"])?;
    }
    Ok(())
}

fn string(path: &str, text: &str, schema: &Value) -> Result<(), Fault> {
    let (least, most) = (schema["minLength"].as_u64(), schema["maxLength"].as_u64());
    if least.is_none() && most.is_none() {
        return Ok(());
    }
    let length = text.chars().count() as u64;
    within(path, length, least, most, || format!("{} must have", named(path)), "characters")
}

fn within(
    path: &str,
    count: u64,
    least: Option<u64>,
    most: Option<u64>,
    what: impl Fn() -> String,
    unit: &str,
) -> Result<(), Fault> {
    let fault = |bound: String| {
        Fault::arguments(format!("{} {bound} {unit}, not {count}", what())).detail("argument", path)
    };
    match (least, most) {
        (Some(least), _) if count < least => Err(fault(format!("at least {least}"))),
        (_, Some(most)) if count > most => Err(fault(format!("at most {most}"))),
        _ => Ok(()),
    }
}

fn number_in_range(path: &str, number: &serde_json::Number, schema: &Value) -> Result<(), Fault> {
    let Some(value) = number.as_f64() else { return Ok(()) };
    let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
    let outside = least.is_some_and(|least| value < least) || most.is_some_and(|most| value > most);
    if !outside {
        return Ok(());
    }
    let range = match (least, most) {
        (Some(least), Some(most)) => format!("between {least} and {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => return Ok(()),
    };
    Err(Fault::arguments(format!("{} must be {range}, not {value}", named(path)))
        .detail("argument", path)
        .detail("minimum", least)
        .detail("maximum", most))
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn named(path: &str) -> String {
    if path.is_empty() { "the value".to_owned() } else { format!("the argument {path}") }
}

/// The candidate that a typo probably meant.
pub(crate) fn nearest<'a>(given: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    crossmacro_model::nearest::nearest(given, candidates).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(arguments: &Value, schema: &Value) -> String {
        check(arguments, schema).map_or_else(|fault| fault.message, |()| "fits".into())
    }

    #[test]
    fn each_keyword_refuses_and_accepts() {
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["mode"], "properties": {
            "mode": {"type": "string", "enum": ["list", "wait"]},
            "choice": {"anyOf": [{"oneOf": [{"const": "a", "type": "string"}, {"const": "b", "type": "string"}]}, {"type": "null"}]},
            "x": {"type": ["integer", "null"], "minimum": -5, "maximum": 5},
            "text": {"type": "string", "minLength": 1, "maxLength": 3},
            "steps": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
        }});
        let with = |key: &str, value: Value| message(&json!({"mode": "list", key: value}), &schema);
        assert_eq!(message(&json!([]), &schema), "the arguments must be a JSON object");
        assert_eq!(message(&json!({}), &schema), "the argument mode is required");
        assert_eq!(
            message(&json!({"mode": "lost"}), &schema),
            "the argument mode must be one of: list, wait"
        );
        assert_eq!(with("nonsense", json!(1)), "there is no argument \"nonsense\"");
        assert_eq!(with("x", json!(5)), "fits");
        assert_eq!(with("x", Value::Null), "fits");
        assert_eq!(with("x", json!(6)), "the argument x must be between -5 and 5, not 6");
        assert_eq!(with("x", json!(1.5)), "the argument x must be a JSON integer");
        assert_eq!(with("x", json!("1")), "the argument x must be a JSON integer");
        assert_eq!(with("choice", json!("b")), "fits");
        assert_eq!(with("choice", Value::Null), "fits");
        assert_ne!(with("choice", json!("c")), "fits");
        assert_eq!(with("text", json!("äöü")), "fits");
        assert_eq!(with("text", json!("")), "the argument text must have at least 1 characters, not 0");
        assert_eq!(with("text", json!("abcd")), "the argument text must have at most 3 characters, not 4");
        assert_eq!(with("steps", json!(["a", 2])), "the argument steps[1] must be a JSON string");
        assert_eq!(
            with("steps", json!(["a", "b", "c"])),
            "the argument steps must have at most 2 entries, not 3"
        );
    }

    #[test]
    fn a_typo_finds_its_neighbour_and_nonsense_finds_none() {
        assert_eq!(nearest("serach", ["list", "search"].into_iter()).as_deref(), Some("search"));
        assert_eq!(nearest("zzzzzz", ["list", "search"].into_iter()), None);
        assert_eq!(nearest(&"s".repeat(100_000), ["search"].into_iter()), None);
    }
}
