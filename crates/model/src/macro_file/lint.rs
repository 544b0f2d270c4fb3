//! Risky things in a macro: it plays as written, and may do something else than meant one day.

use super::describe::milliseconds;
use super::document::Macro;
use super::event::{Action, Event, Space};
use super::validity::LONG_WAIT_US;
use crate::run::{Delay, Program, SourceStep, Statement, Step};
use crate::{Button, Direction, KeyCode, KeyName};

/// What is risky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Points of the desktop, with no look at what is there.
    AbsoluteCoordinates,
    /// A wait of more than ten seconds.
    LongWait,
    /// A command of the shell.
    Shell,
    /// A key or button that stays down at the end.
    HeldAtEnd,
}

impl Rule {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AbsoluteCoordinates => "absolute-coordinates",
            Self::LongWait => "long-wait",
            Self::Shell => "shell",
            Self::HeldAtEnd => "held-at-end",
        }
    }
}

/// Something risky.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub rule: Rule,
    /// Line of the file from 1, for a step that came from one.
    pub line: Option<usize>,
    /// Number of the step from 1.
    pub step: Option<usize>,
    /// Number of the event from 1.
    pub event: Option<usize>,
    /// What is risky, and what would be better.
    pub message: String,
}

/// Most findings that are kept.
const KEPT: usize = 1000;

/// Everything risky that is seen without playing it, in the part of the macro that is played; shell commands in
/// either.
pub fn lint(content: &Macro) -> Vec<Finding> {
    let mut found = Vec::new();
    steps(content, &mut found);
    if !matches!(content.played_script(), Ok(None)) {
        found.truncate(KEPT);
        return found;
    }
    found.retain(|finding| finding.rule == Rule::Shell);
    events(content, &mut found);
    found.truncate(KEPT);
    found
}

fn of_event(rule: Rule, index: usize, message: String) -> Finding {
    Finding { rule, line: None, step: None, event: Some(index + 1), message }
}

fn events(content: &Macro, found: &mut Vec<Finding>) {
    let events: Vec<Event> = content.playable().collect();
    let is_absolute = |event: &Event| event.action.place().is_some_and(|at| at.space == Space::Absolute);
    let count = events.iter().filter(|event| is_absolute(event)).count();
    if let Some(first) = events.iter().position(is_absolute) {
        let what = if count == 1 { "1 event goes".to_owned() } else { format!("{count} events go") };
        let message = format!(
            "{what} to points of the desktop, and nothing checks which window is there; steps can: window wait, waitimage"
        );
        found.push(of_event(Rule::AbsoluteCoordinates, first, message));
    }
    for (index, event) in events.iter().enumerate() {
        let random = event.random.map_or(0, |random| u64::from(random.max_ms) * 1000);
        let wait = event.wait_us.saturating_add(random);
        if wait > LONG_WAIT_US && found.len() < KEPT {
            found.push(of_event(Rule::LongWait, index, long_wait(wait)));
        }
    }
    held(&events, found);
}

fn long_wait(us: u64) -> String {
    format!(
        "it waits {}; a wait for a window, a colour or a picture goes on as soon as it can",
        milliseconds(us)
    )
}

/// What goes down and never comes up again.
fn held(events: &[Event], found: &mut Vec<Finding>) {
    let mut keys: Vec<(KeyCode, usize)> = Vec::new();
    let mut buttons: Vec<(Button, usize)> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        match event.action {
            Action::Key { code, direction } => {
                keys.retain(|(held, _)| *held != code);
                if direction == Direction::Press {
                    keys.push((code, index));
                }
            }
            Action::Button { button, direction, .. } => {
                buttons.retain(|(held, _)| *held != button);
                if direction == Direction::Press {
                    buttons.push((button, index));
                }
            }
            Action::Click { button, .. } => buttons.retain(|(held, _)| *held != button),
            Action::Move(_) | Action::Wheel(_) => {}
        }
    }
    let keys = keys.into_iter().map(|(code, index)| (index, format!("the key {}", KeyName::Code(code))));
    let buttons = buttons.into_iter().map(|(button, index)| (index, format!("the {button} button")));
    let mut held: Vec<_> = keys.chain(buttons).collect();
    held.sort();
    for (index, what) in held {
        let message = format!("{what} is pressed here and not released; it is let go when the macro ends");
        found.push(of_event(Rule::HeldAtEnd, index, message));
    }
}

fn steps(content: &Macro, found: &mut Vec<Finding>) {
    let mut is_checked = false;
    for (index, step) in content.script.iter().enumerate() {
        let mut words = step.text.split_ascii_whitespace();
        let keyword = words.next().unwrap_or_default().to_ascii_lowercase();
        let mut add = |rule, message: &str| found.push(of_step(rule, index, step, message.to_owned()));
        match keyword.as_str() {
            "window" | "imagesearch" | "imageclick" | "waitimage" | "waitcolor" => is_checked = true,
            "shell" if step.text.contains('$') => {
                add(
                    Rule::Shell,
                    "it runs a command with the value of a variable in it; make sure of where that comes from",
                );
            }
            "shell" => add(Rule::Shell, "it runs a command with all rights of the user"),
            "move"
                if !is_checked
                    && words.next().is_some_and(|mode| mode.to_ascii_lowercase().starts_with("abs")) =>
            {
                add(
                    Rule::AbsoluteCoordinates,
                    "it goes to a point of the desktop, and no step before it checks which window is there",
                );
            }
            _ => {}
        }
    }
    if let Ok(program) = content.program() {
        delays(content, &program, found);
    }
    found.sort_by_key(|finding| finding.step);
}

fn of_step(rule: Rule, index: usize, step: &SourceStep, message: String) -> Finding {
    Finding { rule, line: step.line, step: Some(index + 1), event: None, message }
}

fn delays(content: &Macro, program: &Program, found: &mut Vec<Finding>) {
    program.each(&mut |node| {
        let us = match &node.statement {
            Statement::Step(Step::Delay(Delay::Fixed(time))) => {
                time.fixed().map(std::time::Duration::as_micros)
            }
            Statement::Step(Step::Delay(Delay::Random { max, .. })) => {
                max.fixed().map(|max| u128::from(max.0) * 1000)
            }
            _ => None,
        };
        let us = us.and_then(|us| u64::try_from(us).ok()).filter(|us| *us > LONG_WAIT_US);
        let index = node.place.step - 1;
        if let (Some(us), Some(step)) = (us, content.script.get(index)) {
            found.push(of_step(Rule::LongWait, index, step, long_wait(us)));
        }
    });
}
