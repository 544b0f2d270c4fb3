//! Screen capture: the pixels of the root window, through shared memory where the server offers it, else in
//! bands through the connection.
//!
//! A capture is two round trips: the monitors and the size of the screen, then the pixels of the region, and
//! only of the region. Units: one pixel is one logical unit (see `displays`).
//!
//! Source: the MIT-SHM protocol, version 1.2, and the core protocol's `GetImage`.

use super::connection::X11;
use super::cursor;
use super::displays::Monitors;
use super::pixels::Format;
use super::shm::{self, Pool};
use super::watch;
use crossmacro_model::frame::Pixels;
use crossmacro_model::{Frame, Logical, Physical, Rect, Size};
use crossmacro_platform::polling::Polling;
use crossmacro_platform::{Capture, CaptureRequest, Error, Layout, Result, Slot, Unavailable, Watch};
use std::sync::Arc;
use x11rb::protocol::shm::ConnectionExt as _;
use x11rb::protocol::xfixes::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat};

/// Bytes of one `GetImage` reply at most: the server and we hold each band in memory once more.
const BAND: usize = 4 << 20;

const PICTURE: &str = "a picture of the screen";

pub(super) fn open(x11: &Arc<X11>) -> Slot<dyn Capture> {
    let format = Format::of(x11).map_err(|why| {
        Unavailable::new("capture", "x11", why).remedy("use a screen of 8, 15, 16, 24 or 30 bits")
    })?;
    Ok(Arc::new(Eye(Arc::new(Screen {
        x11: Arc::clone(x11),
        monitors: Monitors::open(x11),
        pool: pool(x11, &format),
        format,
        has_cursor: cursor::is_offered(x11).unwrap_or(false),
    }))))
}

/// Shared memory, if the server not only offers it but also takes it: a container, a sandbox or a relayed
/// socket may stand in between.
fn pool(x11: &Arc<X11>, format: &Format) -> Option<Arc<Pool>> {
    if !shm::is_offered(x11).unwrap_or(false) {
        return None;
    }
    let (pool, screen) = (Pool::new(x11), x11.screen());
    let whole = format.stride(screen.width_in_pixels.into()) * usize::from(screen.height_in_pixels);
    match pool.lend(1, whole) {
        Ok(_lent) => Some(pool),
        Err(error) => {
            tracing::debug!(%error, "no shared memory with the X server: captures go through the connection");
            None
        }
    }
}

struct Screen {
    x11: Arc<X11>,
    monitors: Monitors,
    format: Format,
    pool: Option<Arc<Pool>>,
    has_cursor: bool,
}

/// The facet: a screen that watches can share.
struct Eye(Arc<Screen>);

impl Capture for Eye {
    fn capture(&self, request: CaptureRequest) -> Result<Frame> {
        self.0.capture(request)
    }

    fn watch(&self, region: Rect<Logical>) -> Result<Box<dyn Watch>> {
        let region = visible(Some(region), &self.0.monitors.read()?.layout)?;
        match watch::open(&self.0.x11, region)? {
            Some(watch) => Ok(watch),
            None => Ok(Box::new(Polling::new(Arc::new(Self(Arc::clone(&self.0))), region)?)),
        }
    }

    fn backend(&self) -> &'static str {
        if self.0.pool.is_some() { "x11-shm" } else { "x11-getimage" }
    }
}

impl Screen {
    fn capture(&self, request: CaptureRequest) -> Result<Frame> {
        if request.include_cursor && !self.has_cursor {
            let why = "the X server lacks the XFIXES extension".into();
            return Err(Error::Unsupported { what: "painting the pointer into the picture", why });
        }
        match self.attempt(request) {
            // The screen may have become smaller between the two round trips.
            Err(Error::Refused { .. }) => self.attempt(request),
            other => other,
        }
    }

    fn attempt(&self, request: CaptureRequest) -> Result<Frame> {
        let desk = self.monitors.read()?;
        let region = visible(request.region, &desk.layout)?;
        let conn = self.x11.conn();
        let cursor = request.include_cursor.then(|| conn.xfixes_get_cursor_image());
        let (stride, pixels) = self.grab(region, desk.root)?;
        let size = Size::<Physical>::new(region.width, region.height);
        let mut frame = Frame::new(region, size, stride, pixels)
            .map_err(|shape| Error::Malformed { what: PICTURE, why: shape.to_string() })?;
        if let Some(cookie) = cursor {
            cursor::paint(&mut frame, &self.x11.reply("the picture of the pointer", cookie)?)?;
        }
        Ok(frame.with_voids(voids(region, &desk.layout)))
    }

    /// The pixels of `region`, and the length of their rows.
    fn grab(&self, region: Rect<Logical>, root: Rect<Logical>) -> Result<(usize, Box<dyn Pixels>)> {
        let area = Area::new(region, root)?;
        let palette = self.format.palette(&self.x11)?;
        let image = match &self.pool {
            Some(pool) => self.shared(pool, &area, root)?,
            None => Box::new(self.bands(&area)?),
        };
        let stride = self.format.stride(region.width);
        if self.format.is_native() {
            return Ok((stride, image));
        }
        let converted = self.format.convert(image.bytes(), region.width, &palette);
        Ok((region.width as usize * crossmacro_model::frame::BYTES_PER_PIXEL, Box::new(converted)))
    }

    fn shared(&self, pool: &Arc<Pool>, area: &Area, root: Rect<Logical>) -> Result<Box<dyn Pixels>> {
        let stride = self.format.stride(area.width.into());
        let used = stride * usize::from(area.height);
        let whole = self.format.stride(root.width) * root.height as usize;
        let lent = pool.lend(used, whole)?;
        let Area { x, y, width, height } = *area;
        let format = ImageFormat::Z_PIXMAP.into();
        let cookie =
            self.x11.conn().shm_get_image(self.x11.root(), x, y, width, height, !0, format, lent.id(), 0);
        let written = self.x11.reply(PICTURE, cookie)?.size;
        check(used, written as usize)?;
        Ok(Box::new(lent))
    }

    fn bands(&self, area: &Area) -> Result<Vec<u8>> {
        let stride = self.format.stride(area.width.into());
        let rows = u16::try_from((BAND / stride.max(1)).max(1)).unwrap_or(u16::MAX);
        let mut image = Vec::with_capacity(stride * usize::from(area.height));
        for top in (0..area.height).step_by(rows.into()) {
            let height = rows.min(area.height - top);
            let y = i16::try_from(i32::from(area.y) + i32::from(top)).map_err(|_| out_of_protocol())?;
            let (conn, root) = (self.x11.conn(), self.x11.root());
            let cookie = conn.get_image(ImageFormat::Z_PIXMAP, root, area.x, y, area.width, height, !0);
            let band = self.x11.reply(PICTURE, cookie)?.data;
            // Replies are padded to a multiple of four bytes.
            let used = stride * usize::from(height);
            check(used.next_multiple_of(4), band.len())?;
            image.extend_from_slice(&band[..used]);
        }
        Ok(image)
    }
}

fn check(expected: usize, got: usize) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    let why = format!("it has {got} bytes instead of {expected}");
    Err(Error::Malformed { what: PICTURE, why })
}

/// A region in the protocol's numbers.
struct Area {
    x: i16,
    y: i16,
    width: u16,
    height: u16,
}

impl Area {
    fn new(region: Rect<Logical>, root: Rect<Logical>) -> Result<Self> {
        let area = || {
            Some(Self {
                x: i16::try_from(region.x).ok()?,
                y: i16::try_from(region.y).ok()?,
                width: u16::try_from(region.width).ok()?,
                height: u16::try_from(region.height).ok()?,
            })
        };
        area().ok_or(Error::OutOfBounds { region, desktop: root })
    }
}

fn out_of_protocol() -> Error {
    Error::Malformed { what: "the screen", why: "it is larger than the protocol can name".into() }
}

/// The part of the desktop that a request means.
fn visible(region: Option<Rect<Logical>>, layout: &Layout) -> Result<Rect<Logical>> {
    let desktop = layout.bounds();
    let region = region.unwrap_or(desktop);
    let is_shown = layout.displays.iter().any(|display| display.region.intersection(region).is_some());
    match region.intersection(desktop) {
        Some(clipped) if is_shown => Ok(clipped),
        _ => Err(Error::OutOfBounds { region, desktop }),
    }
}

fn voids(region: Rect<Logical>, layout: &Layout) -> Vec<Rect<Physical>> {
    let in_frame = |void: Rect<Logical>| {
        // Both differences lie inside the frame, because a void is a part of the region.
        Rect::new(void.x - region.x, void.y - region.y, void.width, void.height)
    };
    layout.voids(region).into_iter().map(in_frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_platform::Display;

    fn layout(regions: &[Rect<Logical>]) -> Layout {
        let display = |&region| Display { name: String::new(), region, scale: 1.0, is_primary: false };
        Layout { displays: regions.iter().map(display).collect() }
    }

    #[test]
    fn regions_are_clipped_and_none_is_made_up() {
        let layout = layout(&[Rect::new(0, 0, 100, 100), Rect::new(200, 0, 100, 100)]);
        assert_eq!(visible(None, &layout).unwrap(), Rect::new(0, 0, 300, 100));
        let huge = Rect::new(i32::MIN, i32::MIN, u32::MAX, u32::MAX);
        assert_eq!(visible(Some(huge), &layout).unwrap(), Rect::new(0, 0, 300, 100));
        for outside in [
            Rect::new(120, 10, 50, 50),
            Rect::new(0, 0, 0, 5),
            Rect::new(i32::MAX, i32::MAX, u32::MAX, u32::MAX),
            Rect::new(-10, -10, 10, 10),
        ] {
            assert!(matches!(visible(Some(outside), &layout), Err(Error::OutOfBounds { .. })), "{outside}");
        }
    }

    #[test]
    fn voids_count_from_the_corner_of_the_frame() {
        let layout = layout(&[Rect::new(0, 0, 100, 100), Rect::new(200, 0, 100, 100)]);
        assert_eq!(voids(Rect::new(90, 10, 150, 20), &layout), [Rect::new(10, 0, 100, 20)]);
    }
}
