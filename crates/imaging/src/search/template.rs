//! The picture that is looked for.

use super::TemplateError;
use crate::{Image, resize};
use crossmacro_model::frame::BYTES_PER_PIXEL;
use crossmacro_model::{Physical, Size};

/// Coverage of a pixel that counts fully.
const FULL: u8 = u8::MAX;
/// Shortest side of a scaled template: below, it is a speck that is found everywhere.
const SHORTEST_SCALED: u32 = 4;
/// Most area of a template, so that sums of differences fit where they are kept.
const LARGEST: u64 = 33_177_600;

/// A template: pixels and how much each of them counts (its alpha).
pub struct Template {
    image: Image,
    /// Blue, green, red, 0 of every pixel, rows without padding.
    pub(super) pixels: Vec<u8>,
    /// Coverage of every pixel, 0 to 255.
    pub(super) coverage: Vec<u8>,
    /// Runs of fully covered pixels, the most telling rows first.
    pub(super) runs: Vec<Run>,
    /// Pixels that count in part.
    pub(super) partial: Vec<Partial>,
    /// Sum of the coverage.
    covered: u64,
    flat: Option<[u8; 3]>,
}

/// Fully covered pixels side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) length: usize,
}

/// A pixel that counts in part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partial {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) coverage: u8,
    /// Blue, green, red.
    pub(super) color: [u8; 3],
}

impl Template {
    /// A template from a decoded picture; transparent pixels match anything.
    ///
    /// # Errors
    /// [`TemplateError`] where no pixel counts, where the picture is too large or its bytes don't fit its size.
    pub fn new(image: &Image) -> Result<Self, TemplateError> {
        let area = image.size.area();
        if area > LARGEST {
            return Err(TemplateError::TooLarge { pixels: area, limit: LARGEST });
        }
        let source = image.rgba.as_chunks::<BYTES_PER_PIXEL>().0;
        if source.len() as u64 != area || image.rgba.len() != source.len() * BYTES_PER_PIXEL {
            return Err(TemplateError::Shape);
        }
        let coverage = source.iter().map(|&[.., alpha]| alpha).collect::<Vec<_>>();
        let covered = coverage.iter().map(|weight| u64::from(*weight)).sum();
        if covered == 0 {
            return Err(TemplateError::Transparent);
        }
        let mut template = Self {
            image: image.clone(),
            pixels: source.iter().flat_map(|&[red, green, blue, _]| [blue, green, red, 0]).collect(),
            coverage,
            runs: Vec::new(),
            partial: Vec::new(),
            covered,
            flat: None,
        };
        template.flat = template.only_color();
        template.collect_pixels();
        Ok(template)
    }

    /// Size in pixels.
    pub fn size(&self) -> Size<Physical> {
        self.image.size
    }

    /// The picture it was made from, or its scaled copy.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Whether all pixels that count have the same colour: it has no shape, and only its colour can match.
    pub fn is_flat(&self) -> bool {
        self.flat.is_some()
    }

    /// The template scaled by `factor`, or `None` where a side would be under four pixels.
    pub fn scaled(&self, factor: f64) -> Option<Self> {
        let side = |length: u32| {
            let scaled = (f64::from(length) * factor).round();
            // In range by the comparison.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            (scaled >= f64::from(SHORTEST_SCALED) && scaled <= f64::from(u16::MAX)).then_some(scaled as u32)
        };
        let size = Size::new(side(self.size().width)?, side(self.size().height)?);
        let rgba = resize::scale(&self.image.rgba, self.size(), size, resize::Fourth::Alpha).ok()?;
        Self::new(&Image { size, rgba }).ok()
    }

    /// The largest possible sum of differences.
    pub(super) fn worst(&self) -> u64 {
        3 * 255 * self.covered
    }

    /// The colour of a template of one colour that covers its whole rectangle.
    pub(super) fn full_flat(&self) -> Option<[u8; 3]> {
        if self.coverage.iter().all(|weight| *weight == FULL) { self.flat } else { None }
    }

    /// Blue, green and red, where all pixels that count have them in common.
    fn only_color(&self) -> Option<[u8; 3]> {
        let pixels = self.pixels.as_chunks::<BYTES_PER_PIXEL>().0;
        let mut counted = pixels.iter().zip(&self.coverage).filter(|(_, weight)| **weight > 0);
        let (&[blue, green, red, _], _) = counted.next()?;
        counted.all(|(pixel, _)| *pixel == [blue, green, red, 0]).then_some([blue, green, red])
    }

    fn collect_pixels(&mut self) {
        let width = self.size().width as usize;
        let rows = self.pixels.chunks_exact(width * BYTES_PER_PIXEL).zip(self.coverage.chunks_exact(width));
        let mut told = Vec::new();
        let mean = self.mean();
        for (y, (pixels, coverage)) in rows.enumerate() {
            let pixels = pixels.as_chunks::<BYTES_PER_PIXEL>().0;
            told.push(pixels.iter().map(|pixel| luma(pixel).abs_diff(mean)).sum::<u32>());
            let mut start = 0;
            for run in coverage.chunk_by(|a, b| (*a == FULL) == (*b == FULL)) {
                if run[0] == FULL {
                    self.runs.push(Run { x: start, y, length: run.len() });
                } else {
                    self.partial.extend((start..).zip(run).filter(|(_, weight)| **weight > 0).map(
                        |(x, weight)| {
                            let [blue, green, red, _] = pixels[x];
                            Partial { x, y, coverage: *weight, color: [blue, green, red] }
                        },
                    ));
                }
                start += run.len();
            }
        }
        // A wrong place is known soonest by the rows that differ most from plain colour.
        self.runs.sort_by_key(|run| std::cmp::Reverse(told[run.y]));
    }

    fn mean(&self) -> u32 {
        let pixels = self.pixels.as_chunks::<BYTES_PER_PIXEL>().0;
        let sum = pixels.iter().map(|pixel| u64::from(luma(pixel))).sum::<u64>();
        u32::try_from(sum / (pixels.len() as u64).max(1)).unwrap_or(0)
    }
}

/// Blue, green and red together, 0 to 765.
pub(super) fn luma(&[blue, green, red, _]: &[u8; BYTES_PER_PIXEL]) -> u32 {
    u32::from(blue) + u32::from(green) + u32::from(red)
}
