//! `imagesearch [REGION] NAME [FOUND XVAR YVAR] [similarity S] [matchmode M]`.

use super::image::Target;
use super::seen::Wording;
use super::{StepKind, Use};
use crate::Capability;
use crate::run::diagnostic::Trouble;
use crate::run::name::Name;
use crate::run::words::Line;
use std::fmt;

/// Looks once for a picture; the place is its top left corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageSearch {
    /// What to look for.
    pub target: Target,
}

const WORDING: Wording = Wording {
    options: &["similarity", "matchmode"],
    usage: "imagesearch [X1 Y1 X2 Y2 | region X Y W H] NAME [FOUND XVAR YVAR] [similarity S] [matchmode auto|first|best]",
};

impl StepKind for ImageSearch {
    const NEEDS: &'static [Capability] = &[Capability::ScreenRead];
    const ASKS_OUTSIDE: bool = true;
    const IS_TEXT: bool = false;

    fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
        Ok(Self { target: Target::parse(line, &WORDING)?.0 })
    }

    fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
        self.target.reads().for_each(|name| seen(Use::Read, name));
        self.target.at.names().for_each(|name| seen(Use::Write, name));
    }

    fn arity(_: &str, words: &[String]) -> usize {
        Target::arity(words, &WORDING)
    }
}

impl fmt::Display for ImageSearch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "imagesearch{}", self.target)
    }
}
