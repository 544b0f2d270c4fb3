//! Operations that tell about the program itself.

pub(crate) mod checks;
mod doctor;
mod get;
mod help;

use crate::registry::Entry;

pub(crate) static OPERATIONS: [Entry; 3] =
    [Entry::of::<get::Status>(), Entry::of::<help::Help>(), Entry::of::<doctor::Doctor>()];
