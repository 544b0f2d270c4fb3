//! The template at its own size, and scaled where that is not perfect: the same button on a screen of
//! another scale.

use super::bounded::Bounded;
use super::candidate::{Candidate, Found, Ranking};
use super::grid::Grid;
use super::picture::Picture;
use super::template::Template;
use super::{BUDGET, Outcome, allowed, matched, nearest, rank, rival, score};
use crate::threads;

/// Scales that are tried, beside 1.
const SCALES: [f64; 8] = [0.70, 0.80, 0.90, 1.10, 1.20, 1.30, 1.35, 1.50];
/// What is tried around the two best scales.
const NUDGES: [f64; 4] = [-0.02, -0.01, 0.01, 0.02];
const SMALLEST: f64 = 0.70;
const LARGEST: f64 = 1.50;
/// Up to this number of places a scaled template is searched exactly, above on a grid.
const FEW_PLACES: u64 = 20_000;

/// The best place at one scale.
struct Attempt {
    scale: f64,
    /// `None` for the template as it is.
    scaled: Option<Template>,
    place: Candidate,
    score: f64,
}

pub(super) fn find(picture: &Picture<'_>, template: &Template, similarity: f64) -> Outcome {
    // A plain colour has no shape that could be scaled, and nearly every colour is nearly on the screen.
    let similarity = if template.is_flat() { 1.0 } else { similarity };
    let mut attempts = Vec::new();
    let mut ranking = rank(picture, template);
    let native = native(&mut *ranking, allowed(template, similarity));
    attempts.extend(native.place.map(|place| Attempt {
        scale: 1.0,
        scaled: None,
        place,
        score: score(template, place.sum),
    }));
    let is_perfect = native.place.is_some_and(|place| place.sum == 0);
    if !is_perfect && !template.is_flat() {
        add_scales(picture, template, &SCALES, &mut attempts);
        let nudged = around_the_best(&attempts);
        add_scales(picture, template, &nudged, &mut attempts);
    }
    let mut outcome = Outcome { is_exhaustive: native.is_proven, ..Outcome::default() };
    // Of equals the earliest.
    let best = attempts.iter().reduce(|best, next| if next.score > best.score { next } else { best });
    let Some(best) = best else { return outcome };
    let this = best.scaled.as_ref().unwrap_or(template);
    outcome.nearest = Some(matched(this, best.scale, best.place));
    if best.place.sum > allowed(this, similarity) {
        return outcome;
    }
    outcome.matches.extend(outcome.nearest);
    let limit = allowed(this, similarity);
    let rival = match &best.scaled {
        Some(scaled) => rival(&mut *rank(picture, scaled), scaled, best.place, limit),
        None => rival(&mut *ranking, template, best.place, limit),
    };
    outcome.rival = rival.place.map(|place| matched(this, best.scale, place));
    outcome.is_exhaustive &= rival.is_proven;
    outcome
}

/// The best place at the size of the template, good enough or not.
fn native(ranking: &mut dyn Ranking, limit: u64) -> Found {
    let found = ranking.best(limit, BUDGET);
    if found.place.is_some() {
        return found;
    }
    let nearest = nearest(ranking);
    Found { is_proven: found.is_proven && nearest.is_proven, ..nearest }
}

/// What is worth a try beside the two best scales.
fn around_the_best(attempts: &[Attempt]) -> Vec<f64> {
    let mut order = attempts.iter().map(|attempt| (attempt.score, attempt.scale)).collect::<Vec<_>>();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let nudged = order.into_iter().take(2).flat_map(|(_, center)| NUDGES.map(|nudge| center + nudge));
    nudged.filter(|scale| (SMALLEST..=LARGEST).contains(scale)).collect()
}

fn add_scales(picture: &Picture<'_>, template: &Template, scales: &[f64], attempts: &mut Vec<Attempt>) {
    let scaled =
        scales.iter().filter_map(|scale| Some((*scale, template.scaled(*scale)?))).collect::<Vec<_>>();
    let is_large = (picture.width * picture.height) as u64 > FEW_PLACES;
    let grid = |scaled| if is_large { Grid::new(picture, scaled) } else { None };
    let tasks = scaled.iter().map(|(_, scaled)| (scaled, grid(scaled))).collect::<Vec<_>>();
    for grid in tasks.iter().filter_map(|(_, grid)| grid.as_ref()) {
        grid.prepare();
    }
    let places = threads::on_threads(picture.tuning.threads, tasks, |(scaled, grid)| match grid {
        Some(grid) => grid.best(),
        None => nearest(&mut Bounded::new(picture, scaled)).place,
    });
    for ((scale, scaled), place) in scaled.into_iter().zip(places) {
        if let Some(place) = place {
            attempts.push(Attempt { scale, score: score(&scaled, place.sum), scaled: Some(scaled), place });
        }
    }
}
