//! Listening to what a person does with mouse and keyboard, whichever window it is meant for.
//!
//! What it is not: it holds nothing back. What is heard also reaches the windows.

use crate::cancel::Cancel;
use crate::error::Result;
use crossmacro_model::{Axis, Button, Direction, KeyCode, Logical, Point};
use std::time::Duration;

/// What to listen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListenRequest {
    /// Motion of the pointer, and how it is told.
    pub motion: Option<MotionDetail>,
    /// Buttons and the wheel.
    pub buttons: bool,
    /// Keys.
    pub keys: bool,
}

/// How motion is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionDetail {
    /// As places on the desktop ([`Input::Place`]).
    Places,
    /// As the device tells it, before any acceleration ([`Input::Distance`]).
    Distances,
}

/// One thing that was heard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heard {
    /// When, in microseconds of the source's own clock. It has no known zero; only differences mean anything.
    /// Never less than that of the one before.
    pub at_us: u64,
    /// What.
    pub input: Input,
    /// Whether it is known to have been made by a program. False where the back end can't tell.
    pub is_injected: bool,
}

/// What a person did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    /// The pointer is at this place now. Told before a button or the wheel that is used there.
    Place(Point<Logical>),
    /// The device moved by this much, in its own units.
    Distance {
        /// To the right.
        dx: f64,
        /// Down.
        dy: f64,
    },
    /// A button, as the person has arranged them (the left one of a left-handed person is [`Button::Left`]).
    Button {
        /// Which.
        button: Button,
        /// Down or up.
        direction: Direction,
    },
    /// The wheel turned by this many 120ths of a notch. A wheel without finer steps gives 120 at a time.
    Wheel {
        /// Which way.
        axis: Axis,
        /// How far; never 0.
        amount: u32,
    },
    /// A key, whatever the layout.
    Key {
        /// Which.
        key: KeyCode,
        /// Down or up.
        direction: Direction,
    },
    /// A key that is held down repeats. Not every back end tells it.
    Repeat(KeyCode),
    /// Devices were plugged in or out, or the way they are told has changed.
    Devices,
}

/// How things stood when listening began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Begun {
    /// The keys that were down.
    pub keys: Vec<KeyCode>,
    /// Where the pointer was, where that can be told.
    pub place: Option<Point<Logical>>,
}

/// The listener facet.
pub trait Listener: Send + Sync {
    /// Begins to listen. Everything that happens after this call has returned is heard, also what happens
    /// between two calls of [`Listening::next`].
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] when motion can't be told the way that was asked for;
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn listen(&self, request: ListenRequest) -> Result<Box<dyn Listening>>;

    /// Name of the back end ("x11-xinput2").
    fn backend(&self) -> &'static str;
}

/// An open ear. It costs next to nothing while nothing happens, and ends when it is dropped.
pub trait Listening: Send {
    /// How things stood when it began.
    fn begun(&self) -> &Begun;

    /// Waits for input, `limit` at most, and gives all that has come, in order. Empty when the time is over.
    ///
    /// # Errors
    /// [`crate::Error::Cancelled`] when nothing came before the request to stop; what has come is given first.
    /// [`crate::Error::Lost`] once, and then always.
    fn next(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Heard>>;
}
