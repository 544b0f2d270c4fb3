//! The corner of the desktop: where relative recordings and playings begin, so that both begin at the same place.

use crossmacro_platform::{Desktop, Error, Pointer};

/// Far enough to the left and up to reach the corner of any desktop, in device units.
const TO_THE_CORNER: i32 = -20_000;

/// Moves the pointer there.
pub(crate) fn reach(desktop: &Desktop, pointer: &dyn Pointer) -> Result<(), Error> {
    let layout = desktop.displays.as_ref().map_err(Clone::clone)?.layout()?;
    match pointer.move_to(layout.bounds().origin()) {
        // No monitor shows the corner: as far as it goes.
        Err(Error::OutOfBounds { .. }) => pointer.move_by(TO_THE_CORNER, TO_THE_CORNER).map(drop),
        moved => moved.map(drop),
    }
}
