//! `window ...`: what the windows are, and changes to them.

use super::{StepKind, Use, is_number, variable};
use crate::Capability;
use crate::nearest::nearest;
use crate::run::diagnostic::{Trouble, quoted};
use crate::run::name::Name;
use crate::run::quotes;
use crate::run::template::Template;
use crate::run::value::{Millis, Value};
use crate::run::words::{Line, Word, is_blank};
use std::fmt;

/// Looks at windows, or changes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Window {
    /// Tells something of the window that has the keyboard focus; nothing where none has.
    Active {
        /// What.
        fact: Fact,
        /// Gets it.
        into: Name,
    },
    /// Looks for a window.
    Search {
        /// What is compared.
        by: By,
        /// Part of it in any case, or with `exact:` or `regex:` before it.
        term: Template,
        /// Gets the address of the topmost one, or nothing.
        into: Name,
    },
    /// Waits for a window.
    Wait {
        /// What is compared.
        by: By,
        /// As in a search.
        term: Template,
        /// How long; five seconds unless given, and for 0.
        timeout: Option<Value<Millis>>,
        /// Gets the address of the topmost one, or nothing.
        into: Name,
    },
    /// Gives a window the keyboard focus.
    Focus(Which),
    /// Asks a window to close.
    Close(Which),
    /// Puts the frame of the focused window at a place.
    Move {
        /// Its left edge.
        x: Value<i32>,
        /// Its top edge.
        y: Value<i32>,
    },
    /// Gives the inner area of the focused window a size.
    Resize {
        /// Its width, 1 or more.
        width: Value<i32>,
        /// Its height, 1 or more.
        height: Value<i32>,
    },
    /// Changes the state of the focused window.
    State(WindowState),
    /// Tells the name of the workspace that is shown.
    GetDesktop {
        /// Gets it.
        into: Name,
    },
    /// Shows a workspace, by its name or its number from 1.
    SetDesktop {
        /// Its name or number.
        workspace: Template,
    },
    /// Sends a window to a workspace.
    SendTo {
        /// The window.
        which: Which,
        /// The name or number of the workspace.
        workspace: Template,
    },
}

/// Something that can be told of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// Its title.
    Title,
    /// Its class.
    Class,
    /// Its address.
    Address,
    /// Whether it covers a monitor.
    Fullscreen,
    /// Whether it is maximised.
    Maximize,
    /// Whether it is kept above others.
    Float,
    /// Whether it is on all workspaces.
    Pinned,
    /// Whether it is not shown.
    Hidden,
    /// Left and top edge, width and height of its frame.
    Geometry,
}

/// What a search compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Titles.
    Title,
    /// Classes.
    Class,
}

/// Which window is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// The one with the keyboard focus.
    Active,
    /// The topmost that a search finds.
    Matching(By, Template),
    /// The one of this address.
    Address(Template),
}

/// A state of a window that a step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowState {
    /// In the middle of its monitor.
    Center,
    /// Maximised, or no longer.
    Maximize,
    /// Covering its monitor, or no longer.
    Fullscreen,
    /// Above others, or no longer.
    Float,
}

macro_rules! words {
    ($type:ident { $($kind:ident $word:literal,)+ }) => {
        impl $type {
            const ALL: &[(&str, Self)] = &[$(($word, Self::$kind),)+];

            fn word(self) -> &'static str {
                match self { $(Self::$kind => $word,)+ }
            }

            fn read(word: Word<'_>) -> Result<Self, Trouble> {
                let found = Self::ALL.iter().find(|(known, _)| word.is(known));
                found.map(|(_, kind)| *kind).ok_or_else(|| unknown(word, Self::ALL.iter().map(|(known, _)| *known)))
            }
        }
    };
}

words! {
    Fact {
        Title "title", Class "class", Address "address", Fullscreen "fullscreen", Maximize "maximize",
        Float "float", Pinned "pinned", Hidden "hidden", Geometry "geometry",
    }
}
words! { By { Title "title", Class "class", } }
words! { WindowState { Center "center", Maximize "maximize", Fullscreen "fullscreen", Float "float", } }

/// The words after `window`.
const ACTIONS: &[&str] = &[
    "active",
    "search",
    "wait",
    "focus",
    "close",
    "move",
    "resize",
    "center",
    "maximize",
    "fullscreen",
    "float",
    "getdesktop",
    "setdesktop",
    "setdesktopforwindow",
];

fn unknown<'a>(word: Word<'_>, known: impl Iterator<Item = &'a str> + Clone) -> Trouble {
    let list: Vec<&str> = known.clone().collect();
    let message = format!("expected {}, found {}", list.join(", "), quoted(word.text));
    Trouble::new(word.at, message).nearest(nearest(word.text, known))
}

fn template(text: &str, at: usize) -> Result<Template, Trouble> {
    let template = Template::parse(text).map_err(|trouble| trouble.moved(at))?;
    match template.literal().is_some_and(|text| text.trim().is_empty()) {
        true => Err(Trouble::new(at, "this text is blank")),
        false => Ok(template),
    }
}

/// The text of a search, and the words after it. Without quotes it is all but the last word, and the number before that.
fn term<'a>(line: &Line<'a>, usage: &str, has_time: bool) -> Result<(Template, Vec<Word<'a>>), Trouble> {
    let rest = line.rest_from(2);
    if let Some((text, length)) = quotes::take(rest.text).map_err(|trouble| trouble.moved(rest.at))? {
        let after = line.words().iter().copied().filter(|word| word.at >= rest.at + length).collect();
        if !rest.text[length..].starts_with(is_blank) {
            return Err(Trouble::new(rest.at + length, format!("expected {usage}")));
        }
        return Ok((template(&text, rest.at)?, after));
    }
    let words = line.words().get(2..).unwrap_or_default();
    let timed = has_time && words.len() > 2 && is_number(words[words.len() - 2].text);
    let own = words.len().saturating_sub(if timed { 2 } else { 1 });
    let (Some(first), Some(last)) = (words.first(), words[..own].last()) else {
        return Err(line.unlike(4, usage));
    };
    let end = last.at + last.text.len() - first.at;
    Ok((template(&line.rest_from(2).text[..end], first.at)?, words[own..].to_vec()))
}

/// A window, from the word number `index` on, to the end of the line.
fn which(line: &Line<'_>, index: usize, usage: &str) -> Result<Which, Trouble> {
    let Some(kind) = line.words().get(index) else { return Err(line.unlike(index + 1, usage)) };
    let value = line.rest_from(index + 1);
    if kind.is("active") {
        return if value.text.is_empty() { Ok(Which::Active) } else { Err(line.unlike(index + 1, usage)) };
    }
    if value.text.is_empty() {
        return Err(line.unlike(index + 2, usage));
    }
    let value = template(&quotes::strip(value.text), value.at)?;
    match () {
        () if kind.is("address") => Ok(Which::Address(value)),
        () => By::read(*kind)
            .map(|by| Which::Matching(by, value))
            .map_err(|_| unknown(*kind, ["active", "title", "class", "address"].into_iter())),
    }
}

impl StepKind for Window {
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn needs(&self) -> &'static [Capability] {
        match self {
            Self::Active { .. } | Self::Search { .. } | Self::Wait { .. } | Self::GetDesktop { .. } => {
                &[Capability::WindowRead]
            }
            _ => &[Capability::WindowControl],
        }
    }

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let Some(action) = line.words().first() else {
            return Err(line.unlike(1, "window active, search, wait, focus, close, move and others"));
        };
        match action.text.to_ascii_lowercase().as_str() {
            "active" => {
                let [_, fact, into] = line.exactly("window active FACT VAR")?;
                Ok(Self::Active { fact: Fact::read(fact)?, into: variable(into)? })
            }
            "search" => Self::search(line),
            "wait" => Self::wait(line),
            "focus" => which(line, 1, "window focus active, or window focus title|class|address VALUE")
                .map(Self::Focus),
            "close" => which(line, 1, "window close active, or window close title|class|address VALUE")
                .map(Self::Close),
            "move" => {
                let [_, x, y] = line.exactly("window move X Y")?;
                Ok(Self::Move { x: Value::parse(x)?, y: Value::parse(y)? })
            }
            "resize" => {
                let [_, width, height] = line.exactly("window resize W H")?;
                Ok(Self::Resize { width: side(width)?, height: side(height)? })
            }
            "getdesktop" => {
                let [_, into] = line.exactly("window getdesktop VAR")?;
                Ok(Self::GetDesktop { into: variable(into)? })
            }
            "setdesktop" => {
                Ok(Self::SetDesktop { workspace: workspace(line, 1, "window setdesktop WORKSPACE")? })
            }
            "setdesktopforwindow" => Self::send(line),
            _ => match line.words() {
                [_] => WindowState::read(*action).map(Self::State),
                [_, active] if active.is("active") => WindowState::read(*action).map(Self::State),
                _ => WindowState::read(*action)
                    .and_then(|_| Err(line.unlike(1, "window ACTION or window ACTION active"))),
            }
            .map_err(|trouble| match WindowState::read(*action) {
                Ok(_) => trouble,
                Err(_) => unknown(*action, ACTIONS.iter().copied()),
            }),
        }
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        let (reads, into): (Vec<&Name>, Option<&Name>) = match self {
            Self::Active { into, .. } | Self::GetDesktop { into } => (Vec::new(), Some(into)),
            Self::Search { term, into, .. } => (term.names().collect(), Some(into)),
            Self::Wait { term, timeout, into, .. } => {
                (term.names().chain(timeout.iter().flat_map(Value::names)).collect(), Some(into))
            }
            Self::Focus(which) | Self::Close(which) => (which.names().collect(), None),
            Self::Move { x: a, y: b } | Self::Resize { width: a, height: b } => {
                (a.names().chain(b.names()).collect(), None)
            }
            Self::State(_) => (Vec::new(), None),
            Self::SetDesktop { workspace } => (workspace.names().collect(), None),
            Self::SendTo { which, workspace } => (which.names().chain(workspace.names()).collect(), None),
        };
        reads.into_iter().for_each(|name| seen(Use::Read, name));
        into.into_iter().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        let is = |index: usize, wanted: &str| {
            words.get(index).is_some_and(|word| word.eq_ignore_ascii_case(wanted))
        };
        let action = words.first().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
        match action.as_str() {
            "active" | "move" | "resize" => 3,
            "search" => 4,
            "wait" if words.get(3).is_some_and(|word| is_number(word)) => 5,
            "wait" => 4,
            "focus" | "close" => {
                if is(1, "active") {
                    2
                } else {
                    3
                }
            }
            "getdesktop" | "setdesktop" => 2,
            "setdesktopforwindow" => {
                if is(1, "active") {
                    3
                } else {
                    4
                }
            }
            _ => {
                if is(1, "active") {
                    2
                } else {
                    1
                }
            }
        }
    }
}

/// A side of a window.
fn side(word: Word<'_>) -> Result<Value<i32>, Trouble> {
    let value = Value::parse(word)?;
    match value.fixed() {
        Some(side) if *side < 1 => Err(Trouble::new(word.at, "expected a size of 1 or more")),
        _ => Ok(value),
    }
}

fn workspace(line: &Line<'_>, index: usize, usage: &str) -> Result<Template, Trouble> {
    let word = line.rest_from(index);
    if word.text.is_empty() {
        return Err(line.unlike(index + 1, usage));
    }
    template(&quotes::strip(word.text), word.at)
}

impl Window {
    fn search(line: &Line<'_>) -> Result<Self, Trouble> {
        const USAGE: &str = "window search title|class TERM VAR";
        let Some(by) = line.words().get(1) else { return Err(line.unlike(4, USAGE)) };
        let by = By::read(*by)?;
        match term(line, USAGE, false)? {
            (term, after) if after.len() == 1 => Ok(Self::Search { by, term, into: variable(after[0])? }),
            _ => Err(line.unlike(4, USAGE)),
        }
    }

    fn wait(line: &Line<'_>) -> Result<Self, Trouble> {
        const USAGE: &str = "window wait title|class TERM [TIMEOUT_MS] VAR";
        let Some(by) = line.words().get(1) else { return Err(line.unlike(4, USAGE)) };
        let by = By::read(*by)?;
        let (term, after) = term(line, USAGE, true)?;
        match after.as_slice() {
            [into] => Ok(Self::Wait { by, term, timeout: None, into: variable(*into)? }),
            [time, into] => {
                Ok(Self::Wait { by, term, timeout: Some(Value::parse(*time)?), into: variable(*into)? })
            }
            _ => Err(line.unlike(5, USAGE)),
        }
    }

    fn send(line: &Line<'_>) -> Result<Self, Trouble> {
        const USAGE: &str = "window setdesktopforwindow active WORKSPACE, or address ADDRESS WORKSPACE";
        match line.words() {
            [_, active, _, ..] if active.is("active") => {
                Ok(Self::SendTo { which: Which::Active, workspace: workspace(line, 2, USAGE)? })
            }
            [_, address, value, _, ..] if address.is("address") => {
                let which = Which::Address(template(&quotes::strip(value.text), value.at)?);
                Ok(Self::SendTo { which, workspace: workspace(line, 3, USAGE)? })
            }
            _ => Err(line.unlike(4, USAGE)),
        }
    }
}

impl Which {
    fn names(&self) -> impl Iterator<Item = &Name> {
        let template = match self {
            Self::Active => None,
            Self::Matching(_, text) | Self::Address(text) => Some(text),
        };
        template.into_iter().flat_map(Template::names)
    }
}

fn quoted_text(text: &Template) -> String {
    quotes::put(&text.to_string())
}

impl fmt::Display for Which {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active => out.write_str("active"),
            Self::Matching(by, text) => write!(out, "{} {}", by.word(), quoted_text(text)),
            Self::Address(text) => write!(out, "address {}", quoted_text(text)),
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active { fact, into } => write!(out, "window active {} {into}", fact.word()),
            Self::Search { by, term, into } => {
                write!(out, "window search {} {} {into}", by.word(), quoted_text(term))
            }
            Self::Wait { by, term, timeout, into } => {
                write!(out, "window wait {} {}", by.word(), quoted_text(term))?;
                timeout.iter().try_for_each(|time| write!(out, " {time}"))?;
                write!(out, " {into}")
            }
            Self::Focus(which) => write!(out, "window focus {which}"),
            Self::Close(which) => write!(out, "window close {which}"),
            Self::Move { x, y } => write!(out, "window move {x} {y}"),
            Self::Resize { width, height } => write!(out, "window resize {width} {height}"),
            Self::State(state) => write!(out, "window {}", state.word()),
            Self::GetDesktop { into } => write!(out, "window getdesktop {into}"),
            Self::SetDesktop { workspace } => write!(out, "window setdesktop {}", quoted_text(workspace)),
            Self::SendTo { which, workspace } => {
                write!(out, "window setdesktopforwindow {which} {}", quoted_text(workspace))
            }
        }
    }
}
