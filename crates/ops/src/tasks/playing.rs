//! Playing the macro of a task now, within the call.

use crate::automation::play::{self, Opened};
use crate::context::{Call, Context, Surface};
use crate::guard;
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Spec};
use crate::tasks::task::{Sight, missing};
use crossmacro_engine::operations::{Id, Operation as Ended};
use crossmacro_engine::player::Options;
use crossmacro_model::limits::OPERATION_SECONDS;
use crossmacro_model::task::{Task, TaskId, clamp_speed};
use crossmacro_model::{Capability, Code, Fault};
use crossmacro_platform::Cancel;
use crossmacro_store::tasks;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::marker::PhantomData;
use std::time::Duration;

/// How long a playing that is stopped may take to end.
const STOPPING: Duration = Duration::from_secs(5);

/// The arguments of an operation that plays the macro of a task. What was read to know its needs is what is played.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RunOne {
    /// The task's id, as the list shows it.
    #[schemars(length(min = 1, max = 64))]
    task_id: String,
    #[serde(skip)]
    opened: Option<Opened>,
}

/// The reply of an operation that plays the macro of a task.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ran<R> {
    /// What was done; null on failure.
    action: Option<&'static str>,
    /// Only for list.
    tasks: [(); 0],
    /// The task that was run.
    run: Option<R>,
    /// Only for the others.
    task: (),
}

impl<R> Default for Ran<R> {
    fn default() -> Self {
        Self { action: None, tasks: [], run: None, task: () }
    }
}

/// The operation that plays the macro of a task of this kind.
pub(crate) struct Run<T>(PhantomData<T>);

impl<T: Playable + 'static> Operation for Run<T> {
    type Params = RunOne;
    type Reply = Ran<T::Shown>;

    const SPEC: Spec = Spec {
        name: T::NAME,
        title: T::TITLE,
        summary: T::SUMMARY,
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::TaskManage, Capability::InputAutomation, Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn needs(context: &Context, call: &Call<'_>, params: &mut RunOne) -> Result<Needs, Fault> {
        params.needs::<T>(context, call, &Self::SPEC)
    }

    fn run(context: &Context, call: &Call<'_>, params: RunOne) -> Result<Done<Self::Reply>, Fault> {
        let (task, warnings) = params.play::<T>(context, call)?;
        let message = format!("The {} {:?} was run.", T::NOUN, task.name());
        let run = Some(task.shown(Sight::of(context, call)));
        let reply = Ran { action: Some("run"), run, ..Ran::default() };
        Ok(Done { warnings, ..Done::new(reply, message) })
    }
}

/// A task whose macro can be played.
pub(crate) trait Playable: Task {
    /// Name of the operation.
    const NAME: &'static str;
    /// Its title.
    const TITLE: &'static str;
    /// What it does.
    const SUMMARY: &'static str;
    /// The task in the reply.
    type Shown: Serialize + JsonSchema + 'static;

    /// The task as this caller may see it.
    fn shown(&self, sight: Sight) -> Self::Shown;
    /// The macro.
    fn path(&self) -> &str;
    /// Speed, passes and what is between them.
    fn options(&self) -> Options;
    /// Writes down what became of a run.
    fn note(&mut self, at: Timestamp, status: &str);
}

/// `speed` as it is played.
pub(crate) fn speed(speed: f64) -> f64 {
    clamp_speed(speed).0
}

impl RunOne {
    /// The needs of the task's macro; it is read for who may play it.
    pub(crate) fn needs<T: Playable>(
        &mut self,
        context: &Context,
        call: &Call<'_>,
        spec: &Spec,
    ) -> Result<Needs, Fault> {
        guard::admit(context, call, spec, &spec.fixed_needs())?;
        let task = self.task::<T>(context)?;
        if task.path().trim().is_empty() {
            return Err(
                Fault::arguments(format!("the {} has no macro", T::NOUN)).detail("argument", "taskId")
            );
        }
        let (opened, needs) = Opened::read(context, call, task.path(), false)?;
        self.opened = Some(opened);
        Ok(spec.fixed_needs().and(needs))
    }

    fn task<T: Task>(&self, context: &Context) -> Result<T, Fault> {
        let id = TaskId::argument(&self.task_id)?;
        let found = tasks::read::<T>(context.settings()).tasks.into_iter().find(|task| task.id() == id);
        match found {
            Some(task) => Ok(task),
            // Says why, where there is an entry that can't be read.
            None => {
                tasks::change::<T, T>(context.settings(), |list| Err(missing(list, id))).map(|(task, _)| task)
            }
        }
    }

    /// Plays it to its end, and notes what became of it. The task as it is then, and what should be known.
    pub(crate) fn play<T: Playable>(
        self,
        context: &Context,
        call: &Call<'_>,
    ) -> Result<(T, Vec<String>), Fault> {
        let task = self.task::<T>(context)?;
        let Some(opened) = self.opened else { return Err(Fault::arguments("there is nothing to play")) };
        let options =
            Options { source: Some(context.desktops()), ledger: context.ledger(), ..task.options() };
        let limit = (call.surface == Surface::Mcp).then(|| Duration::from_secs(OPERATION_SECONDS.value));
        let began = Timestamp::now();
        let desktop = Some(context.desktop()?);
        let id = play::begin(context, opened, options, desktop, limit)?;
        let ended = wait(context, call, id).and_then(|operation| operation.result);
        let (status, outcome) = match ended.as_deref() {
            Some(Ok(summary)) => ("Success".to_owned(), Ok(summary["warnings"].clone())),
            Some(Err(fault)) if fault.code == Code::Cancelled => {
                ("Cancelled".to_owned(), Err(repeated(fault)))
            }
            Some(Err(fault)) => (format!("Error: {}", fault.message), Err(repeated(fault))),
            None => {
                let fault = Fault::new(Code::RuntimeError, "the playing did not stop in time");
                ("Error: it did not stop in time".to_owned(), Err(fault))
            }
        };
        let noted = self::note::<T>(context, task.id(), began, &status);
        let warnings = outcome?;
        let warnings = warnings.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let mut warnings: Vec<String> = warnings.collect();
        match noted {
            Ok(noted) => Ok((noted, warnings)),
            Err(fault) => {
                warnings.push(format!("what became of the run could not be written down: {}", fault.message));
                Ok((task, warnings))
            }
        }
    }
}

/// The same fault once more: the one that is kept with the operation stays there.
fn repeated(fault: &Fault) -> Fault {
    let mut again = Fault::new(fault.code, fault.message.clone()).delivered(fault.delivered);
    again.details.clone_from(&fault.details);
    again.warnings.clone_from(&fault.warnings);
    again.remediation.clone_from(&fault.remediation);
    again
}

fn note<T: Playable>(context: &Context, id: TaskId, at: Timestamp, status: &str) -> Result<T, Fault> {
    let noted = tasks::change::<T, T>(context.settings(), |list| {
        let mut task = list.get(id).cloned().ok_or_else(|| missing(list, id))?;
        task.note(at, status);
        list.replace(task.clone());
        Ok(task)
    });
    noted.map(|(task, _)| task)
}

/// Waits for the end; a call that is cancelled stops the playing.
fn wait(context: &Context, call: &Call<'_>, id: Id) -> Option<Ended> {
    let ended = context.operations.wait(id, Duration::MAX, call.cancel)?;
    if ended.result.is_some() {
        return Some(ended);
    }
    context.operations.stop(id);
    context.operations.wait(id, STOPPING, &Cancel::new())
}
