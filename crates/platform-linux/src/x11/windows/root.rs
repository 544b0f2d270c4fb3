//! What the root window says about the session: who manages the windows, which windows there are in which
//! order, and the workspaces (EWMH 1.5, "Root Window Properties"). Read anew for every call, in two round
//! trips: a window manager may be replaced at any time.

use super::Atoms;
use crate::x11::connection::X11;
use crate::x11::text;
use crossmacro_platform::{Error, Result};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, EventMask, GetPropertyReply, Window};

/// Most windows that are looked at; more than any person has, few enough to bound a hostile list.
pub(super) const MOST_WINDOWS: u32 = 16_384;
/// Most workspaces that are believed in.
const MOST_DESKTOPS: u32 = 1_024;
/// Bytes of names that are read, for all workspaces together.
const NAMES: u32 = 64 << 10;

/// Who arranges the windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Manager {
    /// Nobody: requests of clients take effect unchanged.
    Nobody,
    /// Somebody who does not follow EWMH (twm).
    Plain,
    /// Somebody who does, by name.
    Ewmh(String),
}

/// One reading of the root window.
pub(super) struct Root {
    pub(super) manager: Manager,
    supported: Vec<Atom>,
    /// Managed windows, the lowest first. Empty unless the manager follows EWMH.
    pub(super) clients: Vec<Window>,
    /// Workspace names; as many as there are workspaces.
    pub(super) desktops: Vec<String>,
    pub(super) current_desktop: u32,
    /// Work area of the current workspace: x, y, width, height.
    pub(super) work_area: Option<[u32; 4]>,
    /// What the manager calls the active window.
    pub(super) active: Option<Window>,
    /// Where the server sends keys: a window, or 0 (nowhere) or 1 (the window under the pointer).
    pub(super) focus: Window,
}

impl Root {
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`].
    pub(super) fn read(x11: &X11, atoms: &Atoms) -> Result<Self> {
        let (conn, root) = (x11.conn(), x11.root());
        let ask = |atom, kind, longs| conn.get_property(false, root, atom, kind, 0, longs);
        let what = "the root window";
        let attributes = conn.get_window_attributes(root);
        let focus = conn.get_input_focus();
        let asked = [
            ask(atoms._NET_SUPPORTING_WM_CHECK, AtomEnum::WINDOW, 1),
            ask(atoms._NET_SUPPORTED, AtomEnum::ATOM, 1_024),
            ask(atoms._NET_CLIENT_LIST_STACKING, AtomEnum::WINDOW, MOST_WINDOWS),
            ask(atoms._NET_CLIENT_LIST, AtomEnum::WINDOW, MOST_WINDOWS),
            ask(atoms._NET_NUMBER_OF_DESKTOPS, AtomEnum::CARDINAL, 1),
            ask(atoms._NET_DESKTOP_NAMES, AtomEnum::ANY, NAMES / 4),
            ask(atoms._NET_CURRENT_DESKTOP, AtomEnum::CARDINAL, 1),
            ask(atoms._NET_WORKAREA, AtomEnum::CARDINAL, MOST_DESKTOPS * 4),
            ask(atoms._NET_ACTIVE_WINDOW, AtomEnum::WINDOW, 1),
        ];
        let attributes = x11.reply(what, attributes)?;
        let focus = x11.reply(what, focus)?.focus;
        let mut replies = Vec::with_capacity(asked.len());
        for cookie in asked {
            replies.push(x11.reply(what, cookie)?);
        }
        let values: Vec<Vec<u32>> = replies.iter().map(longs).collect();
        let is_redirected = attributes.all_event_masks.contains(EventMask::SUBSTRUCTURE_REDIRECT);
        let manager = match values[0].first() {
            Some(&check) if is_redirected => ewmh(x11, atoms, check)?,
            _ => None,
        };
        let Some(name) = manager else {
            let manager = if is_redirected { Manager::Plain } else { Manager::Nobody };
            return Ok(Self::without_ewmh(manager, focus));
        };
        let clients = if replies[2].type_ == 0 { values[3].clone() } else { values[2].clone() };
        let current_desktop = values[6].first().copied().unwrap_or_default();
        Ok(Self {
            manager: Manager::Ewmh(name),
            supported: values[1].clone(),
            clients,
            desktops: names(values[4].first().copied().unwrap_or_default(), &replies[5].value),
            current_desktop,
            work_area: area(&values[7], current_desktop),
            active: values[8].first().copied().filter(|&window| window != 0),
            focus,
        })
    }

    fn without_ewmh(manager: Manager, focus: Window) -> Self {
        Self {
            manager,
            supported: Vec::new(),
            clients: Vec::new(),
            desktops: Vec::new(),
            current_desktop: 0,
            work_area: None,
            active: None,
            focus,
        }
    }

    /// Whether the manager lists `atom` in `_NET_SUPPORTED`.
    pub(super) fn supports(&self, atom: Atom) -> bool {
        self.supported.contains(&atom)
    }

    /// Whether windows are managed at all.
    pub(super) fn is_managed(&self) -> bool {
        self.manager != Manager::Nobody
    }

    /// Whether the manager follows EWMH.
    pub(super) fn is_ewmh(&self) -> bool {
        matches!(self.manager, Manager::Ewmh(_))
    }

    /// Fails with the reason unless the manager supports all of `names`.
    ///
    /// # Errors
    /// [`Error::Unsupported`]; [`Error::Lost`] and [`Error::Timeout`].
    pub(super) fn require(&self, x11: &X11, what: &'static str, names: &[&str]) -> Result<()> {
        let manager = match &self.manager {
            Manager::Nobody => return Err(Error::Unsupported { what, why: "no window manager runs".into() }),
            Manager::Plain => "the window manager",
            Manager::Ewmh(name) => name,
        };
        for name in names {
            if !self.supports(x11.atom(name)?) {
                return Err(Error::Unsupported { what, why: format!("{manager} does not support {name}") });
            }
        }
        Ok(())
    }
}

/// The values of a property of 32-bit format; none when it has another one.
pub(super) fn longs(reply: &GetPropertyReply) -> Vec<u32> {
    reply.value32().map(Iterator::collect).unwrap_or_default()
}

/// The manager's name, when the window that proves it is really there: the property on the root outlives a
/// manager that crashed.
fn ewmh(x11: &X11, atoms: &Atoms, check: Window) -> Result<Option<String>> {
    let conn = x11.conn();
    let proof = conn.get_property(false, check, atoms._NET_SUPPORTING_WM_CHECK, AtomEnum::WINDOW, 0, 1);
    let name = conn.get_property(false, check, atoms._NET_WM_NAME, AtomEnum::ANY, 0, 64);
    let proof = tolerate(x11.reply("the window manager", proof))?;
    let name = tolerate(x11.reply("the window manager", name))?;
    let is_there = proof.is_some_and(|reply| longs(&reply).first() == Some(&check));
    let name = name.map(|reply| text::decode(text::Encoding::Utf8, &reply.value, reply.bytes_after > 0));
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| "the window manager".into());
    Ok(is_there.then_some(name))
}

/// A refusal is "there is no such thing"; any other error stays one.
pub(super) fn tolerate<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::Refused { .. } | Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// `count` names; a workspace without one is called by its number, counted from 1.
fn names(count: u32, bytes: &[u8]) -> Vec<String> {
    let given: Vec<&[u8]> = bytes.split(|&byte| byte == 0).collect();
    (0..count.min(MOST_DESKTOPS) as usize)
        .map(|index| {
            let given = given.get(index).copied().unwrap_or_default();
            let name = text::decode(text::Encoding::Utf8, given, false);
            if name.is_empty() { (index + 1).to_string() } else { name }
        })
        .collect()
}

fn area(values: &[u32], desktop: u32) -> Option<[u32; 4]> {
    values.as_chunks().0.get(usize::try_from(desktop).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_without_a_name_is_called_by_its_number() {
        assert_eq!(names(3, b"work\0\0"), ["work", "2", "3"]);
        assert_eq!(names(1, b"a\0b\0"), ["a"]);
        assert_eq!(names(u32::MAX, b"").len(), 1_024);
    }

    #[test]
    fn the_work_area_is_that_of_the_desktop() {
        assert_eq!(area(&[1, 2, 3, 4, 5, 6, 7, 8], 1), Some([5, 6, 7, 8]));
        assert_eq!(area(&[1, 2, 3], 0), None);
        assert_eq!(area(&[], u32::MAX), None);
    }
}
