//! Arithmetic: one operator at most, computed in 64 bits and then held to 32.

use super::diagnostic::{Trouble, quoted};
use super::name::Name;
use super::template::Template;
use super::variables::Variables;
use super::words::{Word, is_blank};
use std::fmt;

/// An operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A number.
    Number(i32),
    /// A variable.
    Variable(Name),
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero
    Divide,
    /// `%`, with the sign of the left side
    Remainder,
}

impl Operator {
    const ALL: [(char, Self); 5] = [
        ('+', Self::Add),
        ('-', Self::Subtract),
        ('*', Self::Multiply),
        ('/', Self::Divide),
        ('%', Self::Remainder),
    ];

    fn sign(self) -> char {
        Self::ALL.iter().find(|(_, operator)| *operator == self).map_or('?', |(sign, _)| *sign)
    }

    /// Applies it.
    ///
    /// # Errors
    /// [`Trouble`] for a division by zero and for a result beyond 32 bits.
    pub fn apply(self, left: i32, right: i32) -> Result<i32, Trouble> {
        let (left, right) = (i64::from(left), i64::from(right));
        if right == 0 && matches!(self, Self::Divide | Self::Remainder) {
            return Err(Trouble::new(0, "division by zero"));
        }
        // Two numbers of 32 bits can't leave 64 bits with any of these.
        let result = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Remainder => left % right,
        };
        i32::try_from(result).map_err(|_| Trouble::new(0, "the result is beyond 32 bits"))
    }
}

/// A number that is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    left: Term,
    rest: Option<(Operator, Term)>,
}

impl Expression {
    /// Reads a whole text.
    pub(crate) fn parse(word: Word<'_>) -> Result<Self, Trouble> {
        let expression = Self::scan(word.text).ok_or_else(|| {
            let wanted = "expected a number, a $variable, or two of these with one of + - * / % between";
            let found =
                if word.text.is_empty() { String::new() } else { format!(", found {}", quoted(word.text)) };
            Trouble::new(word.at, format!("{wanted}{found}"))
        })?;
        // What is known to fail at each run fails when it is read.
        if let (Term::Number(left), Some((operator, Term::Number(right)))) =
            (&expression.left, &expression.rest)
        {
            operator.apply(*left, *right).map_err(|trouble| trouble.moved(word.at))?;
        }
        Ok(expression)
    }

    fn scan(text: &str) -> Option<Self> {
        let (left, rest) = term(text.trim_matches(is_blank))?;
        let rest = rest.trim_start_matches(is_blank);
        let Some(sign) = rest.chars().next() else { return Some(Self { left, rest: None }) };
        let (_, operator) = Operator::ALL.iter().find(|(known, _)| *known == sign)?;
        let (right, end) = term(rest[sign.len_utf8()..].trim_start_matches(is_blank))?;
        end.is_empty().then_some(Self { left, rest: Some((*operator, right)) })
    }

    /// The number, where it is known without running.
    pub fn fixed(&self) -> Option<i32> {
        match (&self.left, &self.rest) {
            (Term::Number(number), None) => Some(*number),
            (Term::Number(left), Some((operator, Term::Number(right)))) => operator.apply(*left, *right).ok(),
            _ => None,
        }
    }

    /// The number, with the variables as they are now.
    ///
    /// # Errors
    /// [`Trouble`] for a variable that is not set or holds no number, and as [`Operator::apply`].
    pub fn evaluate(&self, variables: &Variables) -> Result<i32, Trouble> {
        let value = |term: &Term| match term {
            Term::Number(number) => Ok(*number),
            Term::Variable(name) => variables.number(name),
        };
        let left = value(&self.left)?;
        match &self.rest {
            None => Ok(left),
            Some((operator, right)) => operator.apply(left, value(right)?),
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        [Some(&self.left), self.rest.as_ref().map(|(_, right)| right)].into_iter().flatten().filter_map(
            |term| match term {
                Term::Variable(name) => Some(name),
                Term::Number(_) => None,
            },
        )
    }

    fn is_computed(&self) -> bool {
        self.rest.is_some()
    }
}

fn term(text: &str) -> Option<(Term, &str)> {
    if let Some(after) = text.strip_prefix('$') {
        return Name::longest(after).map(|(name, rest)| (Term::Variable(name), rest));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
    let length = text.len() - unsigned.len() + digits;
    text[..length].parse().ok().map(|number| (Term::Number(number), &text[length..]))
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(out),
            Self::Variable(name) => write!(out, "${name}"),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.left.fmt(out)?;
        match &self.rest {
            None => Ok(()),
            Some((operator, right)) => write!(out, " {} {right}", operator.sign()),
        }
    }
}

/// A text that is also a computation when it looks like one: what `set` assigns and conditions compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    text: Template,
    computed: Option<Expression>,
}

impl Phrase {
    /// Reads a text.
    pub(crate) fn parse(word: Word<'_>) -> Result<Self, Trouble> {
        let text = Template::parse(word.text).map_err(|trouble| trouble.moved(word.at))?;
        let computed = match Expression::scan(word.text).filter(Expression::is_computed) {
            Some(_) => Some(Expression::parse(word)?),
            None => None,
        };
        Ok(Self { text, computed })
    }

    /// The value: the computed number where both sides are numbers, else the text.
    ///
    /// # Errors
    /// [`Trouble`] for a variable that is not set, a division by zero, and a result beyond 32 bits.
    pub fn evaluate(&self, variables: &Variables) -> Result<String, Trouble> {
        let text = self.text.expand(variables)?;
        match &self.computed {
            // `$first-$last` of two words is a text.
            Some(computed) if computed.names().all(|name| variables.number(name).is_ok()) => {
                Ok(computed.evaluate(variables)?.to_string())
            }
            _ => Ok(text),
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.text.names()
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<i32, String> {
        let mut variables = Variables::default();
        variables.set(&Name::parse("a").unwrap(), "7".into()).unwrap();
        variables.set(&Name::parse("word").unwrap(), "x".into()).unwrap();
        let expression = Expression::parse(Word { text, at: 0 }).map_err(|trouble| trouble.message)?;
        expression.evaluate(&variables).map_err(|trouble| trouble.message)
    }

    #[test]
    fn one_operator_and_signs() {
        let good = [
            ("5*-3", -15),
            ("-5+105", 100),
            ("5 -3", 2),
            ("$a - 1", 6),
            ("$A%4", 3),
            ("-7 / 2", -3),
            ("+4", 4),
            ("5--3", 8),
        ];
        for (text, value) in good {
            assert_eq!(number(text), Ok(value), "{text}");
        }
        for text in ["", "1+2+3", "(1)", "1 2", "$", "a", "1.5", "99999999999", "$a $a", "- 5", "1+"] {
            assert!(number(text).unwrap_err().starts_with("expected"), "{text}");
        }
    }

    #[test]
    fn errors_of_arithmetic() {
        assert_eq!(number("$a / 0").unwrap_err(), "division by zero");
        assert_eq!(number("1 % 0").unwrap_err(), "division by zero");
        assert_eq!(number("2147483647 + $a").unwrap_err(), "the result is beyond 32 bits");
        assert_eq!(number("-2147483648 / -1").unwrap_err(), "the result is beyond 32 bits");
        assert_eq!(number("-2147483648 * -2147483648").unwrap_err(), "the result is beyond 32 bits");
        assert!(number("$word + 1").unwrap_err().contains("word"));
    }
}
