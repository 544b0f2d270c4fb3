//! The capabilities that a policy grants, and the settings key of each.

use serde::{Deserialize, Serialize};

macro_rules! capabilities {
    ($(#[doc = $summary:literal] $name:ident $key:literal $default:literal,)*) => {
        /// One thing an MCP client may be allowed to do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
        pub enum Capability {
            $(#[doc = $summary] $name,)*
        }

        impl Capability {
            /// All of them, in the order of the reference.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name in results.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The settings key that enables it; `None` for what can't be switched off.
            pub const fn settings_key(self) -> Option<&'static str> {
                let (word, key) = match self { $(Self::$name => ($key, concat!("mcp.", $key)),)* };
                if word.is_empty() { None } else { Some(key) }
            }

            /// The settings key that says how calls that need it are approved; `None` for what is always allowed and
            /// what never is.
            pub const fn approval_key(self) -> Option<&'static str> {
                let key = match self { $(Self::$name => concat!("mcp.approval.", $key),)* };
                if matches!(self, Self::StatusRead | Self::PrivilegeElevation) { None } else { Some(key) }
            }

            /// The JSON properties that lead to that in the settings file.
            pub const fn approval_property(self) -> &'static [&'static str] {
                match self { $(Self::$name => &["mcpSecurity", "approval", $key],)* }
            }

            /// The JSON properties that lead to its switch in the settings file.
            pub const fn settings_property(self) -> &'static [&'static str] {
                match self { $(Self::$name => &["mcpSecurity", concat!("allow", stringify!($name))],)* }
            }

            /// What it allows, in a sentence.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$name => $summary,)* }.trim_ascii()
            }

            /// Whether it is allowed where the settings say nothing.
            pub const fn default_allowed(self) -> bool {
                match self { $(Self::$name => $default,)* }
            }
        }
    };
}

capabilities! {
    /// Status, help and the state of operations. Always allowed.
    StatusRead "" true,
    /// Macro files are listed, inspected and validated.
    MacroRead "macroRead" true,
    /// Pixels and the pointer's position are read.
    ScreenRead "screenRead" true,
    /// The clipboard is read.
    ClipboardRead "clipboardRead" true,
    /// The clipboard is replaced.
    ClipboardWrite "clipboardWrite" true,
    /// Keys, buttons, wheel and pointer are driven.
    InputAutomation "inputAutomation" true,
    /// Input is recorded.
    Recording "recording" true,
    /// Windows are listed.
    WindowRead "windowRead" true,
    /// Windows are focused, closed, moved and changed.
    WindowControl "windowControl" true,
    /// Files are read.
    FileRead "fileRead" true,
    /// Files are written.
    FileWrite "fileWrite" true,
    /// Run scripts and commands are executed.
    CommandExecute "commandExecute" true,
    /// Shell steps are executed.
    ShellExecute "shellExecute" true,
    /// Settings are read.
    SettingsRead "settingsRead" true,
    /// Settings other than `mcp.*` are changed.
    SettingsWrite "settingsWrite" true,
    /// Profiles are listed and changed.
    ProfileManage "profileManage" true,
    /// Text expansions are read.
    TextExpansionRead "textExpansionRead" true,
    /// Text expansions are changed.
    TextExpansionWrite "textExpansionWrite" true,
    /// Schedules, shortcuts and triggers are managed.
    TaskManage "taskManage" true,
    /// Privileges are raised for a temporary set-up. Never approved by the standalone server.
    PrivilegeElevation "privilegeElevation" false,
}

impl Capability {
    /// Whether `--restricted` still allows it.
    pub const fn allowed_when_restricted(self) -> bool {
        matches!(self, Self::StatusRead | Self::MacroRead)
    }
}
