//! Which process a window belongs to. What a window says about itself (`_NET_WM_PID`) can be wrong or mean
//! another machine; what the server knows of the client (the X-Resource extension) can't be forged, so it
//! comes first.

use crate::x11::connection::X11;
use std::collections::HashMap;
use x11rb::cookie::Cookie;
use x11rb::protocol::res::{self, ClientIdMask, ClientIdSpec, ConnectionExt as _, QueryClientIdsReply};
use x11rb::protocol::xproto::Window;

type Asked<'c> = Option<Cookie<'c, super::Conn, QueryClientIdsReply>>;

/// Sends the question for all `windows`; `None` where the server can't tell.
pub(super) fn ask<'c>(x11: &'c X11, windows: &[Window]) -> Asked<'c> {
    if !x11.has(res::X11_EXTENSION_NAME).unwrap_or(false) {
        return None;
    }
    let spec = |&client| ClientIdSpec { client, mask: ClientIdMask::LOCAL_CLIENT_PID };
    let specs: Vec<_> = windows.iter().map(spec).collect();
    x11.conn().res_query_client_ids(&specs).ok()
}

/// What the server knows: process by client (a window id without its [`client_of`] rest).
pub(super) fn answer(asked: Asked<'_>) -> HashMap<u32, u32> {
    let Some(reply) = asked.and_then(|cookie| cookie.reply().ok()) else { return HashMap::new() };
    reply.ids.iter().filter_map(|id| Some((id.spec.client, *id.value.first()?))).collect()
}

/// The part of a window id that names the client which made it.
pub(super) fn client_of(x11: &X11, window: Window) -> u32 {
    use x11rb::connection::Connection;
    window & !x11.conn().setup().resource_id_mask
}

/// Decides: `machine` is the window's `WM_CLIENT_MACHINE`, `said` its `_NET_WM_PID`, `known` the server's.
pub(super) fn pid(machine: &str, said: Option<u32>, known: Option<u32>) -> Option<u32> {
    let is_local = is_this_machine(machine);
    let known = known.filter(|&pid| pid != 0 && (machine.is_empty() || is_local));
    let said = said.filter(|&pid| pid != 0 && is_local);
    known.or(said)
}

/// Host names are compared without their domains: programs write both forms.
fn is_this_machine(machine: &str) -> bool {
    let here = rustix::system::uname();
    let here = here.nodename().to_string_lossy();
    let host = |name: &str| name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    !machine.is_empty() && host(machine) == host(&here)
}

/// The name of a process, as the kernel shortens it (15 bytes).
pub(super) fn name(pid: u32) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/comm")).ok()?;
    let name = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
    Some(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pid_of_another_machine_is_not_one_of_ours() {
        let here = rustix::system::uname().nodename().to_string_lossy().into_owned();
        assert_eq!(pid("elsewhere.example", Some(7), Some(8)), None);
        assert_eq!(pid("", Some(7), None), None);
        assert_eq!(pid("", Some(7), Some(8)), Some(8));
        assert_eq!(pid(&here, Some(7), None), Some(7));
        assert_eq!(pid(&format!("{here}.example.org"), Some(7), Some(0)), Some(7));
        assert_eq!(pid(&here, Some(0), None), None);
    }
}
