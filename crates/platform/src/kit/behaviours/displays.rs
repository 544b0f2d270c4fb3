//! Monitors.

use crate::desktop::Desktop;
use crate::kit::check::{Check, ensure, equal};
use crate::kit::{Failure, Witness};
use std::collections::BTreeSet;

pub(super) fn layout(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let layout = desktop.displays.clone()?.layout()?;
    let first = layout.displays.first().ok_or_else(|| Failure("there is no display".to_owned()))?;
    for display in &layout.displays {
        ensure(!display.region.is_empty(), || format!("{display:?} is empty"))?;
        ensure(display.scale.is_finite() && display.scale > 0.0, || format!("the scale of {display:?}"))?;
        ensure(!display.name.is_empty(), || format!("{display:?} has no name"))?;
    }
    let primary = layout.displays.iter().filter(|display| display.is_primary).count();
    ensure(primary <= 1, || format!("{primary} displays are primary"))?;
    ensure(primary == 0 || first.is_primary, || "the primary display is not the first".to_owned())?;
    let names = layout.displays.iter().map(|display| &display.name).collect::<BTreeSet<_>>();
    equal("different names", names.len(), layout.displays.len())?;
    equal("the desktop", layout.bounds(), witness.desktop()?)
}
