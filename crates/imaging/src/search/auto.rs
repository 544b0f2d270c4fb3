//! The template at its own size, and scaled where that is not perfect: the same button on a screen of
//! another scale.

use super::candidate::{Candidate, Ranking};
use super::picture::Picture;
use super::template::Template;
use super::{BUDGET, BUDGET_FOR_NEAREST, Outcome, allowed, matched, nothing, rank, rival, score};

/// Scales that are tried, beside 1.
const SCALES: [f64; 8] = [0.70, 0.80, 0.90, 1.10, 1.20, 1.30, 1.35, 1.50];
/// What is tried around the two best scales.
const NUDGES: [f64; 4] = [-0.02, -0.01, 0.01, 0.02];
const SMALLEST: f64 = 0.70;
const LARGEST: f64 = 1.50;
/// Pixels compared per scale, so that all of them together stay bounded.
const BUDGET_PER_SCALE: u64 = BUDGET / 16;
const BUDGET_FOR_NEAREST_PER_SCALE: u64 = BUDGET_FOR_NEAREST / 16;

/// The best place at one scale.
struct Attempt {
    scale: f64,
    /// `None` for the template as it is.
    scaled: Option<Template>,
    place: Candidate,
    score: f64,
    is_proven: bool,
}

pub(super) fn find(picture: &Picture<'_>, template: &Template, similarity: f64) -> Outcome {
    // A plain colour has no shape that could be scaled, and nearly every colour is nearly on the screen.
    let similarity = if template.is_flat() { 1.0 } else { similarity };
    let mut ranking = rank(picture, template);
    let found = ranking.best(allowed(template, similarity), BUDGET);
    let is_perfect = found.place.is_some_and(|place| place.sum == 0);
    if is_perfect || template.is_flat() {
        return match found.place {
            Some(place) => accept(&mut *ranking, template, 1.0, place, similarity, found.is_proven),
            None => nothing(&mut *ranking, template, found),
        };
    }
    drop(ranking);
    let attempts = all_scales(picture, template, similarity);
    let is_exhaustive = attempts.iter().all(|attempt| attempt.is_proven);
    let Some(best) = best_of(&attempts) else {
        return Outcome { is_exhaustive, ..Outcome::default() };
    };
    let scaled = best.scaled.as_ref().unwrap_or(template);
    if best.place.sum > allowed(scaled, similarity) {
        let nearest = Some(matched(scaled, best.scale, best.place));
        return Outcome { nearest, is_exhaustive, ..Outcome::default() };
    }
    let mut ranking = rank(picture, scaled);
    accept(&mut *ranking, scaled, best.scale, best.place, similarity, is_exhaustive)
}

fn accept(
    ranking: &mut dyn Ranking,
    template: &Template,
    scale: f64,
    place: Candidate,
    similarity: f64,
    is_proven: bool,
) -> Outcome {
    let rival = rival(ranking, template, place, allowed(template, similarity));
    let place = matched(template, scale, place);
    Outcome {
        matches: vec![place],
        rival: rival.place.map(|place| matched(template, scale, place)),
        nearest: Some(place),
        is_truncated: false,
        is_exhaustive: is_proven && rival.is_proven,
    }
}

/// The best attempt; of equals the earliest.
fn best_of(attempts: &[Attempt]) -> Option<&Attempt> {
    attempts.iter().reduce(|best, next| if next.score > best.score { next } else { best })
}

fn all_scales(picture: &Picture<'_>, template: &Template, similarity: f64) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    attempts.extend(attempt(picture, template, 1.0, similarity));
    attempts.extend(SCALES.iter().filter_map(|scale| attempt(picture, template, *scale, similarity)));
    let mut order = attempts.iter().map(|attempt| (attempt.score, attempt.scale)).collect::<Vec<_>>();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, center) in order.into_iter().take(2) {
        for nudge in NUDGES {
            let scale = center + nudge;
            if (SMALLEST..=LARGEST).contains(&scale) {
                attempts.extend(attempt(picture, template, scale, similarity));
            }
        }
    }
    attempts
}

fn attempt(picture: &Picture<'_>, template: &Template, scale: f64, similarity: f64) -> Option<Attempt> {
    let is_scaled = scale.to_bits() != 1.0_f64.to_bits();
    let scaled = if is_scaled { Some(template.scaled(scale)?) } else { None };
    let this = scaled.as_ref().unwrap_or(template);
    let mut ranking = rank(picture, this);
    let mut found = ranking.best(allowed(this, similarity), BUDGET_PER_SCALE);
    if found.place.is_none() {
        let near = ranking.nearest()?;
        let nearest = ranking.best(near.sum, BUDGET_FOR_NEAREST_PER_SCALE);
        found.place = nearest.place.or(Some(near));
        found.is_proven &= nearest.is_proven;
    }
    drop(ranking);
    let place = found.place?;
    Some(Attempt { scale, score: score(this, place.sum), scaled, place, is_proven: found.is_proven })
}
