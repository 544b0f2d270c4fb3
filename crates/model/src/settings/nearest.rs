//! The keys that look most like one that does not exist.

use super::rows;

/// How long an unknown key may be and still be worth a comparison: nobody mistypes more than that.
const LONGEST: usize = 64;

/// At most this many suggestions.
const SUGGESTIONS: usize = 3;

/// The nearest keys, best first.
pub(super) fn keys(unknown: &str) -> Vec<&'static str> {
    if unknown.is_empty() || unknown.len() > LONGEST {
        return Vec::new();
    }
    let unknown = unknown.to_ascii_lowercase();
    let allowed = (unknown.len() / 4).max(1);
    let mut near: Vec<_> = rows()
        .iter()
        .map(|row| (distance_to_key(&unknown, &row.key.to_ascii_lowercase()), row.key))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, key)| key).take(SUGGESTIONS).collect()
}

/// The distance to the key, or to its last part for someone who left out the group.
fn distance_to_key(unknown: &str, key: &str) -> usize {
    let whole = distance(unknown, key);
    match key.rsplit_once('.') {
        Some((_, last)) if !unknown.contains('.') => whole.min(distance(unknown, last)),
        _ => whole,
    }
}

/// Levenshtein distance in bytes: insertions, deletions and replacements.
fn distance(left: &str, right: &str) -> usize {
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, a) in left.bytes().enumerate() {
        let mut diagonal = above[0];
        above[0] = row + 1;
        for (column, b) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = above[column + 1];
            above[column + 1] = replaced.min(diagonal + 1).min(above[column] + 1);
        }
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        let table =
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)];
        for (left, right, expected) in table {
            assert_eq!(distance(left, right), expected, "{left} {right}");
        }
    }
}
