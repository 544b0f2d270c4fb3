//! A macro to the text of its file.

use super::diagnostic::Diagnostics;
use super::document::{Macro, Section};
use super::event::{Action, Event, Place, RandomDelay, Space};
use super::header::{WRITTEN, encode_boundary, encode_image};
use super::saving;
use crate::{Axis, Button, Direction};
use std::io::{self, Write};

/// Why a macro was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// It can't be saved as it is. Nothing was written.
    #[error("{0}")]
    Invalid(Diagnostics),
    /// The stream failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the file: the header, `[Script]` and `[Events]`, with `\n` at the end of lines. Reading it gives this
/// macro again, and writing that gives the same bytes. Many small writes are made: give it a buffer.
///
/// # Errors
/// [`WriteError`], before the first byte where the macro can't be saved.
pub fn write(content: &Macro, out: &mut impl Write) -> Result<(), WriteError> {
    let wrong = saving::check(content);
    if !wrong.is_ok() {
        return Err(WriteError::Invalid(wrong));
    }
    header(content, out)?;
    out.write_all(b"[Script]\n")?;
    let mut comments = Comments::new(content, Section::Script);
    for (index, step) in content.script.iter().enumerate() {
        comments.before(index, out)?;
        for (number, line) in step.text.split('\n').enumerate() {
            let mark = if number == 0 { "" } else { "| " };
            writeln!(out, "{mark}{}", line.trim_end_matches('\r'))?;
        }
    }
    comments.before(usize::MAX, out)?;
    out.write_all(b"[Events]\n")?;
    let mut comments = Comments::new(content, Section::Events);
    for (index, event) in content.events.iter().enumerate() {
        comments.before(index, out)?;
        write_event(event, out)?;
    }
    comments.before(usize::MAX, out)?;
    Ok(())
}

/// The comments of a section that are not written yet.
struct Comments<'a> {
    rest: Vec<(usize, &'a str)>,
}

impl<'a> Comments<'a> {
    fn new(content: &'a Macro, section: Section) -> Self {
        let mine = content.comments.iter().filter(|comment| comment.section == section);
        let mut rest: Vec<_> = mine.map(|comment| (comment.before, comment.text.as_str())).collect();
        // The next one at the end; those of one place stay in their order.
        rest.sort_by_key(|(before, _)| *before);
        rest.reverse();
        Self { rest }
    }

    fn before(&mut self, index: usize, out: &mut impl Write) -> io::Result<()> {
        while let Some((_, text)) = self.rest.pop_if(|(before, _)| *before <= index) {
            writeln!(out, "{text}")?;
        }
        Ok(())
    }
}

fn header(content: &Macro, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# Name: {}", content.name)?;
    if let Some(created) = &content.created {
        writeln!(out, "# Created: {}", created.as_str())?;
    }
    writeln!(out, "# DurationMs: {}", content.duration_us().saturating_add(500) / 1000)?;
    writeln!(out, "# IsAbsolute: {}", truth(written_is_absolute(content)))?;
    writeln!(out, "# SkipInitialZero: {}", truth(content.skip_initial_zero))?;
    if content.trailing_us > 0 {
        writeln!(out, "# TrailingDelayUs: {}", content.trailing_us)?;
    }
    if let Some(RandomDelay { min_ms, max_ms }) = content.trailing_random {
        writeln!(out, "# TrailingRandomDelayMs: {min_ms},{max_ms}")?;
    }
    for boundary in content.text_boundaries.iter().filter_map(encode_boundary) {
        writeln!(out, "# TextInputBoundaryBase64: {boundary}")?;
    }
    let mut images: Vec<_> = content.images.iter().collect();
    images.sort_by(|a, b| a.name.cmp(&b.name));
    for image in images {
        writeln!(out, "# Image: {} = {}", image.name, encode_image(image))?;
    }
    Comments::new(content, Section::Header).before(usize::MAX, out)?;
    writeln!(out, "# Format: {WRITTEN}")
}

fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// The macro's own flag where the meaning of a place hangs on it, or else what its first place says.
fn written_is_absolute(content: &Macro) -> bool {
    let mut places = content
        .events
        .iter()
        .filter_map(|event| event.action.place())
        .filter(|place| place.space != Space::Current);
    let first = places.clone().next();
    if places.any(|place| place.space == Space::Unstated) {
        return content.is_absolute;
    }
    first.map_or(content.is_absolute, |place| place.space == Space::Absolute)
}

fn write_event(event: &Event, out: &mut impl Write) -> io::Result<()> {
    if event.wait_us > 0 {
        writeln!(out, "WU,{}", event.wait_us)?;
    }
    if let Some(RandomDelay { min_ms, max_ms }) = event.random {
        writeln!(out, "WR,{min_ms},{max_ms}")?;
    }
    match event.action {
        Action::Move(at) => writeln!(out, "M,{}{},{}", mode(at), at.x, at.y),
        Action::Button { button, direction: Direction::Press, at } => write_button("P", button, at, out),
        Action::Button { button, direction: Direction::Release, at } => write_button("R", button, at, out),
        Action::Click { button, at } => write_button("C", button, at, out),
        Action::Wheel(axis) => writeln!(out, "C,0,0,{}", wheel_name(axis)),
        Action::Key { code, direction: Direction::Press } => writeln!(out, "KP,{}", code.0),
        Action::Key { code, direction: Direction::Release } => writeln!(out, "KR,{}", code.0),
    }
}

fn write_button(op: &str, button: Button, at: Place, out: &mut impl Write) -> io::Result<()> {
    let flag = if at.space == Space::Current { ",CurrentPosition" } else { "" };
    writeln!(out, "{op},{}{},{},{}{flag}", mode(at), at.x, at.y, button_name(button))
}

fn mode(at: Place) -> &'static str {
    match at.space {
        Space::Absolute => "abs,",
        Space::RelativeLogical => "rel-logical,",
        Space::RelativeRaw => "rel-raw,",
        Space::Unstated | Space::Current => "",
    }
}

fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "Left",
        Button::Right => "Right",
        Button::Middle => "Middle",
        Button::Side1 => "Side1",
        Button::Side2 => "Side2",
    }
}

fn wheel_name(axis: Axis) -> &'static str {
    match axis {
        Axis::Up => "ScrollUp",
        Axis::Down => "ScrollDown",
        Axis::Left => "ScrollLeft",
        Axis::Right => "ScrollRight",
    }
}
