//! `inc NAME [AMOUNT]`, `dec`, `mul`, `div`.

use super::{StepKind, Use, is_number};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::expression::Operator;
use crate::run::name::Name;
use crate::run::value::Value;
use crate::run::variables::Variables;
use crate::run::words::Line;
use std::fmt;

/// How the variable changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// `inc`
    Increase,
    /// `dec`
    Decrease,
    /// `mul`
    Multiply,
    /// `div`
    Divide,
}

const KINDS: [(&str, ChangeKind, Operator); 4] = [
    ("inc", ChangeKind::Increase, Operator::Add),
    ("dec", ChangeKind::Decrease, Operator::Subtract),
    ("mul", ChangeKind::Multiply, Operator::Multiply),
    ("div", ChangeKind::Divide, Operator::Divide),
];

/// Counts a variable up or down, multiplies or divides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How.
    pub kind: ChangeKind,
    /// The variable.
    pub name: Name,
    /// By how much.
    pub amount: Value<i32>,
}

impl Change {
    /// The new value.
    ///
    /// # Errors
    /// [`Trouble`] when the variable holds no number, and as [`Operator::apply`].
    pub fn evaluate(&self, variables: &Variables) -> Result<i32, Trouble> {
        let before = variables.number(&self.name)?;
        let amount = self.amount.get(variables)?;
        let operator =
            KINDS.iter().find(|(_, kind, _)| *kind == self.kind).map_or(Operator::Add, |known| known.2);
        operator.apply(before, amount)
    }
}

impl StepKind for Change {
    const NEEDS: &'static [Capability] = &[];
    const ASKS_OUTSIDE: bool = false;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let kind = KINDS
            .iter()
            .find(|(word, ..)| line.keyword.is(word))
            .map_or(ChangeKind::Increase, |known| known.1);
        let (name, amount) = match line.words() {
            [name] => (name, Value::Fixed(1)),
            [name, amount] => (name, Value::parse(*amount)?),
            _ => return Err(line.unlike(2, "NAME [AMOUNT]")),
        };
        if let (ChangeKind::Divide, Value::Fixed(0)) = (kind, &amount) {
            return Err(Trouble::new(line.rest_from(1).at, "division by zero"));
        }
        Ok(Self { kind, name: Name::parse(name.text).map_err(|trouble| trouble.moved(name.at))?, amount })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        seen(Use::Read, &self.name);
        self.amount.names().for_each(|name| seen(Use::Read, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        if words.get(1).is_some_and(|word| is_number(word)) { 2 } else { 1 }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = KINDS.iter().find(|(_, kind, _)| *kind == self.kind).map_or("inc", |known| known.0);
        match self.amount {
            Value::Fixed(1) => write!(out, "{word} {}", self.name),
            _ => write!(out, "{word} {} {}", self.name, self.amount),
        }
    }
}
