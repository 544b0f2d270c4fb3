//! Ids of operations.

use crate::random;
use std::fmt;

/// An id: 128 random bits, written as 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Id(u128);

impl Id {
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        random::bytes().map(u128::from_le_bytes).map(Self)
    }

    /// Reads 32 hexadecimal digits of either case; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_id { u128::from_str_radix(text, 16).ok().map(Self) } else { None }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_32_digits() {
        let id = Id::random().unwrap();
        assert_eq!(Id::parse(&id.to_string()), Some(id));
        assert_eq!(Id::parse(&id.to_string().to_uppercase()), Some(id));
        assert_eq!(Id(7).to_string().len(), 32);
        for wrong in ["", "1", "+0000000000000000000000000000001", "g0000000000000000000000000000000"] {
            assert_eq!(Id::parse(wrong), None, "{wrong}");
        }
        assert_ne!(id, Id::random().unwrap());
    }
}
