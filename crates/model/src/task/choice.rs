//! Enums that are read as names or numbers, written as numbers, and shown as names.

use crate::nearest::nearest;
use serde::de::{Deserializer, Error, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// An enum with a name and a number for each member.
pub trait Choice: Copy + PartialEq + 'static {
    /// The members in the order of their numbers, which start at 0.
    const ALL: &'static [Self];

    /// The name.
    fn name(self) -> &'static str;

    /// The number in files.
    fn index(self) -> u64 {
        Self::ALL.iter().zip(0..).find(|(member, _)| **member == self).map_or(0, |(_, index)| index)
    }

    /// The member of that number.
    fn from_index(index: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(index).ok()?).copied()
    }

    /// The member of that name, in any case.
    ///
    /// # Errors
    /// [`UnknownChoice`] with all names.
    fn parse(text: &str) -> Result<Self, UnknownChoice> {
        let wanted = text.trim();
        let found = Self::ALL.iter().find(|member| member.name().eq_ignore_ascii_case(wanted));
        found
            .copied()
            .ok_or_else(|| UnknownChoice { accepted: Self::names(), nearest: nearest(wanted, Self::names()) })
    }

    /// All names.
    fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|member| member.name()).collect()
    }
}

/// A name that no member has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be one of: {}", .accepted.join(", "))]
pub struct UnknownChoice {
    /// All names.
    pub accepted: Vec<&'static str>,
    /// Those most like it.
    pub nearest: Vec<String>,
}

/// Reads a name in any case, or a number.
pub(super) fn deserialize<'de, D: Deserializer<'de>, C: Choice>(deserializer: D) -> Result<C, D::Error> {
    deserializer.deserialize_any(NameOrNumber(PhantomData))
}

struct NameOrNumber<C>(PhantomData<C>);

impl<C: Choice> Visitor<'_> for NameOrNumber<C> {
    type Value = C;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "one of {}, or its number", C::names().join(", "))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<C, E> {
        C::parse(text).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<C, E> {
        C::from_index(index).ok_or_else(|| E::custom("there is no member of this number"))
    }
}

macro_rules! choices {
    ($(#[$doc:meta])* $type:ident { $($(#[$member_doc:meta])* $member:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum $type { $($(#[$member_doc])* $member,)* }

        impl $crate::task::choice::Choice for $type {
            const ALL: &'static [Self] = &[$(Self::$member,)*];

            fn name(self) -> &'static str {
                match self { $(Self::$member => stringify!($member),)* }
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::task::choice::deserialize(deserializer)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let names = <Self as $crate::task::choice::Choice>::names();
                schemars::json_schema!({"type": "string", "enum": names})
            }
        }
    };
}
pub(super) use choices;
