//! Operations that tell about the program itself.

pub(crate) mod checks;
mod doctor;
mod get;
mod help;

use crate::registry::operations;

operations![get::Status, help::Help, doctor::Doctor];
