//! Changing a window: ask its manager (EWMH client messages, as a pager), or the server where there is no
//! manager, then look until it happened. The looks are the same that a listing shows, so a success here is
//! what the caller sees next.

use super::root::{Manager, Root, longs, tolerate};
use super::{EwmhWindows, inspect, place, tree, wait};
use crate::x11::connection::X11;
use crossmacro_platform::{Cancel, Change, Error, Result, clock};
use inspect::Seen;
use std::time::{Duration, Instant};
use x11rb::CURRENT_TIME;
use x11rb::cookie::VoidCookie;
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, InputFocus,
    StackMode, Window,
};

/// "A pager or another program that acts for the person" (EWMH 1.5, source indication).
pub(super) const PAGER: u32 = 2;
/// `WM_CHANGE_STATE` argument: iconic.
const ICONIC: u32 = 3;
/// Most protocols of a window that are read.
const PROTOCOLS: u32 = 64;
/// How long a manager may take to show a minimised window because it was mapped, before it is asked again
/// in the other way.
const MAPPED: Duration = Duration::from_millis(300);
/// How long the shape of a window may follow its state.
const SETTLED: Duration = Duration::from_millis(300);

/// One change of one window.
pub(super) struct Act<'a> {
    pub(super) windows: &'a EwmhWindows,
    pub(super) id: Window,
    pub(super) what: &'static str,
    pub(super) cancel: &'a Cancel,
}

/// What the manager must support for a change.
const fn needs(change: Change) -> Option<&'static [&'static str]> {
    match change {
        Change::Focus | Change::Close | Change::Move(_) | Change::Resize(_) | Change::Center => None,
        Change::Minimize | Change::Restore => Some(&[]),
        Change::Maximize(_) => {
            Some(&["_NET_WM_STATE", "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"])
        }
        Change::Fullscreen(_) => Some(&["_NET_WM_STATE", "_NET_WM_STATE_FULLSCREEN"]),
        Change::Above(_) => Some(&["_NET_WM_STATE", "_NET_WM_STATE_ABOVE"]),
    }
}

/// What can't be done in this session, and why.
///
/// # Errors
/// [`Error::Lost`] and [`Error::Timeout`].
pub(super) fn missing(x11: &X11, root: &Root) -> Result<Vec<(&'static str, String)>> {
    let states = [
        ("maximize", Change::Maximize(true)),
        ("minimize", Change::Minimize),
        ("restore", Change::Restore),
        ("fullscreen", Change::Fullscreen(true)),
        ("above", Change::Above(true)),
    ];
    let states = states.into_iter().filter_map(|(name, change)| Some((name, needs(change)?)));
    let workspaces: [(_, &[_]); 2] =
        [("workspaces", &["_NET_CURRENT_DESKTOP"]), ("send_to_workspace", &["_NET_WM_DESKTOP"])];
    let mut missing = Vec::new();
    for (name, needed) in states.chain(workspaces) {
        match root.require(x11, name, needed) {
            Err(Error::Unsupported { why, .. }) => missing.push((name, why)),
            other => other?,
        }
    }
    Ok(missing)
}

impl Act<'_> {
    pub(super) fn x11(&self) -> &X11 {
        &self.windows.x11
    }

    /// Fails, before anything is sent, when the session can't do `change`.
    ///
    /// # Errors
    /// [`Error::Unsupported`]; [`Error::Lost`] and [`Error::Timeout`].
    pub(super) fn require(&self, root: &Root, change: Change) -> Result<()> {
        needs(change).map_or(Ok(()), |names| root.require(self.x11(), self.what, names))
    }

    /// The session and the window as they are now.
    pub(super) fn see(&self) -> Result<(Root, Seen)> {
        self.windows.see(self.id)
    }

    /// Waits until `is_so`; `false` when it is not so at `deadline`.
    pub(super) fn wait(&self, deadline: Instant, is_so: impl Fn(&Root, &Seen) -> bool) -> Result<bool> {
        let look = || {
            let (root, seen) = self.see()?;
            Ok(is_so(&root, &seen).then_some(()))
        };
        Ok(wait::until(self.cancel, deadline, look)?.is_some())
    }

    pub(super) fn no_effect<T>(&self, why: impl Into<String>) -> Result<T> {
        Err(Error::NoEffect { what: self.what, why: why.into() })
    }

    /// Waits for the server's verdict on a request without an answer.
    pub(super) fn check(
        &self,
        sent: std::result::Result<VoidCookie<'_, super::Conn>, ConnectionError>,
    ) -> Result<()> {
        let verdict = sent.map_err(ReplyError::from).and_then(VoidCookie::check);
        verdict.map_err(|error| self.x11().window_fault(self.what, error))
    }

    /// Sends a message about `window` to its manager.
    pub(super) fn tell(&self, window: Window, kind: Atom, data: [u32; 5]) -> Result<()> {
        let event = ClientMessageEvent::new(32, window, kind, data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.check(self.x11().conn().send_event(false, self.x11().root(), mask, event))
    }

    pub(super) fn focus(&self, root: &Root, seen: &Seen) -> Result<()> {
        let deadline = deadline();
        let activate = self.windows.atoms._NET_ACTIVE_WINDOW;
        if root.supports(activate) {
            self.show_workspace(root, seen)?;
            self.tell(self.id, activate, [PAGER, CURRENT_TIME, 0, 0, 0])?;
        } else {
            self.focus_directly(seen, deadline)?;
        }
        let look = || {
            let (root, seen) = self.see()?;
            let is_done = seen.shown.is_focused && seen.is_viewable && self.gets_keys(&root)?;
            Ok(is_done.then_some(()))
        };
        match wait::until(self.cancel, deadline, look)? {
            Some(()) => Ok(()),
            None => self.focus_failed(),
        }
    }

    /// Not every manager follows a window to its workspace when it is activated (Openbox 3.6 does not).
    fn show_workspace(&self, root: &Root, seen: &Seen) -> Result<()> {
        let elsewhere = |&index: &u32| index != root.current_desktop && index != inspect::ALL_DESKTOPS;
        match seen.desktop.filter(elsewhere) {
            Some(index) if root.supports(self.windows.atoms._NET_CURRENT_DESKTOP) => {
                self.switch_workspace(index)
            }
            _ => Ok(()),
        }
    }

    fn focus_directly(&self, seen: &Seen, deadline: Instant) -> Result<()> {
        let conn = self.x11().conn();
        if !seen.is_viewable {
            self.check(conn.map_window(self.id))?;
            if !self.wait(deadline, |_, seen| seen.is_viewable)? {
                return self.no_effect("the window did not appear on the screen");
            }
        }
        self.check(conn.configure_window(self.id, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE)))?;
        self.check(conn.set_input_focus(InputFocus::POINTER_ROOT, self.id, CURRENT_TIME))
    }

    /// Whether the server sends keys to this window, or to another one of the same client: some toolkits
    /// keep the focus on a hidden window of their own.
    fn gets_keys(&self, root: &Root) -> Result<bool> {
        let mask = x11rb::connection::Connection::setup(self.x11().conn()).resource_id_mask;
        if root.focus > 1 && (root.focus & !mask) == (self.id & !mask) {
            return Ok(true);
        }
        Ok(tree::client_around(self.x11(), &[self.id], root.focus)?.is_some())
    }

    fn focus_failed(&self) -> Result<()> {
        let (_, seen) = self.see()?;
        self.no_effect(match (seen.is_viewable, seen.shown.is_focused) {
            (false, _) => "the window is not on the screen",
            (_, false) => "another window kept the focus",
            (_, true) => "it counts as the active window, but the server sends keys elsewhere",
        })
    }

    pub(super) fn close(&self, root: &Root) -> Result<()> {
        let close = self.windows.atoms._NET_CLOSE_WINDOW;
        if root.supports(close) {
            self.tell(self.id, close, [CURRENT_TIME, PAGER, 0, 0, 0])?;
        } else {
            self.close_directly()?;
        }
        let look = || match self.see() {
            Ok(_) => Ok(None),
            Err(Error::NotFound { .. }) => Ok(Some(())),
            Err(error) => Err(error),
        };
        match wait::until(self.cancel, deadline(), look)? {
            Some(()) => Ok(()),
            None => self.no_effect("the window is still there; the application may be asking the user"),
        }
    }

    /// Sends what a window manager would send for its close button.
    fn close_directly(&self) -> Result<()> {
        let atoms = &self.windows.atoms;
        let conn = self.x11().conn();
        let asked = conn.get_property(false, self.id, atoms.WM_PROTOCOLS, AtomEnum::ATOM, 0, PROTOCOLS);
        let protocols = tolerate(self.x11().reply(self.what, asked))?;
        let protocols = protocols.ok_or(Error::NotFound { what: "the window" })?;
        if !longs(&protocols).contains(&atoms.WM_DELETE_WINDOW) {
            let why = "the application does not take close requests (no WM_DELETE_WINDOW)".into();
            return Err(Error::Unsupported { what: self.what, why });
        }
        let data = [atoms.WM_DELETE_WINDOW, CURRENT_TIME, 0, 0, 0];
        let event = ClientMessageEvent::new(32, self.id, atoms.WM_PROTOCOLS, data);
        self.check(conn.send_event(false, self.id, EventMask::NO_EVENT, event))
    }

    fn set_states(&self, on: bool, states: [Atom; 2]) -> Result<()> {
        let data = [u32::from(on), states[0], states[1], PAGER, 0];
        self.tell(self.id, self.windows.atoms._NET_WM_STATE, data)
    }

    /// Sets states, waits until `is_so` and then until the window has stopped changing its shape.
    fn change_states(&self, on: bool, states: [Atom; 2], is_so: impl Fn(&Seen) -> bool) -> Result<()> {
        let (_, before) = self.see()?;
        if is_so(&before) {
            return Ok(());
        }
        self.set_states(on, states)?;
        if !self.wait(deadline(), |_, seen| is_so(seen))? {
            let word = if on { "did not take" } else { "kept" };
            return self.no_effect(format!(
                "the window {word} the state; the window manager or the application may not allow it"
            ));
        }
        self.settle(&before)
    }

    /// Waits, for a short time at most, until the shape follows a state: equal in two looks, and another one
    /// than `before` unless it stays the same for good.
    fn settle(&self, before: &Seen) -> Result<()> {
        let start = clock::now();
        let mut last = None;
        let look = || {
            let frame = self.see()?.1.shown.frame;
            let is_new = frame != before.shown.frame || clock::now() - start > SETTLED / 3;
            let is_done = is_new && last.replace(frame) == Some(frame);
            Ok(is_done.then_some(()))
        };
        wait::until(self.cancel, start + SETTLED, look)?;
        Ok(())
    }

    pub(super) fn maximize(&self, on: bool) -> Result<()> {
        let is_so = |seen: &Seen| if on { seen.shown.is_maximized } else { !seen.is_partly_maximized };
        self.change_states(on, self.maximized(), is_so)
    }

    fn maximized(&self) -> [Atom; 2] {
        let atoms = &self.windows.atoms;
        [atoms._NET_WM_STATE_MAXIMIZED_VERT, atoms._NET_WM_STATE_MAXIMIZED_HORZ]
    }

    pub(super) fn fullscreen(&self, on: bool) -> Result<()> {
        let monitors = place::monitors(self.x11())?;
        let covers = |seen: &Seen| {
            // The frame: i3 counts the client's own border as one.
            let frame = seen.shown.frame;
            monitors.iter().any(|&monitor| frame.intersection(monitor) == Some(monitor))
        };
        let is_so = |seen: &Seen| seen.shown.is_fullscreen == on && (!on || covers(seen));
        self.change_states(on, [self.windows.atoms._NET_WM_STATE_FULLSCREEN, 0], is_so)
    }

    pub(super) fn above(&self, on: bool) -> Result<()> {
        self.change_states(on, [self.windows.atoms._NET_WM_STATE_ABOVE, 0], |seen| seen.shown.is_above == on)
    }

    pub(super) fn minimize(&self) -> Result<()> {
        self.tell(self.id, self.windows.atoms.WM_CHANGE_STATE, [ICONIC, 0, 0, 0, 0])?;
        if self.wait(deadline(), |_, seen| seen.is_minimized)? {
            return Ok(());
        }
        self.no_effect("the window is still shown; its window manager may not minimise windows")
    }

    pub(super) fn restore(&self, root: &Root) -> Result<()> {
        let (_, seen) = self.see()?;
        if seen.is_minimized {
            self.unminimize(root)?;
        }
        self.leave_big_states(&self.see()?.1)
    }

    fn unminimize(&self, root: &Root) -> Result<()> {
        self.check(self.x11().conn().map_window(self.id))?;
        if self.wait(clock::now() + MAPPED, |_, seen| !seen.is_minimized)? {
            return Ok(());
        }
        let activate = self.windows.atoms._NET_ACTIVE_WINDOW;
        if root.supports(activate) {
            self.tell(self.id, activate, [PAGER, CURRENT_TIME, 0, 0, 0])?;
        }
        if self.wait(deadline(), |_, seen| !seen.is_minimized)? {
            return Ok(());
        }
        self.no_effect("the window is still minimised")
    }

    /// Undoes maximising and fullscreen, which stand in the way of another place or size.
    pub(super) fn leave_big_states(&self, seen: &Seen) -> Result<()> {
        if seen.shown.is_fullscreen {
            self.fullscreen(false)?;
        }
        if self.see()?.1.is_partly_maximized {
            self.maximize(false)?;
        }
        Ok(())
    }

    pub(super) fn send_to_workspace(&self, index: u32) -> Result<()> {
        self.see()?;
        self.tell(self.id, self.windows.atoms._NET_WM_DESKTOP, [index, PAGER, 0, 0, 0])?;
        if self.wait(deadline(), |_, seen| seen.desktop == Some(index))? {
            return Ok(());
        }
        self.no_effect("the window stayed on its workspace")
    }

    pub(super) fn switch_workspace(&self, index: u32) -> Result<()> {
        let root = self.x11().root();
        self.tell(root, self.windows.atoms._NET_CURRENT_DESKTOP, [index, CURRENT_TIME, 0, 0, 0])?;
        let look = || Ok((self.windows.root()?.current_desktop == index).then_some(()));
        match wait::until(self.cancel, deadline(), look)? {
            Some(()) => Ok(()),
            None => self.no_effect("the session stayed on its workspace"),
        }
    }
}

/// When a change that starts now must have been seen.
pub(super) fn deadline() -> Instant {
    clock::now() + wait::LIMIT
}

/// How the manager is called in messages.
pub(super) fn manager_name(root: &Root) -> &str {
    match &root.manager {
        Manager::Nobody => "the display server",
        Manager::Plain => "the window manager",
        Manager::Ewmh(name) => name,
    }
}
