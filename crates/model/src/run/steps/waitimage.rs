//! `waitimage [REGION] NAME [FOUND XVAR YVAR] [similarity S] [matchmode M] [timeout MS]`.

use super::image::Target;
use super::seen::Wording;
use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::value::{Millis, Value};
use crate::run::words::Line;
use std::fmt;

/// Waits for a picture that stays; the place is its top left corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitImage {
    /// What to look for.
    pub target: Target,
    /// How long to wait; five seconds unless given.
    pub timeout: Option<Value<Millis>>,
}

const WORDING: Wording = Wording {
    options: &["similarity", "matchmode", "timeout"],
    usage: "waitimage [X1 Y1 X2 Y2 | region X Y W H] NAME [FOUND XVAR YVAR] [similarity S] [matchmode auto|first|best] [timeout MS]",
};

impl StepKind for WaitImage {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        let (target, options) = Target::parse(line, &WORDING)?;
        Ok(Self { target, timeout: options.get("timeout")? })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        let timeout = self.timeout.iter().flat_map(Value::names);
        self.target.reads().chain(timeout).for_each(|name| seen(Use::Read, name));
        self.target.at.names().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        Target::arity(words, &WORDING)
    }
}

impl fmt::Display for WaitImage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "waitimage{}", self.target)?;
        self.timeout.iter().try_for_each(|timeout| write!(out, " timeout {timeout}"))
    }
}
