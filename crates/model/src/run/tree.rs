//! A script as a tree.

use super::condition::Condition;
use super::diagnostic::{Diagnostic, Diagnostics, KEPT, Place, Trouble};
use super::expression::Expression;
use super::name::Name;
use super::steps::Step;
use crate::Capability;
use crate::nearest::nearest;
use std::collections::BTreeSet;

/// The steps inside a block.
pub type Block = Vec<Node>;

/// A step or a block, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The place of the step, or of the first step of the block.
    pub place: Place,
    /// What it is.
    pub statement: Statement,
}

/// What a script is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// A step.
    Step(Step),
    /// `repeat COUNT {`
    Repeat {
        /// How often.
        count: Expression,
        /// What.
        body: Block,
    },
    /// `if CONDITION {`, and perhaps `else {`
    If {
        /// The condition.
        condition: Condition,
        /// What is done where it holds.
        then: Block,
        /// What is done where it does not, if anything is written for that.
        otherwise: Option<Block>,
    },
    /// `while CONDITION {`
    While {
        /// The condition.
        condition: Condition,
        /// What is done as long as it holds.
        body: Block,
    },
    /// `for NAME from FIRST to LAST [step STRIDE] {`, both ends included
    For {
        /// The variable that counts.
        name: Name,
        /// Its first value.
        first: Expression,
        /// The value it does not pass.
        last: Expression,
        /// What is added each time: 1 or -1 towards the last value, unless given.
        stride: Option<Expression>,
        /// What is done each time.
        body: Block,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
}

impl Statement {
    /// The blocks inside.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (first, second) = match self {
            Self::Repeat { body, .. } | Self::While { body, .. } | Self::For { body, .. } => {
                (Some(body), None)
            }
            Self::If { then, otherwise, .. } => (Some(then), otherwise.as_ref()),
            Self::Step(_) | Self::Break | Self::Continue => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// A whole script that was read without complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its outermost steps and blocks.
    pub body: Block,
    /// Number of its steps; the first and last lines of blocks count.
    pub step_count: usize,
}

impl Program {
    /// Everything that a policy must allow for the steps of this script, reached or not. Running a script at
    /// all is the caller's own need.
    pub fn capabilities(&self) -> BTreeSet<Capability> {
        let mut needs = BTreeSet::new();
        self.each(&mut |node| {
            if let Statement::Step(step) = &node.statement {
                needs.extend(step.needs());
            }
        });
        needs
    }

    /// Checks that every picture that a step looks for is one of `given`.
    ///
    /// # Errors
    /// [`Diagnostics`]: one for each step that names another.
    pub fn check_assets(&self, given: &[&str]) -> Result<(), Diagnostics> {
        let known: BTreeSet<&str> = given.iter().copied().collect();
        let mut wrong = Vec::new();
        self.each(&mut |node| {
            let Statement::Step(step) = &node.statement else { return };
            let missing = step.asset().filter(|name| !known.contains(name));
            if let Some(name) = missing.filter(|_| wrong.len() <= KEPT) {
                let message =
                    format!("there is no picture named {name}; pictures are given beside the steps");
                let trouble = Trouble::new(0, message).nearest(nearest(name, given.iter().copied()));
                wrong.push(Diagnostic::new(node.place, "", trouble));
            }
        });
        if wrong.is_empty() { Ok(()) } else { Err(Diagnostics::new(wrong)) }
    }

    /// Whether a step waits for, or asks, something outside the script: it decides how many loop iterations
    /// there may be.
    pub fn asks_outside(&self) -> bool {
        let mut asks = false;
        self.each(&mut |node| {
            asks |= matches!(&node.statement, Statement::Step(step) if step.asks_outside());
        });
        asks
    }

    /// Visits all steps and blocks in the order of the source.
    pub(crate) fn each(&self, seen: &mut dyn FnMut(&Node)) {
        each(&self.body, seen);
    }
}

fn each(block: &Block, seen: &mut dyn FnMut(&Node)) {
    for node in block {
        seen(node);
        node.statement.blocks().for_each(|inner| each(inner, seen));
    }
}
