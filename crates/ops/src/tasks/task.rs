//! What the operations on schedules, shortcuts and triggers have in common.

mod patch;

pub(crate) use patch::{Patch, reset};

use crate::context::{Call, Context};
use crate::operation::Done;
use crossmacro_model::task::schedule::Moment;
use crossmacro_model::task::{Task, TaskId, clamp_speed};
use crossmacro_model::{Capability, Code, Fault};
use crossmacro_policy::PathClass;
use crossmacro_store::tasks::{self, TaskList, Tasks};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::RangeInclusive;

/// The arguments of an operation on one task.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct One {
    /// The task's id, as the list shows it.
    #[schemars(length(min = 1, max = 64))]
    pub(crate) task_id: String,
}

impl One {
    pub(crate) fn id(&self) -> Result<TaskId, Fault> {
        TaskId::argument(&self.task_id)
    }
}

/// The arguments of an operation without any.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// What a caller may see of a task's macro.
#[derive(Clone, Copy)]
pub(crate) struct Sight {
    sees_macros: bool,
}

impl Sight {
    pub(crate) fn of(context: &Context, call: &Call<'_>) -> Self {
        Self { sees_macros: context.policy(call.surface).allows(Capability::MacroRead) }
    }

    /// The path, or nothing for who may not read macros.
    pub(crate) fn path(self, path: &str) -> String {
        self.optional(path).unwrap_or_default()
    }

    pub(crate) fn optional(self, path: &str) -> Option<String> {
        self.sees_macros.then(|| path.to_owned())
    }
}

/// Checks that a macro may be read by the caller, and is there.
pub(crate) fn authorise(context: &Context, call: &Call<'_>, path: &str) -> Result<(), Fault> {
    context.open_read(call, PathClass::MacroRead, path).map(drop)
}

/// The macro of a new task.
pub(crate) fn new_macro(context: &Context, call: &Call<'_>, path: &str) -> Result<String, Fault> {
    authorise(context, call, path)?;
    Ok(path.to_owned())
}

/// Changes the macro of a task. A blank path leaves it as it is, as it always has.
pub(crate) fn edit_macro(
    context: &Context,
    call: &Call<'_>,
    path: Patch<String>,
    stored: &mut String,
) -> Result<(), Fault> {
    match path {
        Patch::Set(path) if !path.trim().is_empty() => *stored = new_macro(context, call, &path)?,
        Patch::Keep | Patch::Set(_) => {}
        Patch::Clear => stored.clear(),
    }
    Ok(())
}

/// The name of a new task.
pub(crate) fn new_name(name: &str) -> Result<String, Fault> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Fault::arguments("the name is blank").detail("argument", "name"));
    }
    Ok(name.to_owned())
}

/// Changes the name of a task. A blank one leaves it as it is, as it always has.
pub(crate) fn edit_name(name: Patch<String>, stored: &mut String, default: String) {
    match name {
        Patch::Set(name) if !name.trim().is_empty() => *stored = name.trim().to_owned(),
        Patch::Keep | Patch::Set(_) => {}
        Patch::Clear => *stored = default,
    }
}

/// The speed that is played, and a warning when it is another one than was asked for.
pub(crate) fn speed(asked: f64, warnings: &mut Vec<String>) -> f64 {
    let (speed, is_clamped) = clamp_speed(asked);
    if is_clamped {
        warnings.push(format!("the speed was set to {speed}: it goes from 0.1 to 10"));
    }
    speed
}

/// A new identity.
pub(crate) fn new_id() -> Result<TaskId, Fault> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Fault::new(Code::RuntimeError, "the system gives no random numbers").caused_by(error)
    })?;
    Ok(TaskId::random(bytes))
}

/// A number from a range, both ends included; the smallest where there is no randomness to be had.
pub(crate) fn draw(range: RangeInclusive<i32>) -> i32 {
    let mut bytes = [0; 8];
    let (least, most) = (i64::from(*range.start()), i64::from(*range.end()));
    if getrandom::fill(&mut bytes).is_err() {
        return *range.start();
    }
    // Below 2^33 values of 2^64: the remainder favours none to speak of.
    let span = u64::try_from(most - least + 1).unwrap_or(1).max(1);
    let pick = i64::try_from(u64::from_le_bytes(bytes) % span).unwrap_or(0);
    i32::try_from(least + pick).unwrap_or(*range.start())
}

/// The zone of the clock on the wall.
pub(crate) fn zone() -> TimeZone {
    TimeZone::system()
}

/// The present moment, in the milliseconds that files have.
pub(crate) fn moment<'a>(context: &Context, zone: &'a TimeZone) -> Moment<'a> {
    let now = Timestamp::now();
    let now = Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
    Moment { now, zone, grace: context.settings().current().misfire_grace() }
}

/// What is said about a task that is not there, or can't be read.
pub(crate) fn missing<T: Task>(list: &TaskList<T>, id: TaskId) -> Fault {
    match list.damage(id) {
        Some(why) => Fault::new(Code::ValidationError, format!("this {} can't be read: {why}", T::NOUN))
            .remedy(format!("mend the entry in {}, or remove it", T::FILE)),
        None => Fault::arguments(format!("there is no {} with this id", T::NOUN))
            .detail("argument", "taskId")
            .remedy(format!("{}.list shows those that exist", T::NOUN)),
    }
}

/// A copy of a task, to be changed.
pub(crate) fn existing<T: Task>(list: &TaskList<T>, id: TaskId) -> Result<T, Fault> {
    list.get(id).cloned().ok_or_else(|| missing(list, id))
}

/// Switches a task on, if it can be.
pub(crate) fn switch_on<T: Task>(task: &mut T) -> Result<(), Fault> {
    if let Some(why) = task.missing() {
        return Err(Fault::arguments(format!("the {} can't be enabled: {why}", T::NOUN))
            .detail("argument", "enabled"));
    }
    task.set_enabled(true);
    Ok(())
}

/// Switches a task as asked. One that was on and can no longer be is switched off, with a warning.
pub(crate) fn switch<T: Task>(
    task: &mut T,
    asked: Patch<bool>,
    warnings: &mut Vec<String>,
) -> Result<(), Fault> {
    match asked {
        Patch::Set(true) => switch_on(task)?,
        Patch::Set(false) | Patch::Clear => task.set_enabled(false),
        Patch::Keep => {
            if let Some(why) = task.missing().filter(|_| task.is_enabled()) {
                task.set_enabled(false);
                warnings.push(format!("the {} was switched off: {why}", T::NOUN));
            }
        }
    }
    Ok(())
}

/// Lists the tasks of the active profile.
pub(crate) fn list<T: Task, R>(context: &Context, reply: impl FnOnce(&[T]) -> R) -> Result<Done<R>, Fault> {
    let Tasks { tasks, warnings } = tasks::read::<T>(context.settings());
    let on = tasks.iter().filter(|task| task.is_enabled()).count();
    let message = format!("{} {}(s), {on} of them enabled.", tasks.len(), T::NOUN);
    let mut done = Done::new(reply(&tasks), message);
    done.warnings = warnings;
    Ok(done)
}

/// Removes a task; also one that can't be read.
pub(crate) fn remove<T: Task, R>(
    context: &Context,
    id: TaskId,
    reply: impl FnOnce(Option<&T>) -> R,
) -> Result<Done<R>, Fault> {
    let (removed, warnings) =
        tasks::change::<T, _>(context.settings(), |list| list.remove(id).ok_or_else(|| missing(list, id)))?;
    let message = match &removed {
        Some(task) => format!("The {} {:?} was removed.", T::NOUN, task.name()),
        None => format!("An entry of {} that could not be read was removed.", T::FILE),
    };
    let mut done = Done::new(reply(removed.as_ref()), message);
    // The entry that is gone is no trouble any more.
    done.warnings = warnings.into_iter().filter(|warning| !warning.contains(&id.to_string())).collect();
    Ok(done)
}

/// Adds or changes a task: `work` gives it as it shall be, and warnings of its own.
pub(crate) fn put<T: Task, R>(
    context: &Context,
    verb: &str,
    work: impl FnOnce(&TaskList<T>) -> Result<(T, Vec<String>), Fault>,
    reply: impl FnOnce(&T) -> R,
) -> Result<Done<R>, Fault> {
    let ((task, own), mut warnings) = tasks::change::<T, _>(context.settings(), |list| {
        let (task, own) = work(list)?;
        if !list.replace(task.clone()) {
            list.push(task.clone());
        }
        Ok((task, own))
    })?;
    warnings.extend(own);
    let state = if task.is_enabled() { "enabled" } else { "disabled" };
    let message = format!("The {} {:?} was {verb}; it is {state}.", T::NOUN, task.name());
    let mut done = Done::new(reply(&task), message);
    done.warnings = warnings;
    Ok(done)
}
