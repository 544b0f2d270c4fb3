//! The first lines of blocks: `repeat N {`, `if … {`, `else {`, `while … {`, `for … {`.

use super::condition::Condition;
use super::diagnostic::{Trouble, quoted};
use super::expression::Expression;
use super::name::Name;
use super::tree::{Block, Statement};
use super::words::{Line, Word, is_blank};

/// What a block is, before its body is known.
#[derive(Debug)]
pub(crate) enum Header {
    Repeat {
        count: Expression,
    },
    If {
        condition: Condition,
    },
    Else,
    While {
        condition: Condition,
    },
    For {
        name: Name,
        first: Expression,
        last: Expression,
        stride: Option<Expression>,
    },
    /// A first line that is wrong; its body is read for more diagnostics.
    Broken {
        is_loop: bool,
        is_if: bool,
    },
}

impl Header {
    /// Whether `line` means to be the first line of a block, by its keyword or its brace.
    pub(crate) fn is_meant(line: &Line<'_>) -> bool {
        Kind::of(line).is_some()
    }

    /// Reads the first line of a block.
    pub(crate) fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let Some(kind) = Kind::of(line) else { return Err(super::steps::unknown(line)) };
        if line.has_line_break() {
            return Err(Trouble::new(line.keyword.at, "a step is one line"));
        }
        let head = head(line)?;
        match kind {
            Kind::Repeat => repeat(head),
            Kind::If => Condition::parse(head).map(|condition| Self::If { condition }),
            Kind::While => Condition::parse(head).map(|condition| Self::While { condition }),
            Kind::For => counted(head),
            Kind::Else if head.text.is_empty() => Ok(Self::Else),
            Kind::Else => {
                Err(Trouble::new(head.at, "expected else {; a further condition is an if inside it"))
            }
        }
    }

    /// What stands for a first line that is wrong.
    pub(crate) fn broken(line: &Line<'_>) -> Self {
        let kind = Kind::of(line);
        let is_loop = matches!(kind, Some(Kind::Repeat | Kind::While | Kind::For));
        Self::Broken { is_loop, is_if: matches!(kind, Some(Kind::If)) }
    }

    pub(crate) fn is_loop(&self) -> bool {
        match self {
            Self::Repeat { .. } | Self::While { .. } | Self::For { .. } => true,
            Self::Broken { is_loop, .. } => *is_loop,
            Self::If { .. } | Self::Else => false,
        }
    }

    pub(crate) fn is_if(&self) -> bool {
        matches!(self, Self::If { .. } | Self::Broken { is_if: true, .. })
    }

    /// The block with its body; `None` for `else`, which belongs to the block before it, and for what is
    /// broken.
    pub(crate) fn close(self, body: Block) -> Result<Statement, Option<Block>> {
        match self {
            Self::Repeat { count } => Ok(Statement::Repeat { count, body }),
            Self::If { condition } => Ok(Statement::If { condition, then: body, otherwise: None }),
            Self::While { condition } => Ok(Statement::While { condition, body }),
            Self::For { name, first, last, stride } => Ok(Statement::For { name, first, last, stride, body }),
            Self::Else => Err(Some(body)),
            Self::Broken { .. } => Err(None),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Repeat,
    If,
    Else,
    While,
    For,
}

impl Kind {
    const KEYWORDS: [(&'static str, Self); 5] = [
        ("repeat", Self::Repeat),
        ("if", Self::If),
        ("else", Self::Else),
        ("while", Self::While),
        ("for", Self::For),
    ];

    fn of(line: &Line<'_>) -> Option<Self> {
        let bare = line.keyword.text.strip_suffix('{').unwrap_or(line.keyword.text);
        Self::KEYWORDS.iter().find(|(word, _)| bare.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind)
    }
}

/// What is between the keyword and the brace, without blanks around it.
fn head<'a>(line: &Line<'a>) -> Result<Word<'a>, Trouble> {
    let rest = line.rest();
    if rest.text.is_empty() && line.keyword.text.ends_with('{') {
        return Ok(rest);
    }
    let Some(inner) = rest.text.strip_suffix('{') else {
        return Err(Trouble::new(
            rest.at + rest.text.len(),
            "expected { at the end of the first line of a block",
        ));
    };
    Ok(Word { text: inner.trim_end_matches(is_blank), at: rest.at })
}

fn repeat(head: Word<'_>) -> Result<Header, Trouble> {
    let count = Expression::parse(head)?;
    match count.fixed() {
        Some(..0) => Err(Trouble::new(head.at, "expected a count of 0 or more")),
        _ => Ok(Header::Repeat { count }),
    }
}

/// `NAME from FIRST to LAST [step STRIDE]`
fn counted(head: Word<'_>) -> Result<Header, Trouble> {
    let wanted = "expected for NAME from FIRST to LAST [step STRIDE] {";
    let end = head.text.find(is_blank).unwrap_or(head.text.len());
    let name = Name::parse(&head.text[..end]).map_err(|trouble| trouble.moved(head.at))?;
    let (before, rest) = part(Word { text: &head.text[end..], at: head.at + end }, "from")
        .ok_or_else(|| Trouble::new(head.at + end, wanted))?;
    if !before.text.is_empty() {
        return Err(Trouble::new(before.at, format!("{wanted}, found {}", quoted(before.text))));
    }
    let (first, rest) = part(rest, "to").ok_or_else(|| Trouble::new(head.at + head.text.len(), wanted))?;
    let (last, stride) = match part(rest, "step") {
        Some((last, stride)) => (last, Some(trimmed(stride))),
        None => (trimmed(rest), None),
    };
    let stride = match stride {
        None => None,
        Some(word) => {
            let stride = Expression::parse(word)?;
            if stride.fixed() == Some(0) {
                return Err(Trouble::new(word.at, "expected a step other than 0"));
            }
            Some(stride)
        }
    };
    Ok(Header::For { name, first: Expression::parse(first)?, last: Expression::parse(last)?, stride })
}

fn trimmed(word: Word<'_>) -> Word<'_> {
    let text = word.text.trim_start_matches(is_blank);
    Word { text: text.trim_end_matches(is_blank), at: word.at + word.text.len() - text.len() }
}

/// What is before and after the first `keyword` that stands between blanks.
fn part<'a>(word: Word<'a>, keyword: &str) -> Option<(Word<'a>, Word<'a>)> {
    let mut from = 0;
    for piece in word.text.split(is_blank) {
        if piece.eq_ignore_ascii_case(keyword) {
            let after = from + piece.len();
            let before = trimmed(Word { text: &word.text[..from], at: word.at });
            return Some((before, Word { text: &word.text[after..], at: word.at + after }));
        }
        from += piece.len() + 1;
    }
    None
}
