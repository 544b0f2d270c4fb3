//! A picture of a search for people: the desktop, the region that was searched, and every place with its
//! number and score.

use crossmacro_model::{Frame, Logical, Physical, Point, Rect};

/// Colours: red, green, blue.
const REGION: [u8; 3] = [40, 120, 255];
const BACKGROUND: [u8; 3] = [0, 0, 0];

/// What a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It matches.
    Match,
    /// It matches as well, so that it is not clear which is meant.
    Rival,
    /// It does not match, but nothing else is more similar.
    Nearest,
}

impl Role {
    fn color(self) -> [u8; 3] {
        match self {
            Self::Match => [0, 200, 60],
            Self::Rival => [255, 160, 0],
            Self::Nearest => [255, 40, 40],
        }
    }
}

/// A place to draw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) area: Rect<Logical>,
    pub(super) score: f64,
    pub(super) role: Role,
}

/// Draws the region that `searched` shows, and the marks, on a picture of the desktop; inside the region it
/// shows what was searched, even if it looks otherwise by now.
pub(super) fn draw(desktop: &mut Frame, searched: &Frame, marks: &[Mark]) {
    let region = to_pixels(desktop, searched.region());
    let whole = Rect::at(Point::new(0, 0), searched.size());
    let is_inside = region.intersection(Rect::at(Point::new(0, 0), desktop.size())) == Some(region);
    if is_inside && region.size() == whole.size() {
        super::diff::copy(searched, whole, desktop, region.origin());
    }
    outline(desktop, region, REGION);
    for (number, mark) in marks.iter().enumerate().rev() {
        let area = to_pixels(desktop, mark.area);
        let color = mark.role.color();
        outline(desktop, grown(area), color);
        // Cut, not rounded: a picture that is not quite equal must not be shown as 1.000.
        let score = (mark.score * 1000.0).floor() / 1000.0;
        label(desktop, area, &format!("{}:{score:.3}", number + 1), color);
    }
}

/// Where a part of the desktop is on its picture.
fn to_pixels(frame: &Frame, area: Rect<Logical>) -> Rect<Physical> {
    let scaled = |length: i64| {
        let pixels = i128::from(length) * i128::from(frame.size().width);
        i64::try_from(pixels / i128::from(frame.region().width.max(1))).unwrap_or(i64::MAX)
    };
    let int = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX });
    let extent = |n: u32| u32::try_from(scaled(n.into())).unwrap_or(u32::MAX);
    Rect::new(
        int(scaled(i64::from(area.x) - i64::from(frame.region().x))),
        int(scaled(i64::from(area.y) - i64::from(frame.region().y))),
        extent(area.width),
        extent(area.height),
    )
}

/// One pixel larger on every side, so that its outline hides nothing of the area.
fn grown(area: Rect<Physical>) -> Rect<Physical> {
    let edge = |at: i32| at.saturating_sub(1);
    Rect::new(edge(area.x), edge(area.y), area.width.saturating_add(2), area.height.saturating_add(2))
}

fn outline(frame: &mut Frame, area: Rect<Physical>, color: [u8; 3]) {
    let last = |start: i32, length: u32| {
        start.saturating_add(i32::try_from(length).unwrap_or(i32::MAX)).saturating_sub(1)
    };
    frame.fill(Rect::new(area.x, area.y, area.width, 1), color);
    frame.fill(Rect::new(area.x, last(area.y, area.height), area.width, 1), color);
    frame.fill(Rect::new(area.x, area.y, 1, area.height), color);
    frame.fill(Rect::new(last(area.x, area.width), area.y, 1, area.height), color);
}

/// Pixels of the picture for one of a glyph.
const ZOOM: u32 = 2;
const GLYPH: (u32, u32) = (3, 5);
const MARGIN: i32 = 2;

/// Writes above the area, or below where there is no room.
fn label(frame: &mut Frame, area: Rect<Physical>, text: &str, color: [u8; 3]) {
    let advance = (GLYPH.0 + 1) * ZOOM;
    let letters = u32::try_from(text.len()).unwrap_or(0);
    let size = (letters * advance + ZOOM, GLYPH.1 * ZOOM + 2 * ZOOM);
    let int = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    let above = area.y.saturating_sub(int(size.1)).saturating_sub(MARGIN);
    let below = area.y.saturating_add(int(area.height)).saturating_add(MARGIN);
    let top = if above >= 0 { above } else { below };
    let room = int(frame.size().width).saturating_sub(int(size.0)).max(0);
    let left = area.x.clamp(0, room);
    frame.fill(Rect::new(left, top, size.0, size.1), BACKGROUND);
    for (index, character) in (0_u32..).zip(text.chars()) {
        let x = left.saturating_add(int(index * advance + ZOOM));
        write(frame, Point::new(x, top.saturating_add(int(ZOOM))), character, color);
    }
}

fn write(frame: &mut Frame, at: Point<Physical>, character: char, color: [u8; 3]) {
    let rows = glyph(character);
    for (y, row) in (0..).zip(rows) {
        for x in (0..3).filter(|x| row & (0b100 >> x) != 0) {
            let zoom = i32::try_from(ZOOM).unwrap_or(1);
            let (x, y) = (at.x.saturating_add(x * zoom), at.y.saturating_add(y * zoom));
            frame.fill(Rect::new(x, y, ZOOM, ZOOM), color);
        }
    }
}

/// Rows from the top, the leftmost pixel in the highest of three bits.
fn glyph(character: char) -> [u8; 5] {
    match character {
        '0' => [0b111, 0b101, 0b101, 0b101, 0b111],
        '1' => [0b010, 0b110, 0b010, 0b010, 0b111],
        '2' => [0b111, 0b001, 0b111, 0b100, 0b111],
        '3' => [0b111, 0b001, 0b111, 0b001, 0b111],
        '4' => [0b101, 0b101, 0b111, 0b001, 0b001],
        '5' => [0b111, 0b100, 0b111, 0b001, 0b111],
        '6' => [0b111, 0b100, 0b111, 0b101, 0b111],
        '7' => [0b111, 0b001, 0b010, 0b010, 0b010],
        '8' => [0b111, 0b101, 0b111, 0b101, 0b111],
        '9' => [0b111, 0b101, 0b111, 0b001, 0b111],
        '.' => [0b000, 0b000, 0b000, 0b000, 0b010],
        ':' => [0b000, 0b010, 0b000, 0b010, 0b000],
        '-' => [0b000, 0b000, 0b111, 0b000, 0b000],
        _ => [0; 5],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::Size;

    fn frame(region: Rect<Logical>) -> Frame {
        let stride = region.width as usize * 4;
        let bytes = vec![0; stride * region.height as usize];
        Frame::new(region, Size::new(region.width, region.height), stride, Box::new(bytes)).unwrap()
    }

    #[test]
    fn marks_hide_nothing_and_the_region_is_what_was_searched() {
        let mut desktop = frame(Rect::new(-100, 0, 300, 200));
        let mut searched = frame(Rect::new(-50, 40, 100, 100));
        searched.fill(Rect::new(10, 40, 5, 5), [9, 9, 9]);
        let mark = Mark { area: Rect::new(-40, 80, 5, 5), score: 0.99999, role: Role::Match };
        draw(&mut desktop, &searched, &[mark]);
        let at = |x, y| desktop.rgb(Point::new(x, y));
        assert_eq!(at(50, 40), Some(REGION));
        assert_eq!(at(149, 139), Some(REGION));
        assert_eq!(at(59, 79), Some(Role::Match.color()));
        assert_eq!(at(60, 80), Some([9, 9, 9]));
        assert_eq!(at(64, 84), Some([9, 9, 9]));
        assert_eq!(at(65, 85), Some(Role::Match.color()));
    }

    #[test]
    fn places_beyond_the_picture_do_no_harm() {
        let mut desktop = frame(Rect::new(0, 0, 20, 10));
        let searched = frame(Rect::new(i32::MAX, i32::MIN, 1, 1));
        let area = Rect::new(i32::MIN, i32::MAX, u32::MAX, u32::MAX);
        draw(&mut desktop, &searched, &[Mark { area, score: 0.5, role: Role::Nearest }]);
    }
}
