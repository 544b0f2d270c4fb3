//! A watch for back ends whose display server does not tell what is drawn: it captures the region again and
//! again and compares.

use crate::cancel::Cancel;
use crate::clock;
use crate::error::{Error, Result};
use crate::facets::capture::{Capture, CaptureRequest, Watch};
use crossmacro_model::{Frame, Logical, Rect};
use std::sync::Arc;
use std::time::Duration;

/// How often it looks.
const INTERVAL: Duration = Duration::from_millis(50);

/// The watch.
pub struct Polling {
    capture: Arc<dyn Capture>,
    region: Rect<Logical>,
    seen: Frame,
}

impl Polling {
    /// Watches `region` from now on.
    ///
    /// # Errors
    /// As [`Capture::capture`].
    pub fn new(capture: Arc<dyn Capture>, region: Rect<Logical>) -> Result<Self> {
        let seen = look(&*capture, region)?;
        Ok(Self { capture, region, seen })
    }
}

impl Watch for Polling {
    fn wait(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Rect<Logical>>> {
        let until = clock::now().checked_add(limit);
        loop {
            let now = look(&*self.capture, self.region)?;
            let changes: Vec<_> =
                now.changes(&self.seen).into_iter().map(|area| now.on_desktop(area)).collect();
            self.seen = now;
            let left = until.map_or(INTERVAL, |until| until.saturating_duration_since(clock::now()));
            if !changes.is_empty() || left.is_zero() {
                return Ok(changes);
            }
            if cancel.sleep(left.min(INTERVAL)) {
                return Err(Error::Cancelled);
            }
        }
    }

    fn backend(&self) -> &'static str {
        "polling"
    }
}

fn look(capture: &dyn Capture, region: Rect<Logical>) -> Result<Frame> {
    capture.capture(CaptureRequest { region: Some(region), include_cursor: false })
}
