//! Where a window is and how large. Positions mean the top left corner of the frame, sizes the client area.

use super::act::{Act, PAGER, deadline, manager_name};
use super::inspect::Seen;
use super::root::{Root, tolerate};
use super::wait;
use crate::x11::connection::X11;
use crossmacro_model::{Logical, Point, Rect, Size};
use crossmacro_platform::{Error, Result, clock};
use std::time::{Duration, Instant};
use x11rb::properties::{WmSizeHints, WmSizeHintsCookie};
use x11rb::protocol::randr::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{AtomEnum, ConfigureWindowAux, ConnectionExt as _};

/// `_NET_MOVERESIZE_WINDOW`: the position is that of the frame's top left corner (gravity NorthWest).
const NORTH_WEST: u32 = 1;
const HAS_POSITION: u32 = 0b0011 << 8;
const HAS_SIZE: u32 = 0b1100 << 8;
const SOURCE: u32 = PAGER << 12;
/// How long a window must stay at a place other than the one asked for, before the request is corrected.
const RESTED: Duration = Duration::from_millis(100);
/// Requests for one move. Managers disagree on what a position means; the second request makes up for it.
const REQUESTS: usize = 3;

impl Act<'_> {
    pub(super) fn move_to(&self, root: &Root, to: Point<Logical>) -> Result<()> {
        let deadline = deadline();
        self.leave_big_states(&self.see()?.1)?;
        let mut ask = to;
        let mut last = self.see()?.1.shown.frame.origin();
        for _ in 0..REQUESTS {
            if last == to {
                return Ok(());
            }
            self.request_position(root, ask)?;
            let seen = self.landed(to, last, deadline)?;
            if seen == to {
                return Ok(());
            }
            let Some(corrected) = correct(ask, to, seen).filter(|_| seen != last) else { break };
            (ask, last) = (corrected, seen);
        }
        let seen = self.see()?.1.shown.frame.origin();
        self.no_effect(format!("{} left the frame at {seen}", manager_name(root)))
    }

    /// Where the frame is once it is at `to`, or has left `from` and rests, or at `deadline`.
    fn landed(&self, to: Point, from: Point, deadline: Instant) -> Result<Point> {
        let mut rest = (from, clock::now());
        let look = || {
            let at = self.see()?.1.shown.frame.origin();
            if at != rest.0 {
                rest = (at, clock::now());
            }
            let is_resting = at != from && clock::now() - rest.1 >= RESTED;
            Ok((at == to || is_resting).then_some(at))
        };
        Ok(wait::until(self.cancel, deadline, look)?.unwrap_or(from))
    }

    fn request_position(&self, root: &Root, to: Point) -> Result<()> {
        let (Ok(x), Ok(y)) = (i16::try_from(to.x), i16::try_from(to.y)) else {
            let why = "X11 positions lie between -32768 and 32767".into();
            return Err(Error::Unsupported { what: self.what, why });
        };
        let (x, y) = (i32::from(x), i32::from(y));
        let message = self.windows.atoms._NET_MOVERESIZE_WINDOW;
        if root.supports(message) {
            let flags = NORTH_WEST | HAS_POSITION | SOURCE;
            return self.tell(self.id, message, [flags, x.cast_unsigned(), y.cast_unsigned(), 0, 0]);
        }
        self.check(self.x11().conn().configure_window(self.id, &ConfigureWindowAux::new().x(x).y(y)))
    }

    pub(super) fn resize(&self, root: &Root, to: Size<Logical>) -> Result<()> {
        let fits = |value| (1..=u32::from(i16::MAX.cast_unsigned())).contains(&value);
        if !fits(to.width) || !fits(to.height) {
            let why = "X11 sizes lie between 1 and 32767".into();
            return Err(Error::Unsupported { what: self.what, why });
        }
        self.leave_big_states(&self.see()?.1)?;
        if self.see()?.1.shown.client.size() == to {
            return Ok(());
        }
        let hints = if root.is_managed() { self.size_hints()? } else { WmSizeHints::default() };
        self.request_size(root, to)?;
        if self.wait(deadline(), |_, seen| is_obeyed(&hints, to, seen.shown.client.size()))? {
            return Ok(());
        }
        let seen = self.see()?.1.shown.client.size();
        self.no_effect(format!("{} left the window at {seen:?}", manager_name(root)))
    }

    fn request_size(&self, root: &Root, to: Size) -> Result<()> {
        let message = self.windows.atoms._NET_MOVERESIZE_WINDOW;
        if root.supports(message) {
            let flags = NORTH_WEST | HAS_SIZE | SOURCE;
            return self.tell(self.id, message, [flags, 0, 0, to.width, to.height]);
        }
        let size = ConfigureWindowAux::new().width(to.width).height(to.height);
        self.check(self.x11().conn().configure_window(self.id, &size))
    }

    fn size_hints(&self) -> Result<WmSizeHints> {
        let conn = self.x11().conn();
        let asked = WmSizeHintsCookie::new(conn, self.id, AtomEnum::WM_NORMAL_HINTS);
        match asked.map_err(Into::into).and_then(WmSizeHintsCookie::reply) {
            Ok(hints) => Ok(hints.unwrap_or_default()),
            // Hints that don't follow their format are no hints.
            Err(x11rb::errors::ReplyError::ConnectionError(x11rb::errors::ConnectionError::ParseError(
                _,
            ))) => Ok(WmSizeHints::default()),
            Err(error) => Err(self.x11().window_fault(self.what, error)),
        }
    }

    pub(super) fn center(&self, root: &Root) -> Result<()> {
        self.leave_big_states(&self.see()?.1)?;
        let (_, seen) = self.see()?;
        let area = work_area(root, &monitors(self.x11())?, &seen);
        self.move_to(root, centred(seen.shown.frame, area))
    }
}

/// What to ask for next after `ask` led to `seen` instead of `to`.
fn correct(ask: Point, to: Point, seen: Point) -> Option<Point> {
    ask.offset(to.x.checked_sub(seen.x)?, to.y.checked_sub(seen.y)?)
}

/// Top left corner of `frame` in the middle of `area`; of one too large for it, at its top left corner.
fn centred(frame: Rect, area: Rect) -> Point {
    let middle = |start: i32, room: u32, size: u32| {
        start.saturating_add(i32::try_from(room.saturating_sub(size) / 2).unwrap_or_default())
    };
    Point::new(middle(area.x, area.width, frame.width), middle(area.y, area.height, frame.height))
}

/// The monitors of the session; the whole root window where RandR knows none.
pub(super) fn monitors(x11: &X11) -> Result<Vec<Rect>> {
    let asked = match x11.has(randr::X11_EXTENSION_NAME)? {
        true => tolerate(x11.reply("the monitors", x11.conn().randr_get_monitors(x11.root(), true)))?,
        false => None,
    };
    let monitors = asked.map(|reply| reply.monitors).unwrap_or_default();
    let rect = |monitor: &randr::MonitorInfo| {
        Rect::new(monitor.x.into(), monitor.y.into(), monitor.width.into(), monitor.height.into())
    };
    let monitors: Vec<Rect> = monitors.iter().map(rect).filter(|rect| !rect.is_empty()).collect();
    if !monitors.is_empty() {
        return Ok(monitors);
    }
    let root = x11.reply("the root window", x11.conn().get_geometry(x11.root()))?;
    Ok(vec![Rect::new(0, 0, root.width.into(), root.height.into())])
}

/// The work area of the monitor that shows most of the window. EWMH has one rectangle for all monitors
/// together, so what it takes from this one is all there is to know.
fn work_area(root: &Root, monitors: &[Rect], seen: &Seen) -> Rect {
    let shared =
        |monitor: &&Rect| monitor.intersection(seen.shown.frame).map_or(0, |common| common.size().area());
    let monitor = monitors.iter().max_by_key(shared).copied().unwrap_or(seen.shown.frame);
    let area = root.work_area.and_then(|[x, y, width, height]| {
        let [x, y] = [x, y].map(u32::cast_signed);
        monitor.intersection(Rect::new(x, y, width, height))
    });
    area.unwrap_or(monitor)
}

/// Whether a window of size `got` did what it could to be of size `asked` (ICCCM 4.1.2.3).
fn is_obeyed(hints: &WmSizeHints, asked: Size, got: Size) -> bool {
    let pick = |pair: Option<(i32, i32)>| pair.map_or([None; 2], |(wide, tall)| [Some(wide), Some(tall)]);
    let [min, max, step] =
        [hints.min_size.or(hints.base_size), hints.max_size, hints.size_increment].map(pick);
    let near = |axis: usize, asked: u32, got: u32| {
        let least = i64::from(min[axis].unwrap_or(1)).max(1);
        let most = i64::from(max[axis].unwrap_or(i32::MAX)).max(least);
        let step = i64::from(step[axis].unwrap_or(1)).max(1);
        (i64::from(got) - i64::from(asked).clamp(least, most)).abs() < step
    };
    let near = [near(0, asked.width, got.width), near(1, asked.height, got.height)];
    near == [true; 2] || (near.contains(&true) && has_aspect(hints, got))
}

/// Whether `got` has a ratio that the hints ask for, give or take two pixels of rounding.
fn has_aspect(hints: &WmSizeHints, got: Size) -> bool {
    let Some((least, most)) = hints.aspect else { return false };
    let [wide, tall] = [got.width, got.height].map(i64::from);
    let [least, most] = [least, most].map(|ratio| [ratio.numerator, ratio.denominator].map(i64::from));
    // wide / tall >= least and <= most, without dividing.
    (wide + 2) * least[1] >= (tall - 2) * least[0] && (wide - 2) * most[1] <= (tall + 2) * most[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_rounds_to_its_cells_has_obeyed() {
        let hints = WmSizeHints {
            size_increment: Some((6, 13)),
            base_size: Some((4, 4)),
            min_size: Some((10, 17)),
            ..WmSizeHints::default()
        };
        assert!(is_obeyed(&hints, Size::new(489, 320), Size::new(484, 316)));
        assert!(!is_obeyed(&hints, Size::new(490, 320), Size::new(484, 316)));
        assert!(is_obeyed(&hints, Size::new(1, 1), Size::new(10, 17)));
    }

    #[test]
    fn hostile_hints_do_not_make_everything_obeyed_or_panic() {
        let hints = WmSizeHints {
            size_increment: Some((i32::MIN, 0)),
            min_size: Some((i32::MAX, -5)),
            max_size: Some((i32::MIN, 3)),
            ..WmSizeHints::default()
        };
        assert!(!is_obeyed(&hints, Size::new(100, 100), Size::new(50, 50)));
        let size = Size::new(100, 100);
        assert!(is_obeyed(&WmSizeHints::default(), size, size));
        assert!(!is_obeyed(&WmSizeHints::default(), size, Size::new(99, 100)));
    }

    #[test]
    fn a_frame_larger_than_the_area_starts_at_its_corner() {
        let area = Rect::new(100, 20, 200, 100);
        assert_eq!(centred(Rect::new(0, 0, 50, 50), area), Point::new(175, 45));
        assert_eq!(centred(Rect::new(0, 0, 500, 50), area), Point::new(100, 45));
    }
}
