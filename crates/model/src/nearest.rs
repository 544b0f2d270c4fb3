//! The known names nearest to a mistyped one, for messages.

/// Longest name that is compared; what is longer is no typing error.
const LONGEST: usize = 40;

/// Most names that are suggested.
const SUGGESTIONS: usize = 3;

/// Up to three of `known` that differ from `given` by a few letters (case aside), the nearest first.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let given: Vec<char> = given.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    if given.is_empty() || given.len() > LONGEST {
        return Vec::new();
    }
    let allowed = (given.len() / 3).clamp(1, 3);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| name.len() <= LONGEST * 4)
        .map(|name| (distance(&given, name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .collect();
    found.sort_unstable();
    found.dedup_by(|a, b| a.1.eq_ignore_ascii_case(b.1));
    found.into_iter().take(SUGGESTIONS).map(|(_, name)| name.to_owned()).collect()
}

/// Number of letters to insert, remove, exchange, or swap with their neighbour (optimal string alignment).
fn distance(given: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=given.len()).collect();
    for (line, letter) in name.iter().enumerate() {
        let mut row = vec![line + 1];
        for (column, other) in given.iter().enumerate() {
            let exchange = above[column] + usize::from(other != letter);
            let mut least = exchange.min(above[column + 1] + 1).min(row[column] + 1);
            if line > 0 && column > 0 && given[column - 1] == *letter && name[line - 1] == *other {
                least = least.min(before[column - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[given.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_strangers_not_at_all() {
        let names = ["click", "clipboard", "delay", "key"];
        assert_eq!(nearest("clik", names), ["click"]);
        assert_eq!(nearest("CLICK", names), ["click"]);
        assert_eq!(nearest("delya", names), ["delay"]);
        assert_eq!(nearest("dely", names), ["delay"]);
        assert_eq!(nearest("banana", names), Vec::<String>::new());
        assert_eq!(nearest("", names), Vec::<String>::new());
        assert_eq!(nearest(&"x".repeat(1_000_000), names), Vec::<String>::new());
    }
}
