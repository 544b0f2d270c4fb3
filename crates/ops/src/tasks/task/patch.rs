//! An argument of an edit: absent keeps, null clears.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// What an edit does to one field.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Patch<T> {
    /// Absent: it stays.
    #[default]
    Keep,
    /// Null: it goes back to its default.
    Clear,
    /// It becomes this.
    Set(T),
}

impl<T> Patch<T> {
    pub(crate) fn is_set(&self) -> bool {
        matches!(self, Self::Set(_))
    }

    pub(crate) fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

/// Changes a field; `default` is what null stands for.
pub(crate) fn reset<T>(patch: Patch<T>, stored: &mut T, default: T) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => *stored = default,
        Patch::Set(value) => *stored = value,
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}
