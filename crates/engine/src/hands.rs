//! The input facets as scripts and macros use them, or nothing in their place in a rehearsal.

use crate::corner;
use crate::fault::{facet, from_platform};
use crate::held::{Held, Ledger};
use crossmacro_model::{Axis, Button, Code, Delivered, Direction, Down, Fault, KeyCode, KeyName, Point, key};
use crossmacro_platform::{Cancel, Capture, Clipboard, Desktop, DesktopSource, Keyboard, Pointer, Windows};
use std::sync::Arc;
use std::time::Duration;

/// Input of one script or macro. In a rehearsal every call succeeds and does nothing.
pub(crate) struct Hands {
    stage: Option<Stage>,
    /// Whether anything was delivered.
    has_touched: bool,
}

struct Stage {
    desktop: Desktop,
    held: Held,
}

impl Stage {
    fn pointer(&self) -> Result<&dyn Pointer, Fault> {
        self.desktop.pointer.as_deref().map_err(facet)
    }

    fn keyboard(&self) -> Result<&dyn Keyboard, Fault> {
        self.desktop.keyboard.as_deref().map_err(facet)
    }
}

impl Hands {
    pub(crate) fn real(
        desktop: &Desktop,
        source: Option<Arc<dyn DesktopSource>>,
        ledger: Option<Arc<dyn Ledger>>,
    ) -> Self {
        let held = Held::new(desktop).reconnecting(source).recorded(ledger);
        Self { stage: Some(Stage { desktop: desktop.clone(), held }), has_touched: false }
    }

    pub(crate) fn rehearsal() -> Self {
        Self { stage: None, has_touched: false }
    }

    pub(crate) fn is_rehearsal(&self) -> bool {
        self.stage.is_none()
    }

    /// Where the pointer is; `None` in a rehearsal.
    pub(crate) fn position(&self) -> Result<Option<Point>, Fault> {
        let Some(stage) = &self.stage else { return Ok(None) };
        let position = stage.pointer()?.position();
        position.map(Some).map_err(|error| from_platform(error).delivered(Delivered::Nothing))
    }

    /// The screen; `None` in a rehearsal.
    pub(crate) fn capture(&self) -> Result<Option<Arc<dyn Capture>>, Fault> {
        let Some(stage) = &self.stage else { return Ok(None) };
        stage.desktop.capture.clone().map(Some).map_err(|unavailable| facet(&unavailable))
    }

    /// The clipboard; `None` in a rehearsal.
    pub(crate) fn clipboard(&self) -> Result<Option<Arc<dyn Clipboard>>, Fault> {
        let Some(stage) = &self.stage else { return Ok(None) };
        stage.desktop.clipboard.clone().map(Some).map_err(|unavailable| facet(&unavailable))
    }

    /// The windows; `None` in a rehearsal.
    pub(crate) fn windows(&self) -> Result<Option<Arc<dyn Windows>>, Fault> {
        let Some(stage) = &self.stage else { return Ok(None) };
        stage.desktop.windows.clone().map(Some).map_err(|unavailable| facet(&unavailable))
    }

    /// Takes note of an effect that did not go through these hands.
    pub(crate) fn has_acted(&mut self) {
        self.has_touched = true;
    }

    /// Whether anything was delivered, be it a part of a step.
    pub(crate) fn has_touched(&self) -> bool {
        self.has_touched
    }

    /// Does something that has an effect.
    fn touch(&mut self, act: impl FnOnce(&mut Stage) -> Result<(), Fault>) -> Result<(), Fault> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        act(stage)?;
        self.has_touched = true;
        Ok(())
    }

    pub(crate) fn move_to(&mut self, to: Point) -> Result<(), Fault> {
        self.touch(|stage| stage.pointer()?.move_to(to).map(drop).map_err(from_platform))
    }

    /// Moves to the corner of the desktop.
    pub(crate) fn go_to_corner(&mut self) -> Result<(), Fault> {
        self.touch(|stage| corner::reach(&stage.desktop, stage.pointer()?).map_err(from_platform))
    }

    /// Moves by a distance on the desktop from wherever the pointer is.
    pub(crate) fn move_logically(&mut self, dx: i32, dy: i32) -> Result<(), Fault> {
        let Some(position) = self.position()? else { return Ok(()) };
        let to = position
            .offset(dx, dy)
            .ok_or_else(|| Fault::arguments("this move leads beyond 32-bit coordinates"))?;
        self.move_to(to)
    }

    pub(crate) fn move_by(&mut self, dx: i32, dy: i32) -> Result<(), Fault> {
        self.touch(|stage| stage.pointer()?.move_by(dx, dy).map(drop).map_err(from_platform))
    }

    pub(crate) fn scroll(&mut self, axis: Axis, count: u32) -> Result<(), Fault> {
        self.touch(|stage| stage.pointer()?.scroll(axis, count).map_err(from_platform))
    }

    pub(crate) fn button(&mut self, button: Button, direction: Direction) -> Result<(), Fault> {
        self.touch(|stage| stage.held.button(button, direction).map_err(from_platform))
    }

    pub(crate) fn key(&mut self, key: KeyCode, direction: Direction) -> Result<(), Fault> {
        self.touch(|stage| stage.held.key(key, direction).map_err(from_platform))
    }

    pub(crate) fn type_text(&mut self, text: &str, pause: Duration, cancel: &Cancel) -> Result<(), Fault> {
        self.touch(|stage| stage.keyboard()?.type_text(text, pause, cancel).map(drop).map_err(from_platform))
    }

    /// The key of this name: the one that prints the character in the present layout, else where the American
    /// layout has it.
    pub(crate) fn resolve(&self, name: KeyName) -> Result<KeyCode, Fault> {
        let character = match name {
            KeyName::Code(code) => return Ok(code),
            KeyName::Character(character) => character,
        };
        let printed = match &self.stage {
            None => None,
            Some(stage) => stage
                .keyboard()?
                .key_for(character)
                .map_err(|error| from_platform(error).delivered(Delivered::Nothing))?,
        };
        match printed.or_else(|| key::qwerty(character)) {
            Some(code) => Ok(code),
            // Without a keyboard, nobody can say what its layout prints.
            None if self.is_rehearsal() => Ok(KeyCode(0)),
            None => Err(Fault::new(Code::RuntimeError, "no key of the present layout prints this character")
                .detail("character", character.to_string())
                .remedy("Use type to enter it, or name a key by its KEY_ name.")),
        }
    }

    pub(crate) fn holds(&self, key: KeyCode) -> bool {
        self.stage.as_ref().is_some_and(|stage| stage.held.holds(key))
    }

    /// Releases what is held, to be pressed again by [`Hands::take_again`].
    pub(crate) fn put_down(&mut self) -> Result<Vec<Down>, Fault> {
        let Some(stage) = &mut self.stage else { return Ok(Vec::new()) };
        let downs = stage.held.downs().to_vec();
        stage.held.release().map_err(from_platform)?;
        Ok(downs)
    }

    /// Presses what was held before: buttons and modifiers. Another key would act once more.
    pub(crate) fn take_again(&mut self, downs: &[Down]) -> Result<(), Fault> {
        downs.iter().try_for_each(|down| match *down {
            Down::Button(button) => self.button(button, Direction::Press),
            Down::Key(code) if key::is_modifier(code) => self.key(code, Direction::Press),
            Down::Key(_) => Ok(()),
        })
    }

    /// Releases what is held; how many that were.
    pub(crate) fn release(&mut self) -> Result<usize, Fault> {
        let Some(stage) = &mut self.stage else { return Ok(0) };
        let count = stage.held.count();
        match stage.held.release() {
            Ok(()) => Ok(count),
            Err(error) => Err(from_platform(error).detail("stillHeld", stage.held.count())),
        }
    }
}
