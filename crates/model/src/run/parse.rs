//! The parser: source steps to a program, or everything that is wrong with them.
//!
//! Blocks are kept on a stack of our own, so that a script can't exhaust the one of the thread.

use super::blocks::Header;
use super::check;
use super::diagnostic::{Diagnostic, Diagnostics, KEPT, Place, Trouble};
use super::source::SourceStep;
use super::steps::{BLOCKS, Step};
use super::tree::{Block, Node, Program, Statement};
use super::words::Line;
use crate::limits::NESTING;
use crate::nearest::nearest;

/// Reads a script.
///
/// # Errors
/// [`Diagnostics`]: all that is wrong, in the order of the steps.
pub fn parse(source: &[SourceStep]) -> Result<Program, Diagnostics> {
    let mut parser = Parser::default();
    for (index, step) in source.iter().enumerate() {
        let place = Place { step: index + 1, line: step.line };
        if let Err(trouble) = parser.step(place, &step.text) {
            parser.wrong.push(Diagnostic::new(place, &step.text, trouble));
        }
        if parser.is_too_deep || parser.wrong.len() > KEPT {
            return Err(Diagnostics::new(parser.wrong));
        }
    }
    parser.finish(source)
}

/// A block whose `}` has not come yet.
struct Open {
    place: Place,
    header: Header,
    body: Block,
}

#[derive(Default)]
struct Parser {
    body: Block,
    open: Vec<Open>,
    wrong: Vec<Diagnostic>,
    /// Whether the step before this one was the `}` of an `if`.
    may_else: bool,
    is_too_deep: bool,
}

impl Parser {
    fn step(&mut self, place: Place, text: &str) -> Result<(), Trouble> {
        let may_else = std::mem::take(&mut self.may_else);
        let line = Line::new(text).ok_or_else(|| Trouble::new(0, "expected a step, found nothing"))?;
        match line.keyword.text {
            "}" => self.close(&line),
            word if word.starts_with('}') => Err(between_blocks(&line)),
            word if word.eq_ignore_ascii_case("break") => self.leave(place, &line, Statement::Break),
            word if word.eq_ignore_ascii_case("continue") => self.leave(place, &line, Statement::Continue),
            _ if Header::is_meant(&line) => self.open(place, &line, may_else),
            _ => self.plain(place, &line),
        }
    }

    fn plain(&mut self, place: Place, line: &Line<'_>) -> Result<(), Trouble> {
        match Step::parse(line) {
            Ok(step) => {
                self.push(place, Statement::Step(step));
                Ok(())
            }
            Err(_) if looks_like_block(line) => {
                // Its body is read all the same, and its brace is not one too many.
                self.push_open(place, Header::broken(line), line)?;
                let trouble =
                    Trouble::new(line.keyword.at, "expected a block: repeat, if, else, while or for");
                Err(trouble.nearest(nearest(line.keyword.text, BLOCKS.iter().copied())))
            }
            Err(trouble) => Err(trouble),
        }
    }

    fn open(&mut self, place: Place, line: &Line<'_>, may_else: bool) -> Result<(), Trouble> {
        let header = Header::parse(line);
        let has_brace = line.rest().text.ends_with('{') || line.keyword.text.ends_with('{');
        let (header, trouble) = match header {
            Ok(Header::Else) if !may_else => {
                let trouble = Trouble::new(line.keyword.at, "expected else directly after the } of an if");
                (Header::broken(line), Some(trouble))
            }
            Ok(header) => (header, None),
            Err(trouble) if has_brace => (Header::broken(line), Some(trouble)),
            Err(trouble) => return Err(trouble),
        };
        self.push_open(place, header, line)?;
        trouble.map_or(Ok(()), Err)
    }

    fn push_open(&mut self, place: Place, header: Header, line: &Line<'_>) -> Result<(), Trouble> {
        if u64::try_from(self.open.len()).unwrap_or(u64::MAX) >= NESTING.value {
            self.is_too_deep = true;
            let message = format!("blocks may be nested {} deep; this one is deeper", NESTING.value);
            return Err(Trouble::new(line.keyword.at, message));
        }
        self.open.push(Open { place, header, body: Block::new() });
        Ok(())
    }

    fn close(&mut self, line: &Line<'_>) -> Result<(), Trouble> {
        if !line.words().is_empty() {
            return Err(between_blocks(line));
        }
        let Some(Open { place, header, body }) = self.open.pop() else {
            return Err(Trouble::new(line.keyword.at, "there is no open block that this } could close"));
        };
        self.may_else = header.is_if();
        match header.close(body) {
            Ok(statement) => self.push(place, statement),
            Err(Some(otherwise)) => self.attach(otherwise),
            Err(None) => {}
        }
        Ok(())
    }

    /// Gives the `else` block to the `if` before it; there is none when that was broken.
    fn attach(&mut self, block: Block) {
        if let Some(Node { statement: Statement::If { otherwise, .. }, .. }) = self.innermost().last_mut() {
            *otherwise = Some(block);
        }
    }

    fn leave(&mut self, place: Place, line: &Line<'_>, statement: Statement) -> Result<(), Trouble> {
        if let Some(word) = line.words().first() {
            return Err(Trouble::new(word.at, "expected nothing after this word"));
        }
        if !self.open.iter().any(|open| open.header.is_loop()) {
            return Err(Trouble::new(line.keyword.at, "expected inside a loop (repeat, while or for) only"));
        }
        self.push(place, statement);
        Ok(())
    }

    fn innermost(&mut self) -> &mut Block {
        self.open.last_mut().map_or(&mut self.body, |open| &mut open.body)
    }

    fn push(&mut self, place: Place, statement: Statement) {
        self.innermost().push(Node { place, statement });
    }

    fn finish(mut self, source: &[SourceStep]) -> Result<Program, Diagnostics> {
        for open in std::mem::take(&mut self.open) {
            let text = source.get(open.place.step - 1).map_or("", |step| step.text.as_str());
            self.wrong.push(Diagnostic::new(
                open.place,
                text,
                Trouble::new(text.len(), "the } that closes this block is missing"),
            ));
        }
        let program = Program { body: self.body, step_count: source.len() };
        if self.wrong.is_empty() {
            self.wrong = check::variables(&program, source);
        }
        if self.wrong.is_empty() { Ok(program) } else { Err(Diagnostics::new(self.wrong)) }
    }
}

fn between_blocks(line: &Line<'_>) -> Trouble {
    Trouble::new(line.keyword.at, "expected } alone; what follows it (such as else {) is a step of its own")
}

/// Whether an unknown step ends in a brace.
fn looks_like_block(line: &Line<'_>) -> bool {
    let is_known = Step::arity(line.keyword.text, &[]).is_some();
    !is_known && (line.rest().text.ends_with('{') || line.keyword.text.ends_with('{'))
}
