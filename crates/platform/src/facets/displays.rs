//! Monitors and the desktop they make up.

use crate::error::Result;
use crossmacro_model::{Logical, Point, Rect};

/// One monitor.
#[derive(Debug, Clone, PartialEq)]
pub struct Display {
    /// Name that the server gives it ("HDMI-1"); stable while it is plugged in.
    pub name: String,
    /// Where it is on the desktop.
    pub region: Rect<Logical>,
    /// Pixels per logical unit.
    pub scale: f64,
    /// Whether it is the primary one. At most one is.
    pub is_primary: bool,
}

/// All monitors at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// The monitors, the primary one first, then from left to right and top to bottom.
    pub displays: Vec<Display>,
}

impl Layout {
    /// The smallest rectangle that holds every monitor; empty when there is none.
    pub fn bounds(&self) -> Rect<Logical> {
        self.displays.iter().fold(Rect::new(0, 0, 0, 0), |all, display| all.union(display.region))
    }

    /// The monitor that shows `point`.
    pub fn at(&self, point: Point<Logical>) -> Option<&Display> {
        self.displays.iter().find(|display| display.region.contains(point))
    }

    /// The parts of `region` that no monitor shows.
    pub fn voids(&self, region: Rect<Logical>) -> Vec<Rect<Logical>> {
        self.displays.iter().fold(vec![region], |rest, display| {
            rest.into_iter().flat_map(|part| part.without(display.region)).collect()
        })
    }
}

/// The displays facet.
pub trait Displays: Send + Sync {
    /// The monitors as they are now: a change of the layout is seen by the next call.
    ///
    /// # Errors
    /// [`crate::Error::Lost`] and [`crate::Error::Timeout`].
    fn layout(&self) -> Result<Layout>;

    /// Name of the back end ("x11-randr").
    fn backend(&self) -> &'static str;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voids_are_what_no_monitor_shows() {
        let display =
            |name: &str, region| Display { name: name.into(), region, scale: 1.0, is_primary: false };
        let layout = Layout {
            displays: vec![
                display("a", Rect::new(0, 0, 100, 100)),
                display("b", Rect::new(100, 50, 100, 100)),
            ],
        };
        assert_eq!(layout.bounds(), Rect::new(0, 0, 200, 150));
        let voids = layout.voids(layout.bounds());
        assert_eq!(voids.iter().map(|void| void.size().area()).sum::<u64>(), 10_000);
        assert!(
            voids.iter().all(|void| layout.displays.iter().all(|d| d.region.intersection(*void).is_none()))
        );
    }
}
