//! What the searching steps have in common: the variables they fill, and options by name.

use crate::run::diagnostic::{Trouble, quoted};
use crate::run::name::Name;
use crate::run::value::{Spelling, Value};
use crate::run::words::Word;
use std::fmt;

/// The variables that a search fills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenAt {
    /// Gets `true` or `false`; without it, a search in vain is a failure.
    pub found: Option<Name>,
    /// Get the place, or -1 and -1.
    pub place: Option<(Name, Name)>,
}

impl SeenAt {
    /// Reads none of them or `FOUND X Y`; where a pair is allowed, also `X Y`.
    pub(super) fn parse(words: &[Word<'_>], allows_pair: bool, wording: &Wording) -> Result<Self, Trouble> {
        let (found, place) = match words {
            [] => return Ok(Self::default()),
            [x, y] if allows_pair => (None, (*x, *y)),
            [found, x, y] => (Some(*found), (*x, *y)),
            [.., last] => return Err(Trouble::new(last.at, format!("expected {}", wording.usage))),
        };
        let (x, y) = (Name::output(place.0)?, Name::output(place.1)?);
        let found = found.map(Name::output).transpose()?;
        let keys = [Some(&x), Some(&y), found.as_ref()].map(|name| name.map(Name::key));
        if keys[0] == keys[1] || keys[0] == keys[2] || keys[1] == keys[2] {
            return Err(Trouble::new(words[0].at, "the variables must be different"));
        }
        Ok(Self { found, place: Some((x, y)) })
    }

    /// All of them.
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        let place = self.place.iter().flat_map(|(x, y)| [x, y]);
        self.found.iter().chain(place)
    }
}

impl fmt::Display for SeenAt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names().try_for_each(|name| write!(out, " {name}"))
    }
}

/// What a step understands after its fixed words.
pub(super) struct Wording {
    /// The names of its options.
    pub(super) options: &'static [&'static str],
    /// How it is written.
    pub(super) usage: &'static str,
}

/// Options of older versions that have no meaning any more.
const RETIRED: &[&str] = &["poll", "downsample", "scaleaware"];

impl Wording {
    fn is_option(&self, word: &str) -> bool {
        self.options.iter().chain(RETIRED).any(|option| option.eq_ignore_ascii_case(word))
    }

    /// The words before the first option, and the rest.
    pub(super) fn split<'a, 'b>(&self, words: &'b [Word<'a>]) -> (&'b [Word<'a>], &'b [Word<'a>]) {
        let at = words.iter().position(|word| self.is_option(word.text)).unwrap_or(words.len());
        words.split_at(at)
    }

    /// How many words of the positional form are variables and options.
    pub(super) fn arity(&self, words: &[String]) -> usize {
        let variables =
            words.iter().take(3).take_while(|word| !self.is_option(word) && super::is_variable(word)).count();
        let options = words[variables..].chunks(2).take_while(|pair| self.is_option(&pair[0])).count();
        variables + 2 * options
    }
}

/// Options and their values.
pub(super) struct Options<'a> {
    pairs: Vec<(&'static str, Word<'a>)>,
}

impl<'a> Options<'a> {
    pub(super) fn parse(words: &[Word<'a>], wording: &Wording) -> Result<Self, Trouble> {
        let mut pairs: Vec<(&'static str, Word<'a>)> = Vec::new();
        for pair in words.chunks(2) {
            let option = pair[0];
            if RETIRED.iter().any(|retired| option.is(retired)) {
                let message =
                    format!("the option {} has no meaning any more; leave it out", quoted(option.text));
                return Err(Trouble::new(option.at, message));
            }
            let Some(name) = wording.options.iter().find(|name| option.is(name)) else {
                let message = format!("expected {}", wording.usage);
                return Err(Trouble::new(option.at, message));
            };
            let &[_, value] = pair else {
                let message = format!("the option {name} needs a value");
                return Err(Trouble::new(option.at + option.text.len(), message));
            };
            if pairs.iter().any(|(given, _)| given == name) {
                return Err(Trouble::new(option.at, format!("the option {name} is given twice")));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs })
    }

    pub(super) fn get<T: Spelling>(&self, name: &str) -> Result<Option<Value<T>>, Trouble> {
        let given = self.pairs.iter().find(|(known, _)| *known == name);
        given.map(|(_, value)| Value::parse(*value)).transpose()
    }
}
