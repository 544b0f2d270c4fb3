//! `screen.read`: the colour of a pixel, now or awaited, and the search for a colour.

use super::{Area, Place};
use crate::context::{Call, Context};
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::sight::{self, Eye};
use crossmacro_imaging::color;
use crossmacro_model::{Capability, Code, Fault, Frame, Logical, Point, Rect};
use crossmacro_platform::Capture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(crate) struct Read;

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    Pixel,
    WaitColor,
    SearchColor,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// pixel: the colour at x, y now. wait_color: wait until x, y has the colour. search_color: the first pixel of the colour, row by row, between x, y and x2, y2.
    mode: Mode,
    /// In logical desktop units; search_color: one corner.
    x: i32,
    /// Like x.
    y: i32,
    /// RRGGBB in hexadecimal. Needed by wait_color and search_color.
    #[schemars(length(min = 6, max = 6), extend("pattern" = "^[0-9A-Fa-f]{6}$"))]
    color: Option<String>,
    /// Only search_color: the opposite corner, exclusive.
    x2: Option<i32>,
    /// Only search_color: the opposite corner, exclusive.
    y2: Option<i32>,
    /// Only search_color: largest difference in each of red, green and blue. Default 0.
    #[schemars(range(min = 0, max = 255))]
    tolerance: Option<u8>,
    /// Not for pixel: milliseconds to wait; 0 looks once. Default 5000.
    #[schemars(range(min = 0, max = 30_000))]
    timeout_ms: Option<u32>,
    /// Whether an expired wait fails (code timeout), or succeeds with found false. Default true.
    fail_on_timeout: Option<bool>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The mode that was carried out.
    mode: Option<&'static str>,
    /// Where the colour was read or found, in logical desktop units.
    point: Option<Place>,
    /// The colour that was seen there, RRGGBB in capitals.
    color: Option<String>,
    /// The colour that was asked for.
    expected_color: Option<String>,
    /// The rectangle that was searched.
    region: Option<Area>,
    /// The tolerance of the search.
    tolerance: Option<u8>,
    /// Whether it was found; null for pixel.
    found: Option<bool>,
    /// The time limit of the wait, in milliseconds.
    timeout_ms: Option<u32>,
    /// The back end that read the screen.
    provider_name: Option<&'static str>,
}

impl Operation for Read {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "screen.read",
        title: "Read screen data",
        summary: "Reads the colour of one pixel, waits for a colour at a place, or finds the first pixel of a colour in a rectangle. Coordinates are logical desktop units.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        params.check()?;
        let capture = context.capture()?;
        match params.mode {
            Mode::Pixel => pixel(&*capture, &params),
            Mode::WaitColor => wait_color(&*capture, call, &params),
            Mode::SearchColor => search_color(&*capture, call, &params),
        }
    }
}

impl Params {
    fn check(&self) -> Result<(), Fault> {
        let given = [
            ("color", self.color.is_some()),
            ("x2", self.x2.is_some()),
            ("y2", self.y2.is_some()),
            ("tolerance", self.tolerance.is_some()),
            ("timeoutMs", self.timeout_ms.is_some()),
            ("failOnTimeout", self.fail_on_timeout.is_some()),
        ];
        let (needed, refused): (&[&str], &[&str]) = match self.mode {
            Mode::Pixel => (&[], &["color", "x2", "y2", "tolerance", "timeoutMs", "failOnTimeout"]),
            Mode::WaitColor => (&["color"], &["x2", "y2", "tolerance"]),
            Mode::SearchColor => (&["color", "x2", "y2"], &[]),
        };
        let mode = self.mode.name();
        for (name, is_given) in given {
            if is_given && refused.contains(&name) {
                return Err(Fault::arguments(format!("{name} does not belong to the mode {mode}"))
                    .detail("argument", name));
            }
            if !is_given && needed.contains(&name) {
                return Err(
                    Fault::arguments(format!("the mode {mode} needs {name}")).detail("argument", name)
                );
            }
        }
        // What is wrong with the arguments is said before what is wrong with the desktop.
        self.color.as_ref().map_or(Ok(()), |_| self.expected().map(drop))
    }

    fn at(&self) -> Point<Logical> {
        Point::new(self.x, self.y)
    }

    fn expected(&self) -> Result<[u8; 3], Fault> {
        let text = self.color.as_deref().unwrap_or_default();
        parse_rgb(text).ok_or_else(|| {
            Fault::arguments("color must be six hexadecimal digits RRGGBB, without #")
                .detail("argument", "color")
        })
    }

    fn eye<'a>(&self, capture: &'a dyn Capture, region: Rect<Logical>, call: &Call<'a>) -> Eye<'a> {
        Eye::new(capture, Some(region), Duration::from_millis(self.timeout_ms().into()), call.cancel)
    }

    fn timeout_ms(&self) -> u32 {
        self.timeout_ms.unwrap_or(5_000)
    }

    fn fails_on_timeout(&self) -> bool {
        self.fail_on_timeout.unwrap_or(true)
    }
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Pixel => "pixel",
            Self::WaitColor => "wait_color",
            Self::SearchColor => "search_color",
        }
    }
}

fn pixel(capture: &dyn Capture, params: &Params) -> Result<Done<Reply>, Fault> {
    let at = params.at();
    let color =
        look(capture, Rect::new(at.x, at.y, 1, 1))?.rgb(Point::new(0, 0)).ok_or_else(|| off_screen(at))?;
    let message = format!("The pixel at {at} is {}.", hex(color));
    let reply = Reply {
        mode: Some(params.mode.name()),
        point: Some(at.into()),
        color: Some(hex(color)),
        provider_name: Some(capture.backend()),
        ..Reply::default()
    };
    Ok(Done::new(reply, message))
}

fn wait_color(capture: &dyn Capture, call: &Call<'_>, params: &Params) -> Result<Done<Reply>, Fault> {
    let (at, expected) = (params.at(), params.expected()?);
    let mut seen = None;
    let place = Rect::new(at.x, at.y, 1, 1);
    let found = sight::until(params.eye(capture, place, call), || {
        let frame = look(capture, place)?;
        seen = Some(frame.rgb(Point::new(0, 0)).ok_or_else(|| off_screen(at))?);
        Ok((seen == Some(expected)).then_some(()))
    })?;
    let reply = Reply {
        mode: Some(params.mode.name()),
        point: Some(at.into()),
        color: seen.map(hex),
        expected_color: Some(hex(expected)),
        found: Some(found.is_some()),
        timeout_ms: Some(params.timeout_ms()),
        provider_name: Some(capture.backend()),
        ..Reply::default()
    };
    let seen = seen.map(hex).unwrap_or_default();
    finish(reply, found.is_some(), params, &format!("the pixel at {at} is {seen}, not {}", hex(expected)))
}

fn search_color(capture: &dyn Capture, call: &Call<'_>, params: &Params) -> Result<Done<Reply>, Fault> {
    let expected = params.expected()?;
    let tolerance = params.tolerance.unwrap_or(0);
    let corner = Point::new(params.x2.unwrap_or(params.x), params.y2.unwrap_or(params.y));
    let region = limits::between(params.at(), corner)?;
    let hit = sight::until(params.eye(capture, region, call), || {
        let frame = look(capture, region)?;
        let Some(pixel) = color::search(&frame, expected, tolerance) else { return Ok(None) };
        let seen = frame.rgb(pixel).unwrap_or(expected);
        Ok(frame.region().origin().offset(pixel.x, pixel.y).map(|at| (at, seen)))
    })?;
    let reply = Reply {
        mode: Some(params.mode.name()),
        point: hit.map(|(at, _)| at.into()),
        color: hit.map(|(_, seen)| hex(seen)),
        expected_color: Some(hex(expected)),
        region: Some(region.into()),
        tolerance: Some(tolerance),
        found: Some(hit.is_some()),
        timeout_ms: Some(params.timeout_ms()),
        provider_name: Some(capture.backend()),
    };
    finish(
        reply,
        hit.is_some(),
        params,
        &format!("no pixel of {region} is {} within {tolerance}", hex(expected)),
    )
}

fn finish(reply: Reply, found: bool, params: &Params, why: &str) -> Result<Done<Reply>, Fault> {
    if found {
        let place = reply.point.map(|at| format!("{},{}", at.x, at.y)).unwrap_or_default();
        return Ok(Done::new(reply, format!("Found at {place}.")));
    }
    if params.fails_on_timeout() {
        let fault = Fault::new(Code::Timeout, format!("not found within {} ms: {why}", params.timeout_ms()));
        let fields = serde_json::to_value(reply).unwrap_or_default();
        return Err(super::with_reply(fault, &fields));
    }
    Ok(Done::new(reply, format!("Not found: {why}.")))
}

fn look(capture: &dyn Capture, region: Rect<Logical>) -> Result<Frame, Fault> {
    sight::look(capture, Some(region))
}

fn off_screen(at: Point<Logical>) -> Fault {
    Fault::arguments(format!("no monitor shows {at}")).remedy("status.get lists the monitors")
}

fn parse_rgb(text: &str) -> Option<[u8; 3]> {
    if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(text, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("{red:02X}{green:02X}{blue:02X}")
}
