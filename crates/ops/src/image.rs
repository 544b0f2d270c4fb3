//! Operations on picture files.

pub(crate) mod read;
pub(crate) mod template;

use crate::context::{Call, Context};
use crate::registry::operations;
use crossmacro_imaging::png;
use crossmacro_model::limits::PNG_BYTES;
use crossmacro_model::{Code, Fault};
use crossmacro_policy::PathClass;
use std::io::Read as _;

operations![read::ReadImage];

/// A PNG whose every byte was decoded once, so that it is known to be whole.
pub(crate) struct CheckedPng {
    pub(crate) bytes: Vec<u8>,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl CheckedPng {
    /// Checks an encoded PNG from outside.
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self, Fault> {
        let size = png::inspect(&bytes).map_err(|error| {
            Fault::new(Code::ValidationError, format!("this is no PNG that can be used: {error}"))
                .caused_by(error)
        })?;
        Ok(Self { bytes, width: size.width, height: size.height })
    }

    /// Reads and checks a PNG file under the path rules of `imageRead`.
    pub(crate) fn open(context: &Context, call: &Call<'_>, path: &str) -> Result<Self, Fault> {
        let opened = context.open_read(call, PathClass::ImageRead, path)?;
        let limit = PNG_BYTES.value;
        let too_large = || {
            Fault::new(Code::ValidationError, format!("the file is larger than {limit} bytes"))
                .detail("limit", limit)
        };
        if opened.len > limit {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        // One byte more than allowed shows a file that grew after it was opened.
        opened
            .file
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Fault::new(Code::FileError, format!("the file can't be read: {error}")))?;
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        Self::new(bytes)
    }
}
