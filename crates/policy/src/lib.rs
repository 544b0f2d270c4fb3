//! Pure decisions: capabilities.
#![forbid(unsafe_code)]
use crossmacro_model::Capability;
use std::collections::BTreeSet;

/// What one call needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Every one of these.
    pub all: BTreeSet<Capability>,
    /// At least one of these, unless empty.
    pub any_of: BTreeSet<Capability>,
}

/// Path classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathClass {
    /// Macros that are read.
    MacroRead,
    /// Macros that are written.
    MacroWrite,
    /// Pictures that are read.
    ImageRead,
    /// Pictures that are written.
    ImageWrite,
    /// Other files that are read.
    FileRead,
    /// Other files that are written.
    FileWrite,
}

/// Roots of one class.
#[derive(Debug, Clone, Default)]
pub struct Roots;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// What is missing.
    pub capability: Capability,
    /// Because of `--restricted`.
    pub is_restricted: bool,
}

/// Policy stub.
#[derive(Debug, Clone)]
pub struct Policy(Option<BTreeSet<Capability>>, bool);

impl Policy {
    /// Everything.
    pub fn local() -> Self {
        Self(None, false)
    }
    /// A client's.
    pub fn client(enabled: impl Fn(Capability) -> bool, is_restricted: bool) -> Self {
        Self(
            Some(
                Capability::ALL
                    .iter()
                    .copied()
                    .filter(|c| enabled(*c) && (!is_restricted || c.allowed_when_restricted()))
                    .collect(),
            ),
            is_restricted,
        )
    }
    /// Allowed?
    pub fn allows(&self, capability: Capability) -> bool {
        self.0.as_ref().is_none_or(|set| set.contains(&capability))
    }
    /// Decide.
    pub fn decide(&self, needs: &Needs) -> Result<(), Denied> {
        let denied = |capability| Denied { capability, is_restricted: self.1 };
        if let Some(c) = needs.all.iter().find(|c| !self.allows(**c)) {
            return Err(denied(*c));
        }
        if needs.any_of.is_empty() || needs.any_of.iter().any(|c| self.allows(*c)) {
            return Ok(());
        }
        Err(denied(*needs.any_of.iter().next().unwrap_or(&Capability::StatusRead)))
    }
}
