//! How the list of tools is shown.

/// How tool names are spelled in the list. A call may always use either spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolNames {
    /// With a dot, as everywhere else: `window.query`.
    Dotted,
    /// With an underscore: `window_query`.
    Underscore,
    /// With a dot, except for clients that are known to refuse it.
    #[default]
    Auto,
}

/// What a server shows.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Spelling of the names.
    pub names: ToolNames,
    /// Only these tools exist; all of them where absent. Either spelling.
    pub tools: Option<Vec<String>>,
    /// Leaves out what the policy forbids for the life of the process.
    pub hides_forbidden: bool,
}

/// A tool that was asked for and does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no tool named {0:?}; the tools are: {1}")]
pub struct UnknownTool(pub(crate) String, pub(crate) String);

/// The spelling that one client gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Dotted,
    Underscored,
}

impl ToolNames {
    pub(crate) fn for_client(self, client: Option<&str>) -> Spelling {
        match self {
            Self::Dotted => Spelling::Dotted,
            Self::Underscore => Spelling::Underscored,
            Self::Auto if client.is_some_and(refuses_dots) => Spelling::Underscored,
            Self::Auto => Spelling::Dotted,
        }
    }
}

/// The clients that drop tools whose names hold more than letters, digits, `_` and `-`, by the name they give
/// in `clientInfo`. Claude Desktop calls itself `claude-ai`; Claude Code takes dots and is not one of them.
fn refuses_dots(client: &str) -> bool {
    let client = client.to_ascii_lowercase().replace([' ', '_'], "-");
    client == "claude"
        || ["claude-ai", "claude-desktop", "codex"].iter().any(|name| client.starts_with(name))
        || client.contains("copilot")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_that_refuse_dots_get_underscores() {
        for client in
            ["claude-ai", "Claude", "Claude Desktop", "codex-mcp-client", "github-copilot-cli", "Copilot CLI"]
        {
            assert_eq!(ToolNames::Auto.for_client(Some(client)), Spelling::Underscored, "{client}");
            assert_eq!(ToolNames::Dotted.for_client(Some(client)), Spelling::Dotted, "{client}");
        }
        for client in ["claude-code", "Visual Studio Code", "cursor-vscode", "mcp", ""] {
            assert_eq!(ToolNames::Auto.for_client(Some(client)), Spelling::Dotted, "{client}");
            assert_eq!(ToolNames::Underscore.for_client(Some(client)), Spelling::Underscored, "{client}");
        }
        assert_eq!(ToolNames::Auto.for_client(None), Spelling::Dotted);
    }
}
