//! From a text to the keys that give it. Pure: a keymap and a text in, strokes or positions out.

use super::keymap::{Keymap, Stroke};
use super::keysym;
use crossmacro_platform::{Error, Result};
use std::collections::{HashMap, HashSet};

/// How one character is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// With a key of the layout, in this group.
    Layout(u8, Stroke),
    /// With a key that is lent to the character.
    Lent(char),
}

/// The characters of a text in the order of typing: a line end is one line feed, however it was written.
pub(super) fn characters(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut rest = text.chars().enumerate().peekable();
    std::iter::from_fn(move || {
        let (position, character) = rest.next()?;
        if character != '\r' {
            return Some((position, character));
        }
        Some(rest.next_if(|(_, next)| *next == '\n').unwrap_or((position, '\n')))
    })
}

/// Finds the step of one character after another, staying in a group as long as it has what is needed.
pub(super) struct Planner<'a> {
    keymap: &'a Keymap,
    groups: Vec<Option<HashMap<char, Stroke>>>,
    current: u8,
    can_lend: bool,
}

impl<'a> Planner<'a> {
    /// A planner that starts in `group`; `can_lend` says whether a spare key exists.
    pub(super) fn new(keymap: &'a Keymap, group: u8, can_lend: bool) -> Self {
        let groups = (0..keymap.groups()).map(|_| None).collect();
        Self { keymap, groups, current: group.min(keymap.groups() - 1), can_lend }
    }

    /// The steps of a whole text, given as characters with their positions.
    ///
    /// # Errors
    /// [`Error::Untypable`] with every position that has none.
    pub(super) fn steps(&mut self, text: impl Iterator<Item = (usize, char)>) -> Result<Vec<Step>> {
        let (mut steps, mut positions) = (Vec::new(), Vec::new());
        for (position, character) in text {
            match self.step(character) {
                Some(step) => steps.push(step),
                None => positions.push(position),
            }
        }
        if positions.is_empty() { Ok(steps) } else { Err(self.untypable(positions)) }
    }

    fn untypable(&self, positions: Vec<usize>) -> Error {
        let why = if self.can_lend {
            "control characters have no key; a text may hold line feeds, tabs and backspaces"
        } else {
            "the layout has no key for them, and the keyboard has no unused key to lend to them"
        };
        Error::Untypable { positions, why: why.into() }
    }

    /// The step of one character.
    pub(super) fn step(&mut self, character: char) -> Option<Step> {
        let current = self.current;
        let others = (0..self.keymap.groups()).filter(|group| *group != current);
        for group in std::iter::once(current).chain(others) {
            if let Some(stroke) = self.group(group).get(&character).copied() {
                self.current = group;
                return Some(Step::Layout(group, stroke));
            }
        }
        (self.can_lend && keysym::for_spare(character).is_some()).then_some(Step::Lent(character))
    }

    /// The key that gives `character` in the group of the start without any modifier.
    pub(super) fn unmodified(&mut self, character: char) -> Option<Stroke> {
        let group = self.current;
        self.group(group).get(&character).copied().filter(|stroke| stroke.mods == 0)
    }

    fn group(&mut self, group: u8) -> &HashMap<char, Stroke> {
        let keymap = self.keymap;
        self.groups[usize::from(group)].get_or_insert_with(|| keymap.characters(group))
    }
}

/// How many of `steps`, from the first, need at most `spares` different lent keys, and for which characters.
pub(super) fn batch(steps: &[Step], spares: usize) -> (usize, Vec<char>) {
    let (mut seen, mut lent) = (HashSet::new(), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        if let Step::Lent(character) = step
            && !seen.contains(character)
        {
            if lent.len() == spares {
                return (index, lent);
            }
            seen.insert(*character);
            lent.push(*character);
        }
    }
    (steps.len(), lent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_is_one_line_feed_however_it_is_written() {
        let typed: Vec<_> = characters("a\r\nb\rc\n\r").collect();
        assert_eq!(typed, [(0, 'a'), (2, '\n'), (3, 'b'), (4, '\n'), (5, 'c'), (6, '\n'), (7, '\n')]);
    }

    #[test]
    fn a_batch_ends_where_the_spare_keys_end() {
        let steps = ['ж', 'ш', 'ж', 'щ'].map(Step::Lent);
        assert_eq!(batch(&steps, 2), (3, vec!['ж', 'ш']));
        assert_eq!(batch(&steps[3..], 2), (1, vec!['щ']));
    }
}
