//! Keys, buttons, wheel and motion over time.

use super::canvas::{Canvas, Color, INK, MUTED, RULE, width};
use super::story::{Bar, Story, button_color, seconds};
use super::{MARGIN, WIDTH};
use crossmacro_model::{Axis, KeyName, key};

/// The color of a key that is down.
pub(super) const KEY: Color = [52, 104, 176];
const WHEEL: Color = [120, 84, 32];
const MOTION: Color = [128, 140, 156];

/// Height of a row.
const ROW: i32 = 28;
/// Height of the scale below.
const SCALE: i32 = 36;
/// Width of the names.
const NAMES: i32 = 232;
/// More keys share the last row.
const MOST_KEYS: usize = 32;

/// What stands in a row.
enum Row<'a> {
    Bars(String, &'a [Bar], Color),
    Rest(String, Vec<Bar>),
    Motions,
    Notches,
}

fn rows(story: &Story) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    if !story.motions.is_empty() {
        rows.push(Row::Motions);
    }
    for (button, bars) in story.buttons.values() {
        rows.push(Row::Bars(format!("{button} button"), bars, button_color(*button)));
    }
    if !story.notches.is_empty() {
        rows.push(Row::Notches);
    }
    let (shown, rest) = story.keys.split_at(story.keys.len().min(MOST_KEYS));
    for (code, bars) in shown {
        let name = key::display_name(*code).map_or_else(|| KeyName::Code(*code).spell(), str::to_owned);
        rows.push(Row::Bars(name, bars, KEY));
    }
    if !rest.is_empty() {
        let bars = rest.iter().flat_map(|(_, bars)| bars.iter().copied()).collect();
        rows.push(Row::Rest(format!("{} more keys", rest.len()), bars));
    }
    rows
}

/// Height of this part.
pub(super) fn height(story: &Story) -> i32 {
    i32::try_from(rows(story).len()).unwrap_or(0) * ROW + SCALE
}

/// From a time to a column.
struct Ruler {
    left: i32,
    wide: i32,
    end: u64,
}

impl Ruler {
    fn at(&self, time: u64) -> i32 {
        let wide = u128::try_from(self.wide).unwrap_or(0);
        let along = u128::from(time) * wide / u128::from(self.end);
        self.left + i32::try_from(along).unwrap_or(self.wide)
    }

    /// Between two marks: 1, 2 or 5 times a power of ten, at most twelve of them.
    fn step(&self) -> u64 {
        let mut step: u64 = 1;
        loop {
            for factor in [1, 2, 5] {
                if self.end / (step * factor) <= 12 {
                    return step * factor;
                }
            }
            match step.checked_mul(10).filter(|step| *step < u64::MAX / 10) {
                Some(longer) => step = longer,
                None => return step,
            }
        }
    }
}

pub(super) fn draw(canvas: &mut Canvas, story: &Story, top: i32) {
    let rows = rows(story);
    let bottom = top + height(story) - SCALE;
    let left = MARGIN + NAMES;
    let ruler = Ruler { left, wide: WIDTH - MARGIN - left - 8, end: story.end.max(1) };
    scale(canvas, &ruler, top, bottom);
    for (y, row) in (top..).step_by(ROW.unsigned_abs() as usize).zip(&rows) {
        canvas.fill(MARGIN, y + ROW - 1, WIDTH - 2 * MARGIN, 1, RULE);
        match row {
            Row::Bars(name, list, color) => bars(canvas, &ruler, y, name, list, *color),
            Row::Rest(name, list) => bars(canvas, &ruler, y, name, list, KEY),
            Row::Motions => {
                label(canvas, y, "motion");
                story
                    .motions
                    .iter()
                    .for_each(|time| canvas.fill(ruler.at(*time), y + 8, 2, ROW - 16, MOTION));
            }
            Row::Notches => {
                label(canvas, y, "wheel");
                for (time, axis) in &story.notches {
                    let sign = match axis {
                        Axis::Up => "^",
                        Axis::Down => "v",
                        Axis::Left => "<",
                        Axis::Right => ">",
                    };
                    canvas.text(ruler.at(*time) - 8, y + 6, 2, WHEEL, sign);
                }
            }
        }
    }
}

fn label(canvas: &mut Canvas, y: i32, name: &str) {
    let most = usize::try_from(NAMES / 16 - 1).unwrap_or(0);
    let name: String = name.chars().take(most).collect();
    canvas.text_to(MARGIN + NAMES - 12, y + 6, 2, INK, &name);
}

fn bars(canvas: &mut Canvas, ruler: &Ruler, y: i32, name: &str, list: &[Bar], color: Color) {
    label(canvas, y, name);
    for bar in list {
        let (from, to) = (ruler.at(bar.from), ruler.at(bar.to));
        canvas.fill(from, y + 4, (to - from).max(4), ROW - 9, color);
    }
}

fn scale(canvas: &mut Canvas, ruler: &Ruler, top: i32, bottom: i32) {
    let step = ruler.step();
    let mut free_from = i32::MIN;
    for index in 0..=ruler.end / step {
        let time = index * step;
        let x = ruler.at(time);
        canvas.fill(x, top, 1, bottom - top + 8, RULE);
        let text = if time == 0 { "0".to_owned() } else { seconds(time) };
        let start = x - width(&text, 2) / 2;
        if start > free_from && start + width(&text, 2) < WIDTH {
            canvas.text(start, bottom + 12, 2, MUTED, &text);
            free_from = start + width(&text, 2) + 12;
        }
    }
    canvas.fill(ruler.left, bottom, ruler.wide, 1, MUTED);
}
