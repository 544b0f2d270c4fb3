//! PNG: the format of captures, templates and clipboard pictures.
//!
//! Writing is for pixels of our own and has one aim, time: see [`encode`]. Reading is for bytes from
//! anywhere and has one aim, safety: see [`decode`].

mod bands;
mod decode;
mod encode;
mod palette;

pub use decode::{decode, inspect};
pub(crate) use encode::rgb_rows;
pub use encode::{Speed, encode};
