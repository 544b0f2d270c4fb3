//! Windows and workspaces through EWMH 1.5 and ICCCM 2.0, and as far as the core protocol goes where no
//! window manager runs. Coordinates are pixels of the root window, which are the logical units of an X11
//! session.
//!
//! It polls rather than selecting events: a change is awaited for two seconds at most, and the shared
//! connection keeps its rule that nobody selects events on it.

mod act;
mod inspect;
mod place;
mod process;
mod root;
mod tree;
mod wait;

use super::connection::{TimedStream, X11};
use act::Act;
use crossmacro_platform::{
    Cancel, Change, Error, Result, Slot, Unavailable, Window, WindowId, WindowSupport, Windows,
};
use inspect::{Seen, inspect, only};
use root::{Manager, Root};
use std::sync::Arc;
use x11rb::rust_connection::RustConnection;

pub(super) type Conn = RustConnection<TimedStream>;

x11rb::atom_manager! {
    /// The atoms of this facet, interned once a connection.
    pub(super) Atoms: AtomsCookie {
        WM_STATE, WM_CHANGE_STATE, WM_PROTOCOLS, WM_DELETE_WINDOW, WM_TAKE_FOCUS,
        _NET_SUPPORTED, _NET_SUPPORTING_WM_CHECK, _NET_CLIENT_LIST, _NET_CLIENT_LIST_STACKING,
        _NET_NUMBER_OF_DESKTOPS, _NET_DESKTOP_NAMES, _NET_CURRENT_DESKTOP, _NET_WORKAREA,
        _NET_ACTIVE_WINDOW, _NET_CLOSE_WINDOW, _NET_MOVERESIZE_WINDOW,
        _NET_WM_NAME, _NET_WM_PID, _NET_WM_DESKTOP, _NET_FRAME_EXTENTS, _GTK_FRAME_EXTENTS,
        _NET_WM_STATE, _NET_WM_STATE_MAXIMIZED_VERT, _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_FULLSCREEN, _NET_WM_STATE_ABOVE, _NET_WM_STATE_STICKY, _NET_WM_STATE_HIDDEN,
    }
}

/// The windows of one X server.
struct EwmhWindows {
    x11: Arc<X11>,
    atoms: Atoms,
}

pub(super) fn open(x11: &Arc<X11>) -> Slot<dyn Windows> {
    let unavailable = |error: Error| Unavailable::new("windows", "x11-ewmh", error.to_string());
    let atoms = Atoms::new(x11.conn())
        .map_err(x11rb::errors::ReplyError::from)
        .and_then(AtomsCookie::reply)
        .map_err(|error| unavailable(x11.fault("the names of its properties", error)))?;
    Ok(Arc::new(EwmhWindows { x11: Arc::clone(x11), atoms }))
}

impl EwmhWindows {
    fn root(&self) -> Result<Root> {
        Root::read(&self.x11, &self.atoms)
    }

    /// The focused one of `clients`.
    fn focused(&self, root: &Root, clients: &[u32]) -> Result<Option<u32>> {
        if root.is_ewmh() && root.supports(self.atoms._NET_ACTIVE_WINDOW) {
            return Ok(root.active.filter(|active| clients.contains(active)));
        }
        match root.focus {
            0 => Ok(None),
            1 => tree::client_under_pointer(&self.x11, clients),
            window => tree::client_around(&self.x11, clients, window),
        }
    }

    fn clients(&self, root: &Root) -> Result<Vec<u32>> {
        tree::clients(&self.x11, &self.atoms, root)
    }

    fn see_all(&self) -> Result<Vec<Seen>> {
        let root = self.root()?;
        let clients = self.clients(&root)?;
        let focused = self.focused(&root, &clients)?;
        inspect(&self.x11, &self.atoms, &root, focused, &clients)
    }

    /// The session and one window in it, both as they are now.
    fn see(&self, id: u32) -> Result<(Root, Seen)> {
        let root = self.root()?;
        let clients = self.clients(&root)?;
        if !clients.contains(&id) {
            return Err(Error::NotFound { what: "the window" });
        }
        let focused = self.focused(&root, &clients)?;
        let seen = only(inspect(&self.x11, &self.atoms, &root, focused, &[id])?)?;
        Ok((root, seen))
    }

    fn act<'a>(&'a self, id: WindowId, what: &'static str, cancel: &'a Cancel) -> Result<Act<'a>> {
        Ok(Act { windows: self, id: xid(id)?, what, cancel })
    }
}

/// The protocol's name of a window.
fn xid(id: WindowId) -> Result<u32> {
    u32::try_from(id.0).map_err(|_| Error::NotFound { what: "the window" })
}

impl Windows for EwmhWindows {
    fn list(&self) -> Result<Vec<Window>> {
        Ok(self.see_all()?.into_iter().map(|seen| seen.shown).collect())
    }

    fn get(&self, id: WindowId) -> Result<Window> {
        Ok(self.see(xid(id)?)?.1.shown)
    }

    fn active(&self) -> Result<Option<WindowId>> {
        let root = self.root()?;
        let clients = self.clients(&root)?;
        Ok(self.focused(&root, &clients)?.map(|window| WindowId(window.into())))
    }

    fn change(&self, id: WindowId, change: Change, cancel: &Cancel) -> Result<()> {
        let act = self.act(id, change.name(), cancel)?;
        let (root, seen) = self.see(act.id)?;
        act.require(&root, change)?;
        match change {
            Change::Focus => act.focus(&root, &seen),
            Change::Close => act.close(&root),
            Change::Move(to) => act.move_to(&root, to),
            Change::Resize(to) => act.resize(&root, to),
            Change::Center => act.center(&root),
            Change::Maximize(on) => act.maximize(on),
            Change::Minimize => act.minimize(),
            Change::Restore => act.restore(&root),
            Change::Fullscreen(on) => act.fullscreen(on),
            Change::Above(on) => act.above(on),
        }
    }

    fn workspaces(&self) -> Result<(Vec<String>, usize)> {
        let root = self.root()?;
        let current = usize::try_from(root.current_desktop).unwrap_or_default();
        let last = root.desktops.len().saturating_sub(1);
        Ok((root.desktops, current.min(last)))
    }

    fn to_workspace(&self, window: Option<WindowId>, index: usize, cancel: &Cancel) -> Result<()> {
        const SWITCH: &str = "switching the workspace";
        const SEND: &str = "sending the window to a workspace";
        let what = if window.is_some() { SEND } else { SWITCH };
        let act = self.act(window.unwrap_or(WindowId(0)), what, cancel)?;
        let root = self.root()?;
        let needed = if window.is_some() { "_NET_WM_DESKTOP" } else { "_NET_CURRENT_DESKTOP" };
        root.require(&self.x11, what, &[needed])?;
        if index >= root.desktops.len() {
            return Err(Error::NotFound { what: "the workspace" });
        }
        let index = u32::try_from(index).map_err(|_| Error::NotFound { what: "the workspace" })?;
        if window.is_some() { act.send_to_workspace(index) } else { act.switch_workspace(index) }
    }

    fn support(&self) -> Result<WindowSupport> {
        let root = self.root()?;
        let manager = match &root.manager {
            Manager::Nobody => None,
            Manager::Plain => Some("a window manager without EWMH".to_owned()),
            Manager::Ewmh(name) => Some(name.clone()),
        };
        Ok(WindowSupport { manager, missing: act::missing(&self.x11, &root)? })
    }

    fn backend(&self) -> &'static str {
        "x11-ewmh"
    }
}
