//! Pictures to look for, read from PNG files under the path rules of `imageRead`.

use super::CheckedPng;
use crate::context::{Call, Context};
use crossmacro_imaging::png;
use crossmacro_imaging::search::Template;
use crossmacro_model::limits::{IMAGE_ASSETS_BYTES, Limit, TEMPLATE_PIXELS};
use crossmacro_model::{Code, Fault};

/// Reads pictures, within common limits on their bytes and pixels.
#[derive(Default)]
pub(crate) struct Templates {
    bytes: u64,
    pixels: u64,
}

impl Templates {
    /// Reads the next one.
    pub(crate) fn open(&mut self, context: &Context, call: &Call<'_>, path: &str) -> Result<Template, Fault> {
        let checked = CheckedPng::open(context, call, path)?;
        // Checked by the header, before the pixels take memory.
        self.bytes = within(self.bytes, checked.bytes.len() as u64, IMAGE_ASSETS_BYTES)?;
        let pixels = u64::from(checked.width) * u64::from(checked.height);
        self.pixels = within(self.pixels, pixels, TEMPLATE_PIXELS)?;
        let image = png::decode(&checked.bytes).map_err(|error| unusable(&error))?;
        Template::new(&image).map_err(|error| unusable(&error))
    }
}

fn within(sum: u64, more: u64, limit: Limit) -> Result<u64, Fault> {
    let sum = sum.saturating_add(more);
    if sum <= limit.value {
        return Ok(sum);
    }
    Err(Fault::new(
        Code::ValidationError,
        format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit),
    )
    .detail("limit", limit.value))
}

fn unusable(error: &dyn std::error::Error) -> Fault {
    Fault::new(Code::ValidationError, format!("this picture can't be looked for: {error}"))
}
