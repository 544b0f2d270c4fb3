//! What is looked for.

use crate::limits;
use crossmacro_imaging::search::{Mode, Options};
use crossmacro_model::limits::{CANDIDATES, PATH};
use crossmacro_model::{Fault, Logical, Rect};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of the PNG to find; transparent pixels match anything. This or imagePaths is needed.
    #[schemars(length(min = 1, max = PATH.value))]
    image_path: Option<String>,
    /// Any of these: the first that is on the screen.
    #[schemars(length(min = 1, max = 10), inner(length(min = 1, max = PATH.value)))]
    image_paths: Option<Vec<String>>,
    /// Left edge of the region to search, in logical desktop units; the four belong together. Without: all.
    region_x: Option<i32>,
    /// Top edge of the region.
    region_y: Option<i32>,
    /// Width of the region.
    #[schemars(range(min = 1))]
    region_width: Option<u32>,
    /// Height of the region.
    #[schemars(range(min = 1))]
    region_height: Option<u32>,
    /// Least similarity; 1: every pixel equal. Default 0.95.
    #[schemars(range(min = 0.0, max = 1.0))]
    similarity: Option<f64>,
    /// auto (default): the best, if not exact also at scales from 0.70 to 1.50. first: the topmost that is similar enough. best: the most similar. all: every place.
    match_mode: Option<MatchMode>,
    /// matchMode all: up to 10 places, in candidates.
    #[serde(default)]
    all: bool,
    /// Milliseconds to wait for it; it must stay in place for a moment. 0, the default, looks once.
    #[schemars(range(min = 0, max = 30_000))]
    timeout_ms: Option<u32>,
    /// clickPoint is this much to the right of the middle.
    #[serde(default)]
    pub(super) offset_x: i32,
    /// clickPoint is this much below the middle.
    #[serde(default)]
    pub(super) offset_y: i32,
    /// For a person: write a PNG of the desktop with the places and scores to this absolute path; replaces a file.
    #[schemars(length(min = 1, max = PATH.value), extend("pattern" = "\\.[Pp][Nn][Gg]$"))]
    pub(super) explain_path: Option<String>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MatchMode {
    Auto,
    First,
    Best,
    All,
}

impl MatchMode {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::First => "first",
            Self::Best => "best",
            Self::All => "all",
        }
    }
}

impl Params {
    pub(super) fn paths(&self) -> Result<Vec<String>, Fault> {
        let is_png = |path: &String| path.to_ascii_lowercase().ends_with(".png");
        if self.explain_path.as_ref().is_some_and(|path| !is_png(path)) {
            return Err(Fault::arguments("explainPath must end in .png").detail("argument", "explainPath"));
        }
        match (&self.image_path, &self.image_paths) {
            (Some(path), None) => Ok(vec![path.clone()]),
            (None, Some(paths)) => Ok(paths.clone()),
            _ => Err(Fault::arguments("exactly one of imagePath and imagePaths is needed")
                .detail("argument", "imagePath")),
        }
    }

    pub(super) fn region(&self) -> Result<Option<Rect<Logical>>, Fault> {
        limits::region_of(self.region_x, self.region_y, self.region_width, self.region_height)
    }

    pub(super) fn mode(&self) -> Result<MatchMode, Fault> {
        match (self.match_mode, self.all) {
            (None, false) => Ok(MatchMode::Auto),
            (None | Some(MatchMode::All), _) => Ok(MatchMode::All),
            (Some(mode), false) => Ok(mode),
            (Some(mode), true) => Err(Fault::arguments(format!(
                "all does not go with the matchMode {}: leave one of them out",
                mode.name()
            ))
            .detail("argument", "all")),
        }
    }

    pub(super) fn similarity(&self) -> f64 {
        self.similarity.unwrap_or(0.95)
    }

    pub(super) fn options(&self) -> Result<Options, Fault> {
        let mode = match self.mode()? {
            MatchMode::Auto => Mode::Auto,
            MatchMode::First => Mode::First,
            MatchMode::Best => Mode::Best,
            MatchMode::All => Mode::All,
        };
        let max_results = usize::try_from(CANDIDATES.value).unwrap_or(1);
        Ok(Options { mode, similarity: self.similarity(), max_results })
    }

    pub(super) fn timeout_ms(&self) -> u32 {
        self.timeout_ms.unwrap_or(0)
    }
}
