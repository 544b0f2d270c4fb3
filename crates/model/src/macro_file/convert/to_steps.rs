//! A script as a plain file of steps, for `run --file`.

use super::super::diagnostic::{Diagnostic, Diagnostics};
use super::super::document::{Macro, Section};

/// The lines of a file of steps. A text of several lines becomes several steps; pictures can't come along.
pub fn to_steps(content: &Macro) -> (Vec<String>, Diagnostics) {
    let mut found = Diagnostics::default();
    let mut lines = Vec::new();
    let mut comments =
        content.comments.iter().filter(|comment| comment.section == Section::Script).peekable();
    for (index, step) in content.script.iter().enumerate() {
        while let Some(comment) = comments.next_if(|comment| comment.before <= index) {
            lines.push(comment.text.clone());
        }
        split(&step.text, &mut lines);
    }
    lines.extend(comments.map(|comment| comment.text.clone()));
    if !content.images.is_empty() {
        let message = "a file of steps holds no pictures; give them to the run beside it";
        found.push(Diagnostic::warning(None, message));
    }
    (lines, found)
}

/// A step of one line as it is; a text with line ends as texts and taps of Enter.
fn split(step: &str, lines: &mut Vec<String>) {
    for (index, line) in step.split('\n').enumerate() {
        match index {
            0 if line.trim().eq_ignore_ascii_case("type") => {}
            0 => lines.push(line.to_owned()),
            _ => {
                lines.push("tap Enter".to_owned());
                if !line.is_empty() {
                    lines.push(format!("type {line}"));
                }
            }
        }
    }
}
