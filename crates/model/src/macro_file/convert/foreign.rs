//! What the readers of other programs' scripts share.

use super::super::diagnostic::{Diagnostic, Diagnostics};
use super::super::document::{Comment, Macro, Section};
use super::{autohotkey, xdotool, ydotool};
use crate::key::{KeyName, qwerty};
use crate::limits::MACRO_STEPS;
use crate::run::SourceStep;
use std::time::Duration;

/// A program whose scripts can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// xdotool: a script of its own commands, or a shell script that calls it.
    Xdotool,
    /// ydotool: command lines, or a shell script that calls it.
    Ydotool,
    /// AutoHotkey, version 1 or 2: lines with Send, Click, MouseMove and Sleep.
    AutoHotkey,
}

impl Foreign {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Xdotool, Self::Ydotool, Self::AutoHotkey];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xdotool => "xdotool",
            Self::Ydotool => "ydotool",
            Self::AutoHotkey => "autohotkey",
        }
    }

    /// Which of them the text is for, by the names of the programs in it.
    pub fn guess(text: &str) -> Option<Self> {
        let has_word = |word: &str| {
            text.lines()
                .take(1000)
                .any(|line| line.split(|c: char| !c.is_ascii_alphanumeric()).any(|found| found == word))
        };
        [Self::Xdotool, Self::Ydotool].into_iter().find(|program| has_word(program.name()))
    }
}

/// The script of another program as a macro of steps.
///
/// Each line that can't be converted is an error with its number, and stands in the script as a comment.
pub fn from_foreign(program: Foreign, text: &str) -> (Macro, Diagnostics) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut steps = Steps::default();
    match program {
        Foreign::Xdotool => xdotool::convert(text, &mut steps),
        Foreign::Ydotool => ydotool::convert(text, &mut steps),
        Foreign::AutoHotkey => autohotkey::convert(text, &mut steps),
    }
    if steps.script.is_empty() && steps.found.is_ok() {
        steps.found.push(Diagnostic::error(None, "there is nothing in it that could be played"));
    }
    let Steps { script, comments, found, .. } = steps;
    (Macro { script, comments, ..Macro::default() }, found)
}

/// The steps that have been made.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) script: Vec<SourceStep>,
    comments: Vec<Comment>,
    found: Diagnostics,
    /// The line that is being converted.
    pub(super) line: usize,
}

/// Why a command can't be converted.
pub(super) struct Unlike {
    pub(super) message: String,
    pub(super) nearest: Vec<String>,
}

impl From<String> for Unlike {
    fn from(message: String) -> Self {
        Self { message, nearest: Vec::new() }
    }
}

impl From<&str> for Unlike {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

/// Longest part of a line that is repeated in a comment.
const SHOWN: usize = 200;

impl Steps {
    pub(super) fn push(&mut self, text: impl Into<String>) -> Result<(), Unlike> {
        if self.script.len() as u64 >= MACRO_STEPS.value {
            return Err("the script would have too many steps".into());
        }
        self.script.push(SourceStep { text: text.into(), line: Some(self.line) });
        Ok(())
    }

    /// Notes the line that `unlike` is about.
    pub(super) fn fail(&mut self, line: &str, unlike: Unlike) {
        self.found.push(Diagnostic::error(self.line, unlike.message).nearest(unlike.nearest));
        let shown: String = line.trim().chars().filter(|c| !c.is_control()).take(SHOWN).collect();
        let text = format!("# line {}, not converted: {shown}", self.line);
        self.comments.push(Comment { section: Section::Script, before: self.script.len(), text });
    }

    /// Notes something that changes nothing of what is played.
    pub(super) fn warn(&mut self, message: impl Into<String>) {
        self.found.push(Diagnostic::warning(self.line, message));
    }

    /// Types a text.
    pub(super) fn type_text(&mut self, text: &str) -> Result<(), Unlike> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "");
        if text.is_empty() { Ok(()) } else { self.push(format!("type {}", text.replace('$', "$$"))) }
    }

    pub(super) fn wait_ms(&mut self, ms: u64) -> Result<(), Unlike> {
        if ms == 0 { Ok(()) } else { self.push(format!("delay {ms}")) }
    }

    pub(super) fn wait(&mut self, time: Duration) -> Result<(), Unlike> {
        match time.as_micros() {
            0 => Ok(()),
            us if us.is_multiple_of(1000) => self.push(format!("delay {}", us / 1000)),
            us => self.push(format!("delay {us}us")),
        }
    }

    /// Taps `key` with `modifiers` held.
    pub(super) fn tap(&mut self, modifiers: &[String], key: &Key) -> Result<(), Unlike> {
        let mut parts = modifiers.to_vec();
        let main = match key {
            Key::Named(name) => name.clone(),
            Key::Prints(character) => {
                let small = character.to_lowercase().next().unwrap_or(*character);
                if small != *character && !parts.iter().any(|part| part == "Shift") {
                    parts.push("Shift".to_owned());
                }
                if qwerty(small).is_none() || small == '+' {
                    if modifiers.is_empty() {
                        return self.type_text(&character.to_string());
                    }
                    if small != '+' {
                        return Err(format!(
                            "which key prints {character} depends on the layout; name the key"
                        )
                        .into());
                    }
                }
                KeyName::Character(small).spell()
            }
        };
        parts.push(main);
        self.push(format!("tap {}", parts.join("+")))
    }

    /// Presses or releases `key`.
    pub(super) fn hold(&mut self, is_down: bool, key: &Key) -> Result<(), Unlike> {
        let name = match key {
            Key::Named(name) => name.clone(),
            Key::Prints(character) if qwerty(*character).is_some() && !character.is_uppercase() => {
                KeyName::Character(*character).spell()
            }
            Key::Prints(character) => {
                return Err(
                    format!("which keys print {character} depends on the layout; name the key").into()
                );
            }
        };
        self.push(format!("key {} {name}", if is_down { "down" } else { "up" }))
    }
}

/// A key of another program in our words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// The name of the run language.
    Named(String),
    /// The key, with Shift perhaps, that prints it.
    Prints(char),
}

/// A duration of seconds with decimals, or of another unit: `0.5`, `1.5s`, `2m`.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let (number, factor) = match text.char_indices().last()? {
        (at, 's') => (&text[..at], 1.0),
        (at, 'm') => (&text[..at], 60.0),
        (at, 'h') => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = number.parse().ok().filter(|_| is_number)?;
    // A day; what waits longer is no macro.
    let time = Duration::try_from_secs_f64(value * factor).ok().filter(|time| time.as_secs() <= 86_400)?;
    Some(Duration::from_micros(u64::try_from((time.as_nanos() + 500) / 1000).ok()?))
}
