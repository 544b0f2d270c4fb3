//! Operations on the clipboard. What they read or write never appears in a message or an error.

mod get_image;
mod get_text;
mod set_image;
mod set_text;

use crate::registry::Entry;

pub(crate) static OPERATIONS: [Entry; 4] = [
    Entry::of::<get_text::GetText>(),
    Entry::of::<set_text::SetText>(),
    Entry::of::<get_image::GetImage>(),
    Entry::of::<set_image::SetImage>(),
];
