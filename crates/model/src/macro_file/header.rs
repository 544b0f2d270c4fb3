//! The lines before the first section: `# Name: Open the menu`.

use super::document::{Created, Image, Macro, TextBoundary};
use super::event::RandomDelay;
use super::number::integer;
use crate::limits::{
    MACRO_IMAGES, MACRO_IMAGES_BYTES, MACRO_IMAGES_PIXELS, PNG_BYTES, PNG_HEIGHT, PNG_PIXELS, PNG_WIDTH,
};
use crate::nearest::nearest;
use crate::run::quoted;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// What every format that is read starts with, and the number of the newest.
const FORMAT: &str = "CrossMacroFormatV";
const NEWEST: u32 = 2;

/// The format that is written.
pub(crate) const WRITTEN: &str = "CrossMacroFormatV2";

/// A key of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Name,
    Created,
    DurationMs,
    IsAbsolute,
    SkipInitialZero,
    TrailingDelayUs,
    TrailingDelayMs,
    TrailingRandomDelayMs,
    TextBoundary,
    Image,
    Format,
}

pub(crate) const KEYS: &[(&str, Key)] = &[
    ("Name", Key::Name),
    ("Created", Key::Created),
    ("DurationMs", Key::DurationMs),
    ("IsAbsolute", Key::IsAbsolute),
    ("SkipInitialZero", Key::SkipInitialZero),
    ("TrailingDelayUs", Key::TrailingDelayUs),
    ("TrailingDelayMs", Key::TrailingDelayMs),
    ("TrailingRandomDelayMs", Key::TrailingRandomDelayMs),
    ("TextInputBoundaryBase64", Key::TextBoundary),
    ("Image", Key::Image),
    ("Format", Key::Format),
];

impl Key {
    /// Whether there may be several.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, Self::TextBoundary | Self::Image)
    }
}

/// Something wrong with a header line, and names to suggest.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) nearest: Vec<String>,
    pub(crate) is_warning: bool,
}

impl Problem {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), nearest: Vec::new(), is_warning: false }
    }
}

/// The key and value of a line that starts with `#`; `Err` holds the known names near to a key that is none.
pub(crate) fn split(line: &str) -> Result<(Key, &str), Vec<String>> {
    let Some((word, value)) = line.strip_prefix("# ").and_then(|line| line.split_once(':')) else {
        return Err(Vec::new());
    };
    let value = value.strip_prefix(' ').unwrap_or(value);
    let known = KEYS.iter().find(|(name, _)| *name == word);
    known.map(|(_, key)| (*key, value)).ok_or_else(|| {
        // A sentence with a colon is a comment.
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let names = KEYS.iter().map(|(name, _)| *name);
        if is_word { nearest(word, names) } else { Vec::new() }
    })
}

/// Takes a value over into the macro.
pub(crate) fn apply(key: Key, value: &str, into: &mut Macro) -> Result<(), Problem> {
    match key {
        Key::Name => value.clone_into(&mut into.name),
        Key::Created => {
            let wanted = "expected a moment like 2030-02-03T04:05:06.0000000Z";
            let created = Created::parse(value.trim()).ok_or_else(|| unlike(wanted, value))?;
            into.created = Some(created);
        }
        // It is counted anew; a number it must be all the same.
        Key::DurationMs => drop(count(value, "milliseconds")?),
        Key::IsAbsolute => into.is_absolute = truth(value)?,
        Key::SkipInitialZero => into.skip_initial_zero = truth(value)?,
        Key::TrailingDelayUs => into.trailing_us = count(value, "microseconds")?,
        Key::TrailingDelayMs => {
            let ms = count(value, "milliseconds")?;
            let us = ms.checked_mul(1000).filter(|us| i64::try_from(*us).is_ok());
            into.trailing_us = us.ok_or_else(|| unlike("expected a number of milliseconds", value))?;
        }
        Key::TrailingRandomDelayMs => into.trailing_random = Some(range(value)?),
        Key::TextBoundary => into.text_boundaries.push(boundary(value)?),
        Key::Image => image(value, into)?,
        Key::Format => format(value)?,
    }
    Ok(())
}

fn unlike(wanted: &str, value: &str) -> Problem {
    Problem::new(format!("{wanted}, found {}", quoted(value.trim())))
}

fn truth(value: &str) -> Result<bool, Problem> {
    match value.trim() {
        word if word.eq_ignore_ascii_case("true") => Ok(true),
        word if word.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(unlike("expected True or False", value)),
    }
}

fn count(value: &str, unit: &str) -> Result<u64, Problem> {
    let number = integer(value.trim().as_bytes()).and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| unlike(&format!("expected a number of {unit}, not negative"), value))
}

fn range(value: &str) -> Result<RandomDelay, Problem> {
    let problem = || unlike("expected two numbers of milliseconds like 50,120, the shorter first", value);
    let (min, max) = value.split_once(',').ok_or_else(problem)?;
    let ms = |text: &str| {
        let number = integer(text.trim().as_bytes()).and_then(|number| i32::try_from(number).ok());
        number.and_then(|number| u32::try_from(number).ok()).ok_or_else(problem)
    };
    let range = RandomDelay { min_ms: ms(min)?, max_ms: ms(max)? };
    if range.min_ms <= range.max_ms { Ok(range) } else { Err(problem()) }
}

fn format(value: &str) -> Result<(), Problem> {
    let number = value.trim().strip_prefix(FORMAT).and_then(|number| number.parse::<u32>().ok());
    match number {
        Some(0) | None => Err(unlike(&format!("expected the format {WRITTEN}"), value)),
        Some(1..=NEWEST) => Ok(()),
        Some(newer) => Err(Problem::new(format!(
            "the file is of format {newer}; this program reads up to {NEWEST}, and may misread it"
        ))),
    }
}

/// A text boundary as the file has it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Stored {
    start_event_index: i32,
    event_count: i32,
    text: String,
}

fn boundary(value: &str) -> Result<TextBoundary, Problem> {
    let problem = || Problem {
        is_warning: true,
        ..Problem::new("the note about a typed text is malformed, and is left out; playing takes no notice")
    };
    let json = STANDARD.decode(value.trim()).map_err(|_| problem())?;
    let stored: Stored = serde_json::from_slice(&json).map_err(|_| problem())?;
    let start = u32::try_from(stored.start_event_index).map_err(|_| problem())?;
    let count = u32::try_from(stored.event_count).ok().filter(|count| *count > 0).ok_or_else(problem)?;
    Ok(TextBoundary { start, count, text: stored.text })
}

/// The value that [`boundary`] reads.
pub(crate) fn encode_boundary(boundary: &TextBoundary) -> Option<String> {
    let stored = Stored {
        start_event_index: i32::try_from(boundary.start).ok()?,
        event_count: i32::try_from(boundary.count).ok().filter(|count| *count > 0)?,
        text: boundary.text.clone(),
    };
    serde_json::to_vec(&stored).ok().map(|json| STANDARD.encode(json))
}

/// The value of an image header after `NAME = `.
pub(crate) fn encode_image(image: &Image) -> String {
    STANDARD.encode(&image.png)
}

/// Whether the name may stand in a file; steps can only use the ASCII ones.
pub(crate) fn is_image_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_alphanumeric())
}

fn image(value: &str, into: &mut Macro) -> Result<(), Problem> {
    let (name, encoded) =
        value.split_once('=').ok_or_else(|| Problem::new("expected NAME = PICTURE, there is no = here"))?;
    let name = name.trim();
    if !is_image_name(name) {
        let wanted = "expected a picture's name of letters, digits and _, that starts with no digit";
        return Err(unlike(wanted, name));
    }
    if into.images.len() as u64 >= MACRO_IMAGES.value {
        return Err(over(&MACRO_IMAGES));
    }
    if into.images.iter().any(|image| image.name == name) {
        return Err(Problem::new(format!("there is a picture named {name} already")));
    }
    let encoded = encoded.trim();
    if encoded.len() as u64 / 4 * 3 > PNG_BYTES.value + 2 {
        return Err(over(&PNG_BYTES));
    }
    let wrong = || Problem::new(format!("the picture {name} is no base64 of a PNG"));
    let png = STANDARD.decode(encoded).map_err(|_| wrong())?;
    let pixels = check_png(&png).map_err(|problem| Problem::new(format!("the picture {name}: {problem}")))?;
    let together: usize = into.images.iter().map(|image| image.png.len()).sum();
    if (together + png.len()) as u64 > MACRO_IMAGES_BYTES.value {
        return Err(over(&MACRO_IMAGES_BYTES));
    }
    let before: u64 = into.images.iter().filter_map(|image| check_png(&image.png).ok()).sum();
    if before + pixels > MACRO_IMAGES_PIXELS.value {
        return Err(over(&MACRO_IMAGES_PIXELS));
    }
    into.images.push(Image { name: name.to_owned(), png });
    if name.is_ascii() {
        return Ok(());
    }
    let message = format!("steps can't use the picture {name}: they name pictures with ASCII letters only");
    Err(Problem { is_warning: true, ..Problem::new(message) })
}

fn over(limit: &crate::limits::Limit) -> Problem {
    Problem::new(format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit))
}

/// Checks what the first bytes of a PNG tell: it is one, its size, and that a channel has 8 bits. Gives the
/// number of its pixels.
pub(crate) fn check_png(png: &[u8]) -> Result<u64, String> {
    if png.len() as u64 > PNG_BYTES.value {
        return Err(over(&PNG_BYTES).message);
    }
    let Some(header) = png.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR") else {
        return Err("expected a PNG".to_owned());
    };
    let [w0, w1, w2, w3, h0, h1, h2, h3, depth, ..] = *header else {
        return Err("the PNG ends in its header".to_owned());
    };
    let width = u64::from(u32::from_be_bytes([w0, w1, w2, w3]));
    let height = u64::from(u32::from_be_bytes([h0, h1, h2, h3]));
    let limits = [(&PNG_WIDTH, width), (&PNG_HEIGHT, height), (&PNG_PIXELS, width * height)];
    if let Some((limit, _)) = limits.into_iter().find(|(limit, value)| *value > limit.value) {
        return Err(over(limit).message);
    }
    if width == 0 || height == 0 {
        return Err("the PNG has no pixels".to_owned());
    }
    if depth == 8 { Ok(width * height) } else { Err(format!("expected 8 bits a channel, found {depth}")) }
}
