//! The steps on the clipboard. What is on it never appears in a message.

use super::Interpreter;
use crate::fault::from_platform;
use crossmacro_model::limits::{PNG_BYTES, RUN_VALUE};
use crossmacro_model::run::{Clipboard as Step, Tap};
use crossmacro_model::{Code, Fault};
use crossmacro_platform::{Clipboard, ClipboardContent, clock};
use std::time::Duration;

/// How long a program may take to copy after it got the keys.
const COPYING: Duration = Duration::from_secs(2);
/// How often the clipboard is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(10);

impl Interpreter<'_> {
    pub(super) fn do_clipboard(&mut self, step: &Step) -> Result<(), Fault> {
        self.tally.has_acted = true;
        let clipboard = self.hands.clipboard()?;
        match step {
            Step::Get { into } => {
                let text = match clipboard {
                    Some(clipboard) => self.text(&*clipboard)?.unwrap_or_default(),
                    None => self.unknown(),
                };
                self.variables.set(into, text).map_err(Fault::from)
            }
            Step::Set { text } => {
                let text = text.expand(&self.variables)?;
                let content =
                    if text.is_empty() { ClipboardContent::Empty } else { ClipboardContent::Text(text) };
                clipboard.map_or(Ok(()), |clipboard| self.put(&*clipboard, content))
            }
            Step::Capture { chord, into } => {
                let tap = Tap { chord: chord.clone() };
                let text = match clipboard {
                    Some(clipboard) => self.copied(&*clipboard, &tap)?,
                    None => {
                        self.do_tap(&tap)?;
                        self.unknown()
                    }
                };
                self.variables.set(into, text).map_err(Fault::from)
            }
        }
    }

    /// What a rehearsal has in the place of something that is read.
    pub(super) fn unknown(&mut self) -> String {
        self.estimate();
        String::new()
    }

    fn text(&self, clipboard: &dyn Clipboard) -> Result<Option<String>, Fault> {
        let limit = usize::try_from(RUN_VALUE.value).unwrap_or(usize::MAX);
        clipboard.text(limit, &self.cancel).map_err(from_platform)
    }

    /// The text, or else the picture, that is there.
    fn content(&self, clipboard: &dyn Clipboard) -> Result<ClipboardContent, Fault> {
        if let Some(text) = self.text(clipboard)? {
            return Ok(ClipboardContent::Text(text));
        }
        let limit = usize::try_from(PNG_BYTES.value).unwrap_or(usize::MAX);
        let picture = clipboard.png(limit, &self.cancel).map_err(from_platform)?;
        Ok(picture.map_or(ClipboardContent::Empty, ClipboardContent::Png))
    }

    fn put(&mut self, clipboard: &dyn Clipboard, content: ClipboardContent) -> Result<(), Fault> {
        clipboard.set(content).map_err(from_platform)?;
        self.hands.has_acted();
        Ok(())
    }

    /// Taps a chord that copies. The clipboard is emptied before, so that what is there afterwards was copied; where
    /// nothing was, the text or the picture of before comes back.
    fn copied(&mut self, clipboard: &dyn Clipboard, tap: &Tap) -> Result<String, Fault> {
        let before = self.content(clipboard)?;
        self.put(clipboard, ClipboardContent::Empty)?;
        let copied = self.tap_and_wait(clipboard, tap);
        if !matches!(copied, Ok(Some(_))) {
            self.put(clipboard, before)?;
        }
        copied?.ok_or_else(|| {
            Fault::new(
                Code::RuntimeError,
                "nothing was copied within two seconds; the clipboard is as it was",
            )
            .remedy("Select something first, and see that the right window has the keyboard.")
        })
    }

    fn tap_and_wait(&mut self, clipboard: &dyn Clipboard, tap: &Tap) -> Result<Option<String>, Fault> {
        self.do_tap(tap)?;
        let end = clock::now() + COPYING;
        loop {
            let text = self.text(clipboard)?;
            let now = clock::now();
            if text.is_some() || now >= end {
                self.schedule.resume();
                return Ok(text);
            }
            if self.cancel.sleep_until(end.min(now + LOOK)) {
                self.go_on()?;
            }
        }
    }
}
