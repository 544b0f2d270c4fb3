//! One session from its first byte to its end.

use crate::end::{End, Reason};
use crate::options::{Options, UnknownTool};
use crate::outbox::Outbox;
use crate::server::Server;
use crate::transport::{Lines, Pipes};
use crossmacro_ops::Context;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How long after the request to end [`serve`] may take to return.
pub const LONGEST_END: Duration = Duration::from_millis(1_700);

/// After the end of the input: time for answers to what was asked before it.
const GRACE: Duration = Duration::from_millis(250);
/// How long the running operation may take to release what it holds.
const RELEASE: Duration = Duration::from_secs(1);
/// How long calls may take to notice that they are cancelled.
const UNWIND: Duration = Duration::from_millis(500);
/// How long the last answers may take to be written.
const FLUSH: Duration = Duration::from_millis(200);

/// Serves one session, until the host closes it or `end` is requested. Afterwards nothing runs and nothing
/// is held down, save a call that hangs in the system: it is left behind, and ends with the process.
///
/// Must not be called from within an async runtime.
///
/// # Errors
/// When the system gives no thread or no event loop, or a tool of `options` does not exist.
pub fn serve(context: Arc<Context>, options: &Options, pipes: Pipes, end: &End) -> io::Result<()> {
    let outbox = Outbox::default();
    let server = Server::new(context, options, outbox.clone())
        .map_err(|error: UnknownTool| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        // One thread a call, and one that stops the running operation at the end.
        .max_blocking_threads(crate::calls::MOST_CALLS + crate::calls::RESERVED + 1)
        .thread_keep_alive(Duration::from_secs(5))
        .thread_name("mcp-call")
        .build()?;
    let result = runtime.block_on(run(server, pipes, outbox, end));
    // Not the ordinary drop: it would wait for a call that hangs.
    runtime.shutdown_background();
    result
}

async fn run(server: Server, pipes: Pipes, outbox: Outbox, end: &End) -> io::Result<()> {
    let transport = Lines::start(pipes, &outbox, end)?;
    let handler = server.clone();
    let mut protocol = Box::pin(async move {
        match rmcp::serve_server(handler, transport).await {
            Ok(running) => drop(running.waiting().await),
            Err(error) => tracing::debug!("the session ended before it began: {error}"),
        }
    });
    let reason = tokio::select! {
        reason = end.requested() => Some(reason),
        () = &mut protocol => None,
    };
    if reason == Some(Reason::OutputGone) || outbox.is_full() {
        // The host does not read, so nothing is gained by writing more.
        outbox.close();
    }
    finish(&server, reason, protocol.as_mut()).await;
    outbox.close();
    outbox.wait_until_written(FLUSH);
    Ok(())
}

/// Stops everything, bounded in time. Without a `reason` the protocol has come to its end by itself.
async fn finish<P: Future<Output = ()>>(server: &Server, reason: Option<Reason>, mut protocol: Pin<&mut P>) {
    let context = Arc::clone(server.context());
    let stopping = tokio::task::spawn_blocking(move || context.operations.shutdown(RELEASE));
    let mut is_over = reason.is_none();
    if reason == Some(Reason::InputEnded) {
        is_over = tokio::time::timeout(GRACE, protocol.as_mut()).await.is_ok();
    }
    server.calls().end();
    if !is_over && tokio::time::timeout(UNWIND, protocol).await.is_err() {
        tracing::warn!("a call does not end; it is left behind");
    }
    if tokio::time::timeout(RELEASE, stopping).await.is_err() {
        tracing::warn!("the running operation did not stop in time");
    }
}
