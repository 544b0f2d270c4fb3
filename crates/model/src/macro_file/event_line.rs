//! One line of `[Events]`: `M,abs,10,20`, `WU,12500`, `KP,30`.

use super::event::{Action, Event, Place, RandomDelay, Space};
use super::number::{integer, trim};
use crate::key::HIGHEST;
use crate::nearest::nearest;
use crate::run::quoted;
use crate::{Axis, Button, Direction, KeyCode};

/// What is wrong with a line, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) at: usize,
    pub(crate) message: String,
    pub(crate) nearest: Vec<String>,
    /// Whether nothing is lost that could be played.
    pub(crate) is_warning: bool,
}

impl Problem {
    fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), nearest: Vec::new(), is_warning: false }
    }
}

/// The wait that has been read, and belongs to the event that follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Pending {
    wait_us: u64,
    random: Option<RandomDelay>,
}

impl Pending {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn add(&mut self, us: u64, at: usize) -> Result<(), Problem> {
        let sum = self.wait_us.checked_add(us).filter(|sum| i64::try_from(*sum).is_ok());
        self.wait_us = sum.ok_or_else(|| Problem::new(at, "the waits before this event are too long"))?;
        Ok(())
    }

    fn add_random(&mut self, more: RandomDelay, at: usize) -> Result<(), Problem> {
        let before = self.random.unwrap_or(RandomDelay { min_ms: 0, max_ms: 0 });
        let max_ms = before.max_ms.checked_add(more.max_ms).filter(|max| i32::try_from(*max).is_ok());
        let max_ms =
            max_ms.ok_or_else(|| Problem::new(at, "the random waits before this event are too long"))?;
        self.random = Some(RandomDelay { min_ms: before.min_ms + more.min_ms, max_ms });
        Ok(())
    }
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A wait, which was added to the pending one.
    Wait,
    /// An event, with something to remark at times.
    Event(Event, Option<Problem>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    WaitMs,
    WaitUs,
    WaitRandom,
    Move,
    Press,
    Release,
    Click,
    KeyPress,
    KeyRelease,
}

/// Short names first: they are what is written, and what is suggested.
const OPS: &[(&str, Op)] = &[
    ("M", Op::Move),
    ("WU", Op::WaitUs),
    ("P", Op::Press),
    ("R", Op::Release),
    ("C", Op::Click),
    ("KP", Op::KeyPress),
    ("KR", Op::KeyRelease),
    ("W", Op::WaitMs),
    ("WR", Op::WaitRandom),
    ("MOVE", Op::Move),
    ("WAIT", Op::WaitMs),
    ("WAITUS", Op::WaitUs),
    ("WAITMICROSECONDS", Op::WaitUs),
    ("WAITRANDOM", Op::WaitRandom),
    ("PRESS", Op::Press),
    ("RELEASE", Op::Release),
    ("CLICK", Op::Click),
    ("KEYPRESS", Op::KeyPress),
    ("KEYRELEASE", Op::KeyRelease),
];

/// Most fields that are told apart. No line has use for more.
const MOST_FIELDS: usize = 8;

/// The fields of a line.
struct Fields<'a> {
    line: &'a [u8],
    fields: [&'a [u8]; MOST_FIELDS],
    count: usize,
}

impl<'a> Fields<'a> {
    fn new(line: &'a [u8]) -> Self {
        let mut this = Self { line, fields: [&[]; MOST_FIELDS], count: 0 };
        let mut start = 0;
        for (index, byte) in line.iter().enumerate() {
            if *byte == b',' && this.count < MOST_FIELDS - 1 {
                this.fields[this.count] = &line[start..index];
                this.count += 1;
                start = index + 1;
            }
        }
        this.fields[this.count] = &line[start..];
        this.count += 1;
        this
    }

    fn get(&self, index: usize) -> &'a [u8] {
        if index < self.count { trim(self.fields[index]) } else { &[] }
    }

    /// The byte at which a field starts; the end of the line for one that is missing.
    fn at(&self, index: usize) -> usize {
        if index >= self.count {
            return self.line.len();
        }
        let before: usize = self.fields[..index].iter().map(|field| field.len() + 1).sum();
        let field = self.fields[index];
        before + field.len() - field.trim_ascii_start().len()
    }

    fn trouble(&self, index: usize, wanted: &str) -> Problem {
        let found = match self.get(index) {
            _ if index >= self.count => "the end of the line".to_owned(),
            [] => "nothing".to_owned(),
            field => quoted(&lossy(field)),
        };
        Problem::new(self.at(index), format!("expected {wanted}, found {found}"))
    }

    fn number(&self, index: usize, wanted: &str) -> Result<i64, Problem> {
        integer(self.get(index)).ok_or_else(|| self.trouble(index, wanted))
    }

    fn int(&self, index: usize, wanted: &str) -> Result<i32, Problem> {
        let number = integer(self.get(index)).and_then(|number| i32::try_from(number).ok());
        number.ok_or_else(|| self.trouble(index, wanted))
    }

    /// A remark on what follows the last field that has a meaning.
    fn rest(&self, used: usize) -> Option<Problem> {
        let extra = (used..self.count).find(|index| !self.get(*index).is_empty())?;
        let message = format!("{} is more than this line has use for", quoted(&lossy(self.get(extra))));
        Some(Problem { is_warning: true, ..Problem::new(self.at(extra), message) })
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned()
}

/// Reads a line that is neither blank nor a comment. The pending wait is used up by an event, and stays where
/// the line is wrong: what follows keeps its time.
pub(crate) fn parse(line: &[u8], pending: &mut Pending) -> Result<Line, Problem> {
    if let Some(line) = plain(line, pending) {
        return Ok(line);
    }
    let fields = Fields::new(line);
    let wait = |extra| match extra {
        Some(problem) => Err(problem),
        None => Ok(Line::Wait),
    };
    match op(&fields)? {
        Op::WaitMs => {
            let ms = fields.int(1, "a number of milliseconds")?;
            let ms = u64::try_from(ms).map_err(|_| negative(&fields, 1))?;
            pending.add(ms * 1000, fields.at(1))?;
            wait(fields.rest(2))
        }
        Op::WaitUs => {
            let us = fields.number(1, "a number of microseconds")?;
            let us = u64::try_from(us).map_err(|_| negative(&fields, 1))?;
            pending.add(us, fields.at(1))?;
            wait(fields.rest(2))
        }
        Op::WaitRandom => {
            pending.add_random(range(&fields)?, fields.at(2))?;
            wait(fields.rest(3))
        }
        Op::Move => {
            let (at, next) = place(&fields)?;
            Ok(event(Action::Move(at), fields.rest(next), pending))
        }
        Op::KeyPress => key(&fields, Direction::Press, pending),
        Op::KeyRelease => key(&fields, Direction::Release, pending),
        op => button(op, &fields, pending),
    }
}

/// The two lines that recordings are made of, in the form in which they are written. Anything else, wrong or
/// only unusual, is left to the fields.
fn plain(line: &[u8], pending: &mut Pending) -> Option<Line> {
    if let Some(number) = line.strip_prefix(b"WU,") {
        let us = u64::try_from(integer(number)?).ok()?;
        return pending.add(us, 0).ok().map(|()| Line::Wait);
    }
    let (space, place) = match line.strip_prefix(b"M,abs,") {
        Some(place) => (Space::Absolute, place),
        None => (Space::RelativeRaw, line.strip_prefix(b"M,rel-raw,")?),
    };
    let comma = place.iter().position(|byte| *byte == b',')?;
    let number = |bytes: &[u8]| integer(bytes).and_then(|number| i32::try_from(number).ok());
    let at = Place { x: number(&place[..comma])?, y: number(&place[comma + 1..])?, space };
    Some(event(Action::Move(at), None, pending))
}

fn event(action: Action, remark: Option<Problem>, pending: &mut Pending) -> Line {
    let Pending { wait_us, random } = std::mem::take(pending);
    Line::Event(Event { wait_us, random, action }, remark)
}

fn op(fields: &Fields<'_>) -> Result<Op, Problem> {
    // What a recording has most of.
    let word = match fields.get(0) {
        b"M" => return Ok(Op::Move),
        b"WU" => return Ok(Op::WaitUs),
        word => word,
    };
    let known = OPS.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word));
    known.map(|(_, op)| *op).ok_or_else(|| {
        let word = lossy(word);
        let sections = ["[Script]", "[Events]"];
        let names = OPS.iter().map(|(name, _)| *name).chain(sections);
        let wanted = "a wait (W, WU, WR), M, P, R, C, KP or KR";
        Problem { nearest: nearest(&word, names), ..fields.trouble(0, wanted) }
    })
}

fn negative(fields: &Fields<'_>, index: usize) -> Problem {
    Problem::new(fields.at(index), "a wait can't be negative")
}

fn range(fields: &Fields<'_>) -> Result<RandomDelay, Problem> {
    let wanted = "a number of milliseconds";
    let (min, max) = (fields.int(1, wanted)?, fields.int(2, wanted)?);
    let min_ms = u32::try_from(min).map_err(|_| negative(fields, 1))?;
    let max_ms = u32::try_from(max).map_err(|_| negative(fields, 2))?;
    if min_ms > max_ms {
        return Err(Problem::new(fields.at(1), "the shortest wait is longer than the longest"));
    }
    Ok(RandomDelay { min_ms, max_ms })
}

const MODES: &[(&str, Space)] = &[
    ("abs", Space::Absolute),
    ("rel-raw", Space::RelativeRaw),
    ("rel-logical", Space::RelativeLogical),
    ("rel", Space::RelativeRaw),
    ("absolute", Space::Absolute),
    ("relative", Space::RelativeRaw),
];

/// `[mode,]x,y`, and the index of the field after it.
fn place(fields: &Fields<'_>) -> Result<(Place, usize), Problem> {
    let first = fields.get(1);
    let (space, next) = match first {
        [b'0'..=b'9' | b'+' | b'-', ..] | [] => (Space::Unstated, 1),
        b"abs" => (Space::Absolute, 2),
        b"rel-raw" => (Space::RelativeRaw, 2),
        _ => (mode(fields)?, 2),
    };
    let x = fields.int(next, "a whole number for x")?;
    let y = fields.int(next + 1, "a whole number for y")?;
    Ok((Place { x, y, space }, next + 2))
}

fn mode(fields: &Fields<'_>) -> Result<Space, Problem> {
    let word = fields.get(1);
    let known = MODES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word));
    known.map(|(_, space)| *space).ok_or_else(|| {
        let nearest = nearest(&lossy(word), MODES.iter().map(|(name, _)| *name));
        Problem { nearest, ..fields.trouble(1, "abs, rel-logical, rel-raw or a number") }
    })
}

/// What a button field names.
#[derive(Clone, Copy)]
enum Pressed {
    None,
    Button(Button),
    Wheel(Axis),
}

/// In the order of their numbers.
pub(crate) const BUTTONS: &[&str] = &[
    "None",
    "Left",
    "Right",
    "Middle",
    "ScrollUp",
    "ScrollDown",
    "ScrollLeft",
    "ScrollRight",
    "Side1",
    "Side2",
];

fn pressed(index: usize) -> Option<Pressed> {
    Some(match index {
        0 => Pressed::None,
        1 => Pressed::Button(Button::Left),
        2 => Pressed::Button(Button::Right),
        3 => Pressed::Button(Button::Middle),
        4 => Pressed::Wheel(Axis::Up),
        5 => Pressed::Wheel(Axis::Down),
        6 => Pressed::Wheel(Axis::Left),
        7 => Pressed::Wheel(Axis::Right),
        8 => Pressed::Button(Button::Side1),
        9 => Pressed::Button(Button::Side2),
        _ => return None,
    })
}

fn which(fields: &Fields<'_>, index: usize) -> Result<Pressed, Problem> {
    let word = fields.get(index);
    let by_name = BUTTONS.iter().position(|name| name.as_bytes().eq_ignore_ascii_case(word));
    let number = by_name.or_else(|| integer(word).and_then(|number| usize::try_from(number).ok()));
    number.and_then(pressed).ok_or_else(|| {
        let nearest = nearest(&lossy(word), BUTTONS.iter().copied().skip(1));
        Problem {
            nearest,
            ..fields.trouble(index, "a button (Left, Right, Middle, Side1, Side2 or Scroll...)")
        }
    })
}

const CURRENT: &[&str] = &["CurrentPosition", "Current", "Live", "true", "1"];

/// Words that say that it does not act at the current position.
const NOT_CURRENT: &[&str] = &["", "false", "0"];

fn is_word(list: &[&str], word: &[u8]) -> bool {
    list.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(word))
}

fn button(op: Op, fields: &Fields<'_>, pending: &mut Pending) -> Result<Line, Problem> {
    let (mut at, next) = place(fields)?;
    let button = which(fields, next)?;
    let mut used = next + 1;
    let flag = fields.get(used);
    if is_word(CURRENT, flag) {
        at.space = Space::Current;
        used += 1;
    } else if is_word(NOT_CURRENT, flag) {
        used += 1;
    }
    let mut rest = fields.rest(used);
    if let Some(problem) = rest.as_mut().filter(|problem| problem.at == fields.at(next + 1)) {
        problem.nearest = nearest(&lossy(flag), CURRENT.iter().copied());
    }
    let action = match (op, button) {
        (_, Pressed::None) => {
            let message = "a button event without a button does nothing, and is left out";
            return Err(Problem { is_warning: true, ..Problem::new(fields.at(next), message) });
        }
        (Op::Click, Pressed::Button(button)) => Action::Click { button, at },
        (Op::Click, Pressed::Wheel(axis)) => Action::Wheel(axis),
        (_, Pressed::Wheel(_)) => {
            return Err(Problem::new(fields.at(next), "the wheel is turned by C only; it can't be held"));
        }
        (Op::Press, Pressed::Button(button)) => Action::Button { button, direction: Direction::Press, at },
        (_, Pressed::Button(button)) => Action::Button { button, direction: Direction::Release, at },
    };
    Ok(event(action, rest, pending))
}

fn key(fields: &Fields<'_>, direction: Direction, pending: &mut Pending) -> Result<Line, Problem> {
    let code = integer(fields.get(1)).and_then(|code| u16::try_from(code).ok());
    let code = code.filter(|code| (1..=HIGHEST).contains(code));
    let code = code.ok_or_else(|| fields.trouble(1, "a key code from 1 to 767"))?;
    let action = Action::Key { code: KeyCode(code), direction };
    Ok(event(action, fields.rest(2), pending))
}
