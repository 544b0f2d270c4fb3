//! The forms that lists of tasks share: instants, and values that may be null.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use std::borrow::Cow;

/// Null where a text should be counts as the empty text: the other program writes it so.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.unwrap_or_default())
}

/// A list that may be null.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}

/// An instant, or null. Without an offset it is UTC.
pub(super) fn instant<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let Some(text) = Option::<Cow<'de, str>>::deserialize(deserializer)? else { return Ok(None) };
    let utc = || text.parse::<DateTime>().and_then(|wall| Offset::UTC.to_timestamp(wall));
    let parsed = text.parse::<Timestamp>().or_else(|_| utc());
    parsed.map(Some).map_err(|_| de::Error::custom("a date and time is not of the form 2030-02-03T04:05:06Z"))
}

pub(super) fn instant_value(instant: Option<Timestamp>) -> Value {
    instant.map(|instant| instant.to_string()).into()
}
