//! Operations on stored tasks: schedules, shortcuts and triggers. They are data here; running them is a
//! service's part.

pub(crate) mod schedule;
pub(crate) mod shortcut;
mod task;
pub(crate) mod trigger;
