//! Operations that tell about the program itself.

pub(crate) mod checks;
mod get;
mod help;

use crate::registry::Entry;

pub(crate) static OPERATIONS: [Entry; 2] = [Entry::of::<get::Status>(), Entry::of::<help::Help>()];
