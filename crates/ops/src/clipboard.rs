//! Operations on the clipboard. What they read or write never appears in a message or an error.

mod get_image;
mod get_text;
mod set_image;
mod set_text;

use crate::registry::operations;

operations![get_text::GetText, set_text::SetText, get_image::GetImage, set_image::SetImage];
