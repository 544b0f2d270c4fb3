//! Words of the steps that look at the screen.

use super::{BUTTONS, Spelling, choose};
use crate::Button;
use crate::run::diagnostic::Trouble;

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub [u8; 3]);

impl Spelling for Rgb {
    fn read(text: &str) -> Result<Self, Trouble> {
        let is_color = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = if is_color { u32::from_str_radix(text, 16).ok() } else { None };
        let value = value.ok_or_else(|| {
            Trouble::new(0, "expected a colour of six hexadecimal digits RRGGBB, without #")
        })?;
        let [_, red, green, blue] = value.to_be_bytes();
        Ok(Self([red, green, blue]))
    }

    fn spell(&self) -> String {
        let [red, green, blue] = self.0;
        format!("{red:02X}{green:02X}{blue:02X}")
    }
}

/// The largest difference of colours that is accepted, for each of red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tolerance(pub u8);

impl Spelling for Tolerance {
    fn read(text: &str) -> Result<Self, Trouble> {
        text.parse().map(Self).map_err(|_| Trouble::new(0, "expected a tolerance from 0 to 255"))
    }

    fn spell(&self) -> String {
        self.0.to_string()
    }
}

/// A similarity from 0 to 1, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Similarity(String);

impl Similarity {
    /// The number.
    pub fn get(&self) -> f64 {
        // Checked when it was read.
        self.0.parse().unwrap_or(1.0)
    }
}

impl Spelling for Similarity {
    fn read(text: &str) -> Result<Self, Trouble> {
        match text.parse::<f64>() {
            Ok(number) if (0.0..=1.0).contains(&number) => Ok(Self(text.to_owned())),
            _ => Err(Trouble::new(0, "expected a similarity from 0 to 1")),
        }
    }

    fn spell(&self) -> String {
        self.0.clone()
    }
}

/// How a search for a picture chooses among places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatchMode {
    /// The best, also at other scales; it matters when two places match equally well.
    #[default]
    Auto,
    /// The topmost that is similar enough, and of these the leftmost.
    First,
    /// The most similar; of equals the topmost, then the leftmost.
    Best,
}

impl Spelling for MatchMode {
    fn read(text: &str) -> Result<Self, Trouble> {
        let modes: &[(Self, &[&str])] =
            &[(Self::Auto, &["auto"]), (Self::First, &["first"]), (Self::Best, &["best"])];
        choose(text, modes, "a match mode")
    }

    fn spell(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::First => "first",
            Self::Best => "best",
        }
        .to_owned()
    }
}

/// One of the three buttons that every mouse has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MainButton(pub Button);

impl Spelling for MainButton {
    fn read(text: &str) -> Result<Self, Trouble> {
        choose(text, &BUTTONS[..3], "a mouse button").map(Self)
    }

    fn spell(&self) -> String {
        self.0.name().to_owned()
    }
}
