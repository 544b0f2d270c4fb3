//! What differs between two macros, for people.
//!
//! Events are compared by what they do; two that do the same at another time are one change of timing. The
//! comparison is the shortest one (Myers) as long as few lines differ, and one block of removed and added lines
//! beyond that, so that two large strangers take no longer than reading them.

use super::describe;
use super::document::Macro;
use super::event::{Event, RandomDelay};

/// More changes of one section are counted, and not kept.
const KEPT: usize = 1000;

/// More differences are not sorted out.
const SORTED_OUT: usize = 1000;

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is in the first macro only.
    Removed,
    /// It is in the second macro only.
    Added,
    /// It does the same after another wait.
    Retimed,
}

/// A step or event that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Its number from 1 in the macro that has it; in the second for a change of timing.
    pub number: usize,
    /// The step, or the event in words.
    pub text: String,
}

/// A value of the header that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderChange {
    /// The key of the file.
    pub key: &'static str,
    /// Its value in the first macro.
    pub before: String,
    /// Its value in the second.
    pub after: String,
}

/// All differences.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// Of the header.
    pub header: Vec<HeaderChange>,
    /// Of the steps.
    pub script: Vec<Change>,
    /// Of the events.
    pub events: Vec<Change>,
    /// How many steps and events were removed, added and retimed, kept or not.
    pub removed: usize,
    /// See `removed`.
    pub added: usize,
    /// See `removed`.
    pub retimed: usize,
}

impl Difference {
    /// Whether the two play the same.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty() && self.removed + self.added + self.retimed == 0
    }
}

/// Compares two macros. Comments and the moment of making are no difference.
pub fn diff(before: &Macro, after: &Macro) -> Difference {
    let mut found = Difference { header: header(before, after), ..Difference::default() };
    let same = |a: usize, b: usize| before.script[a].text == after.script[b].text;
    let mut script = Vec::new();
    for edit in compare(before.script.len(), after.script.len(), same) {
        let change = match edit {
            Edit::Keep(..) => continue,
            Edit::Remove(index) => change(ChangeKind::Removed, index, before.script[index].text.clone()),
            Edit::Add(index) => change(ChangeKind::Added, index, after.script[index].text.clone()),
        };
        count(&mut found, &mut script, change);
    }
    found.script = script;
    events(before, after, &mut found);
    found
}

fn change(kind: ChangeKind, index: usize, text: String) -> Change {
    Change { kind, number: index + 1, text }
}

fn count(found: &mut Difference, list: &mut Vec<Change>, change: Change) {
    match change.kind {
        ChangeKind::Removed => found.removed += 1,
        ChangeKind::Added => found.added += 1,
        ChangeKind::Retimed => found.retimed += 1,
    }
    if list.len() < KEPT {
        list.push(change);
    }
}

fn events(before: &Macro, after: &Macro, found: &mut Difference) {
    let first: Vec<Event> = before.playable().collect();
    let second: Vec<Event> = after.playable().collect();
    let mut list = Vec::new();
    let timed = |event: &Event| format!("{} after {}", event.action, describe::wait(event));
    for edit in compare(first.len(), second.len(), |a, b| first[a].action == second[b].action) {
        let change = match edit {
            Edit::Keep(a, b) if first[a] == second[b] => continue,
            Edit::Keep(a, b) => {
                let text = format!("{}, was after {}", timed(&second[b]), describe::wait(&first[a]));
                change(ChangeKind::Retimed, b, text)
            }
            Edit::Remove(index) => change(ChangeKind::Removed, index, timed(&first[index])),
            Edit::Add(index) => change(ChangeKind::Added, index, timed(&second[index])),
        };
        count(found, &mut list, change);
    }
    found.events = list;
}

fn header(before: &Macro, after: &Macro) -> Vec<HeaderChange> {
    let range = |range: Option<RandomDelay>| {
        range.map_or_else(|| "none".to_owned(), |range| format!("{},{}", range.min_ms, range.max_ms))
    };
    let images = |content: &Macro| {
        let names: Vec<_> = content
            .images
            .iter()
            .map(|image| format!("{} ({} bytes)", image.name, image.png.len()))
            .collect();
        names.join(", ")
    };
    let pairs = [
        ("Name", before.name.clone(), after.name.clone()),
        ("IsAbsolute", before.is_absolute.to_string(), after.is_absolute.to_string()),
        ("SkipInitialZero", before.skip_initial_zero.to_string(), after.skip_initial_zero.to_string()),
        ("TrailingDelayUs", before.trailing_us.to_string(), after.trailing_us.to_string()),
        ("TrailingRandomDelayMs", range(before.trailing_random), range(after.trailing_random)),
        ("Image", images(before), images(after)),
    ];
    let mut list: Vec<_> = pairs
        .into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(key, before, after)| HeaderChange { key, before, after })
        .collect();
    let is_listed = list.iter().any(|change| change.key == "Image");
    if !is_listed && before.images != after.images {
        let (before, after) = ("the same names and sizes".to_owned(), "other pixels".to_owned());
        list.push(HeaderChange { key: "Image", before, after });
    }
    list
}

/// One line of the way from the first list to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    Keep(usize, usize),
    Remove(usize),
    Add(usize),
}

/// The way from a list of `before` lines to one of `after`.
fn compare(before: usize, after: usize, same: impl Fn(usize, usize) -> bool) -> Vec<Edit> {
    let least = before.min(after);
    let start = (0..least).take_while(|index| same(*index, *index)).count();
    let end = (0..least - start).take_while(|index| same(before - 1 - index, after - 1 - index)).count();
    let (rows, columns) = (before - start - end, after - start - end);
    let mut edits: Vec<Edit> = (0..start).map(|index| Edit::Keep(index, index)).collect();
    match shortest(rows, columns, |a, b| same(start + a, start + b)) {
        Some(middle) => edits.extend(middle.into_iter().map(|edit| match edit {
            Edit::Keep(a, b) => Edit::Keep(start + a, start + b),
            Edit::Remove(a) => Edit::Remove(start + a),
            Edit::Add(b) => Edit::Add(start + b),
        })),
        None => {
            edits.extend((0..rows).map(|index| Edit::Remove(start + index)));
            edits.extend((0..columns).map(|index| Edit::Add(start + index)));
        }
    }
    edits.extend((0..end).map(|index| Edit::Keep(before - end + index, after - end + index)));
    edits
}

/// The shortest way (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986); `None` where it has
/// more than [`SORTED_OUT`] changes.
fn shortest(rows: usize, columns: usize, same: impl Fn(usize, usize) -> bool) -> Option<Vec<Edit>> {
    let most = (rows + columns).min(SORTED_OUT);
    // The furthest row on each diagonal; the diagonal 0 is in the middle. One copy for each number of changes.
    let middle = most + 1;
    let mut furthest = vec![0_usize; 2 * middle + 1];
    let mut history: Vec<Vec<usize>> = Vec::new();
    for changes in 0..=most {
        history.push(furthest[middle - changes..=middle + changes].to_vec());
        for offset in (0..=2 * changes).step_by(2) {
            // The diagonal is `offset - changes`; rows minus columns.
            let at = middle + offset - changes;
            let is_down = offset == 0 || (offset != 2 * changes && furthest[at - 1] < furthest[at + 1]);
            let mut row = if is_down { furthest[at + 1] } else { furthest[at - 1] + 1 };
            if changes == 0 {
                row = 0;
            }
            let Some(mut column) = (row + changes).checked_sub(offset) else { continue };
            while row < rows && column < columns && same(row, column) {
                (row, column) = (row + 1, column + 1);
            }
            furthest[at] = row;
            if (row, column) == (rows, columns) {
                return Some(walk_back(rows, columns, &history));
            }
        }
    }
    None
}

/// The way that led to the end, read from the furthest rows before each change.
fn walk_back(rows: usize, columns: usize, history: &[Vec<usize>]) -> Vec<Edit> {
    let (mut row, mut column) = (rows, columns);
    let mut edits = Vec::new();
    for (changes, before) in history.iter().enumerate().skip(1).rev() {
        // `before` covers the diagonals -changes..=changes.
        let offset = row + changes - column;
        let at = |offset: usize| before.get(offset).copied().unwrap_or(0);
        let is_down = offset == 0 || (offset != 2 * changes && at(offset - 1) < at(offset + 1));
        let from_row = if is_down { at(offset + 1) } else { at(offset - 1) };
        let from_column = from_row + changes - if is_down { offset + 1 } else { offset - 1 };
        let after = if is_down { (from_row, from_column + 1) } else { (from_row + 1, from_column) };
        while row > after.0 && column > after.1 {
            (row, column) = (row - 1, column - 1);
            edits.push(Edit::Keep(row, column));
        }
        edits.push(if is_down { Edit::Add(from_column) } else { Edit::Remove(from_row) });
        (row, column) = (from_row, from_column);
    }
    while row > 0 && column > 0 {
        (row, column) = (row - 1, column - 1);
        edits.push(Edit::Keep(row, column));
    }
    edits.reverse();
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The length of the longest common part, by the plain table.
    fn longest_common(a: &[u8], b: &[u8]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                table[i + 1][j + 1] =
                    if x == y { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn the_way_is_whole_and_the_shortest(a in prop::collection::vec(0..4_u8, 0..24), b in prop::collection::vec(0..4_u8, 0..24)) {
            let edits = compare(a.len(), b.len(), |i, j| a[i] == b[j]);
            let mut rebuilt = Vec::new();
            let mut kept = 0;
            let mut used = Vec::new();
            for edit in edits {
                match edit {
                    Edit::Keep(i, j) => {
                        prop_assert_eq!(a[i], b[j]);
                        kept += 1;
                        used.push(i);
                        rebuilt.push(b[j]);
                    }
                    Edit::Remove(i) => used.push(i),
                    Edit::Add(j) => rebuilt.push(b[j]),
                }
            }
            prop_assert_eq!(rebuilt, b.clone());
            prop_assert_eq!(used, (0..a.len()).collect::<Vec<_>>());
            prop_assert_eq!(kept, longest_common(&a, &b));
        }
    }

    #[test]
    fn large_strangers_are_one_block() {
        let edits = compare(100_000, 100_000, |_, _| false);
        assert_eq!(edits.len(), 200_000);
        assert_eq!(edits[0], Edit::Remove(0));
    }
}
