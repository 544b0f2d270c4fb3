//! `screen ...` and `screenshot`.

use crate::command::search;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Screen {
    /// The colour of one pixel
    #[command(
        after_help = "Examples:\n  crossmacro screen pixel 100 200\n  crossmacro screen pixel --relative 0 -10"
    )]
    Pixel {
        /// Count from the pointer instead of the desktop's origin
        #[arg(long)]
        relative: bool,
        /// Horizontal place
        #[arg(allow_negative_numbers = true)]
        x: i32,
        /// Vertical place
        #[arg(allow_negative_numbers = true)]
        y: i32,
    },
    /// Wait until a pixel has a colour
    #[command(after_help = "Examples:\n  crossmacro screen wait-color 100 200 33AA66 --timeout-ms 10000")]
    WaitColor {
        /// Horizontal place
        #[arg(allow_negative_numbers = true)]
        x: i32,
        /// Vertical place
        #[arg(allow_negative_numbers = true)]
        y: i32,
        /// RRGGBB
        color: String,
        /// How long to wait, at most 30000
        #[arg(long, default_value_t = 5000, value_name = "MS", value_parser = clap::value_parser!(u32).range(0..=30_000))]
        timeout_ms: u32,
    },
    /// Find the first pixel of a colour in a rectangle, row by row
    #[command(after_help = "Examples:\n  crossmacro screen search-color 0 0 1280 800 FF0000 --tolerance 16")]
    SearchColor {
        /// One corner
        #[arg(allow_negative_numbers = true)]
        x1: i32,
        /// One corner
        #[arg(allow_negative_numbers = true)]
        y1: i32,
        /// The opposite corner, exclusive
        #[arg(allow_negative_numbers = true)]
        x2: i32,
        /// The opposite corner, exclusive
        #[arg(allow_negative_numbers = true)]
        y2: i32,
        /// RRGGBB
        color: String,
        /// How long to go on looking, at most 30000
        #[arg(long, default_value_t = 5000, value_name = "MS", value_parser = clap::value_parser!(u32).range(0..=30_000))]
        timeout_ms: u32,
        /// Largest difference accepted in each of red, green and blue
        #[arg(long, default_value_t = 0)]
        tolerance: u8,
    },
    /// Find a picture; not finding it is no failure
    SearchImage(search::SearchImage),
    /// Wait for a picture; not finding it is no failure
    WaitImage(search::WaitImage),
    /// Wait for a picture and click its middle
    ImageClick(search::ImageClick),
}

#[derive(Args)]
pub(crate) struct Screenshot {
    /// Where to write it
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Put it on the clipboard
    #[arg(long)]
    pub(crate) clipboard: bool,
    /// Only this rectangle
    #[arg(long, num_args = 4, value_names = ["X", "Y", "W", "H"], allow_negative_numbers = true)]
    pub(crate) region: Option<Vec<i64>>,
    /// Only this monitor
    #[arg(long, value_name = "NAME", conflicts_with_all = ["region", "window"])]
    pub(crate) monitor: Option<String>,
    /// Only the area of this window
    #[arg(long, value_name = "ADDRESS", conflicts_with = "region")]
    pub(crate) window: Option<String>,
    /// png, jpeg or webp
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// Scale down to this width
    #[arg(long, value_name = "PIXELS")]
    pub(crate) max_width: Option<u32>,
    /// Scale down to this height
    #[arg(long, value_name = "PIXELS")]
    pub(crate) max_height: Option<u32>,
    /// With the pointer
    #[arg(long)]
    pub(crate) cursor: bool,
}
