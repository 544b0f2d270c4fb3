//! Where a conversion starts: a macro, a file of steps, or a script of another program.

use super::{Opened, all};
use crate::context::{Call, Context};
use crossmacro_model::limits::STEP_FILE;
use crossmacro_model::macro_file::Macro;
use crossmacro_model::macro_file::convert::{Foreign, from_foreign};
use crossmacro_model::run::from_lines;
use crossmacro_model::{Code, Fault};
use crossmacro_policy::PathClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::Read as _;
use std::path::Path;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    /// A .macro file.
    Macro,
    /// Steps of the run language, one a line.
    Steps,
    /// A script of xdotool.
    Xdotool,
    /// Command lines of ydotool.
    Ydotool,
    /// A script of AutoHotkey.
    Autohotkey,
}

/// What was read, and what the caller should know about it.
pub(crate) struct Input {
    pub(crate) content: Macro,
    pub(crate) source: Source,
    pub(crate) warnings: Vec<String>,
}

/// Reads `path`; without a form, its name and its words tell which it is.
pub(crate) fn read(
    context: &Context,
    call: &Call<'_>,
    path: &str,
    given: Option<Source>,
    is_lenient: bool,
) -> Result<Input, Fault> {
    let by_name = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some(extension) if extension.eq_ignore_ascii_case("macro") => Some(Source::Macro),
        Some(extension) if extension.eq_ignore_ascii_case("ahk") => Some(Source::Autohotkey),
        _ => None,
    };
    if given.or(by_name) == Some(Source::Macro) {
        let (content, warnings) = Opened::open(context, call, path)?.usable(is_lenient)?;
        return Ok(Input { content, source: Source::Macro, warnings });
    }
    let text = text(context, call, path)?;
    let by_words = || match Foreign::guess(&text) {
        Some(Foreign::Xdotool) => Source::Xdotool,
        Some(Foreign::Ydotool) => Source::Ydotool,
        Some(Foreign::AutoHotkey) => Source::Autohotkey,
        None => Source::Steps,
    };
    let source = given.or(by_name).unwrap_or_else(by_words);
    let (mut content, warnings) = match source {
        Source::Steps | Source::Macro => {
            (Macro { script: from_lines(&text)?, ..Macro::default() }, Vec::new())
        }
        Source::Xdotool => foreign(Foreign::Xdotool, &text, is_lenient)?,
        Source::Ydotool => foreign(Foreign::Ydotool, &text, is_lenient)?,
        Source::Autohotkey => foreign(Foreign::AutoHotkey, &text, is_lenient)?,
    };
    if let Some(name) = Path::new(path).file_stem().and_then(|name| name.to_str()) {
        content.name = name.chars().filter(|letter| !letter.is_control()).collect();
    }
    Ok(Input { content, source, warnings })
}

fn foreign(program: Foreign, text: &str, is_lenient: bool) -> Result<(Macro, Vec<String>), Fault> {
    let (content, found) = from_foreign(program, text);
    if found.is_ok() || (is_lenient && !content.script.is_empty()) {
        return Ok((content, all(&found)));
    }
    Err(Fault::from(found).remedy("--lenient converts the other lines, and leaves these as comments"))
}

/// The text of a file, within the limits of a file of steps.
fn text(context: &Context, call: &Call<'_>, path: &str) -> Result<String, Fault> {
    let opened = context.open_read(call, PathClass::FileRead, path)?;
    let limit = &STEP_FILE;
    let mut bytes = Vec::new();
    let read = opened.file.take(limit.value + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        Fault::new(Code::FileError, format!("the file can't be read ({:?})", error.kind()))
    })?;
    if bytes.len() as u64 > limit.value {
        let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
        return Err(Fault::new(Code::ValidationError, message).detail("limit", limit.value));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|byte| *byte == b'\n').count();
        Fault::new(Code::ValidationError, format!("line {line}: the file is not UTF-8")).detail("line", line)
    })
}
