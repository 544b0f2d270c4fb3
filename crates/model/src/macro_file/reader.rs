//! Bytes to a macro, and to everything that is wrong with them.

use super::diagnostic::{Diagnostic, Diagnostics, Severity};
use super::document::{Comment, Macro, Section};
use super::event::Space;
use super::event_line::{self, Line, Pending};
use super::header::{self, Key};
use super::lines::{self, Stop, Taker};
use crate::limits::{Limit, MACRO_COMMENTS, MACRO_ERRORS, MACRO_EVENTS, MACRO_STEPS, MACRO_TEXT_BYTES};
use crate::nearest::nearest;
use crate::run::{SourceStep, quoted};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// What was read, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// What was understood.
    pub content: Macro,
    /// What was not, and what is strange.
    pub diagnostics: Diagnostics,
    /// Whether all lines were read: no limit was passed, and the file is a text.
    pub is_complete: bool,
}

impl Read {
    /// The macro, where nothing is lost of it.
    ///
    /// # Errors
    /// All diagnostics, where one of them is an error.
    pub fn strict(self) -> Result<Macro, Diagnostics> {
        if self.diagnostics.is_ok() { Ok(self.content) } else { Err(self.diagnostics) }
    }

    /// What is left of the macro without the lines that are wrong.
    ///
    /// # Errors
    /// All diagnostics, where reading stopped before the end, or where there is nothing left to play.
    pub fn lenient(self) -> Result<(Macro, Diagnostics), Diagnostics> {
        let is_empty = self.content.events.is_empty() && self.content.script.is_empty();
        if self.is_complete && !is_empty {
            Ok((self.content, self.diagnostics))
        } else {
            Err(self.diagnostics)
        }
    }
}

/// Reads the bytes of a file. The script is taken over as it stands: [`Macro::program`] reads it.
#[must_use]
pub fn read(bytes: &[u8]) -> Read {
    let mut input = bytes;
    // A slice never fails.
    read_from(&mut input).unwrap_or_else(|_| Read {
        content: Macro::default(),
        diagnostics: Diagnostics::default(),
        is_complete: false,
    })
}

/// Reads a stream in bounded memory; give it a buffer of some 64 KiB.
///
/// # Errors
/// The error of the stream.
pub fn read_from(input: &mut impl BufRead) -> io::Result<Read> {
    let mut reader = Reader::default();
    match lines::each(input, &mut reader) {
        Ok(()) => reader.is_complete = true,
        Err(Stop::Taker) => {}
        Err(Stop::Limit(limit, line)) => reader.over(limit, line),
        Err(Stop::Io(error)) => return Err(error),
    }
    Ok(reader.finish())
}

#[derive(Default)]
struct Reader {
    content: Macro,
    diagnostics: Diagnostics,
    section: Option<Section>,
    pending: Pending,
    seen: Vec<Key>,
    text_bytes: u64,
    last_line: usize,
    is_complete: bool,
}

impl Taker for Reader {
    fn line(&mut self, number: usize, line: &[u8]) -> ControlFlow<()> {
        self.last_line = number;
        if self.diagnostics.errors as u64 >= MACRO_ERRORS.value {
            self.over(&MACRO_ERRORS, number);
            return ControlFlow::Break(());
        }
        let mut line = line;
        if number == 1 {
            line = self.start(line)?;
        }
        while let Some(rest) = line.strip_suffix(b"\r") {
            line = rest;
        }
        let text = line.trim_ascii_start();
        match text.first() {
            None => ControlFlow::Continue(()),
            Some(b'#') => self.comment(number, text),
            Some(b'[') => self.marker(number, text),
            Some(_) if self.section == Some(Section::Script) => self.step(number, line),
            Some(_) => self.event(number, line),
        }
    }
}

impl Reader {
    /// The first line without a byte order mark, if it is one of a text.
    fn start<'a>(&mut self, line: &'a [u8]) -> ControlFlow<(), &'a [u8]> {
        if line.starts_with(&[0xff, 0xfe]) || line.starts_with(&[0xfe, 0xff]) {
            return self.stop(1, "the file is UTF-16; save it as UTF-8");
        }
        ControlFlow::Continue(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line))
    }

    fn stop<T>(&mut self, line: usize, message: &str) -> ControlFlow<(), T> {
        self.diagnostics.push(Diagnostic::error(line, message));
        ControlFlow::Break(())
    }

    fn over(&mut self, limit: &Limit, line: usize) {
        let message =
            format!("{} At most {} {}; reading stopped here", limit.sentence, limit.value, limit.unit);
        self.diagnostics.push(Diagnostic::error(line, message));
    }

    /// The line as text; `Break` for a file that is none.
    fn text<'a>(&mut self, number: usize, line: &'a [u8]) -> ControlFlow<(), Option<&'a str>> {
        if line.contains(&0) {
            return self.stop(number, "there is a zero byte here: the file is no text");
        }
        match std::str::from_utf8(line) {
            Ok(text) => ControlFlow::Continue(Some(text)),
            Err(error) => {
                let column = error.valid_up_to();
                let message = "this line is not UTF-8, and is left out";
                let column = Some(String::from_utf8_lossy(&line[..column]).chars().count() + 1);
                self.diagnostics.push(Diagnostic { column, ..Diagnostic::error(number, message) });
                ControlFlow::Continue(None)
            }
        }
    }

    /// Counts text that is kept.
    fn keep(&mut self, number: usize, length: usize) -> ControlFlow<()> {
        self.text_bytes += length as u64;
        if self.text_bytes <= MACRO_TEXT_BYTES.value {
            return ControlFlow::Continue(());
        }
        self.over(&MACRO_TEXT_BYTES, number);
        ControlFlow::Break(())
    }

    fn comment(&mut self, number: usize, line: &[u8]) -> ControlFlow<()> {
        let Some(text) = self.text(number, line)? else { return ControlFlow::Continue(()) };
        if self.section.is_none() {
            match header::split(text) {
                Ok((key, value)) => return self.header(number, key, value),
                Err(nearest) if !nearest.is_empty() => {
                    let message = "this header is unknown, and is kept as a comment";
                    self.diagnostics.push(Diagnostic::warning(number, message).nearest(nearest));
                }
                Err(_) => {}
            }
        }
        self.keep(number, text.len())?;
        if self.content.comments.len() as u64 >= MACRO_COMMENTS.value {
            self.over(&MACRO_COMMENTS, number);
            return ControlFlow::Break(());
        }
        let section = self.section.unwrap_or(Section::Header);
        let before = match section {
            Section::Header => 0,
            Section::Script => self.content.script.len(),
            Section::Events => self.content.events.len(),
        };
        self.content.comments.push(Comment { section, before, text: text.to_owned() });
        ControlFlow::Continue(())
    }

    fn header(&mut self, number: usize, key: Key, value: &str) -> ControlFlow<()> {
        if self.seen.contains(&key) && !key.repeats() {
            let message = "this header is here a second time; the last one counts";
            self.diagnostics.push(Diagnostic::warning(number, message));
        }
        if !self.seen.contains(&key) {
            self.seen.push(key);
        }
        if key != Key::Image {
            self.keep(number, value.len())?;
        }
        if let Err(problem) = header::apply(key, value, &mut self.content) {
            let mut found = Diagnostic::error(number, problem.message).nearest(problem.nearest);
            if problem.is_warning {
                found.severity = Severity::Warning;
            }
            self.diagnostics.push(found);
        }
        ControlFlow::Continue(())
    }

    fn marker(&mut self, number: usize, line: &[u8]) -> ControlFlow<()> {
        self.section = match line.trim_ascii() {
            b"[Script]" => Some(Section::Script),
            b"[Events]" => Some(Section::Events),
            _ => {
                let Some(text) = self.text(number, line)? else { return ControlFlow::Continue(()) };
                let message = format!("expected [Script] or [Events], found {}", quoted(text.trim_end()));
                let nearest = nearest(text.trim_end(), ["[Script]", "[Events]"]);
                self.diagnostics.push(Diagnostic::error(number, message).nearest(nearest));
                return ControlFlow::Continue(());
            }
        };
        ControlFlow::Continue(())
    }

    fn step(&mut self, number: usize, line: &[u8]) -> ControlFlow<()> {
        let Some(text) = self.text(number, line)? else { return ControlFlow::Continue(()) };
        self.keep(number, text.len() + size_of::<SourceStep>())?;
        if let Some(more) =
            text.strip_prefix("| ").or_else(|| text.strip_prefix('|').filter(|more| more.is_empty()))
        {
            match self.content.script.last_mut() {
                Some(step) => {
                    step.text.push('\n');
                    step.text.push_str(more);
                }
                None => {
                    let message = "this line continues a step, and there is none before it; it is left out";
                    self.diagnostics.push(Diagnostic::warning(number, message));
                }
            }
            return ControlFlow::Continue(());
        }
        if self.content.script.len() as u64 >= MACRO_STEPS.value {
            self.over(&MACRO_STEPS, number);
            return ControlFlow::Break(());
        }
        self.content.script.push(SourceStep { text: text.to_owned(), line: Some(number) });
        ControlFlow::Continue(())
    }

    fn event(&mut self, number: usize, line: &[u8]) -> ControlFlow<()> {
        let problem = match event_line::parse(line, &mut self.pending) {
            Ok(Line::Wait) => None,
            Ok(Line::Event(event, remark)) => {
                if self.content.events.len() as u64 >= MACRO_EVENTS.value {
                    self.over(&MACRO_EVENTS, number);
                    return ControlFlow::Break(());
                }
                self.content.events.push(event);
                remark
            }
            Err(problem) => Some(problem),
        };
        let Some(problem) = problem else { return ControlFlow::Continue(()) };
        if line.contains(&0) {
            return self.stop(number, "there is a zero byte here: the file is no text");
        }
        let before = String::from_utf8_lossy(&line[..problem.at.min(line.len())]);
        let mut found = Diagnostic::error(number, problem.message).nearest(problem.nearest);
        found.column = Some(before.chars().count() + 1);
        if problem.is_warning {
            found.severity = Severity::Warning;
        }
        self.diagnostics.push(found);
        ControlFlow::Continue(())
    }

    fn finish(mut self) -> Read {
        if self.last_line == 0 && self.is_complete {
            self.diagnostics.push(Diagnostic::error(None, "the file is empty"));
        }
        if !self.pending.is_empty() && self.is_complete {
            let message = "the waits after the last event are not played; \
                           a wait after the end is the header TrailingDelayUs";
            self.diagnostics.push(Diagnostic::warning(self.last_line, message));
        }
        imply_current(&mut self.content);
        self.content.images.sort_by(|a, b| a.name.cmp(&b.name));
        let Self { content, diagnostics, is_complete, .. } = self;
        Read { content, diagnostics, is_complete }
    }
}

/// A rule of old files: in a macro that starts where the pointer is, buttons at (0,0) before the first motion
/// act there too.
fn imply_current(content: &mut Macro) {
    let is_current = |space: Space| space == Space::Current;
    let says_so = || {
        content.events.iter().filter_map(|event| event.action.place()).any(|place| is_current(place.space))
    };
    if content.is_absolute || !content.skip_initial_zero || says_so() {
        return;
    }
    for event in &mut content.events {
        let is_button = event.action.is_button();
        let Some(place) = event.action.place_mut() else { continue };
        if place.space != Space::Unstated || (place.x, place.y) != (0, 0) {
            return;
        }
        if is_button {
            place.space = Space::Current;
        }
    }
}
