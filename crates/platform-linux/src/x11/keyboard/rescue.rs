//! A new connection in the place of one that was lost in mid-text, to give back what is still pressed, locked
//! and lent. It knows when that can begin, not what there is to give back.

use super::line::Line;
use crossmacro_platform::{Cancel, Error, Result, clock};
use std::time::Duration;
use x11rb::connection::Connection;
use x11rb::protocol::res::ConnectionExt as _;

/// How long a server that was stopped may take to come back.
const RETURN: Duration = Duration::from_secs(10);
/// An attempt that fails sooner was refused: there is no server any more, and nothing that it holds.
const REFUSED: Duration = Duration::from_secs(1);
/// How long the server may work on what the lost connection left behind, and how often we look.
const SETTLE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(10);

/// Connects anew and waits until the server is done with `lost`: what it still has queued would undo our work.
///
/// # Errors
/// The last attempt's, when the server does not come back in time.
pub(super) fn reconnect(lost: &Line) -> Result<Line> {
    let until = clock::now() + RETURN;
    loop {
        let begin = clock::now();
        match Line::open(&lost.x11) {
            Ok(line) => return settle(line, lost.x11.conn().setup().resource_id_base),
            Err(error) if clock::now() >= until || clock::now() < begin + REFUSED => return Err(error),
            Err(error) => tracing::debug!(%error, "the display server does not answer yet"),
        }
    }
}

/// Waits until the client with the resources `base` is gone from the server, as far as the server tells.
fn settle(line: Line, base: u32) -> Result<Line> {
    let until = clock::now() + SETTLE;
    // Its number was given to us, so it was free.
    let mut is_there = line.x11.conn().setup().resource_id_base != base;
    while is_there && clock::now() < until {
        is_there = match line.x11.reply("its clients", line.x11.conn().res_query_clients()) {
            Ok(reply) => reply.clients.iter().any(|client| client.resource_base == base),
            Err(Error::Unsupported { .. }) => false,
            Err(error) => return Err(error),
        };
        let _never = is_there && Cancel::new().sleep(LOOK);
    }
    Ok(line)
}
