//! A program as steps in their normal form: one blank between words, short names, no indentation.

use super::tree::{Block, Program, Statement};

impl Program {
    /// The steps; reading them gives this program again.
    pub fn print(&self) -> Vec<String> {
        let mut steps = Vec::with_capacity(self.step_count);
        block(&self.body, &mut steps);
        steps
    }
}

fn block(block: &Block, steps: &mut Vec<String>) {
    for node in block {
        statement(&node.statement, steps);
    }
}

fn braced(header: String, body: &Block, steps: &mut Vec<String>) {
    steps.push(header);
    block(body, steps);
    steps.push("}".to_owned());
}

fn statement(statement: &Statement, steps: &mut Vec<String>) {
    match statement {
        Statement::Step(step) => steps.push(step.to_string()),
        Statement::Repeat { count, body } => braced(format!("repeat {count} {{"), body, steps),
        Statement::While { condition, body } => braced(format!("while {condition} {{"), body, steps),
        Statement::If { condition, then, otherwise } => {
            braced(format!("if {condition} {{"), then, steps);
            if let Some(otherwise) = otherwise {
                braced("else {".to_owned(), otherwise, steps);
            }
        }
        Statement::For { name, first, last, stride, body } => {
            let stride = stride.as_ref().map(|stride| format!(" step {stride}")).unwrap_or_default();
            braced(format!("for {name} from {first} to {last}{stride} {{"), body, steps);
        }
        Statement::Break => steps.push("break".to_owned()),
        Statement::Continue => steps.push("continue".to_owned()),
    }
}
