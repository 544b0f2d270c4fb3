//! What differs between two frames.

use super::{BYTES_PER_PIXEL, Frame};
use crate::geometry::{Physical, Point, Rect};

/// Pixels of a square that is looked at as one: changes nearer to each other than that are one change.
const TILE: usize = 16;
/// Most rectangles that are told; where there are more, neighbours are put together.
const MOST: usize = 64;

type Area = Rect<Physical>;

impl Frame {
    /// Where this frame differs from `before`, as rectangles that don't overlap: every pixel that differs is in
    /// one of them, and their edges touch such pixels. Empty when all pixels are equal. Frames of different
    /// sizes differ everywhere.
    pub fn changes(&self, before: &Self) -> Vec<Area> {
        if self.size() != before.size() {
            return vec![Rect::at(Point::new(0, 0), self.size())];
        }
        let mut tiles = Tiles::new(self.size().width as usize, self.size().height as usize);
        for y in 0..self.size().height {
            if let (Some(new), Some(old)) = (self.row(y), before.row(y))
                && new != old
            {
                tiles.compare(y, new, old);
            }
        }
        apart(tiles.groups())
    }
}

/// The smallest rectangles that hold what differs, one for each square.
struct Tiles {
    columns: usize,
    areas: Vec<Area>,
}

const NOTHING: Area = Rect::new(0, 0, 0, 0);

impl Tiles {
    fn new(width: usize, height: usize) -> Self {
        let columns = width.div_ceil(TILE);
        Self { columns, areas: vec![NOTHING; columns * height.div_ceil(TILE)] }
    }

    fn compare(&mut self, y: u32, new: &[u8], old: &[u8]) {
        let start = y as usize / TILE * self.columns;
        let row = &mut self.areas[start..start + self.columns];
        let parts = new.chunks(TILE * BYTES_PER_PIXEL).zip(old.chunks(TILE * BYTES_PER_PIXEL));
        for (column, (area, (new, old))) in row.iter_mut().zip(parts).enumerate() {
            if new == old {
                continue;
            }
            let pairs = new.as_chunks::<BYTES_PER_PIXEL>().0.iter().zip(old.as_chunks().0);
            // The fourth byte is padding.
            let differs = |(new, old): (&[u8; 4], &[u8; 4])| new[..3] != old[..3];
            let mut hits = pairs.enumerate().filter(|(_, pair)| differs(*pair)).map(|(x, _)| x);
            if let Some(first) = hits.next() {
                let last = hits.next_back().unwrap_or(first);
                *area = area.union(span(column * TILE + first, y, last - first + 1));
            }
        }
    }

    /// One rectangle for all squares that touch each other.
    fn groups(mut self) -> Vec<Area> {
        let mut groups = Vec::new();
        for index in 0..self.areas.len() {
            let mut group = self.take(index);
            if group.is_empty() {
                continue;
            }
            let mut open = vec![index];
            while let Some(at) = open.pop() {
                for near in self.neighbours(at) {
                    let area = self.take(near);
                    if !area.is_empty() {
                        group = group.union(area);
                        open.push(near);
                    }
                }
            }
            groups.push(group);
        }
        groups
    }

    fn take(&mut self, index: usize) -> Area {
        self.areas.get_mut(index).map_or(NOTHING, |area| std::mem::replace(area, NOTHING))
    }

    fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, rows) = (self.columns, self.areas.len() / self.columns.max(1));
        let (x, y) = (index % columns.max(1), index / columns.max(1));
        let near = move |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
        near(y, rows).flat_map(move |y| near(x, columns).map(move |x| y * columns + x))
    }
}

fn span(x: usize, y: u32, width: usize) -> Area {
    let int = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    Rect::new(int(x), int(y as usize), u32::try_from(width).unwrap_or(u32::MAX), 1)
}

/// Few rectangles that don't overlap, over the same areas.
fn apart(mut areas: Vec<Area>) -> Vec<Area> {
    while areas.len() > MOST {
        // Sorted from the top, those that follow each other are near each other.
        areas.sort_unstable_by_key(|area| (area.y, area.x));
        areas = areas.chunks(2).map(|pair| pair.iter().fold(NOTHING, |all, area| all.union(*area))).collect();
    }
    let mut done: Vec<Area> = Vec::new();
    while let Some(area) = areas.pop() {
        match done.iter().position(|other| other.intersection(area).is_some()) {
            // What they are together may meet others.
            Some(index) => areas.push(done.swap_remove(index).union(area)),
            None => done.push(area),
        }
    }
    done.sort_unstable_by_key(|area| (area.y, area.x));
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    fn frame(width: u32, height: u32) -> Frame {
        let stride = width as usize * 4;
        let bytes = vec![0; stride * height as usize];
        Frame::new(Rect::new(0, 0, width, height), Size::new(width, height), stride, Box::new(bytes)).unwrap()
    }

    fn painted(areas: &[Area]) -> Frame {
        let mut frame = frame(203, 151);
        areas.iter().for_each(|area| frame.fill(*area, [9, 9, 9]));
        frame
    }

    #[test]
    fn rectangles_are_tight_and_apart() {
        let before = painted(&[]);
        assert_eq!(before.changes(&before), []);
        let far = [Rect::new(3, 5, 40, 7), Rect::new(200, 148, 3, 3), Rect::new(120, 60, 1, 1)];
        let mut sorted = far.to_vec();
        sorted.sort_by_key(|area| area.y);
        assert_eq!(painted(&far).changes(&before), sorted);
        assert_eq!(before.changes(&painted(&far)), sorted);
        // Nearer than a square: one change.
        let near = painted(&[Rect::new(20, 20, 4, 4), Rect::new(30, 30, 4, 4)]);
        assert_eq!(near.changes(&before), [Rect::new(20, 20, 14, 14)]);
    }

    #[test]
    fn padding_is_no_pixel() {
        let (before, mut after) = (frame(5, 5), frame(5, 5));
        after.bytes_mut().iter_mut().skip(3).step_by(4).for_each(|padding| *padding = 77);
        assert_eq!(after.changes(&before), []);
        assert_eq!(after.changes(&frame(5, 6)), [Rect::new(0, 0, 5, 5)]);
    }

    #[test]
    fn many_changes_become_few_rectangles_that_hold_them_all() {
        let dots: Vec<Area> =
            (0..24).flat_map(|y| (0..24).map(move |x| Rect::new(x * 40, y * 40, 1, 1))).collect();
        let before = frame(960, 960);
        let mut after = frame(960, 960);
        dots.iter().for_each(|dot| after.fill(*dot, [1, 0, 0]));
        let changes = after.changes(&before);
        assert!(changes.len() <= MOST, "{}", changes.len());
        assert!(dots.iter().all(|dot| changes.iter().any(|area| area.contains(dot.origin()))));
        let overlaps = |a: &Area| changes.iter().filter(|b| a.intersection(**b).is_some()).count();
        assert!(changes.iter().all(|area| overlaps(area) == 1));
    }
}
