//! The lexer: one step's text as words with their places. Blanks and tabs separate.

use super::diagnostic::Trouble;

/// A word and the byte at which it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl Word<'_> {
    pub(crate) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }
}

/// The text of one step, its keyword, and what follows.
pub(crate) struct Line<'a> {
    text: &'a str,
    pub(crate) keyword: Word<'a>,
    words: Vec<Word<'a>>,
}

pub(crate) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Blanks, tabs and line ends around a step are dropped.
fn is_margin(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

impl<'a> Line<'a> {
    /// `None` for a step without a word.
    pub(crate) fn new(text: &'a str) -> Option<Self> {
        let start = text.find(|c| !is_margin(c))?;
        let rest = &text[start..];
        let length = rest.find(is_margin).unwrap_or(rest.len());
        let keyword = Word { text: &rest[..length], at: start };
        let words = split(rest[length..].trim_end_matches(is_margin), start + length);
        Some(Self { text, keyword, words })
    }

    /// The words after the keyword.
    pub(crate) fn words(&self) -> &[Word<'a>] {
        &self.words
    }

    /// Everything after the keyword without the blanks around it, as one word; empty at the end.
    pub(crate) fn rest(&self) -> Word<'a> {
        self.rest_from(0)
    }

    /// Everything from the word number `index` after the keyword to the end.
    pub(crate) fn rest_from(&self, index: usize) -> Word<'a> {
        let end = self.text.trim_end_matches(is_margin).len();
        let at = self.words.get(index).map_or(end, |word| word.at);
        Word { text: &self.text[at..end], at }
    }

    /// Everything after the keyword and one blank, untouched: the text of `type`.
    pub(crate) fn verbatim(&self) -> Word<'a> {
        let at = self.keyword.at + self.keyword.text.len();
        let at = if self.text[at..].starts_with(is_blank) { at + 1 } else { at };
        Word { text: &self.text[at..], at }
    }

    /// Whether it spreads over several lines.
    pub(crate) fn has_line_break(&self) -> bool {
        self.text.trim_matches(is_margin).contains(['\n', '\r'])
    }

    /// Exactly `N` words, or trouble saying what is wanted.
    pub(crate) fn exactly<const N: usize>(&self, wanted: &str) -> Result<[Word<'a>; N], Trouble> {
        <[Word<'a>; N]>::try_from(self.words()).map_err(|_| self.unlike(N, wanted))
    }

    /// Trouble at the first word beyond `most`, or at the end when words are missing.
    pub(crate) fn unlike(&self, most: usize, wanted: &str) -> Trouble {
        let at = self.words.get(most).map_or(self.text.trim_end_matches(is_margin).len(), |word| word.at);
        let what = if self.words.len() > most { "there is more here than" } else { "expected" };
        Trouble::new(at, format!("{what} {wanted}"))
    }
}

fn split(text: &str, offset: usize) -> Vec<Word<'_>> {
    let start = text.as_ptr() as usize;
    text.split(is_blank)
        .filter(|word| !word.is_empty())
        .map(|word| Word { text: word, at: word.as_ptr() as usize - start + offset })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places() {
        let line = Line::new(" \tmove\tabs  5 é ").unwrap();
        assert_eq!(line.keyword, Word { text: "move", at: 2 });
        let words: Vec<_> = line.words().iter().map(|word| (word.text, word.at)).collect();
        assert_eq!(words, [("abs", 7), ("5", 12), ("é", 14)]);
        assert_eq!(line.rest().text, "abs  5 é");
        assert_eq!(line.rest_from(1).text, "5 é");
        assert_eq!(line.verbatim().text, "abs  5 é ");
        assert!(Line::new(" \t\r\n").is_none());
    }
}
