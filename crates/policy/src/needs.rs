//! What a call needs, and whether it may have it.

use crate::CapabilitySet;
use crossmacro_model::{Capability, Code, Fault, settings};

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// The user, at their own command line: the policy is theirs, and does not bind them.
    Local,
    /// An MCP client, whatever way its call took.
    Client,
}

/// The full needs of one call with these very arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// Every one of these is needed.
    pub all: CapabilitySet,
    /// One of these is enough; an empty set asks for nothing.
    pub any_of: CapabilitySet,
}

impl Needs {
    /// A call that needs every one of these.
    pub fn all(capabilities: impl Into<CapabilitySet>) -> Self {
        Self { all: capabilities.into(), any_of: CapabilitySet::EMPTY }
    }

    /// A call for which one of these is enough.
    pub fn any_of(capabilities: impl Into<CapabilitySet>) -> Self {
        Self { all: CapabilitySet::EMPTY, any_of: capabilities.into() }
    }

    /// The same call with one more need.
    #[must_use]
    pub fn and(self, capabilities: impl Into<CapabilitySet>) -> Self {
        Self { all: self.all.union(capabilities.into()), ..self }
    }
}

/// What is allowed in this process, at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// What the settings allow.
    pub capabilities: CapabilitySet,
    /// Whether the process was started with `--restricted`.
    pub restricted: bool,
    /// Who asks.
    pub authority: Authority,
}

/// The policy says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} is not allowed{}", .capability.name(), if *.restricted { " in restricted mode" } else { "" })]
pub struct Denied {
    /// The first capability that is missing.
    pub capability: Capability,
    /// The setting that would give it; `None` where no setting does.
    pub settings_key: Option<&'static str>,
    /// Whether restricted mode takes it away, whatever the settings say.
    pub restricted: bool,
}

impl Policy {
    /// The policy for the user at the command line.
    pub fn local() -> Self {
        Self { capabilities: CapabilitySet::EMPTY, restricted: false, authority: Authority::Local }
    }

    /// The policy for an MCP client.
    pub fn client(capabilities: CapabilitySet, restricted: bool) -> Self {
        Self { capabilities, restricted, authority: Authority::Client }
    }

    /// Whether one capability is allowed.
    pub fn allows(&self, capability: Capability) -> bool {
        match self.authority {
            Authority::Local => true,
            Authority::Client if self.restricted && !capability.allowed_when_restricted() => false,
            Authority::Client => {
                capability.settings_key().is_none() || self.capabilities.contains(capability)
            }
        }
    }

    /// Whether a call may be made.
    ///
    /// # Errors
    /// [`Denied`] with the first capability that is missing.
    pub fn decide(&self, needs: &Needs) -> Result<(), Denied> {
        if let Some(missing) = needs.all.iter().find(|&capability| !self.allows(capability)) {
            return Err(self.denied(missing));
        }
        let mut alternatives = needs.any_of.iter();
        match alternatives.next() {
            Some(first) if !self.allows(first) && !alternatives.any(|other| self.allows(other)) => {
                Err(self.denied(first))
            }
            _ => Ok(()),
        }
    }

    /// Whether the setting `key`, known or not, may be changed. A client may not touch the policy that
    /// guards against it, whatever its capabilities.
    ///
    /// # Errors
    /// [`Denied`] names the capability to change settings; no setting gives this.
    pub fn decide_setting(&self, key: &str) -> Result<(), Denied> {
        if self.authority == Authority::Client && settings::guards_clients(key) {
            let capability = Capability::SettingsWrite;
            return Err(Denied { capability, settings_key: None, restricted: self.restricted });
        }
        self.decide(&Needs::all(Capability::SettingsWrite))
    }

    fn denied(&self, capability: Capability) -> Denied {
        Denied {
            capability,
            settings_key: capability.settings_key(),
            restricted: self.restricted && !capability.allowed_when_restricted(),
        }
    }
}

impl From<Denied> for Fault {
    fn from(denied: Denied) -> Self {
        let remedy = match (denied.restricted, denied.settings_key) {
            (true, _) => "start the server without --restricted".to_owned(),
            (false, Some(key)) => {
                format!("the user can allow it with `crossmacro settings set {key} true`")
            }
            (false, None) => "only the user can change it, with `crossmacro settings`".to_owned(),
        };
        Self::new(Code::CapabilityDenied, denied.to_string())
            .remedy(remedy)
            .detail("capability", denied.capability.name())
            .detail("settingsKey", denied.settings_key)
            .detail("restricted", denied.restricted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Capability::{
        FileWrite, InputAutomation, MacroRead, Recording, ScreenRead, SettingsWrite, StatusRead,
    };

    fn everything() -> CapabilitySet {
        Capability::ALL.iter().copied().collect()
    }

    #[test]
    fn status_is_allowed_always_and_all_else_only_by_the_settings() {
        let nothing = Policy::client(CapabilitySet::EMPTY, false);
        for &capability in Capability::ALL {
            assert_eq!(nothing.allows(capability), capability == StatusRead, "{capability:?}");
            assert!(Policy::client(everything(), false).allows(capability));
            assert!(Policy::local().allows(capability));
        }
    }

    #[test]
    fn restricted_leaves_status_and_macros_that_the_settings_allow() {
        let allowed = |set| {
            let policy = Policy::client(set, true);
            Capability::ALL.iter().copied().filter(|&one| policy.allows(one)).collect::<CapabilitySet>()
        };
        assert_eq!(allowed(everything()), [StatusRead, MacroRead].into());
        assert_eq!(allowed(CapabilitySet::EMPTY), StatusRead.into());
    }

    #[test]
    fn all_means_all_and_the_first_missing_one_is_named() {
        let policy = Policy::client(ScreenRead.into(), false);
        assert_eq!(policy.decide(&Needs::default()), Ok(()));
        assert_eq!(policy.decide(&Needs::all(ScreenRead)), Ok(()));
        let denied = policy.decide(&Needs::all([FileWrite, ScreenRead, InputAutomation])).unwrap_err();
        let expected = Denied {
            capability: InputAutomation,
            settings_key: Some("mcp.inputAutomation"),
            restricted: false,
        };
        assert_eq!(denied, expected);
    }

    #[test]
    fn any_means_one() {
        let policy = Policy::client(Recording.into(), false);
        assert_eq!(policy.decide(&Needs::any_of([InputAutomation, Recording])), Ok(()));
        assert_eq!(policy.decide(&Needs::any_of([Recording, InputAutomation])), Ok(()));
        let denied = policy.decide(&Needs::any_of([InputAutomation, FileWrite])).unwrap_err();
        assert_eq!(denied.capability, InputAutomation);
        let both = Needs::any_of([InputAutomation, Recording]).and(FileWrite);
        assert_eq!(policy.decide(&both).unwrap_err().capability, FileWrite);
    }

    #[test]
    fn a_client_never_changes_its_own_policy() {
        let client = Policy::client(everything(), false);
        assert_eq!(client.decide_setting("ui.theme"), Ok(()));
        for key in ["mcp.shellExecute", "mcp.paths.fileRead", "mcp.unknown", "MCP.shellExecute"] {
            let denied = client.decide_setting(key).unwrap_err();
            assert_eq!((denied.capability, denied.settings_key), (SettingsWrite, None), "{key}");
            assert_eq!(Policy::local().decide_setting(key), Ok(()));
        }
        assert!(Policy::client(CapabilitySet::EMPTY, false).decide_setting("ui.theme").is_err());
    }

    #[test]
    fn the_fault_says_what_is_missing_and_who_can_give_it() {
        let fault =
            Fault::from(Policy::client(everything(), true).decide(&Needs::all(ScreenRead)).unwrap_err());
        assert_eq!(fault.code, Code::CapabilityDenied);
        assert_eq!(fault.details["capability"], "ScreenRead");
        assert_eq!(fault.details["settingsKey"], "mcp.screenRead");
        assert_eq!(fault.details["restricted"], true);
        assert!(fault.remediation.unwrap().contains("--restricted"));
    }
}
