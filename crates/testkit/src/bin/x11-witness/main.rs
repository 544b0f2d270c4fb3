//! `x11-witness`: a small X client that tells what really happened to it.
//!
//! It shows one window with known pixels, writes one JSON line an event to its standard output, and obeys
//! JSON lines on its standard input (`{"do": "quit"}`); each command ends with a line `{"event": "done"}`,
//! after everything that the server had sent before it. It ends with its standard input.
//!
//! It shares no code with the back end under test: text comes from the server's keymap by the rules of the
//! XKB protocol, as libX11 applies them.
//!
//! Flags: `--title T --class C --at X,Y --size WxH --pattern grid|gradient|RRGGBB --override-redirect
//! --stubborn --no-delete --ping --min WxH --max WxH --increment WxH --hidden`.
//! Commands: `quit`, `sync`, `paint` (pattern), `title` (text), `map`, `unmap`, `raise`, `destroy`, `focus`,
//! `state`, `pointer`, `held`, `act` (kind, and x and y, or number and press), `storm` (count, perSecond), `own`
//! (selection, offers: target and base64, or silent), `read` (selection, target).

mod client;
mod clipboard;
mod commands;
mod keymap;
mod options;
mod report;
mod window;

use client::Client;
use options::Options;
use rustix::event::{PollFd, PollFlags};
use std::error::Error;
use x11rb::connection::Connection;

pub(crate) type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut client = Client::new(options)?;
    let mut input = Input::default();
    while !client.is_over() {
        client.handle_events()?;
        client.conn.flush()?;
        if input.wait(&client)? && !input.read(&mut client)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Standard input, split into lines.
#[derive(Default)]
struct Input {
    rest: Vec<u8>,
}

impl Input {
    /// Waits for the server or for standard input; whether it is the latter.
    fn wait(&self, client: &Client) -> Result<bool> {
        let stdin = std::io::stdin();
        let mut fds = [PollFd::new(client.conn.stream(), PollFlags::IN), PollFd::new(&stdin, PollFlags::IN)];
        loop {
            match rustix::event::poll(&mut fds, None) {
                Err(rustix::io::Errno::INTR) => {}
                other => {
                    other?;
                    return Ok(!fds[1].revents().is_empty());
                }
            }
        }
    }

    /// Reads what is there and carries out the complete lines; `false` at the end.
    fn read(&mut self, client: &mut Client) -> Result<bool> {
        let mut chunk = vec![0; 64 << 10];
        // Unbuffered: what a buffer holds back would not wake the wait above.
        let count = rustix::io::read(std::io::stdin(), &mut chunk)?;
        for part in chunk[..count].split_inclusive(|byte| *byte == b'\n') {
            self.rest.extend(part);
            if part.ends_with(b"\n") {
                client.command(&std::mem::take(&mut self.rest))?;
            }
        }
        Ok(count > 0)
    }
}
