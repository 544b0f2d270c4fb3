//! Steps to events: loops unrolled, variables filled in, conditions decided.

use super::super::diagnostic::{Diagnostic, Diagnostics};
use super::super::document::Macro;
use super::super::event::{Action, Event, Place, RandomDelay, Space};
use crate::key::{KeyName, qwerty};
use crate::limits::{LOOP_ITERATIONS, MACRO_EVENTS};
use crate::run::{
    self, Block, Delay, Expression, MoveMode, Node, Press, PressKind, Statement, Step, Trouble, Variables,
};
use crate::{Direction, KeyCode};

/// The macro with its script carried out into events; without a script, the macro as it is.
///
/// A step that looks at the desktop, and a text to type (its keys depend on the layout), can't become events:
/// such steps are errors, and are missing among the events.
pub fn to_events(content: &Macro) -> (Macro, Diagnostics) {
    let mut found = Diagnostics::default();
    if content.script.is_empty() {
        return (content.clone(), found);
    }
    let program = match content.program() {
        Ok(program) => program,
        Err(wrong) => {
            found.extend_from_script(wrong);
            return (content.clone(), found);
        }
    };
    if !content.events.is_empty() {
        found.push(Diagnostic::warning(None, "the events of the file are replaced by those of its steps"));
    }
    let mut work = Work::new(&mut found);
    // A step that fails ends the script, as when it is played.
    let _end = work.block(&program.body);
    let Work { events, wait_us, random, .. } = work;
    let mut done =
        Macro { script: Vec::new(), images: Vec::new(), events, comments: Vec::new(), ..content.clone() };
    done.text_boundaries.clear();
    (done.trailing_us, done.trailing_random) = (wait_us, random);
    if done.events.is_empty() && found.is_ok() {
        found.push(Diagnostic::error(None, "the script makes no event"));
    }
    (done, found)
}

/// Where to go on after a statement.
enum Flow {
    Next,
    Break,
    Continue,
}

/// The script ends here; it has been told why.
struct End;

struct Work<'a> {
    found: &'a mut Diagnostics,
    events: Vec<Event>,
    variables: Variables,
    wait_us: u64,
    random: Option<RandomDelay>,
    /// The last motion: a button acts there.
    at: Place,
    iterations: u64,
    warned_layout: bool,
}

impl<'a> Work<'a> {
    fn new(found: &'a mut Diagnostics) -> Self {
        Self {
            found,
            events: Vec::new(),
            variables: Variables::default(),
            wait_us: 0,
            random: None,
            at: Place { x: 0, y: 0, space: Space::Current },
            iterations: 0,
            warned_layout: false,
        }
    }

    fn tell(&mut self, place: run::Place, trouble: Trouble) {
        let message = trouble.message;
        let found = Diagnostic { step: Some(place.step), ..Diagnostic::error(place.line, message) };
        self.found.push(found.nearest(trouble.nearest));
    }

    fn at<T>(&mut self, place: run::Place, result: Result<T, Trouble>) -> Result<T, End> {
        result.map_err(|trouble| {
            self.tell(place, trouble);
            End
        })
    }

    fn block(&mut self, block: &Block) -> Result<Flow, End> {
        for node in block {
            match self.statement(node)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, node: &Node) -> Result<Flow, End> {
        let place = node.place;
        match &node.statement {
            Statement::Step(step) => {
                let done = self.step(place, step);
                self.at(place, done)?;
            }
            Statement::Repeat { count, body } => {
                let count = self.at(place, count.evaluate(&self.variables))?;
                if count < 0 {
                    return self.at(place, Err(Trouble::new(0, "the count of a repeat is negative")));
                }
                for _ in 0..count {
                    if let Flow::Break = self.pass(place, body)? {
                        break;
                    }
                }
            }
            Statement::While { condition, body } => {
                while self.at(place, condition.evaluate(&self.variables))? {
                    if let Flow::Break = self.pass(place, body)? {
                        break;
                    }
                }
            }
            Statement::If { condition, then, otherwise } => {
                let holds = self.at(place, condition.evaluate(&self.variables))?;
                return match otherwise {
                    _ if holds => self.block(then),
                    Some(otherwise) => self.block(otherwise),
                    None => Ok(Flow::Next),
                };
            }
            Statement::For { name, first, last, stride, body } => {
                let (first, last) = (self.number(place, first)?, self.number(place, last)?);
                let stride = match stride {
                    Some(stride) => self.number(place, stride)?,
                    None => {
                        if first <= last {
                            1
                        } else {
                            -1
                        }
                    }
                };
                if stride == 0 {
                    return self.at(place, Err(Trouble::new(0, "the step of a for is 0")));
                }
                let mut value = first;
                while if stride > 0 { value <= last } else { value >= last } {
                    let set = self.variables.set(name, value.to_string());
                    self.at(place, set)?;
                    if let Flow::Break = self.pass(place, body)? {
                        break;
                    }
                    value += stride;
                }
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    /// 64 bits hold one stride beyond any value of 32.
    fn number(&mut self, place: run::Place, expression: &Expression) -> Result<i64, End> {
        self.at(place, expression.evaluate(&self.variables)).map(i64::from)
    }

    fn pass(&mut self, place: run::Place, body: &Block) -> Result<Flow, End> {
        self.iterations += 1;
        if self.iterations > LOOP_ITERATIONS.value {
            let limit = &LOOP_ITERATIONS;
            let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
            return self.at(place, Err(Trouble::new(0, message)));
        }
        self.block(body)
    }

    fn step(&mut self, place: run::Place, step: &Step) -> Result<(), Trouble> {
        match step {
            Step::Move(step) => {
                let space = match step.mode {
                    MoveMode::Absolute => Space::Absolute,
                    MoveMode::RelativeLogical => Space::RelativeLogical,
                    MoveMode::RelativeRaw => Space::RelativeRaw,
                };
                let to = Place { x: step.x.get(&self.variables)?, y: step.y.get(&self.variables)?, space };
                self.at = if space == Space::Absolute { to } else { Place { x: 0, y: 0, space } };
                self.push(Action::Move(to))
            }
            Step::Press(step) => self.press(step),
            Step::Scroll(step) => {
                let axis = step.axis.get(&self.variables)?;
                let count = step.count.get(&self.variables)?.0;
                (0..count).try_for_each(|_| self.push(Action::Wheel(axis)))
            }
            Step::Key(step) => {
                let direction = step.direction.get(&self.variables)?;
                let code = self.code(place, step.key.get(&self.variables)?)?;
                self.push(Action::Key { code, direction })
            }
            Step::Tap(step) => {
                let chord = step.chord.get(&self.variables)?;
                let key = self.code(place, chord.key)?;
                let keys: Vec<KeyCode> = chord.modifiers.into_iter().chain([key]).collect();
                let down = keys.iter().map(|code| (*code, Direction::Press));
                let up = keys.iter().rev().map(|code| (*code, Direction::Release));
                down.chain(up).try_for_each(|(code, direction)| self.push(Action::Key { code, direction }))
            }
            Step::Delay(step) => self.wait(step),
            Step::Assign(step) => {
                let value = step.evaluate(&self.variables)?;
                self.variables.set(&step.name, value)
            }
            Step::Change(step) => {
                let value = step.evaluate(&self.variables)?;
                self.variables.set(&step.name, value.to_string())
            }
            Step::Type(_) => {
                let message = "a text to type can't become events: its keys depend on the keyboard layout";
                self.tell(place, Trouble::new(0, message));
                Ok(())
            }
            // What it would find is not known, and neither is what follows from it.
            _ => Err(Trouble::new(0, "this step can't become events: it needs a desktop")),
        }
    }

    fn press(&mut self, step: &Press) -> Result<(), Trouble> {
        let button = step.button.get(&self.variables)?;
        let at = if step.at_current { Place { x: 0, y: 0, space: Space::Current } } else { self.at };
        self.push(match step.kind {
            PressKind::Click => Action::Click { button, at },
            PressKind::Down => Action::Button { button, direction: Direction::Press, at },
            PressKind::Up => Action::Button { button, direction: Direction::Release, at },
        })
    }

    fn code(&mut self, place: run::Place, key: KeyName) -> Result<KeyCode, Trouble> {
        match key {
            KeyName::Code(code) => Ok(code),
            KeyName::Character(character) => {
                let none = || Trouble::new(0, format!("no key of the American layout prints {character}"));
                let code = qwerty(character).ok_or_else(none)?;
                if !self.warned_layout {
                    self.warned_layout = true;
                    let message = "keys named by a character become the keys of the American layout";
                    let found = Diagnostic::warning(place.line, message);
                    self.found.push(Diagnostic { step: Some(place.step), ..found });
                }
                Ok(code)
            }
        }
    }

    fn wait(&mut self, step: &Delay) -> Result<(), Trouble> {
        let (min, max) = step.range(&self.variables)?;
        let too_long = || Trouble::new(0, "the waits before one event are too long together");
        if !step.is_random() {
            let us = u64::try_from(min.as_micros()).map_err(|_| too_long())?;
            let sum = self.wait_us.checked_add(us).filter(|sum| i64::try_from(*sum).is_ok());
            self.wait_us = sum.ok_or_else(too_long)?;
            return Ok(());
        }
        let ms = |time: std::time::Duration, before: u32| {
            let sum = u32::try_from(time.as_millis()).ok()?.checked_add(before)?;
            i32::try_from(sum).is_ok().then_some(sum)
        };
        let before = self.random.unwrap_or(RandomDelay { min_ms: 0, max_ms: 0 });
        let min_ms = ms(min, before.min_ms).ok_or_else(too_long)?;
        let max_ms = ms(max, before.max_ms).ok_or_else(too_long)?;
        self.random = Some(RandomDelay { min_ms, max_ms });
        Ok(())
    }

    fn push(&mut self, action: Action) -> Result<(), Trouble> {
        if self.events.len() as u64 >= MACRO_EVENTS.value {
            let limit = &MACRO_EVENTS;
            let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
            return Err(Trouble::new(0, message));
        }
        let wait_us = std::mem::take(&mut self.wait_us);
        self.events.push(Event { wait_us, random: self.random.take(), action });
        Ok(())
    }
}
