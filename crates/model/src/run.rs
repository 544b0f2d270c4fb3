//! The run language: a list of steps, one a line, with blocks, variables and arithmetic.
//!
//! Text becomes [`SourceStep`]s ([`from_lines`], [`from_steps`], [`from_words`]), these become a [`Program`]
//! ([`parse`]), and a program becomes text again ([`Program::print`]): `parse(print(program)) == program`.
//! A script is checked as a whole, and all that is wrong with it is told at once. Nothing here runs a script;
//! the values of variables are computed here, so that there is one arithmetic.
//!
//! Any text is safe to read: time and memory grow with its length only, and blocks nest at most
//! [`NESTING`](crate::limits::NESTING) deep.
//!
//! ```
//! use crossmacro_model::run::{from_lines, parse};
//!
//! let program = parse(&from_lines("set n 2\nREPEAT $n*3 {\n\ttap Control + c\n}")?)?;
//! assert_eq!(program.print(), ["set n 2", "repeat $n * 3 {", "tap Ctrl+c", "}"]);
//!
//! let wrong = parse(&from_lines("# copies\ntap ctrl+Entr")?).unwrap_err();
//! assert_eq!(wrong.list[0].place.line, Some(2));
//! assert_eq!(wrong.list[0].nearest, ["Enter"]);
//! # Ok::<(), crossmacro_model::run::Diagnostics>(())
//! ```

mod blocks;
mod check;
mod condition;
mod diagnostic;
mod expression;
mod name;
mod parse;
mod print;
mod quotes;
mod source;
mod steps;
mod template;
mod tree;
mod value;
mod variables;
mod words;

pub use condition::{Condition, Relation};
pub(crate) use diagnostic::quoted;
pub use diagnostic::{Diagnostic, Diagnostics, Place, Trouble};
pub use expression::{Expression, Operator, Phrase, Term};
pub use name::Name;
pub use parse::parse;
pub use source::{SourceStep, from_lines, from_steps, from_words};
pub use steps::{
    Assign, By, Change, ChangeKind, Clipboard, Delay, Fact, ImageClick, ImageSearch, Key, MousePosition,
    Move, MoveMode, PixelColor, PixelSearch, Press, PressKind, Region, Scroll, SeenAt, Step, Tap, Target,
    Type, WaitColor, WaitImage, Which, Window, WindowState,
};
pub use template::Template;
pub use tree::{Block, Node, Program, Statement};
pub use value::{MainButton, MatchMode, Millis, Notches, Rgb, Similarity, Spelling, Tolerance, Value};
pub use variables::Variables;
