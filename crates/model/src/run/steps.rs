//! The kinds of steps: one file each, and one line each in the table below.
//!
//! A kind reads itself, writes itself, and says what it needs; the engine carries it out.

mod assign;
mod change;
mod clipboard;
mod delay;
mod image;
mod imageclick;
mod imagesearch;
mod key;
mod mouse;
mod movement;
mod pixelcolor;
mod pixelsearch;
mod press;
mod scroll;
mod seen;
mod tap;
mod text;
mod waitcolor;
mod waitimage;
mod window;

use super::diagnostic::{Trouble, quoted};
use super::name::Name;
use super::words::{Line, Word};
use crate::Capability;
use crate::nearest::nearest;
pub use assign::Assign;
pub use change::{Change, ChangeKind};
pub use clipboard::Clipboard;
pub use delay::Delay;
pub use image::{Region, Target};
pub use imageclick::ImageClick;
pub use imagesearch::ImageSearch;
pub use key::Key;
pub use mouse::MousePosition;
pub use movement::{Move, MoveMode};
pub use pixelcolor::PixelColor;
pub use pixelsearch::PixelSearch;
pub use press::{Press, PressKind};
pub use scroll::Scroll;
pub use seen::SeenAt;
pub use tap::Tap;
pub use text::Type;
pub use waitcolor::WaitColor;
pub use waitimage::WaitImage;
pub use window::{By, Fact, Which, Window, WindowState};

/// What a step does with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// It needs a value.
    Read,
    /// It gives it a value.
    Write,
}

/// One kind of step.
pub(crate) trait StepKind: Sized + std::fmt::Display {
    /// What a policy must allow for it, whatever it says.
    const NEEDS: &'static [Capability] = &[];
    /// Whether it waits for, or asks, something outside the script.
    const ASKS_OUTSIDE: bool;
    /// Whether its text is a person's (and thus secret, and may have line breaks).
    const IS_TEXT: bool;

    /// What a policy must allow for it.
    fn needs(&self) -> &'static [Capability] {
        Self::NEEDS
    }

    /// Reads the step. The keyword is one of its own.
    fn parse(line: &Line<'_>) -> Result<Self, Trouble>;

    /// Tells the variables of the step.
    fn visit(&self, seen: &mut dyn FnMut(Use, &Name));

    /// How many of the words after the keyword are its own in the positional form.
    fn arity(keyword: &str, words: &[String]) -> usize;
}

macro_rules! step_kinds {
    ($($(#[$doc:meta])* $kind:ident $($keyword:literal)+;)*) => {
        /// A step that is no block.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Step { $($(#[$doc])* $kind($kind),)* }

        /// First words of the steps of this build.
        const KEYWORDS: &[&str] = &[$($($keyword,)+)*];

        impl Step {
            /// Reads one step.
            pub(crate) fn parse(line: &Line<'_>) -> Result<Self, Trouble> {
                let is_text = $(($kind::IS_TEXT && ($(line.keyword.is($keyword))||+)))||*;
                if line.has_line_break() && !is_text {
                    return Err(Trouble::new(line.keyword.at, "a step is one line"));
                }
                $(if $(line.keyword.is($keyword))||+ { return $kind::parse(line).map(Self::$kind); })*
                Err(unknown(line))
            }

            /// What a policy must allow for this step.
            pub fn needs(&self) -> &'static [Capability] {
                match self { $(Self::$kind(step) => StepKind::needs(step),)* }
            }

            /// Whether it waits for, or asks, something outside the script.
            pub fn asks_outside(&self) -> bool {
                match self { $(Self::$kind(_) => $kind::ASKS_OUTSIDE,)* }
            }

            /// Whether its text must not appear in messages.
            pub(crate) fn is_text(&self) -> bool {
                match self { $(Self::$kind(_) => $kind::IS_TEXT,)* }
            }

            pub(crate) fn visit(&self, seen: &mut dyn FnMut(Use, &Name)) {
                match self { $(Self::$kind(step) => step.visit(seen),)* }
            }

            /// How many words of the positional form belong to a step; `None` for an unknown keyword.
            pub(crate) fn arity(keyword: &str, words: &[String]) -> Option<usize> {
                $(if $(keyword.eq_ignore_ascii_case($keyword))||+ { return Some($kind::arity(keyword, words)); })*
                None
            }
        }

        impl std::fmt::Display for Step {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $(Self::$kind(step) => step.fmt(out),)* }
            }
        }
    };
}

step_kinds! {
    /// Moves the pointer.
    Move "move";
    /// Presses a mouse button, releases it, or both.
    Press "click" "down" "up";
    /// Turns the wheel.
    Scroll "scroll";
    /// Presses or releases a key.
    Key "key";
    /// Taps a chord.
    Tap "tap";
    /// Types a text.
    Type "type";
    /// Waits.
    Delay "delay";
    /// Reads where the pointer is.
    MousePosition "mouse";
    /// Reads the colour of a pixel.
    PixelColor "pixelcolor";
    /// Waits until a pixel has a colour.
    WaitColor "waitcolor";
    /// Finds the first pixel of a colour.
    PixelSearch "pixelsearch";
    /// Looks once for a picture.
    ImageSearch "imagesearch";
    /// Waits for a picture.
    WaitImage "waitimage";
    /// Waits for a picture and clicks it.
    ImageClick "imageclick";
    /// Reads or replaces the text on the clipboard.
    Clipboard "clipboard";
    /// Looks at windows, or changes one.
    Window "window";
    /// Sets a variable.
    Assign "set";
    /// Counts a variable up or down, multiplies or divides it.
    Change "inc" "dec" "mul" "div";
}

/// Keywords of the language that this build has no step for.
const UNAVAILABLE: &[&str] = &["screenshot", "shell"];

/// Words that start a block or leave one.
pub(crate) const BLOCKS: &[&str] = &["repeat", "if", "else", "while", "for", "break", "continue"];

/// The trouble with a step that starts with no known keyword.
pub(crate) fn unknown(line: &Line<'_>) -> Trouble {
    let keyword = line.keyword;
    if let Some(name) = UNAVAILABLE.iter().find(|name| keyword.is(name)) {
        let message = format!("the step kind \"{name}\" is not available in this build");
        return Trouble::new(keyword.at, message);
    }
    let known = KEYWORDS.iter().chain(BLOCKS).chain(UNAVAILABLE).copied();
    let message = format!("there is no step kind {}", quoted(keyword.text));
    Trouble::new(keyword.at, message).nearest(nearest(keyword.text, known))
}

impl Step {
    /// The picture that it looks for, by the name given to the run.
    pub fn asset(&self) -> Option<&str> {
        let target = match self {
            Self::ImageSearch(step) => &step.target,
            Self::WaitImage(step) => &step.target,
            Self::ImageClick(step) => &step.target,
            _ => return None,
        };
        Some(&target.asset)
    }
}

/// Whether `word` of the positional form can be the name of a variable to fill: no word that starts a step.
fn is_variable(word: &str) -> bool {
    let name = word.strip_prefix('$').unwrap_or(word);
    let is_word =
        KEYWORDS.iter().chain(BLOCKS).chain(UNAVAILABLE).any(|known| known.eq_ignore_ascii_case(word));
    Name::parse(name).is_ok() && !is_word
}

/// The variable that a step fills; the $ may be written.
fn variable(word: Word<'_>) -> Result<Name, Trouble> {
    Name::parse(word.text.strip_prefix('$').unwrap_or(word.text)).map_err(|trouble| trouble.moved(word.at))
}

/// Whether `word` can be a number of the positional form.
fn is_number(word: &str) -> bool {
    word.parse::<i64>().is_ok() || word.trim_start_matches('-').starts_with('$')
}
