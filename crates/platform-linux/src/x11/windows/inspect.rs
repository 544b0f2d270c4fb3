//! What there is to know about windows: all questions about all of them are sent before the first answer is
//! awaited, so that fifty windows cost two round trips and not six hundred.

use super::root::{Root, longs};
use super::{Atoms, Conn, process, tree};
use crate::x11::connection::X11;
use crate::x11::text::{self, Encoding};
use crossmacro_model::{Logical, Rect};
use crossmacro_platform::{Error, Result, Window as Shown, WindowId};
use x11rb::cookie::Cookie;
use x11rb::errors::ConnectionError;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, GetGeometryReply, GetPropertyReply, GetWindowAttributesReply,
    MapState, TranslateCoordinatesReply, Window,
};

/// Windows asked about at once; bounds what the replies take.
const BATCH: usize = 128;
/// Bytes of a title that are read.
const TITLE: u32 = 4 << 10;
/// Bytes of other texts that are read.
const NAME: u32 = 1 << 10;
/// States of a window that are read.
const STATES: u32 = 64;
/// `WM_STATE` of a minimised window (ICCCM 4.1.3.1).
const ICONIC: u32 = 3;
/// `_NET_WM_DESKTOP` of a window on all workspaces.
pub(super) const ALL_DESKTOPS: u32 = u32::MAX;

/// A window as the API shows it, and what only this back end needs to know about it.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) shown: Shown,
    /// Minimised by the person or a program; a window on another workspace is not.
    pub(super) is_minimized: bool,
    /// Maximised in one direction at least.
    pub(super) is_partly_maximized: bool,
    /// On the screen, if nothing covers it.
    pub(super) is_viewable: bool,
    /// Index of its workspace; [`ALL_DESKTOPS`] for all.
    pub(super) desktop: Option<u32>,
}

/// The windows of `ids` that exist, in that order. `focused` is the one that has the focus.
///
/// # Errors
/// [`Error::Lost`] and [`Error::Timeout`].
pub(super) fn inspect(
    x11: &X11,
    atoms: &Atoms,
    root: &Root,
    focused: Option<Window>,
    ids: &[Window],
) -> Result<Vec<Seen>> {
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let asked: Vec<_> = batch.iter().map(|&id| Asked::send(x11, atoms, id)).collect();
        let pids = process::ask(x11, batch);
        let mut told = Vec::with_capacity(batch.len());
        for (&id, asked) in batch.iter().zip(asked) {
            if let Some(answer) = asked.collect(x11)? {
                told.push((id, answer));
            }
        }
        let pids = process::answer(pids);
        // Extents are believed only from a manager that is there to keep them true.
        let unframed = told.iter().filter(|(_, told)| !root.is_ewmh() || told.extents.is_none());
        let unframed: Vec<Window> = unframed.map(|&(id, _)| id).collect();
        let frames = tree::outermost(x11, &unframed)?;
        all.extend(told.into_iter().map(|(id, told)| {
            let known = pids.get(&process::client_of(x11, id)).copied();
            let is_focused = focused == Some(id);
            told.into_seen(id, atoms, root, is_focused, known, frames.get(&id))
        }));
    }
    Ok(all)
}

type Reply<'c, R> = std::result::Result<Cookie<'c, Conn, R>, ConnectionError>;

/// The questions about one window.
struct Asked<'c> {
    properties: Vec<Reply<'c, GetPropertyReply>>,
    geometry: Reply<'c, GetGeometryReply>,
    origin: Reply<'c, TranslateCoordinatesReply>,
    attributes: Reply<'c, GetWindowAttributesReply>,
}

impl<'c> Asked<'c> {
    fn send(x11: &'c X11, atoms: &Atoms, id: Window) -> Self {
        let conn = x11.conn();
        let ask = |atom: Atom, kind: Atom, longs| conn.get_property(false, id, atom, kind, 0, longs);
        let [any, window_text] = [AtomEnum::ANY, AtomEnum::WM_NAME].map(Atom::from);
        let [cardinal, atom] = [AtomEnum::CARDINAL, AtomEnum::ATOM].map(Atom::from);
        Self {
            // In the order in which `Told::from_properties` takes them.
            properties: vec![
                ask(atoms._NET_WM_NAME, any, TITLE / 4),
                ask(window_text, any, TITLE / 4),
                ask(AtomEnum::WM_CLASS.into(), any, NAME / 4),
                ask(AtomEnum::WM_CLIENT_MACHINE.into(), any, NAME / 4),
                ask(atoms._NET_WM_PID, cardinal, 1),
                ask(atoms._NET_WM_DESKTOP, cardinal, 1),
                ask(atoms._NET_WM_STATE, atom, STATES),
                ask(atoms.WM_STATE, any, 1),
                ask(atoms._NET_FRAME_EXTENTS, cardinal, 4),
                ask(atoms._GTK_FRAME_EXTENTS, cardinal, 4),
            ],
            geometry: conn.get_geometry(id),
            origin: conn.translate_coordinates(id, x11.root(), 0, 0),
            attributes: conn.get_window_attributes(id),
        }
    }

    /// Waits for every answer, even after one failed: an answer nobody takes would stay in the queue.
    fn collect(self, x11: &X11) -> Result<Option<Told>> {
        let what = "a window";
        let properties: Vec<_> = self.properties.into_iter().map(|cookie| x11.reply(what, cookie)).collect();
        let geometry = x11.reply(what, self.geometry);
        let origin = x11.reply(what, self.origin);
        let attributes = x11.reply(what, self.attributes);
        let told = properties.into_iter().collect::<Result<Vec<_>>>().and_then(|properties| {
            Ok(Told::from_properties(x11, &properties, geometry?, origin?, attributes?))
        });
        match told {
            Ok(told) => Ok(Some(told?)),
            // The window vanished between two questions.
            Err(Error::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The answers about one window.
struct Told {
    title: String,
    class: String,
    machine: String,
    pid: Option<u32>,
    desktop: Option<u32>,
    states: Vec<Atom>,
    wm_state: Option<u32>,
    /// Width of the frame: left, right, top, bottom.
    extents: Option<[u32; 4]>,
    /// Invisible margin (shadow) that a client which draws its own frame has around it, likewise.
    margin: Option<[u32; 4]>,
    geometry: GetGeometryReply,
    origin: TranslateCoordinatesReply,
    is_viewable: bool,
}

impl Told {
    fn from_properties(
        x11: &X11,
        properties: &[GetPropertyReply],
        geometry: GetGeometryReply,
        origin: TranslateCoordinatesReply,
        attributes: GetWindowAttributesReply,
    ) -> Result<Self> {
        let [name, legacy_name, class, machine, pid, desktop, states, wm_state, extents, margin] = properties
        else {
            return Err(Error::Malformed { what: "a window", why: "answers are missing".into() });
        };
        let first = |reply| longs(reply).first().copied();
        let title = text_of(x11, name)?;
        Ok(Self {
            title: if title.is_empty() { text_of(x11, legacy_name)? } else { title },
            class: class_of(&text_of(x11, class)?),
            machine: text_of(x11, machine)?,
            pid: first(pid),
            desktop: first(desktop),
            states: longs(states),
            wm_state: first(wm_state),
            extents: longs(extents).try_into().ok(),
            margin: longs(margin).try_into().ok(),
            geometry,
            origin,
            is_viewable: attributes.map_state == MapState::VIEWABLE,
        })
    }

    fn into_seen(
        self,
        id: Window,
        atoms: &Atoms,
        root: &Root,
        is_focused: bool,
        known_pid: Option<u32>,
        top: Option<&GetGeometryReply>,
    ) -> Seen {
        // Without a manager nobody keeps the states true.
        let has = |atom| root.is_ewmh() && self.states.contains(&atom);
        let (tall, wide) = (has(atoms._NET_WM_STATE_MAXIMIZED_VERT), has(atoms._NET_WM_STATE_MAXIMIZED_HORZ));
        let is_iconic = root.is_managed() && self.wm_state == Some(ICONIC);
        let is_minimized = match root.supports(atoms._NET_WM_STATE_HIDDEN) {
            true => has(atoms._NET_WM_STATE_HIDDEN),
            false => is_iconic,
        };
        let desktop = self.desktop.filter(|_| root.is_ewmh());
        let is_sticky = has(atoms._NET_WM_STATE_STICKY) || desktop == Some(ALL_DESKTOPS);
        let pid = process::pid(&self.machine, self.pid, known_pid);
        let (client, frame) = (self.client(), self.frame(root, top));
        let shown = Shown {
            id: WindowId(id.into()),
            pid,
            process_name: pid.and_then(process::name),
            workspace: workspace(root, desktop, is_sticky),
            is_focused,
            is_fullscreen: has(atoms._NET_WM_STATE_FULLSCREEN),
            is_maximized: tall && wide,
            is_above: has(atoms._NET_WM_STATE_ABOVE),
            is_sticky,
            is_hidden: is_minimized || !self.is_viewable,
            client,
            frame,
            title: self.title,
            class: self.class,
        };
        let is_viewable = self.is_viewable;
        Seen { shown, is_minimized, is_partly_maximized: tall || wide, is_viewable, desktop }
    }

    fn client(&self) -> Rect<Logical> {
        let (x, y) = (self.origin.dst_x.into(), self.origin.dst_y.into());
        Rect::new(x, y, self.geometry.width.into(), self.geometry.height.into())
    }

    fn frame(&self, root: &Root, top: Option<&GetGeometryReply>) -> Rect<Logical> {
        let client = self.client();
        let grown = match self.extents.filter(|_| root.is_ewmh()) {
            Some(extents) => grow(client, extents, 1),
            None => top.map_or(client, outer),
        };
        // A client that draws its own frame counts its shadow into its window.
        let margin = self.margin.filter(|_| root.is_ewmh() && grown == client);
        margin.map_or(grown, |margin| grow(client, margin, -1))
    }
}

/// The whole of a top-level window, with its border.
fn outer(geometry: &GetGeometryReply) -> Rect<Logical> {
    let border = 2 * u32::from(geometry.border_width);
    let (x, y) = (geometry.x.into(), geometry.y.into());
    Rect::new(x, y, border + u32::from(geometry.width), border + u32::from(geometry.height))
}

/// `rect` grown (`sign` 1) or shrunk (-1) by left, right, top and bottom widths. Widths nobody would give a
/// frame are a hostile property, and change nothing.
fn grow(rect: Rect<Logical>, widths: [u32; 4], sign: i32) -> Rect<Logical> {
    const WIDEST: u32 = 1_000;
    let Ok([left, right, top, bottom]) = <[i32; 4]>::try_from(
        widths
            .iter()
            .filter(|&&width| width <= WIDEST)
            .map(|&width| width.cast_signed() * sign)
            .collect::<Vec<_>>(),
    ) else {
        return rect;
    };
    let width = rect.width.saturating_add_signed(left + right);
    let height = rect.height.saturating_add_signed(top + bottom);
    Rect::new(rect.x - left, rect.y - top, width, height)
}

fn workspace(root: &Root, desktop: Option<u32>, is_sticky: bool) -> Option<String> {
    let index = if is_sticky { root.current_desktop } else { desktop? };
    root.desktops.get(usize::try_from(index).ok()?).cloned()
}

/// The second of the two names in `WM_CLASS`, the class; the first where there is no second.
fn class_of(names: &str) -> String {
    let mut names = names.split('\0');
    let instance = names.next().unwrap_or_default();
    names.next().unwrap_or(instance).to_owned()
}

fn text_of(x11: &X11, reply: &GetPropertyReply) -> Result<String> {
    let encoding = match reply.type_ {
        kind if kind == Atom::from(AtomEnum::STRING) => Encoding::Latin1,
        kind if kind == x11.atom("UTF8_STRING")? => Encoding::Utf8,
        kind if kind == x11.atom("COMPOUND_TEXT")? => Encoding::Compound,
        _ => Encoding::Unknown,
    };
    if reply.format != 8 {
        return Ok(String::new());
    }
    let text = text::decode(encoding, &reply.value, reply.bytes_after > 0);
    // Some programs count the zero byte at the end of a C string.
    Ok(text.trim_end_matches('\0').to_owned())
}

/// One window, which must be there.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Lost`] and [`Error::Timeout`].
pub(super) fn only(mut seen: Vec<Seen>) -> Result<Seen> {
    seen.pop().ok_or(Error::NotFound { what: "the window" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_is_the_second_name() {
        assert_eq!(class_of("xterm\0XTerm"), "XTerm");
        assert_eq!(class_of("only"), "only");
        assert_eq!(class_of(""), "");
    }

    #[test]
    fn absurd_frame_widths_change_nothing() {
        let rect = Rect::new(10, 20, 100, 50);
        assert_eq!(grow(rect, [1, 2, 20, 4], 1), Rect::new(9, 0, 103, 74));
        assert_eq!(grow(rect, [1, 2, 3, 4], -1), Rect::new(11, 23, 97, 43));
        assert_eq!(grow(rect, [u32::MAX, 0, 0, 0], 1), rect);
    }
}
