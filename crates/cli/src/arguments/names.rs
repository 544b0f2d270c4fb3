//! Names in any case.

use std::ffi::OsString;

/// Command and option names are accepted in any case; values, and all that follows `--`, are left alone.
pub(crate) fn in_lower_case(root: &clap::Command, given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut current = root;
    let mut names_a_command = true;
    let mut is_literal = false;
    let mut result = Vec::new();
    for (index, word) in given.enumerate() {
        let Some(text) = word.to_str().filter(|_| index > 0 && !is_literal) else {
            result.push(word);
            continue;
        };
        is_literal = text == "--";
        let lower = text.to_ascii_lowercase();
        if index == 1 && lower == "-v" {
            result.push("--version".into());
        } else if is_short_option(current, &lower) {
            result.push(lower.into());
        } else if is_option(current, root, &lower) {
            let value = text.split_once('=').map(|(_, value)| format!("={value}")).unwrap_or_default();
            let name = lower.split_once('=').map_or(lower.as_str(), |(name, _)| name);
            result.push(format!("{name}{value}").into());
        } else if let Some(below) = current.find_subcommand(&lower).filter(|_| names_a_command) {
            current = below;
            result.push(lower.into());
        } else {
            // The value of a global option does not end the command's name; anything else does.
            names_a_command &= current.has_subcommands();
            result.push(word);
        }
    }
    result
}

fn is_option(current: &clap::Command, root: &clap::Command, lower: &str) -> bool {
    let Some(option) = lower.strip_prefix("--") else { return false };
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let known =
        |command: &clap::Command| command.get_arguments().any(|argument| argument.get_long() == Some(name));
    known(current) || known(root) || name == "help" || name == "version"
}

fn is_short_option(current: &clap::Command, lower: &str) -> bool {
    let mut letters = lower.strip_prefix('-').unwrap_or_default().chars();
    match (letters.next(), letters.next()) {
        (Some('h'), None) => true,
        (Some(letter), None) => current.get_arguments().any(|argument| argument.get_short() == Some(letter)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;

    fn lower(words: &[&str]) -> Vec<String> {
        let given = words.iter().map(OsString::from);
        let tree = <Arguments as clap::CommandFactory>::command();
        in_lower_case(&tree, given).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn names_lose_their_case_and_values_keep_it() {
        assert_eq!(
            lower(&["crossmacro", "Window", "SEARCH", "--Title", "MAIN", "--JSON"]),
            ["crossmacro", "window", "search", "--title", "MAIN", "--json"]
        );
        assert_eq!(lower(&["crossmacro", "TYPE", "Type"]), ["crossmacro", "type", "Type"]);
        assert_eq!(lower(&["crossmacro", "type", "--Shouting"]), ["crossmacro", "type", "--Shouting"]);
        assert_eq!(lower(&["crossmacro", "type", "--", "--JSON"]), ["crossmacro", "type", "--", "--JSON"]);
        assert_eq!(lower(&["crossmacro", "-V"]), ["crossmacro", "--version"]);
        assert_eq!(
            lower(&["crossmacro", "Screenshot", "-O", "A.png"]),
            ["crossmacro", "screenshot", "-o", "A.png"]
        );
        assert_eq!(lower(&["crossmacro", "type", "-O"]), ["crossmacro", "type", "-O"]);
        assert_eq!(
            lower(&["crossmacro", "--Log-Level", "Debug", "Settings", "GET", "ui.Theme"]),
            ["crossmacro", "--log-level", "Debug", "settings", "get", "ui.Theme"]
        );
    }
}
