//! The list of operations, and what a surface may know about each.

mod schemas;
#[cfg(test)]
pub(crate) mod types;

use crate::arguments;
use crate::context::{Call, Context};
use crate::guard;
use crate::operation::{Audience, Operation, Spec};
use crate::response::Response;
use crossmacro_model::{Code, Fault};
pub use schemas::Schemas;
use serde_json::{Map, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// One operation, its types erased. The body is reachable only through `call`, which is the guard.
pub struct Entry {
    spec: Spec,
    /// The schema that calls are checked with: kept for the operations that are called, and for no other, as
    /// all of them would be half of the memory of an idle server.
    input: OnceLock<Value>,
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
            work: work::<O>,
            empty: || fields(&O::Reply::default()),
        }
    }

    /// The fixed facts.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The JSON Schemas of its arguments and of its structured answer, success and failure alike.
    pub fn schemas(&self) -> Schemas {
        schemas::of(self.spec.name)
    }

    fn kept_input_schema(&self) -> &Value {
        self.input.get_or_init(|| serde_json::from_str(self.schemas().input).unwrap_or(Value::Bool(false)))
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

/// The operations of one subject.
macro_rules! operations {
    ($($operation:ty),+ $(,)?) => {
        pub(crate) static OPERATIONS: [$crate::registry::Entry; [$(stringify!($operation)),+].len()] =
            [$($crate::registry::Entry::of::<$operation>()),+];
        #[cfg(test)]
        pub(crate) static TYPES: &[$crate::registry::types::Types] =
            &[$($crate::registry::types::Types::of::<$operation>()),+];
    };
}
pub(crate) use operations;

macro_rules! subjects {
    ($($subject:path),+ $(,)?) => {
        static SUBJECTS: &[&[Entry]] = &[$({ use $subject as subject; &subject::OPERATIONS }),+];
        #[cfg(test)]
        static SUBJECT_TYPES: &[&[types::Types]] = &[$({ use $subject as subject; subject::TYPES }),+];
    };
}

subjects![
    crate::status,
    crate::settings,
    crate::profile,
    crate::text_expansion,
    crate::tasks::schedule,
    crate::tasks::shortcut,
    crate::tasks::trigger,
    crate::automation,
    crate::macro_files,
    crate::clipboard,
    crate::window,
    crate::screen,
    crate::image,
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
    fn schemas_are_objects_without_references() {
        for entry in every() {
            let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            let (input, output) = (read(entry.schemas().input), read(entry.schemas().output));
            for schema in [&input, &output] {
                assert_eq!(schema["type"], "object", "{}", entry.spec.name);
                assert!(!schema.to_string().contains("$ref"), "{}", entry.spec.name);
            }
            assert_eq!(input["additionalProperties"], false);
        }
    }
}
