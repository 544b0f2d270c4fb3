//! Makes the schemas of [`super::schemas`] from the types of the operations, and compares them with the file.
#![allow(clippy::disallowed_methods, reason = "the test writes the file when it is asked to")]

use super::find;
use crate::operation::Operation;
use crate::response::Outcome;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// What an operation takes and answers.
pub(crate) struct Types {
    name: &'static str,
    input: fn() -> Value,
    output: fn() -> Value,
}

impl Types {
    pub(crate) const fn of<O: Operation>() -> Self {
        Self { name: O::SPEC.name, input: input_schema::<O::Params>, output: output_schema::<O::Reply> }
    }
}

fn every() -> impl Iterator<Item = &'static Types> {
    super::SUBJECT_TYPES.iter().flat_map(|subject| subject.iter())
}

/// The arguments as they are shown. An operation that changes what `<subject>.add` made has the same arguments:
/// they are explained there.
fn shown_input(types: &Types) -> Value {
    let mut schema = (types.input)();
    let (subject, verb) = types.name.split_once('.').unwrap();
    let adds = format!("{subject}.add");
    let Some(add) = every().find(|types| types.name == adds && verb != "add") else { return schema };
    let (add, explained) = ((add.input)(), format!("As in {adds}."));
    for (name, argument) in schema["properties"].as_object_mut().into_iter().flatten() {
        let there = &add["properties"][name]["description"];
        if argument["description"] == *there
            && there.as_str().is_some_and(|text| text.len() > explained.len())
        {
            argument["description"] = explained.as_str().into();
        }
    }
    schema
}

/// What says no more than how a result is built. Results explain themselves by their names, and every tool in
/// the list costs a model tokens: only arguments keep descriptions and bounds.
fn shape(schema: Value) -> Value {
    const SAID_BY_ARGUMENTS_ONLY: [&str; 6] =
        ["description", "title", "minimum", "maximum", "format", "default"];
    match schema {
        Value::Object(words) => {
            let kept = words.into_iter().filter(|(word, _)| !SAID_BY_ARGUMENTS_ONLY.contains(&word.as_str()));
            let shaped = kept.map(|(word, value)| {
                let value = shape_of(&word, value);
                (word, value)
            });
            Value::Object(shaped.collect())
        }
        Value::Array(several) => several.into_iter().map(shape).collect(),
        other => other,
    }
}

/// The value of one word of a schema. The names of properties are no words: a field may be called `title`.
fn shape_of(word: &str, value: Value) -> Value {
    match (word, value) {
        ("properties", Value::Object(fields)) => {
            Value::Object(fields.into_iter().map(|(name, field)| (name, shape(field))).collect())
        }
        ("enum" | "const" | "required", value) => value,
        (_, value) => shape(value),
    }
}

fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        // Inlined, because some hosts don't follow `$ref`.
        settings.inline_subschemas = true;
        settings.transforms.push(Box::new(RecursiveTransform(bounds_for_formats)));
        settings.transforms.push(Box::new(RecursiveTransform(one_list_of_choices)));
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>()
}

/// Says the range of our integer types in the words of JSON Schema: few clients know `format: int32`.
fn bounds_for_formats(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let (least, most) = match object.get("format").and_then(Value::as_str) {
        Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
        Some("uint8") => (json!(0), json!(u8::MAX)),
        Some("uint32") => (json!(0), json!(u32::MAX)),
        Some("uint" | "uint64") => (json!(0), Value::Null),
        Some("double") => (Value::Null, Value::Null),
        _ => return,
    };
    object.remove("format");
    for (key, bound) in [("minimum", least), ("maximum", most)] {
        if !bound.is_null() {
            object.entry(key).or_insert(bound);
        }
    }
}

/// Makes one list of names out of a choice that says each name in a schema of its own, with or without null:
/// what the names mean is in the description of the argument, and the list of tools costs a model tokens.
fn one_list_of_choices(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(names) = object.get("oneOf").and_then(joined_names) {
        object.remove("oneOf");
        object.insert("type".into(), json!("string"));
        object.insert("enum".into(), names.into());
    }
    if let Some(Value::Array(alternatives)) = object.get("anyOf")
        && let [choice, null] = alternatives.as_slice()
        && *null == json!({"type": "null"})
        && let Some(mut names) = names_of(choice)
    {
        names.push(Value::Null);
        object.remove("anyOf");
        object.insert("type".into(), json!(["string", "null"]));
        object.insert("enum".into(), names.into());
    }
}

/// The names that a schema allows, where it is a choice of names and nothing else.
fn names_of(schema: &Value) -> Option<Vec<Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(name @ Value::String(_)), None) => Some(vec![name.clone()]),
        (None, Some(Value::Array(names))) if schema["type"] == "string" => Some(names.clone()),
        _ => schema.get("oneOf").and_then(joined_names),
    }
}

fn joined_names(alternatives: &Value) -> Option<Vec<Value>> {
    alternatives.as_array()?.iter().map(names_of).collect::<Option<Vec<_>>>().map(|names| names.concat())
}

fn input_schema<T: JsonSchema>() -> Value {
    let mut schema = schema_of::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object.entry("type").or_insert(json!("object"));
        object.entry("properties").or_insert(json!({}));
        object.insert("additionalProperties".into(), json!(false));
    }
    schema
}

fn output_schema<T: JsonSchema>() -> Value {
    let mut schema = schema_of::<T>().to_value();
    let outcome = schema_of::<Outcome>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object.insert("type".into(), json!("object"));
        let mut properties = Map::new();
        properties.insert("outcome".into(), outcome);
        if let Some(Value::Object(own)) = object.remove("properties") {
            properties.extend(own);
        }
        // Every field is always present: null stands for "not known".
        let required = properties.keys().cloned().map(Value::String).collect();
        object.insert("properties".into(), Value::Object(properties));
        object.insert("required".into(), Value::Array(required));
    }
    schema
}

fn file() -> String {
    every()
        .map(|types| format!("{}\t{}\t{}\n", types.name, shown_input(types), shape((types.output)())))
        .collect()
}

#[test]
fn the_file_is_what_the_types_say() {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/registry/schemas.tsv"), file()).unwrap();
        return;
    }
    let file = file();
    let mut written = include_str!("schemas.tsv").lines();
    for line in file.lines() {
        let name = line.split('\t').next().unwrap();
        assert_eq!(Some(line), written.next(), "{name}: `cargo xtask bless` renews the file");
    }
    assert_eq!(written.next(), None);
    assert_eq!(
        every().map(|types| types.name).collect::<Vec<_>>(),
        super::every().map(|entry| entry.spec.name).collect::<Vec<_>>()
    );
}

#[test]
fn every_argument_and_field_is_documented() {
    fn undocumented(path: &str, schema: &Value, missing: &mut Vec<String>) {
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{key}");
            if property.get("description").is_none() {
                missing.push(path.clone());
            }
            undocumented(&path, property, missing);
            undocumented(&path, &property["items"], missing);
        }
    }
    let mut missing = Vec::new();
    for types in every() {
        assert!(find(types.name).unwrap().spec.summary.len() > 20, "{}", types.name);
        undocumented(types.name, &(types.input)(), &mut missing);
        undocumented(types.name, &(types.output)(), &mut missing);
    }
    assert_eq!(missing, Vec::<String>::new());
}
