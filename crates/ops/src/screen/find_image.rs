//! `screen.find_image`: where on the screen is this picture?

mod params;
mod reply;

use super::explain::{self, Mark, Role};
use crate::context::{Call, Context};
use crate::image::template::Templates;
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Spec};
use crossmacro_engine::sight::{self, Eye};
use crossmacro_imaging::search::{Match, Outcome, Scene, Template};
use crossmacro_imaging::{Format, encode, search};
use crossmacro_model::{Capability, Code, Fault, Frame};
use crossmacro_platform::Capture;
use crossmacro_policy::PathClass;
use params::Params;
use reply::Reply;
use std::io::Write;
use std::time::Duration;

pub(crate) struct FindImage;

impl Operation for FindImage {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "screen.find_image",
        title: "Find an image on screen",
        summary: "Finds where a PNG picture is on the screen, now or within timeoutMs, and gives its top left corner, its middle (where to click), its size and how similar it is from 0 to 1. Not finding it is a success with found false, and tells the most similar place.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead, Capability::FileRead],
        any_of: &[],
        modes: &[("explainPath", &[Capability::ScreenRead, Capability::FileRead, Capability::FileWrite])],
    };

    fn needs(_context: &Context, _call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
        let needs = Self::SPEC.fixed_needs();
        Ok(if params.explain_path.is_some() { needs.and([Capability::FileWrite]) } else { needs })
    }

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let (paths, region, options) = (params.paths()?, params.region()?, params.options()?);
        let mut templates = Templates::default();
        let templates =
            paths.iter().map(|path| templates.open(context, call, path)).collect::<Result<Vec<_>, _>>()?;
        // The path is refused before the screen is read.
        let file = match &params.explain_path {
            Some(path) => Some(context.create_replace(call, PathClass::ImageWrite, path)?),
            None => None,
        };
        let capture = context.capture()?;
        let time = Duration::from_millis(params.timeout_ms().into());
        let mut last = None;
        let found = sight::until_steady(
            Eye::new(&*capture, region, time, call.cancel),
            |a, b| sight::is_same(*a, *b),
            || {
                let frame = sight::look(&*capture, region)?;
                let seen = Seen::new(frame, &templates, &options)?;
                let area = seen.best().map(|(_, found)| seen.frame.on_desktop(found.area));
                last = Some(seen);
                Ok(area)
            },
        )?;
        let Some(mut seen) = last else {
            return Err(Fault::new(Code::RuntimeError, "the screen was not looked at"));
        };
        if found.is_none() {
            seen.forget();
        }
        let mut done = reply::done(&params, &paths, &seen)?;
        done.reply.provider_name = Some(capture.backend());
        done.reply.capture_id = context.captures.keep(&seen.frame, false);
        if let Some(mut file) = file {
            let png = explanation(&*capture, &seen)?;
            file.write_all(&png).map_err(|error| {
                Fault::new(Code::FileError, format!("the picture can't be written: {error}"))
            })?;
            file.commit().map_err(Fault::from)?;
            done.reply.explain_path.clone_from(&params.explain_path);
        }
        Ok(done)
    }
}

/// What one look has found.
struct Seen {
    frame: Frame,
    /// One for each picture up to the first that was found; for all of them with the mode `all`.
    outcomes: Vec<Outcome>,
}

impl Seen {
    fn new(frame: Frame, templates: &[Template], options: &search::Options) -> Result<Self, Fault> {
        let scene = Scene::new(&frame);
        let mut outcomes = Vec::new();
        for template in templates {
            let outcome = scene.find(template, options).map_err(|error| {
                Fault::arguments(error.to_string()).detail("argument", "similarity").caused_by(error)
            })?;
            let is_found = outcome.found().is_some();
            outcomes.push(outcome);
            if is_found && options.mode != search::Mode::All {
                break;
            }
        }
        drop(scene);
        Ok(Self { frame, outcomes })
    }

    /// All matches, each with the number of its picture, the most similar first.
    fn matches(&self) -> Vec<(usize, Match)> {
        let all = self.outcomes.iter().enumerate();
        let mut matches: Vec<(usize, Match)> = all
            .flat_map(|(index, outcome)| outcome.matches.iter().map(move |found| (index, *found)))
            .collect();
        matches.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
        matches
    }

    fn best(&self) -> Option<(usize, Match)> {
        self.matches().first().copied()
    }

    /// Another place that matches as well as the best.
    fn rival(&self) -> Option<Match> {
        let (index, _) = self.best()?;
        self.outcomes.get(index)?.rival
    }

    /// The most similar place, also where it does not match.
    fn nearest(&self) -> Option<(usize, Match)> {
        let all = self.outcomes.iter().enumerate();
        let nearest = all.filter_map(|(index, outcome)| Some((index, outcome.nearest?)));
        nearest.max_by(|(_, a), (_, b)| a.score.total_cmp(&b.score))
    }

    /// What was seen once, but did not stay, was not found.
    fn forget(&mut self) {
        for outcome in &mut self.outcomes {
            outcome.matches.clear();
            outcome.rival = None;
        }
    }

    fn marks(&self) -> Vec<Mark> {
        let mark =
            |found: Match, role| Mark { area: self.frame.on_desktop(found.area), score: found.score, role };
        let mut marks: Vec<Mark> =
            self.matches().into_iter().map(|(_, found)| mark(found, Role::Match)).collect();
        marks.extend(self.rival().map(|rival| mark(rival, Role::Rival)));
        if marks.is_empty() {
            marks.extend(self.nearest().map(|(_, near)| mark(near, Role::Nearest)));
        }
        marks
    }
}

/// The desktop with what was found drawn on it, as PNG.
fn explanation(capture: &dyn Capture, seen: &Seen) -> Result<Vec<u8>, Fault> {
    let mut desktop = sight::look(capture, None)?;
    explain::draw(&mut desktop, &seen.frame, &seen.marks());
    encode(&desktop, Format::Png, crossmacro_imaging::Options::default())
        .map(|encoded| encoded.bytes)
        .map_err(|error| Fault::new(Code::RuntimeError, error.to_string()).caused_by(error))
}
