//! The window tree, for sessions whose manager keeps no list: which of its windows are the person's, and
//! around which of them a frame was put. Follows ICCCM 4.1.3.1: a managed window carries `WM_STATE`.

use super::root::{MOST_WINDOWS, Root, tolerate};
use super::{Atoms, Conn};
use crate::x11::connection::X11;
use crossmacro_platform::Result;
use std::collections::{HashMap, HashSet};
use x11rb::cookie::Cookie;
use x11rb::errors::ConnectionError;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, GetGeometryReply, MapState, QueryTreeReply, Window, WindowClass,
};

/// How deep a client may sit below the root (frames in frames in frames).
const DEPTH: usize = 8;
/// How far above a window its top-level window may be.
const ANCESTORS: usize = 64;
/// Requests in flight at once; bounds what their replies take.
const BATCH: usize = 256;

type Reply<'c, R> = std::result::Result<Cookie<'c, Conn, R>, ConnectionError>;

/// All windows of the person's, the lowest first.
pub(super) fn clients(x11: &X11, atoms: &Atoms, root: &Root) -> Result<Vec<Window>> {
    if root.is_ewmh() {
        return Ok(root.clients.clone());
    }
    let mut children = children(x11, &[x11.root()])?.remove(0);
    children.truncate(MOST_WINDOWS as usize);
    if root.is_managed() { managed(x11, atoms, &children) } else { shown(x11, &children) }
}

/// The children of each of `windows`; none for one that vanished.
fn children(x11: &X11, windows: &[Window]) -> Result<Vec<Vec<Window>>> {
    let replies = each(x11, windows, |window| x11.conn().query_tree(window))?;
    Ok(replies.into_iter().map(|reply| reply.map(|tree| tree.children).unwrap_or_default()).collect())
}

/// Asks the same about all `windows`, in batches of one round trip.
fn each<'c, R: x11rb::x11_utils::TryParse>(
    x11: &'c X11,
    windows: &[Window],
    ask: impl Fn(Window) -> Reply<'c, R>,
) -> Result<Vec<Option<R>>> {
    let mut replies = Vec::with_capacity(windows.len());
    for batch in windows.chunks(BATCH) {
        let asked: Vec<_> = batch.iter().map(|&window| ask(window)).collect();
        for cookie in asked {
            replies.push(tolerate(x11.reply("a window", cookie))?);
        }
    }
    Ok(replies)
}

/// Without a manager: what is on the screen and is not a menu or a tooltip.
fn shown(x11: &X11, children: &[Window]) -> Result<Vec<Window>> {
    let replies = each(x11, children, |window| x11.conn().get_window_attributes(window))?;
    let is_shown = |reply: &x11rb::protocol::xproto::GetWindowAttributesReply| {
        reply.map_state == MapState::VIEWABLE
            && !reply.override_redirect
            && reply.class == WindowClass::INPUT_OUTPUT
    };
    let pairs = children.iter().zip(replies);
    Ok(pairs.filter(|(_, reply)| reply.as_ref().is_some_and(is_shown)).map(|(&window, _)| window).collect())
}

/// With a manager that keeps no list: windows with `WM_STATE`, at or below each child of the root.
fn managed(x11: &X11, atoms: &Atoms, children_of_root: &[Window]) -> Result<Vec<Window>> {
    let ask = |window| x11.conn().get_property(false, window, atoms.WM_STATE, AtomEnum::ANY, 0, 1);
    let mut found: Vec<Option<Window>> = vec![None; children_of_root.len()];
    // Window to look at, and the place of its top-level window in the stack.
    let mut level: Vec<(usize, Window)> = children_of_root.iter().copied().enumerate().collect();
    for _ in 0..DEPTH {
        let windows: Vec<Window> = level.iter().map(|&(_, window)| window).collect();
        let states = each(x11, &windows, ask)?;
        for (&(place, window), state) in level.iter().zip(states) {
            if found[place].is_none() && state.is_some_and(|state| state.type_ != 0) {
                found[place] = Some(window);
            }
        }
        level.retain(|&(place, _)| found[place].is_none());
        let parents: Vec<Window> = level.iter().map(|&(_, window)| window).collect();
        let below = children(x11, &parents)?;
        level = level
            .iter()
            .zip(below)
            .flat_map(|(&(place, _), windows)| windows.into_iter().map(move |window| (place, window)))
            .take(MOST_WINDOWS as usize)
            .collect();
        if level.is_empty() {
            break;
        }
    }
    // A window that got its frame while we looked was seen at both places: the later one counts.
    let mut seen = HashSet::new();
    let mut clients: Vec<Window> = found.into_iter().rev().flatten().filter(|&id| seen.insert(id)).collect();
    clients.reverse();
    Ok(clients)
}

/// For each of `windows` the geometry of its top-level window: of its frame where it has one, else its own.
pub(super) fn outermost(x11: &X11, windows: &[Window]) -> Result<HashMap<Window, GetGeometryReply>> {
    let mut top: Vec<Window> = windows.to_vec();
    for _ in 0..DEPTH {
        let trees = each(x11, &top, |window| x11.conn().query_tree(window))?;
        let mut is_done = true;
        for (window, tree) in top.iter_mut().zip(trees) {
            if let Some(parent) = tree.map(|tree| tree.parent)
                && parent != x11.root()
                && parent != x11rb::NONE
            {
                *window = parent;
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    let geometries = each(x11, &top, |window| x11.conn().get_geometry(window))?;
    let pairs = windows.iter().copied().zip(geometries);
    Ok(pairs.filter_map(|(window, geometry)| Some((window, geometry?))).collect())
}

/// The window of `clients` that `window` is or lies in.
pub(super) fn client_around(x11: &X11, clients: &[Window], window: Window) -> Result<Option<Window>> {
    let mut window = window;
    for _ in 0..ANCESTORS {
        if clients.contains(&window) {
            return Ok(Some(window));
        }
        match parent(x11, window)? {
            Some(parent) => window = parent,
            None => return Ok(None),
        }
    }
    Ok(None)
}

fn parent(x11: &X11, window: Window) -> Result<Option<Window>> {
    let tree: Option<QueryTreeReply> = tolerate(x11.reply("a window", x11.conn().query_tree(window)))?;
    Ok(tree.map(|tree| tree.parent).filter(|&parent| parent != x11rb::NONE))
}

/// The window of `clients` under the pointer.
pub(super) fn client_under_pointer(x11: &X11, clients: &[Window]) -> Result<Option<Window>> {
    let mut window = x11.root();
    for _ in 0..DEPTH {
        let reply = tolerate(x11.reply("the pointer", x11.conn().query_pointer(window)))?;
        match reply.map(|reply| reply.child) {
            Some(child) if clients.contains(&child) => return Ok(Some(child)),
            Some(child) if child != x11rb::NONE => window = child,
            _ => return Ok(None),
        }
    }
    Ok(None)
}
