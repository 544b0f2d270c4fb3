//! The witness: a connection and a window of its own, and waits that end.

use crate::x11::connection::X11;
use crossmacro_model::{Logical, Rect};
use crossmacro_platform::{Cancel, Error, Result, clock};
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt as _, CreateWindowAux, GrabStatus, Window, WindowClass};

/// How long one loop may take.
pub(super) const LIMIT: Duration = Duration::from_secs(1);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(1);

/// Side of the window, and of the square in its middle, in pixels.
const SIDE: u32 = 32;
const MIDDLE: u32 = 16;
/// Distance from the corner of the monitor: corners and edges are where desktops wait for the pointer.
const INSET: u32 = 16;

const WINDOW: &str = "the window of the test";

/// A colour: the pixel value, and the red, green and blue that a capture shows for it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Color {
    pixel: u32,
    rgb: [u8; 3],
}

/// A small window of two colours in a corner of the primary monitor, above all others, that no window manager
/// knows of and that never gets the focus.
pub(super) struct Witness {
    pub(super) x11: X11,
    pub(super) window: Window,
    pub(super) region: Rect<Logical>,
    ground: Color,
    middle: Color,
}

impl Witness {
    /// Shows the window on `monitor`.
    pub(super) fn open(x11: X11, monitor: Rect<Logical>) -> Result<Self> {
        let ground = color(&x11)?;
        let mut middle = color(&x11)?;
        // A screen of few colours may give the same twice.
        for _ in 0..16 {
            if middle.rgb != ground.rgb {
                break;
            }
            middle = color(&x11)?;
        }
        let region = corner(monitor);
        let window = child(&x11, x11.root(), region, ground)?;
        let witness = Self { x11, window, region, ground, middle };
        child(&witness.x11, window, witness.middle_of(), middle)?;
        witness.x11.conn().map_window(window).map_err(|error| witness.x11.fault(WINDOW, error))?;
        witness.x11.sync()?;
        Ok(witness)
    }

    /// The colour of a pixel of the window.
    pub(super) fn rgb(&self, x: i32, y: i32) -> [u8; 3] {
        let is_middle = self.middle_of().contains(crossmacro_model::Point::new(x, y));
        if is_middle { self.middle.rgb } else { self.ground.rgb }
    }

    /// The inner square, counted from the window's corner.
    fn middle_of(&self) -> Rect<Logical> {
        let (width, height) = (self.region.width.min(MIDDLE), self.region.height.min(MIDDLE));
        let center = Rect::<Logical>::new(0, 0, self.region.width - width, self.region.height - height);
        Rect::at(center.center(), crossmacro_model::Size::new(width, height))
    }
}

impl Drop for Witness {
    /// Ends before the window is gone from the screen are not seen by anyone who looks after the test.
    fn drop(&mut self) {
        // Where the connection is lost, the server does the same by itself.
        let _gone = self.x11.conn().destroy_window(self.window).is_ok() && self.x11.sync().is_ok();
    }
}

/// A window of one colour; children are mapped at once, and seen once their parent is.
fn child(x11: &X11, parent: Window, region: Rect<Logical>, color: Color) -> Result<Window> {
    let fault = |error| x11.fault(WINDOW, error);
    let narrow = |value: i32| i16::try_from(value).map_err(|_| out_of_protocol());
    let side = |value: u32| u16::try_from(value).map_err(|_| out_of_protocol());
    let (x, y, width, height) =
        (narrow(region.x)?, narrow(region.y)?, side(region.width)?, side(region.height)?);
    let conn = x11.conn();
    let window = conn.generate_id().map_err(|error| x11.fault(WINDOW, error))?;
    let aux = CreateWindowAux::new().override_redirect(1).background_pixel(color.pixel);
    let class = WindowClass::INPUT_OUTPUT;
    let sent = conn.create_window(0, window, parent, x, y, width, height, 0, class, 0, &aux);
    sent.map_err(fault)?.check().map_err(|error| x11.fault(WINDOW, error))?;
    if parent != x11.root() {
        conn.map_window(window).map_err(fault)?;
    }
    Ok(window)
}

fn out_of_protocol() -> Error {
    Error::Malformed { what: "the monitor", why: "it lies where the protocol has no coordinates".into() }
}

/// Where the window goes: near the lower right corner, and inside the smallest monitor too.
fn corner(monitor: Rect<Logical>) -> Rect<Logical> {
    let along = |from: i32, length: u32| {
        let side = length.clamp(1, SIDE);
        let inset = INSET.min((length.saturating_sub(side)) / 2);
        let start = i64::from(from) + i64::from(length) - i64::from(side + inset);
        (i32::try_from(start).unwrap_or(from), side)
    };
    let (x, width) = along(monitor.x, monitor.width);
    let (y, height) = along(monitor.y, monitor.height);
    Rect::new(x, y, width, height)
}

/// A colour by chance; what the server really shows for it.
fn color(x11: &X11) -> Result<Color> {
    let [red, green, blue, ..] = random().to_ne_bytes().map(|byte| u16::from(byte) * 257);
    let map = x11.screen().default_colormap;
    let got = x11.reply("a colour", x11.conn().alloc_color(map, red, green, blue))?;
    let rgb = [got.red, got.green, got.blue].map(|value| value.to_be_bytes()[0]);
    Ok(Color { pixel: got.pixel, rgb })
}

/// Something that nobody can know before: the seed that the standard library draws for its hash tables.
pub(super) fn random() -> u64 {
    RandomState::new().hash_one(())
}

/// The time that one loop has.
pub(super) struct Turn<'a> {
    pub(super) witness: &'a Witness,
    cancel: &'a Cancel,
    deadline: Instant,
}

impl<'a> Turn<'a> {
    pub(super) fn new(witness: &'a Witness, cancel: &'a Cancel) -> Self {
        Self { witness, cancel, deadline: clock::now() + LIMIT }
    }

    /// Looks until `look` finds something; `None` when the time is over.
    pub(super) fn until<T>(&self, mut look: impl FnMut() -> Result<Option<T>>) -> Result<Option<T>> {
        loop {
            if let Some(found) = look()? {
                return Ok(Some(found));
            }
            if clock::now() >= self.deadline {
                return Ok(None);
            }
            if self.cancel.sleep(LOOK) {
                return Err(Error::Cancelled);
            }
        }
    }

    /// Waits for an event that `wanted` takes.
    pub(super) fn event<T>(
        &self,
        what: &'static str,
        mut wanted: impl FnMut(&Event) -> Result<Option<T>>,
    ) -> Result<T> {
        let x11 = &self.witness.x11;
        let next = || x11.conn().poll_for_event().map_err(|error| x11.fault("its events", error));
        x11.conn().flush().map_err(|error| x11.fault(what, error))?;
        let seen = self.until(|| {
            while let Some(event) = next()? {
                if let Some(found) = wanted(&event)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        })?;
        seen.ok_or_else(|| {
            let why = format!("the window that waited for it saw nothing for {} ms", LIMIT.as_millis());
            Error::NoEffect { what, why }
        })
    }

    /// Grabs `what`, again and again while another program holds it: the key or button that started us may
    /// still be down.
    pub(super) fn grab(
        &self,
        what: &'static str,
        mut attempt: impl FnMut() -> Result<GrabStatus>,
    ) -> Result<()> {
        let mut last = GrabStatus::SUCCESS;
        let held = self.until(|| {
            last = attempt()?;
            Ok((last == GrabStatus::SUCCESS).then_some(()))
        })?;
        held.ok_or_else(|| Error::Unsupported { what, why: refusal(last) })
    }
}

fn refusal(status: GrabStatus) -> String {
    match status {
        GrabStatus::ALREADY_GRABBED | GrabStatus::FROZEN => {
            "another program holds it (a screen lock, an open menu, a key or button that is down), so \
             nothing was sent; unlock the screen or close the menu, and try again"
                .into()
        }
        GrabStatus::NOT_VIEWABLE => "the window of the test can't be shown".into(),
        other => format!("the display server refused the grab: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_near_the_corner_and_always_on_its_monitor() {
        assert_eq!(corner(Rect::new(100, 50, 640, 480)), Rect::new(692, 482, 32, 32));
        assert_eq!(corner(Rect::new(0, 0, 32, 36)), Rect::new(0, 2, 32, 32));
        assert_eq!(corner(Rect::new(5, 5, 1, 40)), Rect::new(5, 9, 1, 32));
        for length in 1..200 {
            let monitor = Rect::new(-7, 9, length, length);
            assert_eq!(corner(monitor).intersection(monitor), Some(corner(monitor)));
        }
    }

    #[test]
    fn chance_does_not_repeat() {
        assert_ne!(random(), random());
    }
}
