//! `clipboard get VAR`, `clipboard set TEXT`, `clipboard capture CHORD VAR`.

use super::{StepKind, Use, variable};
use crate::run::diagnostic::{Trouble, quoted};
use crate::run::name::Name;
use crate::run::quotes;
use crate::run::template::Template;
use crate::run::value::Value;
use crate::run::words::Line;
use crate::{Capability, Chord};
use std::fmt;

/// Reads or replaces the text on the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clipboard {
    /// Reads it; empty where there is none.
    Get {
        /// Gets the text.
        into: Name,
    },
    /// Replaces it; by nothing, where the text is empty.
    Set {
        /// The text.
        text: Template,
    },
    /// Taps a chord that copies, and reads what was copied.
    Capture {
        /// The chord.
        chord: Value<Chord>,
        /// Gets the text.
        into: Name,
    },
}

const USAGE: &str = "clipboard get VAR, clipboard set TEXT or clipboard capture ctrl+c VAR";

impl StepKind for Clipboard {
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = true;

    fn needs(&self) -> &'static [Capability] {
        match self {
            Self::Get { .. } => &[Capability::ClipboardRead],
            Self::Set { .. } => &[Capability::ClipboardWrite],
            Self::Capture { .. } => {
                &[Capability::ClipboardRead, Capability::ClipboardWrite, Capability::InputAutomation]
            }
        }
    }

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        match line.words() {
            [get, into] if get.is("get") => Ok(Self::Get { into: variable(*into)? }),
            [set, ..] if set.is("set") => {
                let word = line.rest_from(1);
                let text =
                    Template::parse(&quotes::strip(word.text)).map_err(|trouble| trouble.moved(word.at))?;
                Ok(Self::Set { text })
            }
            [capture, chord, into] if capture.is("capture") => {
                Ok(Self::Capture { chord: Value::parse(*chord)?, into: variable(*into)? })
            }
            [first, ..] if !["get", "set", "capture"].iter().any(|known| first.is(known)) => {
                Err(Trouble::new(first.at, format!("expected {USAGE}, found {}", quoted(first.text))))
            }
            _ => Err(line.unlike(3, USAGE)),
        }
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        match self {
            Self::Get { into } => seen(Use::Write, into),
            Self::Set { text } => text.names().for_each(|name| seen(Use::Read, name)),
            Self::Capture { chord, into } => {
                chord.names().for_each(|name| seen(Use::Read, name));
                seen(Use::Write, into);
            }
        }
    }

    fn arity(_: &str, words: &[String]) -> usize {
        if words.first().is_some_and(|first| first.eq_ignore_ascii_case("capture")) { 3 } else { 2 }
    }
}

impl fmt::Display for Clipboard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Get { into } => write!(out, "clipboard get {into}"),
            Self::Set { text } => write!(out, "clipboard set {}", quotes::put(&text.to_string())),
            Self::Capture { chord, into } => write!(out, "clipboard capture {chord} {into}"),
        }
    }
}
