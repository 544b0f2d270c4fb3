//! Where on a frame is this picture?
//!
//! Similarity is 1 - SAD / (3 * 255 * sum of coverage), where SAD is the sum over the pixels of the template
//! of coverage * (|red difference| + |green difference| + |blue difference|) and the coverage of a pixel is
//! its alpha, 0 to 255. So 1 means that every covered pixel is equal.
//!
//! The search is exact: where it says that a place is the best, no other place has a smaller SAD, and equal
//! ones are further down or to the right. The one exception is said in the result: work is bounded, and
//! where a picture is made so that every place must be compared to the end, the search stops before.

mod auto;
mod bounded;
mod candidate;
mod difference;
mod flat;
mod grid;
mod picture;
mod squares;
mod template;
#[cfg(test)]
mod tests;

use self::bounded::Bounded;
use self::candidate::{Candidate, Found, Ranking};
use self::flat::Flat;
use self::picture::{Picture, Tuning};
use crossmacro_model::{Frame, Physical, Point, Rect};
use fearless_simd::Level;

pub use template::Template;

/// Pixels compared to find what was asked for: about 20 ms. A 64x64 template may be compared to the end at
/// nearly 50,000 places; on screens that people use it is some dozens.
const BUDGET: u64 = 200_000_000;
/// Pixels compared to tell how good the best of the bad is.
const BUDGET_FOR_NEAREST: u64 = 1 << 25;
/// Pixels compared to tell whether there is a rival.
const BUDGET_FOR_RIVAL: u64 = 1 << 26;
/// A second place that is worse by less than this makes a result ambiguous.
const CLEARLY_WORSE: f64 = 0.02;

/// How to choose among places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The best at the size of the template; where that is not perfect, the best of scales from 0.70 to 1.50.
    /// A template of one colour must match exactly, at its own size.
    #[default]
    Auto,
    /// The topmost that is similar enough, and of these the leftmost.
    First,
    /// The most similar; of equals the topmost, then the leftmost.
    Best,
    /// All that are similar enough, the most similar first, none overlapping a better one by more than half
    /// each way.
    All,
}

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How to choose.
    pub mode: Mode,
    /// Least similarity that is a match, 0 to 1.
    pub similarity: f64,
    /// Most matches of [`Mode::All`].
    pub max_results: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Auto, similarity: 0.95, max_results: 10 }
    }
}

/// A place where the template is, or nearly is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// Where, in pixels of the frame. Its size is that of the template, scaled.
    pub area: Rect<Physical>,
    /// Similarity, 0 to 1.
    pub score: f64,
    /// Scale of the template.
    pub scale: f64,
}

impl Match {
    /// The middle: where to click.
    pub fn center(&self) -> Point<Physical> {
        self.area.center()
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The matches, best first; at most one except with [`Mode::All`].
    pub matches: Vec<Match>,
    /// Another place that is (nearly) as similar as the match, with [`Mode::Auto`] and [`Mode::Best`]: which
    /// of the two is meant is not known.
    pub rival: Option<Match>,
    /// The most similar place, also where it is not similar enough. `None` where no place is possible.
    pub nearest: Option<Match>,
    /// There are more matches than were asked for.
    pub is_truncated: bool,
    /// Nothing better was left out at the size of the template. `false` where the bound on work was reached.
    /// Other scales are searched quickly and prove nothing.
    pub is_exhaustive: bool,
}

impl Outcome {
    /// The match, or the best of them.
    pub fn found(&self) -> Option<&Match> {
        self.matches.first()
    }
}

/// A picture can't serve as template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// Nothing to compare.
    #[error("a template needs at least one pixel that is not transparent")]
    Transparent,
    /// Too many pixels.
    #[error("a template has at most {limit} pixels, and this picture has {pixels}")]
    TooLarge {
        /// Pixels of the picture.
        pixels: u64,
        /// Pixels that are accepted.
        limit: u64,
    },
    /// The bytes are not those of a picture of this size.
    #[error("the pixels of the template don't fit its size")]
    Shape,
}

/// The similarity is no number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("a similarity is a number from 0 to 1, not {0}")]
pub struct InvalidSimilarity(pub f64);

/// A frame on which any number of templates can be looked for; what they have in common is computed once.
pub struct Scene<'a> {
    picture: Picture<'a>,
}

impl<'a> Scene<'a> {
    /// Prepares nothing yet.
    pub fn new(frame: &'a Frame) -> Self {
        Self::tuned(frame, Level::new(), Tuning::of(frame.size().area()))
    }

    fn tuned(frame: &'a Frame, level: Level, tuning: Tuning) -> Self {
        Self { picture: Picture::new(frame, level, tuning) }
    }

    /// Looks for `template`.
    ///
    /// # Errors
    /// [`InvalidSimilarity`] for a similarity that is no number from 0 to 1.
    pub fn find(&self, template: &Template, options: &Options) -> Result<Outcome, InvalidSimilarity> {
        if !(0.0..=1.0).contains(&options.similarity) {
            return Err(InvalidSimilarity(options.similarity));
        }
        Ok(match options.mode {
            Mode::Auto => auto::find(&self.picture, template, options.similarity),
            Mode::First => first(&self.picture, template, options.similarity),
            Mode::Best => best(&self.picture, template, options.similarity),
            Mode::All => all(&self.picture, template, options),
        })
    }
}

/// Looks for `template` on `frame`.
///
/// # Errors
/// [`InvalidSimilarity`] for a similarity that is no number from 0 to 1.
///
/// # Example
/// ```
/// use crossmacro_imaging::Image;
/// use crossmacro_imaging::search::{self, Options, Template};
/// use crossmacro_model::{Frame, Point, Rect, Size};
///
/// let mut frame = Frame::new(Rect::new(0, 0, 9, 9), Size::new(9, 9), 36, Box::new(vec![0; 324])).unwrap();
/// frame.fill(Rect::new(4, 5, 2, 2), [200, 0, 0]);
/// let template = Image { size: Size::new(2, 2), rgba: [200, 0, 0, 255].repeat(4) };
/// let found = search::find(&frame, &Template::new(&template).unwrap(), &Options::default()).unwrap();
/// assert_eq!(found.found().unwrap().area, Rect::new(4, 5, 2, 2));
/// ```
pub fn find(frame: &Frame, template: &Template, options: &Options) -> Result<Outcome, InvalidSimilarity> {
    Scene::new(frame).find(template, options)
}

fn rank<'a>(picture: &'a Picture<'a>, template: &'a Template) -> Box<dyn Ranking + 'a> {
    match template.full_flat() {
        Some(color) if template.size().area() <= flat::LARGEST => {
            Box::new(Flat::new(picture, template, color))
        }
        _ => Box::new(Bounded::new(picture, template)),
    }
}

/// The largest sum of differences of a place that is similar enough.
fn allowed(template: &Template, similarity: f64) -> u64 {
    // At most 2^43, so that it is exact, and not negative.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let sum = (template.worst() as f64 * (1.0 - similarity)).floor() as u64;
    sum
}

fn score(template: &Template, sum: u64) -> f64 {
    // Both are at most 2^43, so that they are exact.
    #[allow(clippy::cast_precision_loss)]
    let score = 1.0 - sum as f64 / template.worst() as f64;
    score
}

fn matched(template: &Template, scale: f64, place: Candidate) -> Match {
    let at = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    let area = Rect::at(Point::new(at(place.x), at(place.y)), template.size());
    Match { area, score: score(template, place.sum), scale }
}

fn first(picture: &Picture<'_>, template: &Template, similarity: f64) -> Outcome {
    let mut ranking = rank(picture, template);
    let found = ranking.first(allowed(template, similarity), BUDGET);
    match found.place {
        Some(place) => {
            let place = matched(template, 1.0, place);
            Outcome {
                matches: vec![place],
                nearest: Some(place),
                is_exhaustive: found.is_proven,
                ..Outcome::default()
            }
        }
        None => nothing(&mut *ranking, template, found),
    }
}

fn best(picture: &Picture<'_>, template: &Template, similarity: f64) -> Outcome {
    let mut ranking = rank(picture, template);
    let limit = allowed(template, similarity);
    let found = ranking.best(limit, BUDGET);
    let Some(place) = found.place else { return nothing(&mut *ranking, template, found) };
    let rival = rival(&mut *ranking, template, place, limit);
    let place = matched(template, 1.0, place);
    Outcome {
        matches: vec![place],
        rival: rival.place.map(|place| matched(template, 1.0, place)),
        nearest: Some(place),
        is_truncated: false,
        is_exhaustive: found.is_proven && rival.is_proven,
    }
}

/// Another place that is nearly as good as `place`. One that was found is one, whether or not it is the best.
fn rival(ranking: &mut dyn Ranking, template: &Template, place: Candidate, limit: u64) -> Found {
    ranking.exclude(place);
    let near = place.sum.saturating_add(allowed(template, 1.0 - CLEARLY_WORSE));
    let found = ranking.best(near.min(limit), BUDGET_FOR_RIVAL);
    Found { is_proven: found.is_proven || found.place.is_some(), ..found }
}

fn all(picture: &Picture<'_>, template: &Template, options: &Options) -> Outcome {
    let mut ranking = rank(picture, template);
    let limit = allowed(template, options.similarity);
    let mut outcome = Outcome { is_exhaustive: true, ..Outcome::default() };
    loop {
        let found = ranking.best(limit, BUDGET);
        outcome.is_exhaustive &= found.is_proven;
        match found.place {
            None if outcome.matches.is_empty() => return nothing(&mut *ranking, template, found),
            None => break,
            Some(_) if outcome.matches.len() >= options.max_results => {
                outcome.is_truncated = true;
                break;
            }
            Some(place) => {
                ranking.exclude(place);
                outcome.matches.push(matched(template, 1.0, place));
            }
        }
    }
    outcome.nearest = outcome.matches.first().copied();
    outcome
}

/// The outcome where no place is good enough, with the best of them.
fn nothing(ranking: &mut dyn Ranking, template: &Template, found: Found) -> Outcome {
    let nearest = nearest(ranking);
    Outcome {
        nearest: nearest.place.map(|place| matched(template, 1.0, place)),
        is_exhaustive: found.is_proven && nearest.is_proven,
        ..Outcome::default()
    }
}

/// The best place, however bad.
fn nearest(ranking: &mut dyn Ranking) -> Found {
    match ranking.nearest() {
        Some(near) => {
            let found = ranking.best(near.sum, BUDGET_FOR_NEAREST);
            Found { place: found.place.or(Some(near)), ..found }
        }
        None => Found { place: None, is_proven: true },
    }
}
