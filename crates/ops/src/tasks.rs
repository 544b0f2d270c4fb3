//! Operations on stored tasks: schedules, shortcuts and triggers. They are data here, and can be
//! run by hand; running them when they are due is a service's part.

mod playing;
pub(crate) mod schedule;
pub(crate) mod shortcut;
mod task;
pub(crate) mod trigger;
