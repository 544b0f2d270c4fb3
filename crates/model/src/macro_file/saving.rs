//! What keeps a macro from being saved.

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::{Comment, Macro, Section};
use super::event::{Action, RandomDelay, Space};
use super::header::{self, check_png, is_image_name};
use crate::key::HIGHEST;
use crate::limits::{Limit, MACRO_COMMENTS, MACRO_EVENTS, MACRO_IMAGES, MACRO_IMAGES_BYTES, MACRO_STEPS};

/// Everything that keeps it from being saved; no warnings.
pub(crate) fn check(content: &Macro) -> Diagnostics {
    let mut wrong = Diagnostics::default();
    let mut error = |message: String| wrong.push(Diagnostic::error(None, message));
    if content.events.is_empty() && content.script.is_empty() {
        error("the macro is empty: it has neither an event nor a step".to_owned());
    }
    within(&MACRO_EVENTS, content.events.len(), &mut error);
    within(&MACRO_STEPS, content.script.len(), &mut error);
    within(&MACRO_COMMENTS, content.comments.len(), &mut error);
    if content.name.contains(['\n', '\r', '\0']) {
        error("the name of the macro is not one line".to_owned());
    }
    if !is_time(content.trailing_us) || content.trailing_random.is_some_and(|range| !is_range(range)) {
        error("the wait after the last event is out of range".to_owned());
    }
    events(content, &mut error);
    images(content, &mut error);
    comments(content, &mut error);
    script(content, &mut wrong);
    wrong
}

fn within(limit: &Limit, value: usize, error: &mut impl FnMut(String)) {
    if value as u64 > limit.value {
        error(format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit));
    }
}

fn is_time(us: u64) -> bool {
    i64::try_from(us).is_ok()
}

fn is_range(range: RandomDelay) -> bool {
    range.min_ms <= range.max_ms && i32::try_from(range.max_ms).is_ok()
}

fn events(content: &Macro, error: &mut impl FnMut(String)) {
    for (index, event) in content.events.iter().enumerate() {
        let is_time = is_time(event.wait_us) && event.random.is_none_or(is_range);
        if !is_time {
            error(format!("the wait before event {} is out of range", index + 1));
        }
        let can_be_written = match event.action {
            Action::Key { code, .. } => (1..=HIGHEST).contains(&code.0),
            // A motion to where the pointer is has no spelling.
            Action::Move(at) => at.space != Space::Current,
            Action::Button { .. } | Action::Click { .. } | Action::Wheel(_) => true,
        };
        if !can_be_written {
            error(format!("event {} has no form in a file", index + 1));
        }
    }
}

fn images(content: &Macro, error: &mut impl FnMut(String)) {
    let mut names: Vec<&str> = content.images.iter().map(|image| image.name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        error("two pictures have the same name".to_owned());
    }
    for image in &content.images {
        if !is_image_name(&image.name) {
            error("the name of a picture is no name: letters, digits and _ only".to_owned());
        }
        if let Err(problem) = check_png(&image.png) {
            error(format!("the picture {}: {problem}", image.name));
        }
    }
    within(&MACRO_IMAGES, content.images.len(), error);
    let together = content.images.iter().map(|image| image.png.len()).sum();
    within(&MACRO_IMAGES_BYTES, together, error);
}

fn comments(content: &Macro, error: &mut impl FnMut(String)) {
    let is_comment = |comment: &Comment| {
        let is_header = comment.section == Section::Header && header::split(&comment.text).is_ok();
        comment.text.starts_with('#') && !is_header && !comment.text.contains(['\n', '\r', '\0'])
    };
    if !content.comments.iter().all(is_comment) {
        error("a comment is one line that starts with #".to_owned());
    }
}

fn script(content: &Macro, wrong: &mut Diagnostics) {
    for (index, step) in content.script.iter().enumerate() {
        let first = step.text.split('\n').next().unwrap_or_default().trim_ascii();
        if first.is_empty() || first.starts_with(['#', '[', '|']) || step.text.contains('\0') {
            let message = "this step has no form in a file";
            wrong.push(Diagnostic { step: Some(index + 1), ..Diagnostic::error(step.line, message) });
        }
    }
    if wrong.is_ok()
        && !content.script.is_empty()
        && let Err(found) = content.program()
    {
        wrong.extend_from_script(found);
    }
}
