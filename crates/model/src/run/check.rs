//! What can be said about a whole script without running it: a variable that no step ever sets.

use super::diagnostic::{Diagnostic, KEPT, Trouble};
use super::expression::Expression;
use super::name::Name;
use super::source::SourceStep;
use super::steps::{Step, Use};
use super::tree::{Program, Statement};
use crate::nearest::nearest;
use std::collections::BTreeMap;

/// One diagnostic for each use of a variable that is set nowhere. One that is set later, or in a branch
/// that is not taken, is found when the script runs.
pub(crate) fn variables(program: &Program, source: &[SourceStep]) -> Vec<Diagnostic> {
    let mut set: BTreeMap<String, Name> = BTreeMap::new();
    program.each(&mut |node| {
        visit(&node.statement, &mut |used, name| {
            if used == Use::Write {
                set.entry(name.key()).or_insert_with(|| name.clone());
            }
        });
    });
    let mut wrong = Vec::new();
    program.each(&mut |node| {
        let is_text = matches!(&node.statement, Statement::Step(step) if step.is_text());
        visit(&node.statement, &mut |used, name| {
            if used == Use::Read && wrong.len() <= KEPT && !set.contains_key(&name.key()) {
                let trouble = if is_text { unset_in_text() } else { unset(name, &set) };
                let text = source.get(node.place.step - 1).map_or("", |step| step.text.as_str());
                wrong.push(Diagnostic::new(node.place, text, trouble.moved(offset(text, name))));
            }
        });
    });
    wrong
}

/// Where the step uses the variable, as well as a search can tell.
fn offset(text: &str, name: &Name) -> usize {
    let text = text.to_ascii_lowercase();
    let key = name.key();
    text.find(&format!("${key}")).or_else(|| text.find(&format!(" {key}")).map(|at| at + 1)).unwrap_or(0)
}

fn unset(name: &Name, set: &BTreeMap<String, Name>) -> Trouble {
    // Suggestions compare with every name; a script with very many gets none.
    let known = set.values().map(Name::as_str).take(1000);
    Trouble::new(0, format!("the variable {name} is set nowhere")).nearest(nearest(name.as_str(), known))
}

/// What follows a dollar sign in a text may be a part of a password.
fn unset_in_text() -> Trouble {
    Trouble::new(0, "a variable in this text is set nowhere; a dollar sign itself is written $$")
}

fn visit(statement: &Statement, seen: &mut dyn FnMut(Use, &Name)) {
    let mut reads = |name: &Name| seen(Use::Read, name);
    match statement {
        Statement::Step(step) => Step::visit(step, seen),
        Statement::Repeat { count, .. } => count.names().for_each(&mut reads),
        Statement::If { condition, .. } | Statement::While { condition, .. } => {
            condition.names().for_each(&mut reads);
        }
        Statement::For { name, first, last, stride, .. } => {
            first.names().chain(last.names()).for_each(&mut reads);
            stride.iter().flat_map(Expression::names).for_each(&mut reads);
            seen(Use::Write, name);
        }
        Statement::Break | Statement::Continue => {}
    }
}
