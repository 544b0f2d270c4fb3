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
                let key = match self { $(Self::$name => $key,)* };
                if key.is_empty() { None } else { Some(key) }
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
    MacroRead "mcp.macroRead" true,
    /// Pixels and the pointer's position are read.
    ScreenRead "mcp.screenRead" true,
    /// The clipboard is read.
    ClipboardRead "mcp.clipboardRead" true,
    /// The clipboard is replaced.
    ClipboardWrite "mcp.clipboardWrite" true,
    /// Keys, buttons, wheel and pointer are driven.
    InputAutomation "mcp.inputAutomation" true,
    /// Input is recorded.
    Recording "mcp.recording" true,
    /// Windows are listed.
    WindowRead "mcp.windowRead" true,
    /// Windows are focused, closed, moved and changed.
    WindowControl "mcp.windowControl" true,
    /// Files are read.
    FileRead "mcp.fileRead" true,
    /// Files are written.
    FileWrite "mcp.fileWrite" true,
    /// Run scripts and commands are executed.
    CommandExecute "mcp.commandExecute" true,
    /// Shell steps are executed.
    ShellExecute "mcp.shellExecute" true,
    /// Settings are read.
    SettingsRead "mcp.settingsRead" true,
    /// Settings other than `mcp.*` are changed.
    SettingsWrite "mcp.settingsWrite" true,
    /// Profiles are listed and changed.
    ProfileManage "mcp.profileManage" true,
    /// Text expansions are read.
    TextExpansionRead "mcp.textExpansionRead" true,
    /// Text expansions are changed.
    TextExpansionWrite "mcp.textExpansionWrite" true,
    /// Schedules, shortcuts and triggers are managed.
    TaskManage "mcp.taskManage" true,
    /// Privileges are raised for a temporary set-up. Never approved by the standalone server.
    PrivilegeElevation "mcp.privilegeElevation" false,
}

impl Capability {
    /// Whether `--restricted` still allows it.
    pub const fn allowed_when_restricted(self) -> bool {
        matches!(self, Self::StatusRead | Self::MacroRead)
    }
}
