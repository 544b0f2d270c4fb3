//! The way of the pointer, and where it clicks.

use super::canvas::{Canvas, Color, INK, LETTER, MUTED, PAPER, RULE, blend, width};
use super::story::{Story, button_color};
use super::{MARGIN, WIDTH};
use crossmacro_model::Button;

/// Height of this part.
pub(super) const HEIGHT: i32 = 660;

/// Space inside the border, for the numbers of the grid.
const INNER: i32 = 72;
/// Below the map, for the explanation.
const LEGEND: i32 = 36;

const EARLY: Color = [40, 96, 224];
const LATE: Color = [236, 128, 24];
const START: Color = [24, 150, 60];
const END: Color = [28, 32, 40];

/// Marks with a number beside them.
const NUMBERED: usize = 60;

/// From coordinates of the macro to those of the picture: the same scale both ways, in the middle of the space.
struct Projection {
    left: f64,
    top: f64,
    scale: f64,
    min: (i64, i64),
    max: (i64, i64),
}

#[expect(clippy::cast_precision_loss, reason = "a drawing")]
fn float(value: i64) -> f64 {
    value as f64
}

#[expect(clippy::cast_possible_truncation, reason = "clamped to the neighbourhood of the picture")]
fn pixel(value: f64) -> i32 {
    value.round().clamp(-10_000.0, 10_000.0) as i32
}

impl Projection {
    fn of(story: &Story, x: i32, y: i32, width: i32, height: i32) -> Self {
        let path = story.path.iter().map(|step| (step.x, step.y));
        let all: Vec<(i64, i64)> = path.chain(story.marks.iter().map(|mark| (mark.x, mark.y))).collect();
        let range = |values: &mut dyn Iterator<Item = i64>| {
            values.fold((i64::MAX, i64::MIN), |(least, most), value| (least.min(value), most.max(value)))
        };
        let (min_x, max_x) = range(&mut all.iter().map(|point| point.0));
        let (min_y, max_y) = range(&mut all.iter().map(|point| point.1));
        let extent = |least: i64, most: i64| float(most.saturating_sub(least)).max(1.0);
        let (wide, high) = (extent(min_x, max_x), extent(min_y, max_y));
        // A way of a few pixels is not blown up to a whole screen.
        let scale = (f64::from(width) / wide).min(f64::from(height) / high).min(8.0);
        Self {
            left: f64::from(x) + (f64::from(width) - wide * scale) / 2.0,
            top: f64::from(y) + (f64::from(height) - high * scale) / 2.0,
            scale,
            min: (min_x, min_y),
            max: (max_x, max_y),
        }
    }

    fn at(&self, x: i64, y: i64) -> (i32, i32) {
        let along = |value: i64, least: i64| float(value.saturating_sub(least)) * self.scale;
        (pixel(self.left + along(x, self.min.0)), pixel(self.top + along(y, self.min.1)))
    }

    /// The distance of grid lines: 1, 2 or 5 times a power of ten, at least 110 pixels apart.
    fn grid(&self) -> i64 {
        let mut step: i64 = 1;
        for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
            if float(step) * self.scale >= 110.0 || step > i64::MAX / 4 {
                break;
            }
            #[expect(clippy::cast_possible_truncation, reason = "far below the largest number")]
            {
                step = (float(step) * factor).round() as i64;
            }
        }
        step
    }
}

pub(super) fn draw(canvas: &mut Canvas, story: &Story, top: i32) {
    let (x, y, wide, high) = (MARGIN, top, WIDTH - 2 * MARGIN, HEIGHT - LEGEND);
    let map = Projection::of(story, x + INNER, y + INNER / 2, wide - 2 * INNER, high - INNER);
    grid(canvas, &map, x, y, wide, high);
    canvas.outline(x, y, wide, high, MUTED);
    way(canvas, story, &map);
    marks(canvas, story, &map);
    legend(canvas, story, y + high + 12);
}

fn grid(canvas: &mut Canvas, map: &Projection, x: i32, y: i32, wide: i32, high: i32) {
    let step = map.grid();
    let lines = |least: i64, most: i64| {
        let first = least.div_euclid(step);
        (0..200)
            .map(move |index| (first + index).saturating_mul(step))
            .take_while(move |value| *value <= most.saturating_add(step))
    };
    for value in lines(map.min.0, map.max.0) {
        let at = map.at(value, map.min.1).0;
        if at > x + INNER / 2 && at < x + wide - INNER / 2 {
            canvas.fill(at, y, 1, high, RULE);
            let text = value.to_string();
            canvas.text(at - width(&text, 2) / 2, y + 6, 2, MUTED, &text);
        }
    }
    for value in lines(map.min.1, map.max.1) {
        let at = map.at(map.min.0, value).1;
        if at > y + 28 && at < y + high - 8 {
            canvas.fill(x, at, wide, 1, RULE);
            canvas.text(x + 6, at - LETTER, 2, MUTED, &value.to_string());
        }
    }
}

fn way(canvas: &mut Canvas, story: &Story, map: &Projection) {
    let last = story.path.last().map_or(1, |step| step.time.max(1));
    let end = float(i64::try_from(last).unwrap_or(i64::MAX));
    for pair in story.path.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let time = float(i64::try_from(to.time).unwrap_or(i64::MAX)) / end;
        let thickness = if to.is_drag { 7 } else { 3 };
        canvas.line(map.at(from.x, from.y), map.at(to.x, to.y), thickness, blend(EARLY, LATE, time));
    }
    let is_sparse = story.path.len() <= 400;
    for step in story.path.iter().filter(|_| is_sparse) {
        canvas.disc(map.at(step.x, step.y), 4, MUTED);
    }
    for (step, color) in
        story.path.first().zip(Some(START)).into_iter().chain(story.path.last().zip(Some(END)))
    {
        let (x, y) = map.at(step.x, step.y);
        // Larger than the mark of a click, which may lie on top.
        canvas.fill(x - 15, y - 15, 30, 30, PAPER);
        canvas.fill(x - 13, y - 13, 26, 26, color);
    }
}

fn marks(canvas: &mut Canvas, story: &Story, map: &Projection) {
    // What is written at a place that was used before goes on behind it.
    let mut used: Vec<((i32, i32), i32)> = Vec::new();
    for (index, mark) in story.marks.iter().enumerate() {
        let (x, y) = map.at(mark.x, mark.y);
        canvas.disc((x, y), 11, PAPER);
        canvas.disc((x, y), 9, button_color(mark.button));
        if index < NUMBERED {
            let text = (index + 1).to_string();
            let near = used.iter_mut().find(|((a, b), _)| (a - x).abs() < 12 && (b - y).abs() < 12);
            let offset = match near {
                Some((_, offset)) => offset,
                None => {
                    used.push(((x, y), 20));
                    match used.last_mut() {
                        Some((_, offset)) => offset,
                        None => continue,
                    }
                }
            };
            if *offset < 200 {
                canvas.text(x + *offset, y - LETTER, 2, INK, &text);
            }
            *offset += width(&text, 2) + 8;
        }
    }
}

fn legend(canvas: &mut Canvas, story: &Story, y: i32) {
    let mut x = MARGIN;
    let mut entry = |canvas: &mut Canvas, color: Color, is_round: bool, text: &str| {
        if is_round {
            canvas.disc((x + 8, y + 8), 8, color);
        } else {
            canvas.fill(x + 1, y + 1, 14, 14, color);
        }
        canvas.text(x + 24, y, 2, INK, text);
        x += 24 + width(text, 2) + 32;
    };
    entry(canvas, START, false, "start");
    entry(canvas, END, false, "end");
    for button in Button::ALL {
        if story.marks.iter().any(|mark| mark.button == button) {
            entry(canvas, button_color(button), true, &format!("{button} click"));
        }
    }
    for part in 0..120 {
        canvas.fill(x + part, y + 5, 1, 6, blend(EARLY, LATE, f64::from(part) / 120.0));
    }
    canvas.text(x + 132, y, 2, INK, "early to late");
    let x = x + 132 + width("early to late", 2) + 32;
    if story.path.iter().any(|step| step.is_drag) {
        canvas.fill(x, y + 4, 40, 7, MUTED);
        canvas.text(x + 52, y, 2, INK, "button held");
    }
    if story.is_from_unknown {
        canvas.text_to(WIDTH - MARGIN, y, 2, MUTED, "drawn from 0,0: the start is not known");
    }
}
