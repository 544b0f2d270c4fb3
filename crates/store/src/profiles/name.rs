//! Names of profiles, and the ids that are made of them.

use crossmacro_model::limits;

/// Why a text can't be the name of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameProblem {
    /// There is nothing in it.
    #[error("the name of a profile can't be blank")]
    Blank,
    /// It would be read as a path.
    #[error("the name of a profile can't have a slash, a backslash or a control character")]
    Character,
    /// It is too long.
    #[error("the name of a profile can't have more than {} characters", limits::PROFILE_NAME.value)]
    TooLong,
}

/// Longest id that is made of a name; a number may follow it.
const LONGEST_STEM: usize = 100;

/// The name without blanks around it.
pub(super) fn check(name: &str) -> Result<String, NameProblem> {
    let name = name.trim();
    if name.is_empty() {
        return Err(NameProblem::Blank);
    }
    if name.contains(['/', '\\']) || name.chars().any(char::is_control) {
        return Err(NameProblem::Character);
    }
    if name.chars().count() as u64 > limits::PROFILE_NAME.value {
        return Err(NameProblem::TooLong);
    }
    Ok(name.to_owned())
}

/// An id for a name: its ASCII letters and digits, each run of anything else a hyphen, and a number where that
/// is taken.
pub(super) fn id(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let kept = name.chars().map(|letter| match letter.to_ascii_lowercase() {
        kept @ ('a'..='z' | '0'..='9') => kept,
        _ => '-',
    });
    let kept: String = kept.collect();
    let words: Vec<&str> = kept.split('-').filter(|word| !word.is_empty()).collect();
    let mut stem = words.join("-");
    stem.truncate(LONGEST_STEM);
    let stem = match stem.trim_end_matches('-') {
        "" => "profile",
        stem => stem,
    };
    if !is_taken(stem) {
        return stem.to_owned();
    }
    let mut number: u64 = 2;
    loop {
        let id = format!("{stem}-{number}");
        if !is_taken(&id) {
            return id;
        }
        number += 1;
    }
}

/// A name as it is compared.
pub(super) fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_made_of_names() {
        for (name, expected) in [
            ("Work", "work"),
            ("My  Game (2)!", "my-game-2"),
            ("Ä Ö Ü", "profile"),
            ("--a--", "a"),
            ("Größe", "gr-e"),
            ("Default", "default-3"),
        ] {
            let taken = ["default", "default-2"];
            assert_eq!(id(name, |id| taken.contains(&id)), expected, "{name}");
        }
        assert_eq!(id(&"ab-".repeat(100), |_| false).len(), 100);
        assert!(!id(&"a ".repeat(100), |_| false).ends_with('-'));
    }

    #[test]
    fn names_are_trimmed_and_checked() {
        assert_eq!(check("  Büro 1 "), Ok("Büro 1".to_owned()));
        assert_eq!(check(" \u{3000} "), Err(NameProblem::Blank));
        for name in ["a/b", "..\\x", "a\nb", "\u{7f}"] {
            assert_eq!(check(name), Err(NameProblem::Character), "{name:?}");
        }
        assert_eq!(check(&"ü".repeat(201)), Err(NameProblem::TooLong));
    }
}
