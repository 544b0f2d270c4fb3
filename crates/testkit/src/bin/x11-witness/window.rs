//! The window: hints, pixels, and how it stands.

use crate::Result;
use crate::client::Client;
use crate::report::report;
use crossmacro_platform::kit::Pattern;
use serde_json::{Value, json};
use x11rb::connection::Connection;
use x11rb::properties::{WmSizeHints, WmSizeHintsSpecification};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConfigureNotifyEvent, ConnectionExt as _, CreateGCAux,
    CreateWindowAux, EventMask, Gravity, ImageFormat, ImageOrder, InputFocus, MapState, PropMode,
    PropertyNotifyEvent, Visualtype, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

/// Bytes of pixels in one request; every server takes 256 KiB.
const CHUNK: usize = 128 << 10;

/// What is painted, and how large.
pub(crate) struct Picture {
    pub(crate) pattern: Pattern,
    size: (u16, u16),
}

impl Default for Picture {
    fn default() -> Self {
        Self { pattern: Pattern::Grid, size: (0, 0) }
    }
}

impl Client {
    pub(crate) fn create_window(&mut self) -> Result<()> {
        // The server gives the next client the ids of one that left. A window manager that is behind would then
        // carry out on this window what it still has to do with the last (seen with openbox: the window was
        // moved to the other's place and unmapped). Each witness begins at an id of its own.
        for _ in 0..std::process::id() % 4096 {
            self.conn.generate_id()?;
        }
        let window = self.conn.generate_id()?;
        let (x, y) = self.options.at.unwrap_or_default();
        let (width, height) = self.options.size;
        let events = EventMask::KEY_PRESS
            | EventMask::KEY_RELEASE
            | EventMask::BUTTON_PRESS
            | EventMask::BUTTON_RELEASE
            | EventMask::POINTER_MOTION
            | EventMask::FOCUS_CHANGE
            | EventMask::STRUCTURE_NOTIFY
            | EventMask::EXPOSURE
            | EventMask::PROPERTY_CHANGE;
        let aux = CreateWindowAux::new()
            .event_mask(events)
            .override_redirect(u32::from(self.options.override_redirect));
        let (x, y) = (i16::try_from(x)?, i16::try_from(y)?);
        let root = self.screen.root;
        let class = WindowClass::INPUT_OUTPUT;
        self.conn.create_window(0, window, root, x, y, width, height, 0, class, 0, &aux)?;
        self.window = Some(window);
        self.set_hints(window)?;
        self.picture = Picture { pattern: self.options.pattern, size: (width, height) };
        self.paint()
    }

    fn set_hints(&self, window: Window) -> Result<()> {
        let title = self.options.title.clone();
        self.set_title(window, &title)?;
        let class = &self.options.class;
        let class = [b"witness\0", class.as_bytes(), b"\0"].concat();
        self.bytes(window, AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into(), &class)?;
        let host = rustix::system::uname().nodename().to_bytes().to_vec();
        self.bytes(window, self.atoms.WM_CLIENT_MACHINE, AtomEnum::STRING.into(), &host)?;
        let pid = [std::process::id()];
        let (atoms, replace) = (&self.atoms, PropMode::REPLACE);
        self.conn.change_property32(replace, window, atoms._NET_WM_PID, AtomEnum::CARDINAL, &pid)?;
        let mut protocols = Vec::new();
        protocols.extend((!self.options.no_delete).then_some(atoms.WM_DELETE_WINDOW));
        protocols.extend(self.options.ping.then_some(atoms._NET_WM_PING));
        self.conn.change_property32(replace, window, atoms.WM_PROTOCOLS, AtomEnum::ATOM, &protocols)?;
        self.set_size_hints(window)
    }

    fn set_size_hints(&self, window: Window) -> Result<()> {
        let user = WmSizeHintsSpecification::UserSpecified;
        let (width, height) = self.options.size;
        let hints = WmSizeHints {
            position: self.options.at.map(|(x, y)| (user, x, y)),
            size: Some((user, width.into(), height.into())),
            min_size: self.options.min,
            max_size: self.options.max,
            size_increment: self.options.increment,
            base_size: self.options.increment.map(|_| (0, 0)),
            // The content, not the frame, goes where the flags say.
            win_gravity: Some(Gravity::STATIC),
            ..WmSizeHints::default()
        };
        hints.set_normal_hints(&self.conn, window)?;
        Ok(())
    }

    pub(crate) fn set_title(&self, window: Window, title: &str) -> Result<()> {
        self.bytes(window, self.atoms._NET_WM_NAME, self.atoms.UTF8_STRING, title.as_bytes())?;
        self.bytes(window, AtomEnum::WM_NAME.into(), self.atoms.UTF8_STRING, title.as_bytes())
    }

    pub(crate) fn bytes(&self, window: Window, property: u32, of: u32, bytes: &[u8]) -> Result<()> {
        self.conn.change_property8(PropMode::REPLACE, window, property, of, bytes)?;
        Ok(())
    }

    pub(crate) fn map(&self) -> Result<()> {
        if let Some(window) = self.window {
            self.conn.map_window(window)?;
        }
        Ok(())
    }

    pub(crate) fn destroy(&mut self) -> Result<()> {
        if let Some(window) = self.window {
            self.conn.destroy_window(window)?;
        }
        Ok(())
    }

    /// Gives the window a background that the server itself repaints: what is uncovered is right at once.
    pub(crate) fn paint(&self) -> Result<()> {
        let Some(window) = self.window else { return Ok(()) };
        let (width, height) = self.picture.size;
        let depth = self.screen.root_depth;
        let (pixmap, gc) = (self.conn.generate_id()?, self.conn.generate_id()?);
        self.conn.create_pixmap(depth, pixmap, window, width, height)?;
        self.conn.create_gc(gc, pixmap, &CreateGCAux::new())?;
        let (bytes, row) = self.pixels()?;
        let rows = (CHUNK / row).max(1);
        for (index, chunk) in bytes.chunks(rows * row).enumerate() {
            let y = i16::try_from(index * rows)?;
            let height = u16::try_from(chunk.len() / row)?;
            self.conn.put_image(ImageFormat::Z_PIXMAP, pixmap, gc, width, height, 0, y, 0, depth, chunk)?;
        }
        let background = ChangeWindowAttributesAux::new().background_pixmap(pixmap);
        self.conn.change_window_attributes(window, &background)?;
        self.conn.clear_area(false, window, 0, 0, 0, 0)?;
        self.conn.free_gc(gc)?;
        self.conn.free_pixmap(pixmap)?;
        Ok(())
    }

    /// The picture in the server's own format, and the bytes in a row.
    fn pixels(&self) -> Result<(Vec<u8>, usize)> {
        let setup = self.conn.setup();
        let depth = self.screen.root_depth;
        let format = setup.pixmap_formats.iter().find(|format| format.depth == depth);
        let format = format.ok_or("the root's depth has no format")?;
        let bytes_per_pixel = usize::from(format.bits_per_pixel / 8);
        let pad = usize::from(format.scanline_pad / 8);
        let (width, height) = self.picture.size;
        let row = (usize::from(width) * bytes_per_pixel).next_multiple_of(pad);
        let visual = self.visual()?;
        let mut bytes = vec![0; row * usize::from(height)];
        for y in 0..height {
            for x in 0..width {
                let pixel = pixel(&visual, self.picture.pattern.rgb(x.into(), y.into()));
                let start = usize::from(y) * row + usize::from(x) * bytes_per_pixel;
                let target = &mut bytes[start..start + bytes_per_pixel];
                if setup.image_byte_order == ImageOrder::LSB_FIRST {
                    target.copy_from_slice(&pixel.to_le_bytes()[..bytes_per_pixel]);
                } else {
                    target.copy_from_slice(&pixel.to_be_bytes()[4 - bytes_per_pixel..]);
                }
            }
        }
        Ok((bytes, row))
    }

    fn visual(&self) -> Result<Visualtype> {
        let mut visuals = self.screen.allowed_depths.iter().flat_map(|depth| &depth.visuals);
        let visual = visuals.find(|visual| visual.visual_id == self.screen.root_visual);
        Ok(*visual.ok_or("the root has no visual")?)
    }

    pub(crate) fn configured(&mut self, event: &ConfigureNotifyEvent) -> Result<()> {
        if (event.width, event.height) != self.picture.size {
            self.picture.size = (event.width, event.height);
            self.paint()?;
        }
        let content = self.content()?;
        report("configure", json!({ "content": content }))
    }

    pub(crate) fn property(&mut self, event: &PropertyNotifyEvent) -> Result<()> {
        if Some(event.window) != self.window {
            return self.selection_property(event);
        }
        if event.atom == self.atoms._NET_WM_STATE || event.atom == self.atoms.WM_STATE {
            return report("states", self.state()?);
        }
        Ok(())
    }

    /// Where the content is on the root window: x, y, width, height.
    pub(crate) fn content(&self) -> Result<Option<[i32; 4]>> {
        let Some(window) = self.window else { return Ok(None) };
        let geometry = self.conn.get_geometry(window)?;
        let place = self.conn.translate_coordinates(window, self.screen.root, 0, 0)?;
        // The window may have been destroyed by somebody else meanwhile.
        let (Ok(geometry), Ok(place)) = (geometry.reply(), place.reply()) else { return Ok(None) };
        let content = [place.dst_x.into(), place.dst_y.into(), geometry.width.into(), geometry.height.into()];
        Ok(Some(content))
    }

    /// How the window stands, by the server and by the window manager.
    pub(crate) fn state(&self) -> Result<Value> {
        let Some(window) = self.window else { return Ok(json!({ "exists": false })) };
        let attributes = self.conn.get_window_attributes(window)?;
        let focus = self.conn.get_input_focus()?;
        let net = self.conn.get_property(false, window, self.atoms._NET_WM_STATE, AtomEnum::ATOM, 0, 64)?;
        let wm = self.conn.get_property(false, window, self.atoms.WM_STATE, self.atoms.WM_STATE, 0, 1)?;
        let Ok(attributes) = attributes.reply() else { return Ok(json!({ "exists": false })) };
        let focus = focus.reply()?.focus;
        let mut names = Vec::new();
        if let Ok(net) = net.reply() {
            for atom in net.value32().into_iter().flatten() {
                let name = self.conn.get_atom_name(atom)?.reply()?.name;
                names.push(String::from_utf8_lossy(&name).into_owned());
            }
        }
        let wm = wm.reply().ok().and_then(|wm| wm.value32()?.next());
        let is_visible = attributes.map_state == MapState::VIEWABLE;
        Ok(json!({ "exists": true, "visible": is_visible, "focused": focus == window, "net": names, "wm": wm,
                   "content": self.content()? }))
    }

    pub(crate) fn focus_self(&self) -> Result<()> {
        if let Some(window) = self.window {
            self.conn.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)?;
        }
        Ok(())
    }
}

/// A colour as a pixel of `visual`.
fn pixel(visual: &Visualtype, [red, green, blue]: [u8; 3]) -> u32 {
    let channel = |mask: u32, value: u8| {
        let bits = mask.count_ones();
        // Eight bits widened by repeating them, then cut to the channel's width.
        let wide = u32::from(value) << 8 | u32::from(value);
        (wide >> (16 - bits.min(16))) << mask.trailing_zeros().min(31) & mask
    };
    channel(visual.red_mask, red) | channel(visual.green_mask, green) | channel(visual.blue_mask, blue)
}
