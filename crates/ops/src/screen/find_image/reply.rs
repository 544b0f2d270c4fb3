//! What was found.

use super::Seen;
use super::params::{MatchMode, Params};
use crate::operation::Done;
use crate::screen::{Area, Place};
use crossmacro_imaging::search::Match;
use crossmacro_model::limits::CANDIDATES;
use crossmacro_model::{Fault, Frame};
use schemars::JsonSchema;
use serde::Serialize;

/// An extent, in logical desktop units.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
struct Extent {
    /// Width.
    width: u32,
    /// Height.
    height: u32,
}

/// A place where a picture is, or nearly is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    /// Which of the pictures, counted from 0.
    image_index: usize,
    /// Its top left corner.
    point: Place,
    /// Its middle.
    center: Place,
    /// Its size.
    size: Extent,
    /// Its similarity, from 0 to 1.
    score: f64,
    /// Its scale: 1 is the picture's own size.
    scale: f64,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether it is on the screen.
    found: Option<bool>,
    /// The picture that was found; null when none was.
    image_path: Option<String>,
    /// The top left corner of the match, in logical desktop units.
    point: Option<Place>,
    /// The middle of the match.
    center: Option<Place>,
    /// Where to click: the middle and the offset.
    click_point: Option<Place>,
    /// The size of the match.
    size: Option<Extent>,
    /// The similarity of the match, or of the most similar place when nothing was found.
    score: Option<f64>,
    /// The scale of the match: 1 is the picture's own size.
    scale: Option<f64>,
    /// The places that match, the most similar first; with matchMode all up to 10, else the match, and another one that matches as well if there is one.
    candidates: Vec<Candidate>,
    /// The most similar place, whether it matches or not.
    nearest: Option<Candidate>,
    /// Whether there are more places than listed.
    is_truncated: Option<bool>,
    /// Whether nothing better can have been overlooked: false when the search took too much work and stopped before its end.
    is_exhaustive: Option<bool>,
    /// The region that was searched.
    region: Option<Area>,
    /// The least similarity that was asked for.
    similarity: Option<f64>,
    /// How the match was chosen.
    match_mode: Option<&'static str>,
    /// The time limit, in milliseconds.
    timeout_ms: Option<u32>,
    /// Where the picture for people was written.
    pub(super) explain_path: Option<String>,
    /// Names what was searched, for screen.diff and screen.wait_change; null when it is too large to keep.
    pub(super) capture_id: Option<String>,
    /// The back end that read the screen.
    pub(super) provider_name: Option<&'static str>,
}

impl Candidate {
    fn new(frame: &Frame, image_index: usize, found: &Match) -> Self {
        let area = frame.on_desktop(found.area);
        Self {
            image_index,
            point: area.origin().into(),
            center: area.center().into(),
            size: Extent { width: area.width, height: area.height },
            score: found.score,
            scale: found.scale,
        }
    }
}

/// The answer to a search.
pub(super) fn done(params: &Params, paths: &[String], seen: &Seen) -> Result<Done<Reply>, Fault> {
    let frame = &seen.frame;
    let mode = params.mode()?;
    let candidate = |(index, found): (usize, Match)| Candidate::new(frame, index, &found);
    let mut candidates: Vec<Candidate> = seen.matches().into_iter().map(candidate).collect();
    let most = usize::try_from(CANDIDATES.value).unwrap_or(1);
    let is_truncated = candidates.len() > most || seen.outcomes.iter().any(|outcome| outcome.is_truncated);
    candidates.truncate(most);
    let best = candidates.first().cloned();
    let nearest = seen.nearest().map(candidate);
    let rival = seen.rival().filter(|_| mode != MatchMode::First);
    let warning = match (&best, &rival) {
        (Some(best), Some(rival)) => {
            let rival = Candidate::new(frame, best.image_index, rival);
            let warning = ambiguous(best, &rival);
            candidates.push(rival);
            Some(warning)
        }
        _ => None,
    };
    let click = |best: &Candidate| {
        let (x, y) = (best.center.x.checked_add(params.offset_x), best.center.y.checked_add(params.offset_y));
        let outside =
            || Fault::arguments("the offset leads beyond 32-bit coordinates").detail("argument", "offsetX");
        Ok::<_, Fault>(Place { x: x.ok_or_else(outside)?, y: y.ok_or_else(outside)? })
    };
    let click_point = best.as_ref().map(click).transpose()?;
    let is_exhaustive = seen.outcomes.iter().all(|outcome| outcome.is_exhaustive);
    let message = sentence(params, best.as_ref(), candidates.len());
    let near = near(nearest.as_ref());
    let found = best.as_ref();
    let reply = Reply {
        found: Some(found.is_some()),
        image_path: found.and_then(|best| paths.get(best.image_index).cloned()),
        point: found.map(|best| best.point),
        center: found.map(|best| best.center),
        click_point,
        size: found.map(|best| best.size),
        score: found.or(nearest.as_ref()).map(|candidate| candidate.score),
        scale: found.map(|best| best.scale),
        candidates,
        nearest,
        is_truncated: Some(is_truncated),
        is_exhaustive: Some(is_exhaustive),
        region: Some(frame.region().into()),
        similarity: Some(params.similarity()),
        match_mode: Some(mode.name()),
        timeout_ms: Some(params.timeout_ms()),
        ..Reply::default()
    };
    let is_found = reply.found == Some(true);
    let mut done = Done::new(reply, message);
    done.warnings.extend(warning);
    if !is_found {
        done = done.warn(format!("No place is similar enough. {near}"));
    }
    if !is_exhaustive {
        done = done.warn("The search took too much work and stopped before its end: a better place may exist. Search a smaller region.");
    }
    Ok(done)
}

fn ambiguous(best: &Candidate, rival: &Candidate) -> String {
    let place = |candidate: &Candidate| {
        let (at, size) = (candidate.point, candidate.size);
        format!("{},{} {}x{} (score {:.4})", at.x, at.y, size.width, size.height, candidate.score)
    };
    format!(
        "ambiguous_match: it is at {} and as well at {}; give a region that holds only one of them",
        place(best),
        place(rival)
    )
}

fn near(nearest: Option<&Candidate>) -> String {
    match nearest {
        Some(near) => format!(
            "The most similar place, {},{}, has the score {:.4}.",
            near.point.x, near.point.y, near.score
        ),
        None => "The picture is larger than what was searched.".into(),
    }
}

fn sentence(params: &Params, best: Option<&Candidate>, count: usize) -> String {
    match best {
        None if params.timeout_ms() > 0 => format!("Not found within {} ms.", params.timeout_ms()),
        None => "Not found.".into(),
        Some(best) => {
            let more = if count > 1 { format!(" {count} places match.") } else { String::new() };
            let (at, middle) = (best.point, best.center);
            format!(
                "Found at {},{}, its middle at {},{}, score {:.4}.{more}",
                at.x, at.y, middle.x, middle.y, best.score
            )
        }
    }
}
