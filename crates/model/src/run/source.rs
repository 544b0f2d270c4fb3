//! Where steps come from: a file, a list, or the words of a command line.

use super::diagnostic::{Diagnostics, Place, Trouble, quoted};
use super::steps::{Step, unknown};
use super::words::Line;
use crate::limits::{Limit, STEP_FILE, STEP_FILE_LINE, STEP_FILE_LINES};

/// The text of one step, and its line where it came from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStep {
    /// The step.
    pub text: String,
    /// Its line from 1.
    pub line: Option<usize>,
}

/// Steps that are given one by one.
pub fn from_steps<S: Into<String>>(steps: impl IntoIterator<Item = S>) -> Vec<SourceStep> {
    steps.into_iter().map(|text| SourceStep { text: text.into(), line: None }).collect()
}

/// The steps of a file: one a line; empty lines and lines that start with `#` are skipped, and count as
/// lines. A byte order mark, and the carriage return of a line end, are dropped; blanks at the end of a `type`
/// step are a part of its text.
///
/// # Errors
/// [`Diagnostics`] when the file has more bytes, lines or characters in a line than the limits allow.
pub fn from_lines(text: &str) -> Result<Vec<SourceStep>, Diagnostics> {
    within(&STEP_FILE, text.len(), Place { step: 1, line: None })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut steps = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // The last line may end in a carriage return alone.
        let line = line.strip_suffix('\r').unwrap_or(line);
        let place = Place { step: steps.len() + 1, line: Some(index + 1) };
        within(&STEP_FILE_LINES, index + 1, place)?;
        if line.len() as u64 > STEP_FILE_LINE.value {
            within(&STEP_FILE_LINE, line.chars().count(), place)?;
        }
        let start = line.trim_start();
        if !start.is_empty() && !start.starts_with('#') {
            steps.push(SourceStep { text: line.to_owned(), line: Some(index + 1) });
        }
    }
    Ok(steps)
}

fn within(limit: &Limit, value: usize, place: Place) -> Result<(), Diagnostics> {
    if value as u64 <= limit.value {
        return Ok(());
    }
    let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
    Err(Diagnostics::one(place, "", Trouble::new(0, message)))
}

/// The steps of a command line without quotes: `move abs 1 2 click left`. Each keyword takes the words that
/// are its own. Where a keyword is expected, a word with blanks in it is a whole step: `'move abs 1 2' 'click left'`.
///
/// # Errors
/// [`Diagnostics`] for a word that starts no step, and for words that are missing at the end.
pub fn from_words(words: &[String]) -> Result<Vec<SourceStep>, Diagnostics> {
    let mut steps = Vec::new();
    let mut rest = words;
    while let Some((keyword, after)) = rest.split_first() {
        if keyword.trim().contains([' ', '\t']) {
            steps.push(SourceStep { text: keyword.clone(), line: None });
            rest = after;
            continue;
        }
        let place = Place { step: steps.len() + 1, line: None };
        let taken = arity(keyword, after).map_err(|trouble| Diagnostics::one(place, keyword, trouble))?;
        let mut text = keyword.clone();
        for word in &after[..taken] {
            text.push(' ');
            text.push_str(word);
        }
        steps.push(SourceStep { text, line: None });
        rest = &after[taken..];
    }
    Ok(steps)
}

/// How many of the words after `keyword` belong to it.
fn arity(keyword: &str, after: &[String]) -> Result<usize, Trouble> {
    let is = |word: &str| keyword.eq_ignore_ascii_case(word);
    if ["}", "break", "continue", "else{"].into_iter().any(is) {
        return Ok(0);
    }
    if ["repeat", "if", "else", "while", "for"].into_iter().any(is) {
        let brace = after.iter().position(|word| word.ends_with('{'));
        return brace
            .map(|index| index + 1)
            .ok_or_else(|| Trouble::new(0, format!("expected {{ after {}", quoted(keyword))));
    }
    let taken = Step::arity(keyword, after).ok_or_else(|| match Line::new(keyword) {
        Some(line) => unknown(&line),
        None => Trouble::new(0, "expected a step, found an empty word"),
    })?;
    if taken <= after.len() {
        return Ok(taken);
    }
    Err(Trouble::new(
        0,
        format!("{} needs {taken} words after it, {} are there", quoted(keyword), after.len()),
    ))
}
