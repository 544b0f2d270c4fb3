//! Pointer, buttons and wheel.

use crate::error::Result;
use crossmacro_model::{Axis, Button, Direction, Logical, Point};

/// The pointer facet. Every call returns after the server has confirmed it.
pub trait Pointer: Send + Sync {
    /// Where the pointer is.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn position(&self) -> Result<Point<Logical>>;

    /// Moves the pointer to a place on the desktop and gives back where the server put it.
    ///
    /// # Errors
    /// [`crate::Error::OutOfBounds`] (nothing is moved) when no monitor shows the place;
    /// [`crate::Error::NoEffect`] when the server put it elsewhere.
    fn move_to(&self, to: Point<Logical>) -> Result<Point<Logical>>;

    /// Moves the pointer by a raw device distance, as a mouse would, and gives back where it is then. The
    /// server may accelerate it and stops it at the edges.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn move_by(&self, dx: i32, dy: i32) -> Result<Point<Logical>>;

    /// Presses or releases a button at the place of the pointer.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] when the server has no such button.
    fn button(&self, button: Button, direction: Direction) -> Result<()>;

    /// Turns the wheel by `count` notches.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn scroll(&self, axis: Axis, count: u32) -> Result<()>;

    /// Name of the back end ("x11-xtest").
    fn backend(&self) -> &'static str;
}
