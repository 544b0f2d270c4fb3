//! Takes standard input and output away from everything else in the process, for a protocol that owns them.
//!
//! After [`take`], descriptor 1 is standard error and descriptor 0 is `/dev/null`: what a library prints goes
//! to the log instead of into the protocol, and a child process inherits neither. The real ones are kept on
//! descriptors that close on exec.
//!
//! A host may hand over descriptors in non-blocking mode; reads and writes here wait all the same.

use rustix::event::{PollFd, PollFlags, Timespec};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The lowest descriptor that is not one of the three standard ones.
const FIRST_FREE: i32 = 3;

/// The real standard input and output.
pub struct Stdio {
    /// What the host sends.
    pub input: Input,
    /// What the host reads.
    pub output: Output,
}

/// The real standard input.
pub struct Input(File);

/// The real standard output.
pub struct Output(File);

/// Sees whether the other end of the input is gone, without reading.
pub struct Watch(OwnedFd);

/// Takes them. To be called once, before anything is read or printed.
///
/// # Errors
/// When the process has no descriptor left, or no `/dev/null`.
pub fn take() -> io::Result<Stdio> {
    let input = rustix::io::fcntl_dupfd_cloexec(io::stdin(), FIRST_FREE)?;
    let output = rustix::io::fcntl_dupfd_cloexec(io::stdout(), FIRST_FREE)?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(Stdio { input: Input(input.into()), output: Output(output.into()) })
}

impl Input {
    /// A second view of the same input.
    ///
    /// # Errors
    /// When the process has no descriptor left.
    pub fn watch(&self) -> io::Result<Watch> {
        Ok(Watch(rustix::io::fcntl_dupfd_cloexec(&self.0, FIRST_FREE)?))
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.0.as_fd(), PollFlags::IN)?;
                }
                other => return other,
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.0.as_fd(), PollFlags::OUT)?;
                }
                other => return other,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Watch {
    /// Whether nobody can write to the input any more. What was written before may still wait to be read.
    pub fn is_gone(&self) -> bool {
        let mut fds = [PollFd::new(&self.0, PollFlags::RDHUP)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let ended = PollFlags::HUP | PollFlags::RDHUP | PollFlags::ERR;
        rustix::event::poll(&mut fds, Some(&now)).is_ok_and(|count| count > 0)
            && fds[0].revents().intersects(ended)
    }
}

fn wait(fd: BorrowedFd<'_>, flags: PollFlags) -> io::Result<()> {
    match rustix::event::poll(&mut [PollFd::from_borrowed_fd(fd, flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    fn input(stream: UnixStream) -> Input {
        Input(File::from(OwnedFd::from(stream)))
    }

    #[test]
    fn a_watch_sees_the_end_and_leaves_the_bytes() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut input = input(ours);
        let watch = input.watch().unwrap();
        assert!(!watch.is_gone());
        theirs.write_all(b"last words").unwrap();
        assert!(!watch.is_gone());
        drop(theirs);
        assert!(watch.is_gone());
        let mut text = String::new();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "last words");
    }

    #[test]
    fn a_watch_sees_a_pipe_without_writers() {
        let (reader, writer) = io::pipe().unwrap();
        let watch = Watch(reader.into());
        assert!(!watch.is_gone());
        drop(writer);
        assert!(watch.is_gone());
    }

    #[test]
    fn non_blocking_descriptors_are_waited_for() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        theirs.set_nonblocking(true).unwrap();
        let mut output = Output(File::from(OwnedFd::from(theirs)));
        // More than any socket buffer holds, so both sides meet "would block".
        let bytes = vec![7; 4 << 20];
        let writer = std::thread::spawn(move || output.write_all(&vec![7; 4 << 20]));
        let mut seen = Vec::new();
        input(ours).read_to_end(&mut seen).unwrap();
        writer.join().unwrap().unwrap();
        assert!(seen == bytes);
    }
}
