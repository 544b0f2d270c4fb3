//! Blocks: what is done how often.

use super::Interpreter;
use crossmacro_model::limits::{LOOP_ITERATIONS, LOOP_ITERATIONS_WAITING};
use crossmacro_model::run::{Expression, Name, Node, Place, Statement};
use crossmacro_model::{Code, Fault};

/// Where to go on after a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

/// The first value, the last and what is added each time.
struct Range {
    first: i64,
    last: i64,
    stride: i64,
}

impl Interpreter<'_> {
    /// Carries out a block. It calls itself for the blocks inside; the parser has limited how deep they are.
    pub(super) fn block(&mut self, block: &[Node]) -> Result<Flow, Fault> {
        for node in block {
            let flow = self.statement(node)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, node: &Node) -> Result<Flow, Fault> {
        let place = node.place;
        match &node.statement {
            Statement::Step(step) => {
                self.report(place);
                self.at(place, |this| this.go_on().and_then(|()| this.perform(step)))?;
                Ok(Flow::Next)
            }
            Statement::Repeat { count, body } => self.repeat(place, count, body),
            Statement::While { condition, body } => {
                while self.at(place, |this| condition.evaluate(&this.variables).map_err(Fault::from))? {
                    if self.pass(place, body)? == Flow::Break {
                        break;
                    }
                }
                Ok(Flow::Next)
            }
            Statement::If { condition, then, otherwise } => {
                let holds =
                    self.at(place, |this| condition.evaluate(&this.variables).map_err(Fault::from))?;
                match otherwise {
                    _ if holds => self.block(then),
                    Some(otherwise) => self.block(otherwise),
                    None => Ok(Flow::Next),
                }
            }
            Statement::For { name, first, last, stride, body } => {
                let range = self.at(place, |this| this.range(first, last, stride.as_ref()))?;
                self.count(place, name, &range, body)
            }
            Statement::Break => Ok(Flow::Break),
            Statement::Continue => Ok(Flow::Continue),
        }
    }

    fn repeat(&mut self, place: Place, count: &Expression, body: &[Node]) -> Result<Flow, Fault> {
        let count = self.at(place, |this| {
            let count = count.evaluate(&this.variables)?;
            u32::try_from(count)
                .map_err(|_| Fault::new(Code::RuntimeError, "the count of a repeat is negative"))
        })?;
        for _ in 0..count {
            if self.pass(place, body)? == Flow::Break {
                break;
            }
        }
        Ok(Flow::Next)
    }

    fn range(
        &self,
        first: &Expression,
        last: &Expression,
        stride: Option<&Expression>,
    ) -> Result<Range, Fault> {
        let value = |expression: &Expression| {
            expression.evaluate(&self.variables).map(i64::from).map_err(Fault::from)
        };
        let (first, last) = (value(first)?, value(last)?);
        let stride = match stride {
            Some(stride) => value(stride)?,
            None if first <= last => 1,
            None => -1,
        };
        if stride == 0 {
            return Err(Fault::new(Code::RuntimeError, "the step of a for is 0"));
        }
        Ok(Range { first, last, stride })
    }

    /// 64 bits hold one stride beyond any value of 32.
    fn count(&mut self, place: Place, name: &Name, range: &Range, body: &[Node]) -> Result<Flow, Fault> {
        let mut value = range.first;
        while if range.stride > 0 { value <= range.last } else { value >= range.last } {
            self.at(place, |this| this.variables.set(name, value.to_string()).map_err(Fault::from))?;
            if self.pass(place, body)? == Flow::Break {
                break;
            }
            value += range.stride;
        }
        Ok(Flow::Next)
    }

    /// One pass of a loop.
    fn pass(&mut self, place: Place, body: &[Node]) -> Result<Flow, Fault> {
        self.at(place, |this| this.go_on().and_then(|()| this.iterate()))?;
        self.block(body)
    }

    /// Counts an iteration against the limit for the whole script.
    fn iterate(&mut self) -> Result<(), Fault> {
        let limit = if self.program_asks_outside { LOOP_ITERATIONS_WAITING } else { LOOP_ITERATIONS };
        self.iterations += 1;
        if self.iterations <= limit.value {
            return Ok(());
        }
        let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
        Err(Fault::new(Code::RuntimeError, message).detail("limit", limit.name).detail("value", limit.value))
    }
}
