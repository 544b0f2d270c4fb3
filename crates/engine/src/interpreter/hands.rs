//! The input facets as a script uses them, or nothing in their place in a rehearsal.

use crate::fault::{facet, from_platform};
use crate::held::Held;
use crossmacro_model::{Axis, Button, Code, Delivered, Direction, Fault, KeyCode, KeyName, Point, key};
use crossmacro_platform::{Cancel, Capture, Desktop, DesktopSource, Keyboard, Pointer};
use std::sync::Arc;
use std::time::Duration;

/// Input of one script. In a rehearsal every call succeeds and does nothing.
pub(super) struct Hands {
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
    pub(super) fn real(desktop: &Desktop, source: Option<Arc<dyn DesktopSource>>) -> Self {
        let held = Held::new(desktop).reconnecting(source);
        Self { stage: Some(Stage { desktop: desktop.clone(), held }), has_touched: false }
    }

    pub(super) fn rehearsal() -> Self {
        Self { stage: None, has_touched: false }
    }

    pub(super) fn is_rehearsal(&self) -> bool {
        self.stage.is_none()
    }

    /// Where the pointer is; `None` in a rehearsal.
    pub(super) fn position(&self) -> Result<Option<Point>, Fault> {
        let Some(stage) = &self.stage else { return Ok(None) };
        let position = stage.pointer()?.position();
        position.map(Some).map_err(|error| from_platform(error).delivered(Delivered::Nothing))
    }

    /// The screen; `None` in a rehearsal.
    pub(super) fn capture(&self) -> Result<Option<Arc<dyn Capture>>, Fault> {
        let Some(stage) = &self.stage else { return Ok(None) };
        stage.desktop.capture.clone().map(Some).map_err(|unavailable| facet(&unavailable))
    }

    /// Whether anything was delivered, be it a part of a step.
    pub(super) fn has_touched(&self) -> bool {
        self.has_touched
    }

    /// Does something that has an effect.
    fn touch(&mut self, act: impl FnOnce(&mut Stage) -> Result<(), Fault>) -> Result<(), Fault> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        act(stage)?;
        self.has_touched = true;
        Ok(())
    }

    pub(super) fn move_to(&mut self, to: Point) -> Result<(), Fault> {
        self.touch(|stage| stage.pointer()?.move_to(to).map(drop).map_err(from_platform))
    }

    pub(super) fn move_by(&mut self, dx: i32, dy: i32) -> Result<(), Fault> {
        self.touch(|stage| stage.pointer()?.move_by(dx, dy).map(drop).map_err(from_platform))
    }

    pub(super) fn scroll(&mut self, axis: Axis, count: u32) -> Result<(), Fault> {
        self.touch(|stage| stage.pointer()?.scroll(axis, count).map_err(from_platform))
    }

    pub(super) fn button(&mut self, button: Button, direction: Direction) -> Result<(), Fault> {
        self.touch(|stage| stage.held.button(button, direction).map_err(from_platform))
    }

    pub(super) fn key(&mut self, key: KeyCode, direction: Direction) -> Result<(), Fault> {
        self.touch(|stage| stage.held.key(key, direction).map_err(from_platform))
    }

    pub(super) fn type_text(&mut self, text: &str, pause: Duration, cancel: &Cancel) -> Result<(), Fault> {
        self.touch(|stage| stage.keyboard()?.type_text(text, pause, cancel).map(drop).map_err(from_platform))
    }

    /// The key of this name: the one that prints the character in the present layout, else where the American
    /// layout has it.
    pub(super) fn resolve(&self, name: KeyName) -> Result<KeyCode, Fault> {
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

    pub(super) fn holds(&self, key: KeyCode) -> bool {
        self.stage.as_ref().is_some_and(|stage| stage.held.holds(key))
    }

    /// Releases what is held; how many that were.
    pub(super) fn release(&mut self) -> Result<usize, Fault> {
        let Some(stage) = &mut self.stage else { return Ok(0) };
        let count = stage.held.count();
        match stage.held.release() {
            Ok(()) => Ok(count),
            Err(error) => Err(from_platform(error).detail("stillHeld", stage.held.count())),
        }
    }
}
