//! The commands that act, and scripts of them.

use super::DryRun;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Move {
    /// abs (desktop coordinates), rel or rel-raw (device units), rel-logical (desktop units)
    #[arg(value_name = "MODE")]
    pub(crate) mode: String,
    /// Horizontal place or distance
    #[arg(allow_negative_numbers = true)]
    pub(crate) x: i32,
    /// Vertical place or distance
    #[arg(allow_negative_numbers = true)]
    pub(crate) y: i32,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Press {
    /// left, right, middle, side1 or side2; "current" before it is accepted
    #[arg(value_name = "BUTTON", num_args = 1..=2, required = true)]
    pub(crate) button: Vec<String>,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Scroll {
    /// up, down, left or right
    #[arg(value_name = "DIRECTION")]
    pub(crate) direction: String,
    /// Notches
    #[arg(default_value_t = 1)]
    pub(crate) count: u32,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Key {
    /// down or up
    pub(crate) direction: String,
    /// Name of the key, a character, or an evdev code
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Tap {
    /// Keys joined by +, modifiers first
    pub(crate) combination: String,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Type {
    /// The text
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: String,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Delay {
    /// A duration (ms, us), or: random MIN MAX
    #[arg(value_name = "DURATION", num_args = 1..=3, required = true)]
    pub(crate) duration: Vec<String>,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

#[derive(Args)]
pub(crate) struct Run {
    /// Steps, each quoted or as bare words
    #[arg(value_name = "STEP", allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    /// One step; may be repeated
    #[arg(long = "step", value_name = "STEP", allow_hyphen_values = true)]
    pub(crate) steps: Vec<String>,
    /// A file of steps, one a line, which come before the others
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<PathBuf>,
    /// A picture that steps look for, by name; may be repeated
    #[arg(long = "asset", num_args = 2, value_names = ["NAME", "PNG"])]
    pub(crate) assets: Vec<String>,
    /// Divides all delays, 0.1 to 10
    #[arg(long, value_name = "FACTOR", value_parser = speed)]
    pub(crate) speed: Option<f64>,
    /// Seconds to wait before the first step, at most 3600
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub(crate) countdown: Option<u32>,
    /// Seconds after which it is stopped, at most 3600; without it, and with 0, there is no limit
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    pub(crate) timeout: Option<u32>,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

/// A plain decimal number: no exponent, no `inf`, no comma.
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text.parse() {
        Ok(speed) if is_plain && (0.1..=10.0).contains(&speed) => Ok(speed),
        _ => Err("a number from 0.1 to 10 is needed, such as 1.5".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::speed;

    #[test]
    fn speeds_are_read_strictly() {
        assert_eq!(speed("1.5"), Ok(1.5));
        for text in ["1,5", "inf", "NaN", "1e0", "-1", "+1", "0", "0.09", "10.1", "", ".", "1.5x"] {
            assert!(speed(text).is_err(), "{text}");
        }
    }
}
