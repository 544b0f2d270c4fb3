//! What can go wrong between pixels and bytes.

use crate::encode::Format;
use crossmacro_model::limits::Limit;

/// What a codec said, kept as a source without naming its type.
pub(crate) type Source = Box<dyn std::error::Error + Send + Sync>;

/// A picture could not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// There is not one pixel.
    #[error("a picture without pixels can't be encoded")]
    Empty,
    /// The format can't hold a picture of this size.
    #[error("{format} holds at most {limit} pixels a side, and the picture has {side}")]
    TooLarge {
        /// The format that was asked for.
        format: Format,
        /// Its largest side in pixels.
        limit: u32,
        /// The longer side of the picture in pixels.
        side: u32,
    },
    /// The encoder failed.
    #[error("the picture could not be encoded as {format}")]
    Codec {
        /// The format that was asked for.
        format: Format,
        /// What the encoder said.
        source: Source,
    },
    /// The picture could not be scaled.
    #[error("the picture could not be scaled")]
    Scale {
        /// What the scaler said.
        source: Source,
    },
}

/// A picture from outside could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// It is over a limit; nothing was unpacked.
    #[error("{} It has {found} {}, and {} are accepted.", what.sentence, what.unit, what.value)]
    TooLarge {
        /// The limit.
        what: &'static Limit,
        /// What the picture has, in the unit of the limit.
        found: u64,
    },
    /// It is no valid PNG.
    #[error("the picture is no valid PNG: {flaw}")]
    Malformed {
        /// What is wrong with it.
        flaw: Flaw,
        /// What the decoder said.
        source: Option<Source>,
    },
}

/// What is wrong with a picture from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// It doesn't start like a PNG.
    #[error("it doesn't start with the PNG signature")]
    Signature,
    /// It ends too early.
    #[error("it ends too early")]
    Truncated,
    /// A checksum, a chunk or the packed data is wrong.
    #[error("its contents are damaged")]
    Damaged,
}
