//! Operations on macro files: what they hold, whether they are right, and other forms of them. None plays one.

mod convert;
mod diff;
mod inspect;
mod lint;
mod list;
mod render;
mod source;
mod validate;
mod view;

use crate::context::{Call, Context};
use crate::registry::operations;
use crossmacro_imaging::png;
use crossmacro_model::macro_file::{Diagnostics, Macro, Severity};
use crossmacro_model::{Code, Fault};
use crossmacro_policy::PathClass;
use crossmacro_store::macros;

operations![
    list::List,
    inspect::Inspect,
    validate::Validate,
    diff::DiffMacros,
    convert::Convert,
    render::Render,
    lint::Lint,
];

/// A macro and everything that is wrong with it.
pub(crate) struct Opened {
    pub(crate) content: Macro,
    /// Of the file, the script and the pictures.
    pub(crate) found: Diagnostics,
    is_complete: bool,
}

impl Opened {
    /// Reads a macro file under the path rules of `macroRead`, and checks all of it.
    pub(crate) fn open(context: &Context, call: &Call<'_>, path: &str) -> Result<Self, Fault> {
        let opened = context.open_read(call, PathClass::MacroRead, path)?;
        let read = macros::read_while(opened, &|| !call.cancel.is_cancelled())?;
        let mut found = read.diagnostics;
        pictures(call, &read.content, &mut found)?;
        found.append(read.content.validate());
        Ok(Self { content: read.content, found, is_complete: read.is_complete })
    }

    /// The macro and the warnings about it; with `lenient`, what remains of it without what is wrong.
    pub(crate) fn usable(self, is_lenient: bool) -> Result<(Macro, Vec<String>), Fault> {
        let is_empty = self.content.events.is_empty() && self.content.script.is_empty();
        if self.found.is_ok() || (is_lenient && self.is_complete && !is_empty) {
            let warnings = all(&self.found);
            return Ok((self.content, warnings));
        }
        Err(Fault::from(self.found))
    }
}

/// Decodes every picture once, so that it is known to be whole.
fn pictures(call: &Call<'_>, content: &Macro, found: &mut Diagnostics) -> Result<(), Fault> {
    for image in &content.images {
        if call.cancel.is_cancelled() {
            return Err(Fault::new(Code::Cancelled, "the call was cancelled"));
        }
        if let Err(error) = png::inspect(&image.png) {
            found.error(format!("the picture {}: {error}", image.name));
        }
    }
    Ok(())
}

/// Most diagnostics in one reply.
const TOLD: usize = 100;

/// The warnings as texts.
pub(crate) fn warnings(found: &Diagnostics) -> Vec<String> {
    found.of(Severity::Warning).take(TOLD).map(ToString::to_string).collect()
}

/// Errors and warnings as texts, where the errors don't stand in the way.
pub(crate) fn all(found: &Diagnostics) -> Vec<String> {
    let total = found.errors + found.warnings;
    let mut texts: Vec<String> = found.list.iter().take(TOLD).map(ToString::to_string).collect();
    if total > texts.len() {
        texts.push(format!("and {} more", total - texts.len()));
    }
    texts
}

/// "1 event" and "2 events".
pub(crate) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
