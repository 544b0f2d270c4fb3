//! Looking at the screen until something is seen, at next to no cost while nothing is drawn.
//!
//! A search looks at once, then whenever something in its region was drawn, and once more when its time is
//! over. Where nobody can tell what is drawn, it looks every 50 ms.

use crate::fault::{from_platform, stopped};
use crossmacro_model::{Fault, Frame, Logical, Rect};
use crossmacro_platform::{Cancel, Capture, CaptureRequest, Error, Watch, clock};
use std::time::{Duration, Instant};

/// How often to look where nobody tells what is drawn, and how long a picture must stay to count as there.
pub const POLL: Duration = Duration::from_millis(50);

/// The least time from one look to the next.
const PACE: Duration = Duration::from_millis(10);

/// More than any desktop.
const EVERYWHERE: Rect<Logical> = Rect::new(i32::MIN, i32::MIN, u32::MAX, u32::MAX);

/// Captures the region, or the whole desktop, without the pointer.
///
/// # Errors
/// As [`Capture::capture`].
pub fn look(capture: &dyn Capture, region: Option<Rect<Logical>>) -> Result<Frame, Fault> {
    capture.capture(CaptureRequest { region, include_cursor: false }).map_err(from_platform)
}

/// Eyes on a region for a limited time.
pub struct Eye<'a> {
    capture: &'a dyn Capture,
    region: Rect<Logical>,
    cancel: &'a Cancel,
    end: Option<Instant>,
    seeing: Seeing,
    /// When the last look began.
    looked: Instant,
}

enum Seeing {
    NotYet,
    Watching(Box<dyn Watch>),
    Blind,
}

impl<'a> Eye<'a> {
    /// Nothing is watched before the first wait: what is there at once costs no more than a look.
    pub fn new(
        capture: &'a dyn Capture,
        region: Option<Rect<Logical>>,
        limit: Duration,
        cancel: &'a Cancel,
    ) -> Self {
        let now = clock::now();
        let (region, end) = (region.unwrap_or(EVERYWHERE), now.checked_add(limit));
        Self { capture, region, cancel, end, seeing: Seeing::NotYet, looked: now }
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    fn left(&self) -> Duration {
        self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(clock::now()))
    }

    /// Begins a look: where the work after it takes long, the next one waits as long, so that a busy screen
    /// takes half a processor at most.
    pub fn begin(&mut self) {
        self.looked = clock::now();
    }

    /// Starts to watch, if that was not done; whether it is only now, so that one more look is needed.
    ///
    /// # Errors
    /// A fault when it is to stop.
    pub fn open(&mut self) -> Result<bool, Fault> {
        self.go_on()?;
        if !matches!(self.seeing, Seeing::NotYet) {
            return Ok(false);
        }
        self.seeing = match self.capture.watch(self.region) {
            Ok(watch) => Seeing::Watching(watch),
            // Whatever is wrong with watching: a look tells whether it is wrong with looking too.
            Err(_) => Seeing::Blind,
        };
        Ok(true)
    }

    /// Waits until something was drawn, `most` at most; gives where, empty when nothing was. Where nobody can
    /// tell, the whole region after a while.
    ///
    /// # Errors
    /// A fault when it is to stop, and when the display is lost.
    pub fn drawn(&mut self, most: Duration) -> Result<Vec<Rect<Logical>>, Fault> {
        if self.open()? {
            return Ok(vec![self.region]);
        }
        let time = self.left().min(most);
        match &mut self.seeing {
            Seeing::Watching(watch) => watch.wait(time, self.cancel).map_err(|error| match error {
                Error::Cancelled => stopped(self.cancel).unwrap_or_else(|| from_platform(error)),
                other => from_platform(other),
            }),
            Seeing::NotYet | Seeing::Blind => {
                self.sleep(time.min(POLL))?;
                Ok(vec![self.region])
            }
        }
    }

    /// Waits for as long as the work took since the last look began.
    ///
    /// # Errors
    /// A fault when it is to stop.
    pub fn pause(&self) -> Result<(), Fault> {
        let took = clock::now().saturating_duration_since(self.looked);
        self.sleep(self.left().min(took.max(PACE)))
    }

    /// Waits until it is worth to look again, or the time is over.
    fn rest(&mut self) -> Result<(), Fault> {
        if !self.open()? {
            self.pause()?;
            self.drawn(Duration::MAX)?;
        }
        Ok(())
    }

    fn sleep(&self, time: Duration) -> Result<(), Fault> {
        if self.cancel.sleep(time) { self.go_on() } else { Ok(()) }
    }

    fn go_on(&self) -> Result<(), Fault> {
        stopped(self.cancel).map_or(Ok(()), Err)
    }
}

/// Looks until `attempt` finds something. `None` when the time of the eye is over. Without time, it looks once.
///
/// # Errors
/// What `attempt` fails with, and a fault when it is to stop.
pub fn until<T>(
    mut eye: Eye<'_>,
    mut attempt: impl FnMut() -> Result<Option<T>, Fault>,
) -> Result<Option<T>, Fault> {
    loop {
        let is_last = eye.is_over();
        eye.begin();
        match attempt()? {
            None if is_last => return Ok(None),
            None => eye.rest()?,
            found => return Ok(found),
        }
    }
}

/// As [`until`], for something that must stay: seen twice in a row at the `same` place, or once with nothing
/// drawn for a while after. Without time, it is believed at first sight.
///
/// # Errors
/// As [`until`].
pub fn until_steady<T>(
    mut eye: Eye<'_>,
    same: impl Fn(&T, &T) -> bool,
    mut attempt: impl FnMut() -> Result<Option<T>, Fault>,
) -> Result<Option<T>, Fault> {
    let believes = eye.is_over();
    let mut before = None;
    loop {
        let is_last = eye.is_over();
        eye.begin();
        match (before.take(), attempt()?) {
            (_, Some(now)) if believes => return Ok(Some(now)),
            (Some(before), Some(now)) if same(&before, &now) => return Ok(Some(now)),
            _ if is_last => return Ok(None),
            (_, Some(now)) => {
                if !eye.open()? && eye.drawn(POLL)?.is_empty() {
                    return Ok(Some(now));
                }
                before = Some(now);
            }
            (_, None) => eye.rest()?,
        }
    }
}

/// Whether two sightings of a picture are of the same one: the middles at most two units apart, the sizes one.
pub fn is_same(a: Rect<Logical>, b: Rect<Logical>) -> bool {
    let (middle, other) = (a.center(), b.center());
    middle.x.abs_diff(other.x).max(middle.y.abs_diff(other.y)) <= 2
        && a.width.abs_diff(b.width).max(a.height.abs_diff(b.height)) <= 1
}
