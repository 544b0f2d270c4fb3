//! The session's line-based transport: a reader thread, a writer thread, and the SDK in between.
//!
//! Why not the SDK's own: it gives no answer to lines that are not JSON or too long, ends the session over a
//! notification that comes before `initialize`, and lets its answers pile up behind a host that does not read.

use crate::end::{End, Reason};
use crate::incoming::{self, Incoming};
use crate::line::{self, Line};
use crate::outbox::Outbox;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use std::collections::HashSet;
use std::convert::Infallible;
use std::io::{self, BufReader, Read, Write};
use tokio::sync::mpsc;

/// Messages that are parsed and wait for the session.
const INBOX: usize = 16;

/// Where a session reads and writes.
pub struct Pipes {
    /// What the host sends.
    pub input: Box<dyn Read + Send>,
    /// What the host reads.
    pub output: Box<dyn Write + Send>,
    /// Whether the host's end of the input is gone, told without reading.
    pub is_gone: Box<dyn Fn() -> bool + Send>,
    /// Gives memory back that the process holds and does not use. Called when the session has been quiet for a
    /// moment after a large answer.
    pub give_back: fn(),
}

/// The SDK's end of the transport.
pub(crate) struct Lines {
    inbox: mpsc::Receiver<ClientJsonRpcMessage>,
    outbox: Outbox,
    end: End,
    /// Whether the opening request has come: before it, the SDK ends over anything but a request.
    is_open: bool,
    unanswered: HashSet<RequestId>,
}

impl Lines {
    /// Starts both threads.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(pipes: Pipes, outbox: &Outbox, end: &End) -> io::Result<Self> {
        let (sender, inbox) = mpsc::channel(INBOX);
        let Pipes { input, output, is_gone, give_back } = pipes;
        let (writer, ended) = (outbox.clone(), end.clone());
        std::thread::Builder::new().name("mcp-writer".into()).spawn(move || {
            writer.drain(output, give_back);
            ended.request(Reason::OutputGone);
        })?;
        let (answers, ended) = (outbox.clone(), end.clone());
        std::thread::Builder::new().name("mcp-reader".into()).spawn(move || {
            read_lines(input, &sender, &answers, &*is_gone);
            // The request follows when the session has taken the last message from the inbox.
            ended.announce();
        })?;
        Ok(Self {
            inbox,
            outbox: outbox.clone(),
            end: end.clone(),
            is_open: false,
            unanswered: HashSet::new(),
        })
    }

    /// Whether the session may see the message.
    fn admit(&mut self, message: &ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                self.is_open |= opens(&request.request);
                let is_new = self.unanswered.insert(request.id.clone());
                if !is_new {
                    self.outbox.put_line(incoming::id_in_use());
                }
                is_new
            }
            JsonRpcMessage::Notification(notification) => {
                // A cancelled request gets no answer, so its id is free again.
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.unanswered.remove(id);
                }
                self.is_open
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => self.is_open,
        }
    }
}

/// Whether the SDK starts the session with this request: `initialize`, or one that carries its own metadata.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        other => {
            let meta = other.get_meta();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta
                    .protocol_version()
                    .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = Infallible;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => drop(self.unanswered.remove(&response.id)),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.unanswered.remove(id);
                }
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        self.outbox.put(message);
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = tokio::select! {
                biased;
                _ = self.end.requested() => None,
                message = self.inbox.recv() => message,
            };
            let Some(message) = message else {
                self.end.request(Reason::InputEnded);
                return None;
            };
            if self.admit(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The work of the reader thread: until the input ends, the session is over, or the host is gone.
fn read_lines(
    input: impl Read,
    inbox: &mpsc::Sender<ClientJsonRpcMessage>,
    outbox: &Outbox,
    is_gone: &dyn Fn() -> bool,
) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    while outbox.wait_for_room(is_gone) {
        let line = match line::read(&mut input, incoming::LONGEST_LINE) {
            Ok(Line::Whole(line)) => line,
            Ok(Line::TooLong(id)) => {
                outbox.put_line(incoming::too_long(&id));
                continue;
            }
            Ok(Line::End) => return,
            Err(error) => {
                tracing::warn!("standard input can't be read: {error}");
                return;
            }
        };
        match incoming::read(&line) {
            Incoming::Message(message) => {
                if inbox.blocking_send(*message).is_err() {
                    return;
                }
            }
            Incoming::Refused(answer) => outbox.put_line(answer),
            Incoming::Nothing => {}
        }
    }
}
