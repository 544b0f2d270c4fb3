//! `imageclick [REGION] NAME [FOUND XVAR YVAR] [similarity S] [matchmode M] [button left|right|middle] [timeout MS]`.

use super::image::Target;
use super::seen::Wording;
use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::{MainButton, Millis, Value};
use crate::run::words::Line;
use std::fmt;

/// Waits for a picture that stays, and clicks its middle; the place is where it clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageClick {
    /// What to look for.
    pub target: Target,
    /// The button; left unless given.
    pub button: Option<Value<MainButton>>,
    /// How long to wait; five seconds unless given.
    pub timeout: Option<Value<Millis>>,
}

const WORDING: Wording = Wording {
    options: &["similarity", "matchmode", "button", "timeout"],
    usage: "imageclick [X1 Y1 X2 Y2 | region X Y W H] NAME [FOUND XVAR YVAR] [similarity S] [matchmode auto|first|best] [button left|right|middle] [timeout MS]",
};

impl StepKind for ImageClick {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead, Capability::InputAutomation];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let (target, options) = Target::parse(line, &WORDING)?;
        Ok(Self { target, button: options.get("button")?, timeout: options.get("timeout")? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        let button = self.button.iter().flat_map(Value::names);
        let timeout = self.timeout.iter().flat_map(Value::names);
        self.target.reads().chain(button).chain(timeout).for_each(|name| seen(Use::Read, name));
        self.target.at.names().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        Target::arity(words, &WORDING)
    }
}

impl fmt::Display for ImageClick {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "imageclick{}", self.target)?;
        self.button.iter().try_for_each(|button| write!(out, " button {button}"))?;
        self.timeout.iter().try_for_each(|timeout| write!(out, " timeout {timeout}"))
    }
}
