//! The identity of a task: a GUID, shown with hyphens.

use crate::Fault;
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// The identity of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TaskId(u128);

impl TaskId {
    /// No identity: what an entry without one has.
    pub const NONE: Self = Self(0);

    /// An identity from 16 random bytes, marked as such (RFC 9562, version 4).
    pub fn random(bytes: [u8; 16]) -> Self {
        let mut bytes = bytes;
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        Self(u128::from_be_bytes(bytes))
    }

    /// Reads 32 hexadecimal digits in any case, with hyphens at the usual places or without, in braces or not.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let bare = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
        let has_hyphens = match bare.len() {
            32 => false,
            36 => true,
            _ => return None,
        };
        let mut number = 0_u128;
        for (place, byte) in bare.bytes().enumerate() {
            if has_hyphens && matches!(place, 8 | 13 | 18 | 23) {
                (byte == b'-').then_some(())?;
                continue;
            }
            number = number << 4 | u128::from(char::from(byte).to_digit(16)?);
        }
        Some(Self(number))
    }

    /// The identity in an argument.
    ///
    /// # Errors
    /// `invalid_arguments` when it is no GUID.
    pub fn argument(text: &str) -> Result<Self, Fault> {
        Self::parse(text).ok_or_else(|| {
            Fault::arguments("a task id is a GUID such as 7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54")
                .detail("argument", "taskId")
        })
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:032x}", self.0);
        let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
        write!(out, "{a}-{b}-{c}-{d}-{e}")
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("the id is no GUID"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_form_is_the_same_identity() {
        let shown = "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e54";
        let id = TaskId::parse(shown).unwrap();
        assert_eq!(id.to_string(), shown);
        for form in [shown.to_uppercase(), shown.replace('-', ""), format!(" {{{shown}}} ")] {
            assert_eq!(TaskId::parse(&form), Some(id), "{form}");
        }
        for wrong in ["", "7", &shown[1..], "7d4c2b0e-5a1f-4c63-9d8e-0b6f3a2c1e5g", &"é".repeat(18)] {
            assert_eq!(TaskId::parse(wrong), None, "{wrong}");
        }
        assert_eq!(TaskId::parse("+d4c2b0e5a1f4c639d8e0b6f3a2c1e54"), None);
        assert_eq!(TaskId::random([0xff; 16]).to_string(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
