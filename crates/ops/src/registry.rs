//! The list of operations, and what a surface may know about each.

use crate::arguments;
use crate::context::{Call, Context};
use crate::guard;
use crate::operation::{Audience, Operation, Spec};
use crate::response::{Outcome, Response};
use crossmacro_model::{Code, Fault};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// One operation, its types erased. The body is reachable only through `call`, which is the guard.
pub struct Entry {
    spec: Spec,
    /// The schema that calls are checked with: kept for the operations that are called, and for no other, as
    /// all of them would be half of the memory of an idle server.
    input: OnceLock<Value>,
    build_input: fn() -> Value,
    build_output: fn() -> Value,
    work: fn(&Context, &Call<'_>, &Entry, Value, Extent) -> Result<Response, Fault>,
    empty: fn() -> Map<String, Value>,
}

/// How far a call goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All the way.
    Whole,
    /// Arguments, needs and policy, and no further.
    Checks,
}

impl Entry {
    pub(crate) const fn of<O: Operation>() -> Self {
        Self {
            spec: O::SPEC,
            input: OnceLock::new(),
            build_input: input_schema::<O::Params>,
            build_output: output_schema::<O::Reply>,
            work: work::<O>,
            empty: || fields(&O::Reply::default()),
        }
    }

    /// The fixed facts.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The JSON Schema of the arguments, built anew.
    pub fn input_schema(&self) -> Value {
        (self.build_input)()
    }

    /// The JSON Schema of the structured answer, success and failure alike, built anew.
    pub fn output_schema(&self) -> Value {
        (self.build_output)()
    }

    fn kept_input_schema(&self) -> &Value {
        self.input.get_or_init(self.build_input)
    }

    pub(crate) fn call(
        &self,
        context: &Context,
        call: &Call<'_>,
        arguments: Value,
        extent: Extent,
    ) -> Response {
        // A panic is our defect, never the end of the server; the drops have released what was held.
        let result = catch_unwind(AssertUnwindSafe(|| (self.work)(context, call, self, arguments, extent)));
        let fault = match result {
            Ok(Ok(response)) => return response,
            Ok(Err(fault)) => fault,
            Err(_) => Fault::new(
                Code::RuntimeError,
                "the operation failed unexpectedly; this is a defect of CrossMacro",
            )
            .delivered(crossmacro_model::Delivered::Uncertain),
        };
        Response::failed(fault, (self.empty)())
    }
}

fn work<O: Operation>(
    context: &Context,
    call: &Call<'_>,
    entry: &Entry,
    mut arguments: Value,
    extent: Extent,
) -> Result<Response, Fault> {
    arguments::spell_choices(&mut arguments, entry.kept_input_schema());
    arguments::check(&arguments, entry.kept_input_schema())?;
    let mut params: O::Params = serde_json::from_value(arguments)
        .map_err(|error| Fault::arguments(format!("the arguments don't fit: {error}")))?;
    guard::admit(context, call, entry.spec(), &O::needs(context, call, &mut params)?)?;
    if extent == Extent::Checks {
        let message = "The arguments are right. Nothing was done.".to_owned();
        return Ok(Response::done((entry.empty)(), message, Vec::new(), None));
    }
    let done = O::run(context, call, params)?;
    Ok(Response::done(fields(&done.reply), done.message, done.warnings, done.picture))
}

fn fields(reply: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(reply) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
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

/// The operations that every surface offers, in the order of the reference: the tools of MCP.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    every().filter(|entry| entry.spec.audience == Audience::Everyone)
}

fn every() -> impl Iterator<Item = &'static Entry> {
    SUBJECTS.iter().flat_map(|subject| subject.iter())
}

/// The operation of that name. Underscores stand for dots: hosts that refuse dots send them.
pub fn find(name: &str) -> Option<&'static Entry> {
    every()
        .find(|entry| entry.spec.name == name)
        .or_else(|| every().find(|entry| same_with_underscores(entry.spec.name, name)))
}

fn same_with_underscores(dotted: &str, name: &str) -> bool {
    dotted.len() == name.len()
        && dotted.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a == b'.' && b == b'_'))
}

/// The name that was probably meant.
pub(crate) fn nearest(name: &str) -> Option<String> {
    arguments::nearest(name, all().map(|entry| entry.spec.name))
}

static SUBJECTS: &[&[Entry]] = &[
    &crate::status::OPERATIONS,
    &crate::settings::OPERATIONS,
    &crate::profile::OPERATIONS,
    &crate::text_expansion::OPERATIONS,
    &crate::tasks::schedule::OPERATIONS,
    &crate::tasks::shortcut::OPERATIONS,
    &crate::tasks::trigger::OPERATIONS,
    &crate::automation::OPERATIONS,
    &crate::macro_files::OPERATIONS,
    &crate::clipboard::OPERATIONS,
    &crate::window::OPERATIONS,
    &crate::screen::OPERATIONS,
    &crate::image::OPERATIONS,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Effect;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for entry in every() {
            let name = entry.spec.name;
            assert!(seen.insert(name), "{name} is there twice");
            assert!(name.split('.').count() == 2 && name.len() <= 40, "{name}");
            assert!(std::ptr::eq(find(name).unwrap(), entry));
            assert!(std::ptr::eq(find(&name.replace('.', "_")).unwrap(), entry));
        }
    }

    #[test]
    fn every_effect_names_a_capability() {
        for entry in every().filter(|entry| entry.spec.effect == Effect::Effectful) {
            let spec = entry.spec;
            assert!(
                !(spec.needs.is_empty() && spec.any_of.is_empty() && spec.modes.is_empty()),
                "{} needs no capability",
                spec.name
            );
        }
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
        for entry in every() {
            assert!(entry.spec.summary.len() > 20, "{}", entry.spec.name);
            undocumented(entry.spec.name, &entry.input_schema(), &mut missing);
            undocumented(entry.spec.name, &entry.output_schema(), &mut missing);
        }
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn schemas_are_objects_without_references() {
        for entry in every() {
            for schema in [entry.input_schema(), entry.output_schema()] {
                assert_eq!(schema["type"], "object", "{}", entry.spec.name);
                assert!(!schema.to_string().contains("$ref"), "{}", entry.spec.name);
            }
            assert_eq!(entry.input_schema()["additionalProperties"], false);
        }
    }
}
