//! Earlier captures, kept by id to compare with: the newest within a limit of memory.

use crossmacro_imaging::Compact;
use crossmacro_model::limits::CAPTURES;
use crossmacro_model::{Fault, Frame};
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the ids of captures start with.
const PREFIX: &str = "capture-";

/// The captures of one process.
#[derive(Default)]
pub(crate) struct Captures {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The oldest first.
    list: VecDeque<Capture>,
    bytes: u64,
    last: u64,
}

/// One capture.
#[derive(Clone)]
pub(crate) struct Capture {
    number: u64,
    /// Whether the pointer was painted into it.
    pub(crate) with_cursor: bool,
    packed: Arc<Compact>,
}

impl Capture {
    /// Its pixels.
    pub(crate) fn frame(&self) -> Result<Frame, Fault> {
        self.packed.frame().ok_or_else(|| Fault::arguments("this capture can't be read back"))
    }
}

impl Captures {
    /// Keeps a copy of `frame` and gives its id; `None` where it is larger than all that is kept together.
    pub(crate) fn keep(&self, frame: &Frame, with_cursor: bool) -> Option<String> {
        let packed = Compact::new(frame);
        let bytes = packed.bytes() as u64;
        if bytes > CAPTURES.value {
            return None;
        }
        let mut kept = self.lock();
        while kept.bytes + bytes > CAPTURES.value {
            let oldest = kept.list.pop_front()?;
            kept.bytes -= oldest.packed.bytes() as u64;
        }
        kept.last += 1;
        let number = kept.last;
        kept.bytes += bytes;
        kept.list.push_back(Capture { number, with_cursor, packed: Arc::new(packed) });
        Some(format!("{PREFIX}{number}"))
    }

    /// The same, while something else is done with the frame: packing takes some milliseconds, and someone waits.
    pub(crate) fn keep_while<T>(
        &self,
        frame: &Frame,
        with_cursor: bool,
        work: impl FnOnce() -> T,
    ) -> (T, Option<String>) {
        std::thread::scope(|scope| {
            let keep = || self.keep(frame, with_cursor);
            let keeping = std::thread::Builder::new().name("keep-capture".into()).spawn_scoped(scope, keep);
            let done = work();
            match keeping {
                Ok(keeping) => (done, keeping.join().unwrap_or_else(|panic| resume_unwind(panic))),
                Err(_) => (done, keep()),
            }
        })
    }

    /// An earlier capture.
    pub(crate) fn get(&self, argument: &'static str, id: &str) -> Result<Capture, Fault> {
        let number = id.strip_prefix(PREFIX).and_then(|number| number.parse::<u64>().ok());
        let kept = self.lock();
        kept.list.iter().find(|capture| Some(capture.number) == number).cloned().ok_or_else(|| {
            Fault::arguments("there is no such capture (any more)")
                .detail("argument", argument)
                .remedy("Take a new one: screenshot.capture and the waits return a captureId.")
        })
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::{Rect, Size};

    #[test]
    fn memory_is_bounded_and_the_oldest_goes_first() {
        let noise: Vec<u8> = (0..2000_u32 * 2000 * 4)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0])
            .collect();
        let frame =
            Frame::new(Rect::new(0, 0, 2000, 2000), Size::new(2000, 2000), 8000, Box::new(noise)).unwrap();
        let captures = Captures::default();
        let ids: Vec<String> = (0..8).map(|_| captures.keep(&frame, false).unwrap()).collect();
        assert!(captures.lock().bytes <= CAPTURES.value);
        let known: Vec<bool> = ids.iter().map(|id| captures.get("since", id).is_ok()).collect();
        assert_eq!(known, [false, false, false, true, true, true, true, true]);
        for id in ["", "capture-", "capture-0", "7", "capture-999", "capture--1"] {
            assert!(captures.get("since", id).is_err(), "{id}");
        }
        let huge = Frame::new(
            Rect::new(0, 0, 1, 1),
            Size::new(6000, 4000),
            24_000,
            Box::new({
                let mut bytes = vec![0_u8; 6000 * 4000 * 4];
                bytes
                    .iter_mut()
                    .enumerate()
                    .for_each(|(n, byte)| *byte = ((n * 2_654_435_761) >> 13).to_le_bytes()[0]);
                bytes
            }),
        )
        .unwrap();
        assert_eq!(captures.keep(&huge, false), None);
    }
}
