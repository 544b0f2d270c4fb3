//! Monitors through RandR 1.5; without it (or without any monitor) the whole screen is one display.
//!
//! Units: X has one coordinate space, pixels of the root window. Logical units are these pixels, and
//! [`Display::scale`] is always 1, whatever `Xft.dpi` says: that resource tells programs how large to draw
//! their text, and no coordinate of the protocol is multiplied by it.
//!
//! The layout is asked for on every call (one round trip, about 0.1 ms) rather than followed by events, so
//! that it can't be stale. The server answers from memory: `GetMonitors` does not probe the outputs.
//!
//! Source: the RandR protocol, version 1.5.

use super::connection::X11;
use crossmacro_model::{Logical, Rect};
use crossmacro_platform::{Display, Displays, Layout, Result, Slot};
use std::sync::Arc;
use x11rb::protocol::randr::{self, ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::ConnectionExt as _;

/// Name of the display that stands for the whole screen.
const WHOLE: &str = "screen";

pub(super) fn open(x11: &Arc<X11>) -> Slot<dyn Displays> {
    Ok(Arc::new(Monitors::open(x11)))
}

/// Reads the monitors; capture and pointer use it too, each for the bounds of its own requests.
pub(super) struct Monitors {
    x11: Arc<X11>,
    has_randr: bool,
}

/// The monitors, and the root window that they show parts of.
pub(super) struct Desk {
    pub(super) layout: Layout,
    pub(super) root: Rect<Logical>,
}

impl Monitors {
    pub(super) fn open(x11: &Arc<X11>) -> Self {
        // An error here is one of the connection; the first real call meets it again and reports it.
        Self { x11: Arc::clone(x11), has_randr: has_monitors(x11).unwrap_or(false) }
    }

    /// The monitors as they are now, clipped to the root window: nothing can be captured or pointed at
    /// beyond it.
    pub(super) fn read(&self) -> Result<Desk> {
        self.x11.pump()?;
        let conn = self.x11.conn();
        let monitors = self.has_randr.then(|| conn.randr_get_monitors(self.x11.root(), true));
        let geometry = self.x11.reply("the screen size", conn.get_geometry(self.x11.root()))?;
        let root = Rect::new(0, 0, geometry.width.into(), geometry.height.into());
        let monitors = match monitors {
            Some(cookie) => self.x11.reply("the monitors", cookie)?.monitors,
            None => Vec::new(),
        };
        let names = self.x11.atom_names(&monitors.iter().map(|monitor| monitor.name).collect::<Vec<_>>())?;
        Ok(Desk { layout: arrange(&monitors, names, root), root })
    }
}

impl Displays for Monitors {
    fn layout(&self) -> Result<Layout> {
        self.read().map(|desk| desk.layout)
    }

    fn backend(&self) -> &'static str {
        if self.has_randr { "x11-randr" } else { "x11-root" }
    }
}

fn has_monitors(x11: &X11) -> Result<bool> {
    if !x11.has(randr::X11_EXTENSION_NAME)? {
        return Ok(false);
    }
    let version = x11.reply("the version of RandR", x11.conn().randr_query_version(1, 5))?;
    Ok((version.major_version, version.minor_version) >= (1, 5))
}

fn arrange(monitors: &[MonitorInfo], names: Vec<String>, root: Rect<Logical>) -> Layout {
    let mut displays: Vec<_> = monitors
        .iter()
        .zip(names)
        .filter_map(|(monitor, name)| {
            let region =
                Rect::new(monitor.x.into(), monitor.y.into(), monitor.width.into(), monitor.height.into());
            let region = region.intersection(root)?;
            Some(Display { name, region, scale: 1.0, is_primary: monitor.primary })
        })
        .collect();
    if displays.is_empty() {
        // No RandR, or every output is off (a machine without a screen that is used from afar): the root
        // window is still there, takes input and can be captured.
        displays.push(Display { name: WHOLE.into(), region: root, scale: 1.0, is_primary: true });
    }
    displays.sort_by_key(|display| (!display.is_primary, display.region.x, display.region.y));
    for second in displays.iter_mut().skip(1) {
        second.is_primary = false;
    }
    Layout { displays }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monitor(primary: bool, x: i16, y: i16, width: u16, height: u16) -> MonitorInfo {
        MonitorInfo { primary, x, y, width, height, ..MonitorInfo::default() }
    }

    #[test]
    fn the_primary_comes_first_and_is_the_only_one() {
        let monitors =
            [monitor(false, 0, 0, 10, 10), monitor(true, 30, 0, 10, 10), monitor(true, 20, 0, 10, 10)];
        let layout = arrange(&monitors, vec!["a".into(), "b".into(), "c".into()], Rect::new(0, 0, 40, 10));
        let seen: Vec<_> = layout.displays.iter().map(|d| (d.name.as_str(), d.is_primary)).collect();
        assert_eq!(seen, [("c", true), ("b", false), ("a", false)]);
    }

    #[test]
    fn monitors_end_where_the_root_window_ends() {
        let monitors = [
            monitor(true, -5, -5, 20, 20),
            monitor(false, i16::MAX, i16::MIN, u16::MAX, u16::MAX),
            monitor(false, 5, 5, 0, 0),
        ];
        let names = vec!["a".into(), "b".into(), "c".into()];
        let layout = arrange(&monitors, names, Rect::new(0, 0, 100, 100));
        assert_eq!(layout.displays.iter().map(|d| d.region).collect::<Vec<_>>(), [Rect::new(0, 0, 15, 15)]);
    }

    #[test]
    fn without_monitors_the_screen_is_one_display() {
        let layout = arrange(&[], Vec::new(), Rect::new(0, 0, 640, 480));
        assert_eq!(layout.bounds(), Rect::new(0, 0, 640, 480));
        assert!(layout.displays[0].is_primary);
    }
}
