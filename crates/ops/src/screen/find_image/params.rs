//! What is looked for.

use crate::limits;
use crossmacro_imaging::search::{Mode, Options};
use crossmacro_model::limits::CANDIDATES;
use crossmacro_model::{Fault, Logical, Rect};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of the PNG picture to find; transparent pixels match anything. Exactly one of imagePath and imagePaths is needed.
    #[schemars(length(min = 1, max = 4096))]
    image_path: Option<String>,
    /// Any of these: the first in the list that is on the screen is the one that is found.
    #[schemars(length(min = 1, max = 10), inner(length(min = 1, max = 4096)))]
    image_paths: Option<Vec<String>>,
    /// Left edge of the region to search, in logical desktop units. The four region arguments belong together; without them, the whole desktop.
    region_x: Option<i32>,
    /// Top edge of the region.
    region_y: Option<i32>,
    /// Width of the region.
    #[schemars(range(min = 1))]
    region_width: Option<u32>,
    /// Height of the region.
    #[schemars(range(min = 1))]
    region_height: Option<u32>,
    /// Least similarity, from 0 to 1; 1 means that every pixel is equal. Default 0.95.
    #[schemars(range(min = 0.0, max = 1.0))]
    similarity: Option<f64>,
    /// auto: the best, also at scales from 0.70 to 1.50 when it is not exact at its own size. first: the topmost that is similar enough. best: the most similar at its own size. all: every place, as with all true. Default auto.
    match_mode: Option<MatchMode>,
    /// List up to 10 places in candidates. Only with matchMode all, or without matchMode. Default false.
    #[serde(default)]
    all: bool,
    /// How long to wait for it, in milliseconds; it must then stay in place for a moment. 0 looks once. Default 0.
    #[schemars(range(min = 0, max = 30_000))]
    timeout_ms: Option<u32>,
    /// Added to the middle to give clickPoint: units to the right. Default 0.
    #[serde(default)]
    pub(super) offset_x: i32,
    /// Added to the middle to give clickPoint: units down. Default 0.
    #[serde(default)]
    pub(super) offset_y: i32,
    /// Write a PNG picture of the desktop with the places, their scores and the region drawn on it to this absolute path, for a person to look at. An existing file is replaced.
    #[schemars(length(min = 1, max = 4096), extend("pattern" = "\\.[Pp][Nn][Gg]$"))]
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
