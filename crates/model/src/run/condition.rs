//! Comparisons of `if` and `while`.

use super::diagnostic::Trouble;
use super::expression::Phrase;
use super::name::Name;
use super::variables::Variables;
use super::words::{Word, is_blank};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `<`
    Less,
}

impl Relation {
    /// Longer signs first, so that `>=` is not read as `>`.
    const ALL: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        (">", Self::Greater),
        ("<", Self::Less),
    ];

    fn sign(self) -> &'static str {
        Self::ALL.iter().find(|(_, relation)| *relation == self).map_or("?", |(sign, _)| sign)
    }

    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::AtLeast => order.is_ge(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::Less => order.is_lt(),
        }
    }
}

/// A comparison of two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    left: Phrase,
    relation: Relation,
    right: Phrase,
}

impl Condition {
    /// Reads `left operator right`.
    pub(crate) fn parse(word: Word<'_>) -> Result<Self, Trouble> {
        let Some((at, sign, relation)) = operator(word.text) else {
            let wanted = "expected a comparison: two values with one of == != >= <= > < between";
            return Err(Trouble::new(word.at, wanted));
        };
        let side = |from: usize, to: usize| {
            let raw = &word.text[from..to];
            let text = raw.trim_matches(is_blank);
            Phrase::parse(Word {
                text,
                at: word.at + from + (raw.len() - raw.trim_start_matches(is_blank).len()),
            })
        };
        Ok(Self { left: side(0, at)?, relation, right: side(at + sign.len(), word.text.len())? })
    }

    /// Whether it holds now.
    ///
    /// # Errors
    /// [`Trouble`] as [`Phrase::evaluate`], and when texts are to be ordered.
    pub fn evaluate(&self, variables: &Variables) -> Result<bool, Trouble> {
        let (left, right) = (self.left.evaluate(variables)?, self.right.evaluate(variables)?);
        let (left, right) = (unquoted(&left), unquoted(&right));
        match (left.parse::<i32>(), right.parse::<i32>()) {
            _ if self.is_equality() => Ok(self.relation.holds(equality(left, right))),
            (Ok(left), Ok(right)) => Ok(self.relation.holds(left.cmp(&right))),
            _ => {
                let message =
                    format!("both sides of {} must be whole numbers of 32 bits", self.relation.sign());
                Err(Trouble::new(0, message))
            }
        }
    }

    fn is_equality(&self) -> bool {
        matches!(self.relation, Relation::Equal | Relation::NotEqual)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.left.names().chain(self.right.names())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.left, self.relation.sign(), self.right)
    }
}

/// Equal or not, by the first reading that both sides allow: colours, numbers, booleans, texts.
fn equality(left: &str, right: &str) -> Ordering {
    let is_colour = |text: &str| text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_colour(left) && is_colour(right) {
        return left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase());
    }
    if let (Ok(left), Ok(right)) = (left.parse::<i32>(), right.parse::<i32>()) {
        return left.cmp(&right);
    }
    let boolean = |text: &str| text.to_ascii_lowercase().parse::<bool>().ok();
    match (boolean(left), boolean(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => left.cmp(right),
    }
}

/// Without one pair of quotes around it.
fn unquoted(text: &str) -> &str {
    let inside = |quote| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// The operator: of all outside quotes that have something on both sides, the one with most blanks around
/// it, then the leftmost.
fn operator(text: &str) -> Option<(usize, &'static str, Relation)> {
    let mut best: Option<(usize, usize, &'static str, Relation)> = None;
    let protected = protected(text);
    let mut stretches = protected.iter().peekable();
    let mut free_from = 0;
    for (at, _) in text.char_indices() {
        while stretches.next_if(|stretch| stretch.end <= at).is_some() {}
        let Some((sign, relation)) = Relation::ALL.iter().find(|(sign, _)| text[at..].starts_with(sign))
        else {
            continue;
        };
        let (before, after) = (&text[..at], &text[at + sign.len()..]);
        let has_sides = !before.trim_matches(is_blank).is_empty() && !after.trim_matches(is_blank).is_empty();
        let is_protected = stretches.peek().is_some_and(|stretch| stretch.contains(&at));
        // The `=` of `>=` starts no operator of its own.
        if at < free_from || !has_sides || is_protected {
            continue;
        }
        free_from = at + sign.len();
        let blanks = usize::from(before.ends_with(is_blank)) + usize::from(after.starts_with(is_blank));
        if best.is_none_or(|(most, ..)| blanks > most) {
            best = Some((blanks, at, sign, *relation));
        }
    }
    best.map(|(_, at, sign, relation)| (at, sign, relation))
}

/// The stretches between quotes, in order. A quote opens where a value may start, and closes before an
/// operator, a blank or the end; any other quote is an ordinary character.
fn protected(text: &str) -> Vec<Range<usize>> {
    let closers = |quote: char| -> Vec<usize> {
        let closes = |at: &usize| {
            text[at + 1..].chars().next().is_none_or(|next| is_blank(next) || "=!<>".contains(next))
        };
        text.match_indices(quote).map(|(at, _)| at).filter(closes).collect()
    };
    let (single, double) = (closers('\''), closers('"'));
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (open, quote) in text.match_indices(['"', '\'']) {
        let before = text[..open].trim_end_matches(is_blank).chars().next_back();
        let starts_value = before.is_none_or(|before| "=<>".contains(before));
        if !starts_value || stretches.last().is_some_and(|last| open <= last.end) {
            continue;
        }
        let closers = if quote == "'" { &single } else { &double };
        if let Some(close) = closers.get(closers.partition_point(|close| *close <= open)) {
            stretches.push(open..*close);
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Result<bool, String> {
        let mut variables = Variables::default();
        for (name, value) in [("n", "5"), ("quoted", "\"a == b\""), ("empty", ""), ("t", "True")] {
            variables.set(&Name::parse(name).unwrap(), value.into()).unwrap();
        }
        let condition = Condition::parse(Word { text, at: 0 }).map_err(|trouble| trouble.message)?;
        condition.evaluate(&variables).map_err(|trouble| trouble.message)
    }

    #[test]
    fn values_are_compared_as_what_they_look_like() {
        let truths = "$n == 5;$n==05;$n >= 5;$n<6;$n != x;FFaa00 == ffAA00;000010 != 00000A;000010 == 10;$t == true;\
            \"a == b\" == $quoted;'a>b'!='a<b';$empty == \"\";$n * 2 == 10;it's == it's;a=b == a=b;$$5 == $$5;\
            'a' == \"a\";x > y == x > y;\"$n\" == 5;a\tb\t==\ta\tb;-3 < -2";
        for text in truths.split(';') {
            if text == "x > y == x > y" {
                // The leftmost of equally spaced operators wins, and texts have no order.
                assert!(holds(text).unwrap_err().contains('>'));
                continue;
            }
            assert_eq!(holds(text), Ok(true), "{text}");
        }
        for text in ["$n == 6", "a == A", "\"\" == x", "true != TRUE"] {
            assert_eq!(holds(text), Ok(false), "{text}");
        }
    }

    #[test]
    fn what_is_no_comparison_is_refused() {
        for text in
            ["", "5", "==", "5 ==", "== 5", "$n = 5", "\"a == b\"", "a < b", "$missing == 1", "$ == 1"]
        {
            assert!(holds(text).is_err(), "{text}");
        }
    }
}
