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
        self.sleep(self.left().min(self.since_look().max(PACE)))
    }

    fn since_look(&self) -> Duration {
        clock::now().saturating_duration_since(self.looked)
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
                if !eye.open()? {
                    if eye.drawn(POLL)?.is_empty() {
                        return Ok(Some(now));
                    }
                    // A screen that never rests must not keep a processor busy.
                    eye.pause()?;
                }
                // What moves slowly is in the same place if it is looked at again too soon.
                eye.sleep(eye.left().min(POLL.saturating_sub(eye.since_look())))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::{Code, Size};
    use crossmacro_platform::Result as Answer;
    use std::cell::Cell;

    /// A black pixel whose watch says that something is drawn, or not.
    struct Stub {
        is_restless: bool,
        can_watch: bool,
    }

    struct StubWatch(bool);

    impl Capture for Stub {
        fn capture(&self, _: CaptureRequest) -> Answer<Frame> {
            Ok(Frame::new(Rect::new(0, 0, 1, 1), Size::new(1, 1), 4, Box::new(vec![0; 4])).unwrap())
        }

        fn watch(&self, _: Rect<Logical>) -> Answer<Box<dyn Watch>> {
            if self.can_watch {
                return Ok(Box::new(StubWatch(self.is_restless)));
            }
            Err(Error::Unsupported { what: "watching", why: "told to".into() })
        }

        fn backend(&self) -> &'static str {
            "stub"
        }
    }

    impl Watch for StubWatch {
        fn wait(&mut self, limit: Duration, cancel: &Cancel) -> Answer<Vec<Rect<Logical>>> {
            if self.0 {
                return Ok(vec![Rect::new(0, 0, 1, 1)]);
            }
            if cancel.sleep(limit) { Err(Error::Cancelled) } else { Ok(Vec::new()) }
        }

        fn backend(&self) -> &'static str {
            "stub"
        }
    }

    /// How a picture is awaited that is at these places, look after look, and then at the last for ever; and
    /// how often it was looked for.
    fn steady(stub: &Stub, places: &[Option<i32>], limit: u64) -> (Option<i32>, usize) {
        let (looks, cancel) = (Cell::new(0), Cancel::new());
        let eye = Eye::new(stub, None, Duration::from_millis(limit), &cancel);
        let attempt = || {
            let look = looks.replace(looks.get() + 1);
            Ok(places.get(look).or(places.last()).copied().flatten())
        };
        let found = until_steady(eye, |a: &i32, b| a.abs_diff(*b) <= 2, attempt).unwrap();
        (found, looks.get())
    }

    #[test]
    fn a_picture_counts_when_it_stays() {
        let quiet = Stub { is_restless: false, can_watch: true };
        let restless = Stub { is_restless: true, can_watch: true };
        let blind = Stub { is_restless: true, can_watch: false };
        for stub in [&quiet, &restless, &blind] {
            assert_eq!(steady(stub, &[Some(5)], 2000), (Some(5), 2));
            // A place that moves, and a miss, begin anew.
            assert_eq!(
                steady(stub, &[Some(5), Some(90), Some(91)], 2000).0,
                Some(if stub.is_restless { 91 } else { 90 })
            );
            assert_eq!(steady(stub, &[Some(5)], 0), (Some(5), 1), "without time, at first sight");
            assert_eq!(steady(stub, &[None], 60).0, None);
        }
        assert_eq!(steady(&restless, &[Some(5), None, Some(5), None, Some(5), Some(5)], 5000), (Some(5), 6));
        let never: Vec<_> = (0..10_000).map(|n| Some(n * 10)).collect();
        assert_eq!(steady(&restless, &never, 100).0, None);
    }

    #[test]
    fn nothing_drawn_means_no_look() {
        let (looks, cancel) = (Cell::new(0), Cancel::new());
        let count = || {
            looks.set(looks.get() + 1);
            Ok(None::<()>)
        };
        let quiet = Stub { is_restless: false, can_watch: true };
        until(Eye::new(&quiet, None, Duration::from_millis(300), &cancel), count).unwrap();
        assert_eq!(looks.replace(0), 3, "at once, with the watch, and at the end");
        let blind = Stub { is_restless: false, can_watch: false };
        until(Eye::new(&blind, None, Duration::from_millis(300), &cancel), count).unwrap();
        assert!((4..=8).contains(&looks.get()), "every 50 ms: {}", looks.get());
        cancel.cancel();
        let fault = until(Eye::new(&quiet, None, Duration::MAX, &cancel), count).unwrap_err();
        assert_eq!(fault.code, Code::Cancelled);
    }

    #[test]
    fn sightings_are_the_same_within_two_units() {
        let at = |x, width| Rect::new(x, 10, width, 20);
        assert!(is_same(at(5, 20), at(7, 20)) && is_same(at(5, 20), at(5, 21)));
        assert!(!is_same(at(5, 20), at(8, 20)) && !is_same(at(5, 20), at(5, 22)));
        assert!(is_same(Rect::new(i32::MIN, 0, 1, 1), Rect::new(i32::MIN, 0, 1, 1)));
    }
}
