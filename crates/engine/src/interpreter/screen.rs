//! The steps that look at the screen.

use super::{Anchor, Interpreter};
use crate::sight::{self, Eye};
use crossmacro_imaging::color;
use crossmacro_imaging::search::{self, Mode, Options, Template};
use crossmacro_model::run::{
    ImageClick, ImageSearch, MatchMode, Millis, MoveMode, Name, PixelColor, PixelSearch, Rgb, SeenAt,
    Spelling, Target, Value, WaitColor, WaitImage,
};
use crossmacro_model::{Button, Code, Direction, Fault, Frame, Logical, Point, Rect};
use std::time::Duration;

/// How long a step looks unless it says otherwise.
const TIMEOUT: Duration = Duration::from_millis(5000);

/// Where a picture was seen.
#[derive(Debug, Clone, Copy)]
struct Sighting {
    area: Rect<Logical>,
    /// Another place that matches as well.
    rival: Option<Rect<Logical>>,
}

impl Interpreter<'_> {
    pub(super) fn do_pixel_color(&mut self, step: &PixelColor) -> Result<(), Fault> {
        let (x, y) = (step.x.get(&self.variables)?, step.y.get(&self.variables)?);
        self.tally.has_acted = true;
        let color = match self.hands.capture()? {
            None => {
                self.estimate();
                Rgb([0; 3])
            }
            Some(capture) => {
                let at = if step.is_relative { self.beside_pointer(x, y)? } else { Point::new(x, y) };
                Rgb(pixel(&sight::look(&*capture, Some(unit(at)))?, at)?)
            }
        };
        self.give(step.color.as_ref(), color.spell())
    }

    fn beside_pointer(&self, dx: i32, dy: i32) -> Result<Point, Fault> {
        let position = self.hands.position()?.unwrap_or(Point::new(0, 0));
        position.offset(dx, dy).ok_or_else(|| Fault::arguments("this place is beyond 32-bit coordinates"))
    }

    pub(super) fn do_wait_color(&mut self, step: &WaitColor) -> Result<(), Fault> {
        let at = Point::new(step.x.get(&self.variables)?, step.y.get(&self.variables)?);
        let Rgb(wanted) = step.color.get(&self.variables)?;
        let time = self.time(step.timeout.as_ref())?;
        let mut seen = wanted;
        let is_there = self.search(unit(at), time, (), |frame| {
            seen = pixel(frame, at)?;
            Ok((seen == wanted).then_some(()))
        })?;
        match (&step.found, is_there) {
            (None, None) => Err(Fault::new(
                Code::Timeout,
                format!(
                    "the pixel at {at} is {}, and did not become {} within {} ms",
                    Rgb(seen).spell(),
                    Rgb(wanted).spell(),
                    time.as_millis()
                ),
            )),
            (found, is_there) => self.give(found.as_ref(), is_there.is_some().to_string()),
        }
    }

    pub(super) fn do_pixel_search(&mut self, step: &PixelSearch) -> Result<(), Fault> {
        let [x1, y1, x2, y2] = &step.corners;
        let (x1, y1) = (x1.get(&self.variables)?, y1.get(&self.variables)?);
        let (x2, y2) = (x2.get(&self.variables)?, y2.get(&self.variables)?);
        let region = Rect::new(x1.min(x2), y1.min(y2), x1.abs_diff(x2), y1.abs_diff(y2));
        if region.is_empty() {
            return Err(Fault::arguments("the region is empty: the corners must differ both ways"));
        }
        let Rgb(color) = step.color.get(&self.variables)?;
        let tolerance = step.tolerance.as_ref().map(|value| value.get(&self.variables)).transpose()?;
        let tolerance = tolerance.map_or(0, |tolerance| tolerance.0);
        let time = self.time(step.timeout.as_ref())?;
        let place = self.search(region, time, region.origin(), |frame| {
            let pixel = color::search(frame, color, tolerance);
            Ok(pixel.map(|at| frame.on_desktop(Rect::new(at.x, at.y, 1, 1)).origin()))
        })?;
        let why = || {
            let color = Rgb(color).spell();
            format!("no pixel of {region} became {color} within {} ms", time.as_millis())
        };
        self.tell(&step.at, place, || Fault::new(Code::Timeout, why()))
    }

    /// Looks until `attempt` finds something, for `time`. A rehearsal finds `guess` at once.
    fn search<T>(
        &mut self,
        region: Rect<Logical>,
        time: Duration,
        guess: T,
        mut attempt: impl FnMut(&Frame) -> Result<Option<T>, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.tally.has_acted = true;
        let Some(capture) = self.hands.capture()? else {
            self.estimate();
            return Ok(Some(guess));
        };
        let eye = Eye::new(&*capture, Some(region), time, &self.cancel);
        let found = sight::until(eye, || attempt(&sight::look(&*capture, Some(region))?))?;
        self.schedule.resume();
        Ok(found)
    }

    pub(super) fn do_image_search(&mut self, step: &ImageSearch) -> Result<(), Fault> {
        let (seen, why) = self.find(&step.target, Duration::ZERO)?;
        self.warn_of_rival(&step.target, seen)?;
        let place = seen.map(|seen| seen.area.origin());
        self.tell(&step.target.at, place, || Fault::new(Code::RuntimeError, why))
    }

    pub(super) fn do_wait_image(&mut self, step: &WaitImage) -> Result<(), Fault> {
        let time = self.time(step.timeout.as_ref())?;
        let (seen, why) = self.find(&step.target, time)?;
        self.warn_of_rival(&step.target, seen)?;
        let place = seen.map(|seen| seen.area.origin());
        self.tell(&step.target.at, place, || Fault::new(Code::Timeout, why))
    }

    pub(super) fn do_image_click(&mut self, step: &ImageClick) -> Result<(), Fault> {
        let time = self.time(step.timeout.as_ref())?;
        let button = step.button.as_ref().map(|button| button.get(&self.variables)).transpose()?;
        let button = button.map_or(Button::Left, |button| button.0);
        let (seen, why) = self.find(&step.target, time)?;
        let place = seen.map(|seen| seen.area.center());
        if let (Some(Sighting { area, rival: Some(rival) }), MatchMode::Auto) =
            (seen, self.mode(&step.target)?)
        {
            return Err(ambiguous(&step.target.asset, area, rival));
        }
        if let Some(at) = place {
            self.hands.move_to(at)?;
            self.anchor = Anchor::At(at);
            self.tally.moved(MoveMode::Absolute);
            self.hands.button(button, Direction::Press)?;
            self.hands.button(button, Direction::Release)?;
            self.tally.event(2);
        }
        self.tell(&step.target.at, place, || Fault::new(Code::Timeout, why))
    }

    /// Looks for a picture for `time`, or once; also gives what to say when it is not there.
    fn find(&mut self, target: &Target, time: Duration) -> Result<(Option<Sighting>, String), Fault> {
        let assets = std::sync::Arc::clone(&self.options.assets);
        let template = assets.get(&target.asset).ok_or_else(|| {
            Fault::arguments(format!("there is no picture named {}", target.asset))
                .remedy("Give it beside the steps (imageAssets, --asset).")
        })?;
        let region = target.region.as_ref().map(|region| region.get(&self.variables)).transpose()?;
        let options = self.search_options(target)?;
        self.tally.has_acted = true;
        let Some(capture) = self.hands.capture()? else {
            self.estimate();
            return Ok((Some(Sighting { area: Rect::new(0, 0, 1, 1), rival: None }), String::new()));
        };
        let mut nearest = None;
        let eye = Eye::new(&*capture, region, time, &self.cancel);
        let seen = sight::until_steady(
            eye,
            |a: &Sighting, b| sight::is_same(a.area, b.area),
            || {
                let frame = sight::look(&*capture, region)?;
                let (seen, near) = attempt(&frame, template, &options)?;
                nearest = near;
                Ok(seen)
            },
        )?;
        self.schedule.resume();
        let asset = &target.asset;
        let why = match nearest {
            Some((area, score)) => format!(
                "the picture {asset} is not there: the most similar place, {area}, scores {score:.3}, and {} is wanted",
                options.similarity
            ),
            None => format!("the picture {asset} is not there: it is larger than where it is looked for"),
        };
        Ok((seen, why))
    }

    fn mode(&self, target: &Target) -> Result<MatchMode, Fault> {
        let mode = target.mode.as_ref().map(|mode| mode.get(&self.variables)).transpose()?;
        Ok(mode.unwrap_or_default())
    }

    fn search_options(&self, target: &Target) -> Result<Options, Fault> {
        let similarity = target.similarity.as_ref().map(|value| value.get(&self.variables)).transpose()?;
        let mode = match self.mode(target)? {
            MatchMode::Auto => Mode::Auto,
            MatchMode::First => Mode::First,
            MatchMode::Best => Mode::Best,
        };
        let similarity = similarity.map_or(Options::default().similarity, |similarity| similarity.get());
        Ok(Options { mode, similarity, ..Options::default() })
    }

    fn warn_of_rival(&mut self, target: &Target, seen: Option<Sighting>) -> Result<(), Fault> {
        let Some(Sighting { area, rival: Some(rival) }) = seen else { return Ok(()) };
        if self.mode(target)? == MatchMode::Auto {
            let warning = format!("ambiguous_match: {}", both(&target.asset, area, rival));
            if !self.tally.warnings.contains(&warning) && self.tally.warnings.len() < WARNINGS {
                self.tally.warnings.push(warning);
            }
        }
        Ok(())
    }

    fn time(&self, timeout: Option<&Value<Millis>>) -> Result<Duration, Fault> {
        let timeout = timeout.map(|timeout| timeout.get(&self.variables)).transpose()?;
        Ok(timeout.map_or(TIMEOUT, |timeout| Duration::from_millis(timeout.0.into())))
    }

    /// Fills the variables of a search; fails where it was in vain and no variable says so.
    fn tell(&mut self, at: &SeenAt, place: Option<Point>, why: impl FnOnce() -> Fault) -> Result<(), Fault> {
        if place.is_none() && at.found.is_none() {
            return Err(why());
        }
        self.give(at.found.as_ref(), place.is_some().to_string())?;
        let place = place.unwrap_or(Point::new(-1, -1));
        let (x, y) = at.place.as_ref().map(|(x, y)| (x, y)).unzip();
        self.give(x, place.x.to_string())?;
        self.give(y, place.y.to_string())
    }

    fn give(&mut self, name: Option<&Name>, value: String) -> Result<(), Fault> {
        name.map_or(Ok(()), |name| self.variables.set(name, value).map_err(Fault::from))
    }
}

/// Most warnings about pictures that a run collects.
const WARNINGS: usize = 20;

type Near = Option<(Rect<Logical>, f64)>;

fn attempt(frame: &Frame, template: &Template, options: &Options) -> Result<(Option<Sighting>, Near), Fault> {
    let outcome = search::find(frame, template, options)
        .map_err(|error| Fault::arguments(error.to_string()).caused_by(error))?;
    let place = |found: &search::Match| frame.on_desktop(found.area);
    let seen = outcome
        .found()
        .map(|found| Sighting { area: place(found), rival: outcome.rival.as_ref().map(place) });
    Ok((seen, outcome.nearest.as_ref().map(|near| (place(near), near.score))))
}

fn both(asset: &str, area: Rect<Logical>, rival: Rect<Logical>) -> String {
    format!("the picture {asset} is at {area}, and at {rival} as well")
}

fn ambiguous(asset: &str, area: Rect<Logical>, rival: Rect<Logical>) -> Fault {
    let place = |area: Rect<Logical>| serde_json::json!({ "x": area.x, "y": area.y, "width": area.width, "height": area.height });
    Fault::new(Code::AmbiguousMatch, format!("{}: nothing was clicked", both(asset, area, rival)))
        .detail("places", vec![place(area), place(rival)])
        .remedy("Give a region that holds only one of them, or matchmode first or best.")
}

fn unit(at: Point) -> Rect<Logical> {
    Rect::new(at.x, at.y, 1, 1)
}

/// The one pixel of `frame`.
fn pixel(frame: &Frame, at: Point) -> Result<[u8; 3], Fault> {
    frame.rgb(Point::new(0, 0)).ok_or_else(|| Fault::arguments(format!("no monitor shows {at}")))
}
