//! The conformance kit: one list of behaviours that every back end must show, judged by an independent
//! witness.
//!
//! The kit drives the facets of a [`Desktop`] and asks a [`Witness`] what really happened: a program of its
//! own on the same desktop that shows windows, paints known pixels and tells what it received. The kit never
//! believes the back end about itself. "Supported" means: passes this list.
//!
//! A lane that cannot show a behaviour says so by name and with a reason. What every desktop must be able to
//! do ([`Behaviour::is_essential`]) can't be excused, and neither can a name that is not in the list.
//!
//! Units: places and sizes are logical desktop units; pixels are compared where one unit is one pixel.

mod behaviours;
mod check;
#[cfg(test)]
mod tests;

use crate::desktop::{Desktop, Unavailable};
use crate::error::Error;
use crate::facets::clipboard::ClipboardContent;
use crossmacro_model::{Axis, Button, Direction, KeyCode, Logical, Point, Rect, Size};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use behaviours::BEHAVIOURS;

/// One thing that a desktop does.
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// A sentence that is unique in the list.
    pub name: &'static str,
    /// Whether no lane can be excused from it.
    pub is_essential: bool,
    /// Shows it, or says what was seen instead.
    pub run: fn(&Desktop, &mut dyn Witness) -> Result<(), Failure>,
}

/// What was seen instead of the behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self(why)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(format!("the back end answers: {error}"))
    }
}

impl From<Unavailable> for Failure {
    fn from(unavailable: Unavailable) -> Self {
        Self(unavailable.to_string())
    }
}

/// Known pixels for a window's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// One colour: red, green, blue.
    Solid([u8; 3]),
    /// Cells of 16 by 16 pixels, neighbours in different colours.
    Grid,
    /// A different colour from pixel to pixel.
    Gradient,
}

impl Pattern {
    /// Red, green and blue at a place counted from the top left corner of the content.
    pub fn rgb(self, x: u32, y: u32) -> [u8; 3] {
        let byte = |value: u32| u8::try_from(value % 256).unwrap_or_default();
        match self {
            Self::Solid(rgb) => rgb,
            Self::Grid => {
                let (column, row) = (x / 16, y / 16);
                [byte(column * 40 + 20), byte(row * 56 + 10), byte((column + row) * 24 + 70)]
            }
            Self::Gradient => [byte(x), byte(y), byte(x / 3 + y / 5)],
        }
    }
}

/// A window that the witness shall show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowSpec {
    /// Title.
    pub title: String,
    /// Application class.
    pub class: String,
    /// Where its content shall be. A window manager may put it elsewhere; [`Shown::content`] has the truth.
    pub content: Rect<Logical>,
    /// What it paints.
    pub pattern: Pattern,
    /// Lies above all others, without a frame, and is not managed (a menu).
    pub is_overlay: bool,
    /// Goes away when it is asked to close.
    pub obeys_close: bool,
    /// Accepts only multiples of this size, as terminals do.
    pub increment: Option<Size<Logical>>,
}

/// Something that a window of the witness received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A key, and the text that it gives in the present layout and state (empty on release).
    Key {
        /// Which.
        key: KeyCode,
        /// Press or release.
        direction: Direction,
        /// The text, as an ordinary toolkit would insert it. Enter is a line feed.
        text: String,
    },
    /// A button.
    Button {
        /// Which.
        button: Button,
        /// Press or release.
        direction: Direction,
        /// Where the pointer was on the desktop.
        at: Point<Logical>,
    },
    /// One notch of the wheel.
    Scroll(Axis),
    /// The pointer moved to this place of the desktop.
    Motion(Point<Logical>),
    /// Somebody asked the window to close.
    CloseRequested,
}

/// How a window of the witness stands, as the display server and the window manager tell its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent states, as in EWMH")]
pub struct ShownState {
    /// It can be seen (mapped on the present workspace).
    pub is_visible: bool,
    /// It has the keyboard focus.
    pub is_focused: bool,
    /// Maximised in both directions.
    pub is_maximized: bool,
    /// Covers a monitor.
    pub is_fullscreen: bool,
    /// Minimised.
    pub is_minimized: bool,
    /// Kept above others.
    pub is_above: bool,
}

/// What the display server says is pressed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// Keys.
    pub keys: Vec<KeyCode>,
    /// Buttons.
    pub buttons: Vec<Button>,
}

/// Something that the witness does in a person's stead, by its own means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Moves the pointer there.
    Move(Point<Logical>),
    /// A button where the pointer is.
    Button(Button, Direction),
    /// Turns the wheel by one notch.
    Wheel(Axis),
    /// A key.
    Key(KeyCode, Direction),
}

/// An independent program on the same desktop. Errors are texts: they end the behaviour as failures.
pub trait Witness {
    /// The whole desktop.
    ///
    /// # Errors
    /// Why it can't tell.
    fn desktop(&mut self) -> Result<Rect<Logical>, String>;

    /// Shows a window, and returns when it is painted. Dropping it closes it.
    ///
    /// # Errors
    /// Why it can't.
    fn show(&mut self, spec: &WindowSpec) -> Result<Box<dyn Shown>, String>;

    /// Where the pointer is.
    ///
    /// # Errors
    /// Why it can't tell.
    fn pointer(&mut self) -> Result<Point<Logical>, String>;

    /// What is pressed.
    ///
    /// # Errors
    /// Why it can't tell.
    fn held(&mut self) -> Result<Held, String>;

    /// Does something as a person would, and returns when the server has it.
    ///
    /// # Errors
    /// Why it can't.
    fn act(&mut self, act: Act) -> Result<(), String>;

    /// Becomes the owner of the clipboard. `None`: an owner that never answers.
    ///
    /// # Errors
    /// Why it can't.
    fn own_clipboard(&mut self, content: Option<&ClipboardContent>) -> Result<(), String>;

    /// Asks the owner of the clipboard, whoever it is, for text.
    ///
    /// # Errors
    /// Why there is no answer.
    fn clipboard_text(&mut self) -> Result<Option<String>, String>;

    /// Asks the owner of the clipboard for a PNG.
    ///
    /// # Errors
    /// Why there is no answer.
    fn clipboard_png(&mut self) -> Result<Option<Vec<u8>>, String>;
}

/// A window of the witness.
pub trait Shown {
    /// The process that owns it.
    fn pid(&self) -> u32;

    /// Where its content is on the desktop.
    ///
    /// # Errors
    /// Why it can't tell.
    fn content(&mut self) -> Result<Rect<Logical>, String>;

    /// How it stands.
    ///
    /// # Errors
    /// Why it can't tell.
    fn state(&mut self) -> Result<ShownState, String>;

    /// Everything it received since it was shown or since [`Shown::forget`], and what the server had sent
    /// until now.
    ///
    /// # Errors
    /// Why it can't tell.
    fn received(&mut self) -> Result<Vec<Received>, String>;

    /// Starts [`Shown::received`] anew.
    ///
    /// # Errors
    /// Why it can't.
    fn forget(&mut self) -> Result<(), String>;

    /// Paints something else, and returns when it is to be seen.
    ///
    /// # Errors
    /// Why it can't.
    fn paint(&mut self, pattern: Pattern) -> Result<(), String>;

    /// Changes the title.
    ///
    /// # Errors
    /// Why it can't.
    fn set_title(&mut self, title: &str) -> Result<(), String>;

    /// Takes the keyboard focus by its own means, and returns when it has it.
    ///
    /// # Errors
    /// Why it can't.
    fn focus(&mut self) -> Result<(), String>;
}

/// How one behaviour went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was seen.
    Passed,
    /// Something else was seen.
    Failed(String),
    /// The lane is excused from it, for this reason.
    Excused(String),
}

/// How all of them went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Name and outcome, in the order of the list.
    pub results: Vec<(String, Outcome)>,
}

impl Report {
    /// Whether nothing failed.
    pub fn is_success(&self) -> bool {
        !self.results.iter().any(|(_, outcome)| matches!(outcome, Outcome::Failed(_)))
    }

    /// The names of those that failed.
    pub fn failed(&self) -> Vec<&str> {
        let failed = self.results.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
        failed.map(|(name, _)| name.as_str()).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, outcome) in &self.results {
            match outcome {
                Outcome::Passed => writeln!(out, "pass     {name}")?,
                Outcome::Failed(why) => writeln!(out, "FAIL     {name}: {why}")?,
                Outcome::Excused(reason) => writeln!(out, "excused  {name}: {reason}")?,
            }
        }
        Ok(())
    }
}

/// Runs every behaviour, except those that the lane is excused from: names with a reason each.
pub fn run_all(desktop: &Desktop, witness: &mut dyn Witness, excused: &[(&str, &str)]) -> Report {
    run_list(BEHAVIOURS, desktop, witness, excused)
}

/// As [`run_all`], for those whose name contains `part`: for work on one facet.
pub fn run_matching(part: &str, desktop: &Desktop, witness: &mut dyn Witness) -> Report {
    let list = BEHAVIOURS.iter().copied().filter(|it| it.name.contains(part)).collect::<Vec<_>>();
    run_list(&list, desktop, witness, &[])
}

fn run_list(
    list: &[Behaviour],
    desktop: &Desktop,
    witness: &mut dyn Witness,
    excused: &[(&str, &str)],
) -> Report {
    let mut report = Report::default();
    for behaviour in list {
        let excuse = excused.iter().find(|(name, _)| *name == behaviour.name);
        let outcome = match excuse {
            Some((_, reason)) if behaviour.is_essential => {
                Outcome::Failed(format!("no lane can be excused from this ({reason})"))
            }
            Some((_, reason)) => Outcome::Excused((*reason).to_owned()),
            None => run_one(behaviour, desktop, witness),
        };
        report.results.push((behaviour.name.to_owned(), outcome));
    }
    for (name, _) in excused.iter().filter(|(name, _)| !list.iter().any(|it| it.name == *name)) {
        report.results.push(((*name).to_owned(), Outcome::Failed("no behaviour has this name".to_owned())));
    }
    report
}

/// Runs one, takes a panic of the back end for what it is, and lets nothing stay pressed.
fn run_one(behaviour: &Behaviour, desktop: &Desktop, witness: &mut dyn Witness) -> Outcome {
    let result = catch_unwind(AssertUnwindSafe(|| (behaviour.run)(desktop, witness)))
        .unwrap_or_else(|_| Err(Failure("it panicked".to_owned())));
    let released = check::nothing_held(witness);
    if released.is_err() {
        check::release_all(desktop, witness);
    }
    match result.and(released) {
        Ok(()) => Outcome::Passed,
        Err(Failure(why)) => Outcome::Failed(why),
    }
}
