//! A set of capabilities.

use crossmacro_model::Capability;
use std::fmt;

/// A set of capabilities. Iterates in the order of the capability table.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct CapabilitySet(u32);

// One bit for each: a table that outgrows the word must not compile.
const _: () = assert!(Capability::ALL.len() <= 32);

impl CapabilitySet {
    /// The set with nothing in it.
    pub const EMPTY: Self = Self(0);

    /// The same set with `capability` in it.
    #[must_use]
    pub const fn with(self, capability: Capability) -> Self {
        Self(self.0 | (1 << capability as u32))
    }

    /// What is in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `capability` is in it.
    pub const fn contains(self, capability: Capability) -> bool {
        self.0 & (1 << capability as u32) != 0
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in it, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL.iter().copied().filter(move |&capability| self.contains(capability))
    }
}

impl FromIterator<Capability> for CapabilitySet {
    fn from_iter<I: IntoIterator<Item = Capability>>(capabilities: I) -> Self {
        capabilities.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<const N: usize> From<[Capability; N]> for CapabilitySet {
    fn from(capabilities: [Capability; N]) -> Self {
        capabilities.into_iter().collect()
    }
}

impl From<Capability> for CapabilitySet {
    fn from(capability: Capability) -> Self {
        Self::EMPTY.with(capability)
    }
}

impl fmt::Debug for CapabilitySet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}
