//! The operation slot: one long piece of work at a time, on its own thread, that outlives the call which
//! started it.
//!
//! An operation is running, and then it has succeeded, failed or was cancelled: what its work says decides, so
//! that work which had finished when it was asked to stop has succeeded. The last 32 are remembered.

mod id;

use crate::fault::stopped;
use crate::interpreter::Progress;
use crossmacro_model::limits::RETAINED_OPERATIONS;
use crossmacro_model::{Code, Delivered, Fault};
use crossmacro_platform::{Cancel, clock};
pub use id::Id;
use serde_json::Value;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a wait looks at the cancellation of the one who waits.
const GLANCE: Duration = Duration::from_millis(20);

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Plays a macro.
    Play,
    /// Runs a script.
    Run,
    /// Records input.
    Record,
}

impl Kind {
    /// The text in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Run => "run",
            Self::Record => "record",
        }
    }
}

/// Where an operation is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its work goes on.
    Running,
    /// Its work ended well.
    Succeeded,
    /// Its work ended with a fault.
    Failed,
    /// Its work stopped because somebody asked.
    Cancelled,
}

impl State {
    /// The text in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// An operation at one moment.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its id.
    pub id: Id,
    /// What it does.
    pub kind: Kind,
    /// When it started, since the Unix epoch.
    pub started_at: Duration,
    /// When it ended, since the Unix epoch.
    pub completed_at: Option<Duration>,
    /// Whether somebody asked it to stop.
    pub cancellation_requested: bool,
    /// How far it has come, where it says so.
    pub progress: Option<Progress>,
    /// What its work gave; `None` while it runs.
    pub result: Option<Arc<Result<Value, Fault>>>,
}

impl Operation {
    /// Where it is in its life.
    pub fn state(&self) -> State {
        match self.result.as_deref() {
            None => State::Running,
            Some(Ok(_)) => State::Succeeded,
            Some(Err(fault)) if fault.code == Code::Cancelled => State::Cancelled,
            Some(Err(_)) => State::Failed,
        }
    }
}

/// Why an operation could not be started.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Another one runs.
    #[error("the {} operation {id} is running; only one can run at a time", kind.name())]
    Busy {
        /// Its id.
        id: Id,
        /// What it does.
        kind: Kind,
    },
    /// The process is about to end.
    #[error("no operation can be started any more: the process is ending")]
    ShuttingDown,
    /// The system gives no thread or no random numbers.
    #[error("the system could not start an operation")]
    System(#[source] std::io::Error),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        match refusal {
            Refusal::Busy { id, kind } => Self::new(Code::Busy, message)
                .detail("operationId", id.to_string())
                .detail("kind", kind.name())
                .remedy("Wait for its end, or stop it."),
            Refusal::ShuttingDown => Self::new(Code::Cancelled, message),
            Refusal::System(source) => Self::new(Code::EnvironmentError, message).caused_by(source),
        }
    }
}

/// Tells how far the work of an operation has come. Clones tell the same operation.
#[derive(Clone)]
pub struct Reporter {
    shared: Arc<Shared>,
    id: Id,
}

impl Reporter {
    /// Replaces what was told before.
    pub fn report(&self, progress: Progress) {
        if let Some(operation) = self.shared.lock().get_mut(self.id) {
            operation.progress = Some(progress);
        }
    }
}

/// The slot and the memory of what was in it. Clones share both.
#[derive(Clone, Default)]
pub struct Operations {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    ended: Condvar,
}

#[derive(Default)]
struct Inner {
    /// The oldest first; the last one may be running.
    list: VecDeque<Operation>,
    active: Option<Active>,
    is_shutting_down: bool,
}

struct Active {
    id: Id,
    cancel: Cancel,
    /// Its thread, from when it is known.
    thread: Option<JoinHandle<()>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, inner: MutexGuard<'a, Inner>, time: Duration) -> MutexGuard<'a, Inner> {
        self.ended.wait_timeout(inner, time).unwrap_or_else(PoisonError::into_inner).0
    }

    fn complete(&self, id: Id, result: Result<Value, Fault>) {
        let mut inner = self.lock();
        if let Some(operation) = inner.get_mut(id) {
            operation.completed_at = Some(clock::unix().max(operation.started_at));
            operation.result = Some(Arc::new(result));
        }
        inner.active = None;
        inner.forget();
        self.ended.notify_all();
    }
}

impl Inner {
    fn get(&self, id: Id) -> Option<&Operation> {
        self.list.iter().find(|operation| operation.id == id)
    }

    fn get_mut(&mut self, id: Id) -> Option<&mut Operation> {
        self.list.iter_mut().find(|operation| operation.id == id)
    }

    fn is_running(&self, id: Id) -> bool {
        self.active.as_ref().is_some_and(|active| active.id == id)
    }

    fn refusal(&self) -> Option<Refusal> {
        if self.is_shutting_down {
            return Some(Refusal::ShuttingDown);
        }
        let operation = self.get(self.active.as_ref()?.id)?;
        Some(Refusal::Busy { id: operation.id, kind: operation.kind })
    }

    /// Forgets the oldest beyond those that are remembered.
    fn forget(&mut self) {
        while self.list.len() as u64 > RETAINED_OPERATIONS.value {
            self.list.pop_front();
        }
    }

    fn cancel(&mut self, id: Id) -> bool {
        let Some(active) = self.active.as_ref().filter(|active| active.id == id) else { return false };
        active.cancel.cancel();
        let operation = self.get_mut(id);
        operation.is_some_and(|operation| !std::mem::replace(&mut operation.cancellation_requested, true))
    }
}

impl Operations {
    /// An empty slot.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts `work` on its own thread. With a `limit`, the work's [`Cancel`] expires after it, and work that
    /// stops for that has failed with [`Code::Timeout`]. A panic in the work is a failure.
    ///
    /// # Errors
    /// [`Refusal`]; nothing was started.
    pub fn start<W>(&self, kind: Kind, limit: Option<Duration>, work: W) -> Result<Id, Refusal>
    where
        W: FnOnce(&Cancel, &Reporter) -> Result<Value, Fault> + Send + 'static,
    {
        let id = Id::random().map_err(|error| Refusal::System(std::io::Error::other(error)))?;
        let deadline = limit.and_then(|limit| clock::now().checked_add(limit));
        let cancel = deadline.map_or_else(Cancel::new, |deadline| Cancel::new().with_deadline(deadline));
        self.enter(id, kind, cancel.clone())?;
        let reporter = Reporter { shared: Arc::clone(&self.shared), id };
        let shared = Arc::clone(&self.shared);
        let body = move || shared.complete(id, guarded(&cancel, || work(&cancel, &reporter)));
        match std::thread::Builder::new().name(format!("operation-{}", kind.name())).spawn(body) {
            Ok(thread) => {
                // It may have ended already; then nobody needs to join it.
                if let Some(active) = self.shared.lock().active.as_mut().filter(|active| active.id == id) {
                    active.thread = Some(thread);
                }
                Ok(id)
            }
            Err(error) => {
                let mut inner = self.shared.lock();
                inner.active = None;
                inner.list.retain(|operation| operation.id != id);
                Err(Refusal::System(error))
            }
        }
    }

    fn enter(&self, id: Id, kind: Kind, cancel: Cancel) -> Result<(), Refusal> {
        let mut inner = self.shared.lock();
        if let Some(refusal) = inner.refusal() {
            return Err(refusal);
        }
        inner.list.push_back(Operation {
            id,
            kind,
            started_at: clock::unix(),
            completed_at: None,
            cancellation_requested: false,
            progress: None,
            result: None,
        });
        inner.active = Some(Active { id, cancel, thread: None });
        Ok(())
    }

    /// An operation as it is now; `None` when it is not known (any more).
    pub fn get(&self, id: Id) -> Option<Operation> {
        self.shared.lock().get(id).cloned()
    }

    /// The one that runs.
    pub fn active(&self) -> Option<Operation> {
        let inner = self.shared.lock();
        inner.active.as_ref().and_then(|active| inner.get(active.id)).cloned()
    }

    /// All that are remembered, the oldest first.
    pub fn list(&self) -> Vec<Operation> {
        self.shared.lock().list.iter().cloned().collect()
    }

    /// Asks an operation to stop. `Some(true)` for the first such request while it runs, `Some(false)` for one
    /// that has ended or was asked before, `None` when it is not known.
    pub fn stop(&self, id: Id) -> Option<bool> {
        let mut inner = self.shared.lock();
        inner.get(id)?;
        Some(inner.cancel(id))
    }

    /// Waits until the operation ends, for `time` at most or until `cancel`, and gives it as it is then.
    pub fn wait(&self, id: Id, time: Duration, cancel: &Cancel) -> Option<Operation> {
        let until = clock::now().checked_add(time);
        let mut inner = self.shared.lock();
        while inner.is_running(id) && !cancel.is_cancelled() {
            match remaining(until) {
                Duration::ZERO => break,
                left => inner = self.shared.wait(inner, left.min(GLANCE)),
            }
        }
        inner.get(id).cloned()
    }

    /// Refuses new operations, asks the running one to stop, and waits for it, for `limit` at most. Whether
    /// nothing runs any more.
    pub fn shutdown(&self, limit: Duration) -> bool {
        let until = clock::now().checked_add(limit);
        let mut inner = self.shared.lock();
        inner.is_shutting_down = true;
        let Some(active) = inner.active.as_mut() else { return true };
        let (id, thread) = (active.id, active.thread.take());
        inner.cancel(id);
        while inner.is_running(id) {
            match remaining(until) {
                Duration::ZERO => return false,
                left => inner = self.shared.wait(inner, left),
            }
        }
        drop(inner);
        // What is left of the thread is its return.
        thread.is_none_or(|thread| thread.join().is_ok())
    }
}

fn remaining(until: Option<Instant>) -> Duration {
    // Without an end, an hour at a time.
    until.map_or(Duration::from_secs(3600), |until| until.saturating_duration_since(clock::now()))
}

/// The result of `work`, whatever becomes of it.
fn guarded(cancel: &Cancel, work: impl FnOnce() -> Result<Value, Fault>) -> Result<Value, Fault> {
    // Unwinding has run the drops, which release what was held; nothing else of the work is looked at again.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Err(fault)) if fault.code == Code::Cancelled => Err(told_apart(fault, cancel)),
        Ok(result) => result,
        // The message of a panic may hold anything, and is not repeated.
        Err(_) => Err(Fault::new(Code::RuntimeError, "the operation was ended by an internal error")
            .delivered(Delivered::Uncertain)),
    }
}

/// Work that was stopped by the deadline was not cancelled by anybody.
fn told_apart(mut fault: Fault, cancel: &Cancel) -> Fault {
    if let Some(stop) = stopped(cancel).filter(|stop| stop.code != fault.code) {
        (fault.code, fault.message) = (stop.code, stop.message);
    }
    fault
}
