//! Pixels in, answers out: encoding a captured frame, reading pictures that come from outside, and finding
//! colours and pictures on a frame.
//!
//! What it is not: nothing here captures, reads files or knows a desktop. All positions are pixels of the
//! frame that was given ([`Physical`](crossmacro_model::Physical)); turning them into desktop coordinates is
//! the caller's part.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod color;
mod compact;
mod encode;
mod error;
mod image;
mod jpeg;
pub mod macro_chart;
pub mod png;
pub mod resize;
pub mod search;
mod threads;
mod webp;

pub use compact::Compact;
pub use encode::{Encoded, Format, Options, encode};
pub use error::{DecodeError, EncodeError, Flaw};
pub use image::Image;
pub use png::Speed;
