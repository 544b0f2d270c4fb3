//! Whether a call that acts is made at once, only when a person agrees, or never.

use crate::{Needs, Policy};
use crossmacro_model::Capability;

/// How a call is approved, from the mildest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Approval {
    /// At once.
    #[default]
    Auto,
    /// By a person.
    Ask,
    /// Never.
    Deny,
}

impl Approval {
    /// The one that a setting names; `None` for what names none, such as `inherit`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "ask" => Some(Self::Ask),
            "deny" => Some(Self::Deny),
            _ => None,
        }
    }
}

/// What the settings say about approval: for all calls, and for some capabilities otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approvals {
    general: Approval,
    own: Vec<(Capability, Approval)>,
}

impl Approvals {
    /// One for all calls, but for the capabilities that have one of their own.
    pub fn new(general: Approval, own: impl IntoIterator<Item = (Capability, Approval)>) -> Self {
        Self { general, own: own.into_iter().collect() }
    }

    /// How a use of one capability is approved.
    pub fn of(&self, capability: Capability) -> Approval {
        if capability == Capability::PrivilegeElevation {
            return Approval::Deny;
        }
        self.own.iter().find(|(known, _)| *known == capability).map_or(self.general, |(_, own)| *own)
    }

    /// How a call is approved, and the capability that asks for the strictest: of what is needed the strictest, and
    /// where one of several is enough, the mildest that the policy allows. A call that needs nothing but what is always
    /// allowed asks nobody.
    pub fn decide(&self, policy: &Policy, needs: &Needs) -> (Approval, Option<Capability>) {
        let judged = |capability| (self.of(capability), Some(capability));
        let needed = needs.all.iter().filter(|one| *one != Capability::StatusRead).map(judged);
        let usable = needs.any_of.iter().filter(|capability| policy.allows(*capability));
        let mildest = usable.map(judged).min_by_key(|(approval, _)| *approval);
        needed.chain(mildest).max_by_key(|(approval, _)| *approval).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CapabilitySet;

    #[test]
    fn the_strictest_need_decides_and_the_mildest_alternative() {
        use Capability::{ClipboardRead, FileRead, FileWrite, PrivilegeElevation, ScreenRead};
        let own = [(FileWrite, Approval::Deny), (FileRead, Approval::Auto), (ClipboardRead, Approval::Deny)];
        let approvals = Approvals::new(Approval::Ask, own);
        let all: CapabilitySet = Capability::ALL.iter().copied().collect();
        let policy = Policy::client(all, false);
        let decide = |needs: Needs| approvals.decide(&policy, &needs).0;
        let set = |capabilities: &[Capability]| capabilities.iter().copied().collect::<CapabilitySet>();
        assert_eq!(decide(Needs::default()), Approval::Auto);
        assert_eq!(approvals.decide(&policy, &Needs::all(Capability::StatusRead)), (Approval::Auto, None));
        assert_eq!(decide(Needs::all(FileRead)), Approval::Auto);
        assert_eq!(decide(Needs::all(FileRead).and(ScreenRead)), Approval::Ask);
        assert_eq!(decide(Needs::all(FileRead).and(FileWrite)), Approval::Deny);
        assert_eq!(decide(Needs::any_of(set(&[FileWrite, ScreenRead]))), Approval::Ask);
        assert_eq!(decide(Needs { all: set(&[FileRead]), any_of: set(&[ClipboardRead]) }), Approval::Deny);
        let (_, why) = approvals.decide(&policy, &Needs::all(FileRead).and(FileWrite));
        assert_eq!(why, Some(FileWrite));
        // What is switched off is no alternative.
        let few = Policy::client(set(&[FileWrite]), false);
        let needs = Needs::any_of(set(&[FileWrite, FileRead]));
        assert_eq!(approvals.decide(&few, &needs).0, Approval::Deny);
        // Nothing approves this one.
        let mild = Approvals::new(Approval::Auto, [(PrivilegeElevation, Approval::Auto)]);
        assert_eq!(mild.of(PrivilegeElevation), Approval::Deny);
    }
}
