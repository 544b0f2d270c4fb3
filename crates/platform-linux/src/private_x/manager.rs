//! The window manager of a private session.

use super::{PrivateX, START, end, wait_until};
use crate::x11::connection::X11;
use crossmacro_platform::{Cancel, Result, clock};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::properties::{WmSizeHints, WmSizeHintsSpecification};
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, MapState, Window, WindowClass,
};

/// A window manager that we know how to start.
struct Known {
    program: &'static str,
    args: &'static [&'static str],
    /// Whether it announces itself as EWMH asks.
    has_ewmh: bool,
}

/// In order of preference. All of them run without a session bus, which a private session does not have
/// (xfwm4 does not).
const KNOWN: &[Known] = &[
    Known { program: "openbox", args: &["--sm-disable"], has_ewmh: true },
    Known { program: "icewm", args: &[], has_ewmh: true },
    Known { program: "fluxbox", args: &[], has_ewmh: true },
    Known { program: "jwm", args: &[], has_ewmh: true },
    Known { program: "metacity", args: &["--sm-disable"], has_ewmh: true },
    Known { program: "twm", args: &[], has_ewmh: false },
];

/// The configuration that openbox comes with. The user's own is left out: a private desktop is the same for
/// everyone.
const OPENBOX_CONFIG: &str = "/etc/xdg/openbox/rc.xml";
/// Between two looks at the root window. There is no event for "somebody manages the windows now".
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Starts the first one that is installed and comes up, or says why there is none.
pub(super) fn start(session: &PrivateX, x11: &X11) -> std::result::Result<(&'static str, Child), String> {
    let mut failures = Vec::new();
    for known in KNOWN {
        match start_one(session, x11, known) {
            None => {}
            Some(Ok(child)) => return Ok((known.program, child)),
            Some(Err(why)) => failures.push(format!("{}: {why}", known.program)),
        }
    }
    Err(if failures.is_empty() { "none is installed".to_owned() } else { failures.join("; ") })
}

/// Starts this one; `None` when it is not installed.
fn start_one(session: &PrivateX, x11: &X11, known: &Known) -> Option<std::result::Result<Child, String>> {
    let mut child = session.spawn(command(known)).ok()?;
    match wait(&child, known, x11) {
        Ok(()) => Some(Ok(child)),
        Err(why) => {
            end(&mut child, clock::now());
            Some(Err(why))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a platform crate starts processes")]
fn command(known: &Known) -> Command {
    let mut command = Command::new(known.program);
    command.args(known.args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Typing text that no layout has changes the keyboard mapping, and openbox 3.6 loads the compose table of its
    // locale again after each change, which takes it seconds. The C locale has none; titles come as UTF-8 anyway.
    command.env("LC_ALL", "C");
    if known.program == "openbox" && Path::new(OPENBOX_CONFIG).exists() {
        command.args(["--config-file", OPENBOX_CONFIG]);
    }
    command
}

/// Waits until it manages windows: it has announced itself, and has shown a window of ours and forgotten it
/// again. openbox 3.6 announces itself early, and a window that is mapped before it has looked around for the
/// first time may stay invisible for ever.
fn wait(child: &Child, known: &Known, x11: &X11) -> std::result::Result<(), String> {
    let deadline = clock::now() + START;
    until(child, deadline, || is_ready(x11, known.has_ewmh))?;
    let probe = probe(x11).map_err(|error| error.to_string())?;
    let shown = until(child, deadline, || is_shown(x11, probe));
    let gone = x11.conn().destroy_window(probe).map_err(|error| error.to_string());
    shown?;
    drop(gone?);
    until(child, deadline, || Ok(!is_listed(x11, probe)?))
}

fn until(
    child: &Child,
    deadline: Instant,
    holds: impl Fn() -> Result<bool>,
) -> std::result::Result<(), String> {
    let nobody_asks = Cancel::new();
    while !holds().map_err(|error| error.to_string())? {
        // It is not reaped here: `end` does that, while its id still belongs to it.
        if wait_until(child, clock::now()) {
            return Err("it ended at once".to_owned());
        }
        if clock::now() > deadline {
            return Err(format!("not ready after {} s", START.as_secs()));
        }
        nobody_asks.sleep(LOOK_AGAIN);
    }
    Ok(())
}

/// A window of one pixel that says where it wants to be, so that no manager asks the user.
fn probe(x11: &X11) -> Result<Window> {
    let what = "a window";
    let window = x11.conn().generate_id().map_err(|error| x11.fault(what, error))?;
    let aux = CreateWindowAux::new();
    let class = WindowClass::INPUT_OUTPUT;
    x11.conn()
        .create_window(0, window, x11.root(), 0, 0, 1, 1, 0, class, 0, &aux)
        .map_err(|error| x11.fault(what, error))?;
    let mut hints = WmSizeHints::new();
    hints.position = Some((WmSizeHintsSpecification::UserSpecified, 0, 0));
    hints.set_normal_hints(x11.conn(), window).map_err(|error| x11.fault(what, error))?;
    Ok(window)
}

/// Whether the manager has shown it; asks again, because it may have missed the question.
fn is_shown(x11: &X11, window: Window) -> Result<bool> {
    let cookie = x11.conn().map_window(window).map_err(|error| x11.fault("a window", error))?;
    cookie.ignore_error();
    let attributes = x11.reply("a window", x11.conn().get_window_attributes(window))?;
    Ok(attributes.map_state == MapState::VIEWABLE)
}

fn is_listed(x11: &X11, window: Window) -> Result<bool> {
    let atom = x11.atom("_NET_CLIENT_LIST")?;
    let cookie = x11.conn().get_property(false, x11.root(), atom, AtomEnum::WINDOW, 0, 64);
    let reply = x11.reply("the list of windows", cookie)?;
    Ok(reply.value32().is_some_and(|mut windows| windows.any(|it| it == window)))
}

/// Whether somebody redirects the windows of the root and, where it can, has announced itself.
fn is_ready(x11: &X11, has_ewmh: bool) -> Result<bool> {
    let root = x11.reply("the root window", x11.conn().get_window_attributes(x11.root()))?;
    if !root.all_event_masks.contains(EventMask::SUBSTRUCTURE_REDIRECT) {
        return Ok(false);
    }
    if !has_ewmh {
        return Ok(true);
    }
    let Some(window) = check_window(x11, x11.root())? else { return Ok(false) };
    Ok(check_window(x11, window)? == Some(window))
}

/// `_NET_SUPPORTING_WM_CHECK`: the root names a window that names itself.
fn check_window(x11: &X11, window: u32) -> Result<Option<u32>> {
    let atom = x11.atom("_NET_SUPPORTING_WM_CHECK")?;
    let cookie = x11.conn().get_property(false, window, atom, AtomEnum::WINDOW, 0, 1);
    let reply = x11.reply("the window manager's name", cookie)?;
    Ok(reply.value32().and_then(|mut values| values.next()))
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a failed test")]
mod tests {
    use super::*;
    use crate::private_x::{PrivateX, PrivateXOptions};

    #[test]
    fn every_known_manager_that_is_installed_comes_up() {
        let mut started = Vec::new();
        for known in KNOWN {
            let options = PrivateXOptions { window_manager: false, ..PrivateXOptions::default() };
            let session = PrivateX::start(&options).unwrap();
            let x11 = X11::connect(Some(session.display())).unwrap();
            let Some(child) = start_one(&session, &x11, known) else { continue };
            let child = child.unwrap_or_else(|why| panic!("{}: {why}", known.program));
            started.push(known.program);
            super::super::end_all(vec![child]);
        }
        assert!(started.contains(&"openbox"), "{started:?}");
    }
}
