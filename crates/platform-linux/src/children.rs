//! Child processes that die with their owner, even when the owner is killed with SIGKILL.
//!
//! Linux can send a process a signal when the *thread* that started it ends (prctl(2), PR_SET_PDEATHSIG).
//! So every child is started by one keeper thread that lives exactly as long as its [`Children`]: dropping
//! the handle ends the thread, the end of the process ends every thread, and both reach the children. What
//! a child starts itself is not covered, and a set-user-id program loses the signal.
#![allow(unsafe_code)]

use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Starts children, and takes them along when it goes.
pub struct Children {
    requests: Option<Mutex<Sender<Request>>>,
    keeper: Option<JoinHandle<()>>,
}

struct Request {
    command: Command,
    answer: Sender<io::Result<Child>>,
}

impl Children {
    /// A keeper without children.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn new() -> io::Result<Self> {
        let (requests, inbox) = channel();
        let keeper = std::thread::Builder::new().name("child-keeper".into()).spawn(move || keep(&inbox))?;
        Ok(Self { requests: Some(Mutex::new(requests)), keeper: Some(keeper) })
    }

    /// Starts `command` in a process group of its own. It gets `on_death` when this handle or this process
    /// ends. The child is the caller's to wait for.
    ///
    /// # Errors
    /// What starting it said.
    pub fn spawn(&self, mut command: Command, on_death: Signal) -> io::Result<Child> {
        // A signal from the terminal is for us: we end the children in order.
        command.process_group(0);
        die_with_parent(&mut command, on_death);
        let (answer, result) = channel();
        let gone = || io::Error::other("the thread that starts children is gone");
        let requests = self.requests.as_ref().ok_or_else(gone)?;
        let requests = requests.lock().map_err(|_| gone())?;
        requests.send(Request { command, answer }).map_err(|_| gone())?;
        drop(requests);
        result.recv().map_err(|_| gone())?
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(keeper) = self.keeper.take() {
            // It cannot have panicked with anything to tell.
            let _ended = keeper.join();
        }
    }
}

fn keep(inbox: &Receiver<Request>) {
    while let Ok(Request { mut command, answer }) = inbox.recv() {
        // A requester that does not wait for its answer has dropped the child, and its pipes with it.
        let _unheard = answer.send(command.spawn());
    }
}

fn die_with_parent(command: &mut Command, signal: Signal) {
    let parent = getpid();
    // SAFETY: between fork and exec the closure makes two raw system calls. It allocates nothing, takes no
    // lock and touches no memory that another thread may have been changing at the fork.
    unsafe {
        command.pre_exec(move || arm(parent, signal));
    }
}

fn arm(parent: Pid, signal: Signal) -> io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    // The parent may have died before the line above: nobody would send the signal any more.
    if getppid() != Some(parent) {
        return Err(io::Error::from_raw_os_error(rustix::io::Errno::SRCH.raw_os_error()));
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests start what they need")]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn sleeper() -> Command {
        let mut command = Command::new("sleep");
        command.arg("600");
        command
    }

    #[test]
    fn children_end_with_the_handle() {
        let children = Children::new().unwrap();
        let mut child = children.spawn(sleeper(), Signal::KILL).unwrap();
        assert!(child.try_wait().unwrap().is_none());
        drop(children);
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::KILL.as_raw()));
    }

    #[test]
    fn the_thread_that_asks_may_end_before_the_child() {
        let children = Children::new().unwrap();
        let mut child = std::thread::scope(|scope| {
            scope.spawn(|| children.spawn(sleeper(), Signal::KILL).unwrap()).join().unwrap()
        });
        assert!(child.try_wait().unwrap().is_none());
        drop(children);
        child.wait().unwrap();
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let missing = Command::new("/nonexistent/program");
        assert!(Children::new().unwrap().spawn(missing, Signal::KILL).is_err());
    }
}
