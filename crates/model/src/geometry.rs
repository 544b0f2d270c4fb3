//! Points, sizes and rectangles whose coordinate space is part of the type.
//!
//! One coordinate system is used in the API: signed logical desktop units, x to the right, y down, the
//! origin wherever the display server puts it (positions left of or above it are negative). Pixels of a
//! frame are [`Physical`], and a function that mixes the two does not compile.
//!
//! Arithmetic is checked or done in 64 bits: coordinates come from outside, and a wrapped sum would move the
//! pointer to another place than the one asked for.

use std::fmt;
use std::marker::PhantomData;

/// The logical desktop: the space of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Logical;

/// Pixels of a captured frame, counted from its top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Physical;

/// A place in space `S`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point<S = Logical> {
    /// Distance to the right of the origin.
    pub x: i32,
    /// Distance below the origin.
    pub y: i32,
    space: PhantomData<S>,
}

/// An extent in space `S`; never negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size<S = Logical> {
    /// Horizontal extent.
    pub width: u32,
    /// Vertical extent.
    pub height: u32,
    space: PhantomData<S>,
}

/// A rectangle in space `S`; the right and bottom edges are exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rect<S = Logical> {
    /// Left edge, inclusive.
    pub x: i32,
    /// Top edge, inclusive.
    pub y: i32,
    /// Horizontal extent.
    pub width: u32,
    /// Vertical extent.
    pub height: u32,
    space: PhantomData<S>,
}

impl<S> Point<S> {
    /// The point at `x`, `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y, space: PhantomData }
    }

    /// This point moved by `dx`, `dy`, or `None` where a coordinate would leave 32 bits.
    pub fn offset(self, dx: i32, dy: i32) -> Option<Self> {
        Some(Self::new(self.x.checked_add(dx)?, self.y.checked_add(dy)?))
    }
}

impl<S> Size<S> {
    /// The size `width` by `height`.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height, space: PhantomData }
    }

    /// Number of unit squares.
    pub fn area(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Whether nothing fits in it.
    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }
}

impl<S: Copy> Rect<S> {
    /// The rectangle with its top left corner at `x`, `y`.
    pub const fn new(x: i32, y: i32, width: u32, height: u32) -> Self {
        Self { x, y, width, height, space: PhantomData }
    }

    /// The rectangle of `size` at `origin`.
    pub fn at(origin: Point<S>, size: Size<S>) -> Self {
        Self::new(origin.x, origin.y, size.width, size.height)
    }

    /// Top left corner.
    pub fn origin(self) -> Point<S> {
        Point::new(self.x, self.y)
    }

    /// Extent.
    pub fn size(self) -> Size<S> {
        Size::new(self.width, self.height)
    }

    /// Right edge, exclusive; 64 bits because the sum may leave 32.
    pub fn right(self) -> i64 {
        i64::from(self.x) + i64::from(self.width)
    }

    /// Bottom edge, exclusive; 64 bits because the sum may leave 32.
    pub fn bottom(self) -> i64 {
        i64::from(self.y) + i64::from(self.height)
    }

    /// Whether nothing lies in it.
    pub fn is_empty(self) -> bool {
        self.size().is_empty()
    }

    /// The middle, rounded towards the top left, as the reference computes a click point.
    pub fn center(self) -> Point<S> {
        let x = i64::from(self.x) + i64::from(self.width / 2);
        let y = i64::from(self.y) + i64::from(self.height / 2);
        Point::new(clamp(x), clamp(y))
    }

    /// Whether `point` lies inside.
    pub fn contains(self, point: Point<S>) -> bool {
        let (x, y) = (i64::from(point.x), i64::from(point.y));
        x >= i64::from(self.x) && x < self.right() && y >= i64::from(self.y) && y < self.bottom()
    }

    /// The part that both cover, or `None` where they don't meet.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let left = self.x.max(other.x);
        let top = self.y.max(other.y);
        let width = self.right().min(other.right()) - i64::from(left);
        let height = self.bottom().min(other.bottom()) - i64::from(top);
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) if width > 0 && height > 0 => Some(Self::new(left, top, width, height)),
            _ => None,
        }
    }

    /// The smallest rectangle that holds both; an empty one adds nothing.
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let left = self.x.min(other.x);
        let top = self.y.min(other.y);
        let width = self.right().max(other.right()) - i64::from(left);
        let height = self.bottom().max(other.bottom()) - i64::from(top);
        Self::new(
            left,
            top,
            u32::try_from(width).unwrap_or(u32::MAX),
            u32::try_from(height).unwrap_or(u32::MAX),
        )
    }

    /// What is left of this rectangle when `hole` is cut out: up to four rectangles that don't overlap.
    pub fn without(self, hole: Self) -> Vec<Self> {
        let Some(hole) = self.intersection(hole) else { return vec![self] };
        let mut parts = Vec::with_capacity(4);
        let mut push = |x0: i64, y0: i64, x1: i64, y1: i64| {
            if let (Ok(width), Ok(height)) = (u32::try_from(x1 - x0), u32::try_from(y1 - y0))
                && width > 0
                && height > 0
            {
                parts.push(Self::new(clamp(x0), clamp(y0), width, height));
            }
        };
        let (left, right) = (i64::from(self.x), self.right());
        let (top, bottom) = (i64::from(self.y), self.bottom());
        push(left, top, right, i64::from(hole.y));
        push(left, hole.bottom(), right, bottom);
        push(left, i64::from(hole.y), i64::from(hole.x), hole.bottom());
        push(hole.right(), i64::from(hole.y), right, hole.bottom());
        parts
    }
}

fn clamp(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

impl<S> fmt::Debug for Point<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "({}, {})", self.x, self.y)
    }
}

impl<S> fmt::Debug for Size<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.width, self.height)
    }
}

impl<S> fmt::Debug for Rect<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}{:+}{:+}", self.width, self.height, self.x, self.y)
    }
}

impl<S> fmt::Display for Point<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{},{}", self.x, self.y)
    }
}

impl<S> fmt::Display for Rect<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{},{} {}x{}", self.x, self.y, self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type R = Rect<Logical>;

    #[test]
    fn edges_are_exclusive() {
        let rect = R::new(-5, 10, 5, 5);
        assert!(rect.contains(Point::new(-5, 10)));
        assert!(!rect.contains(Point::new(0, 10)));
        assert!(!rect.contains(Point::new(-5, 15)));
    }

    #[test]
    fn extremes_do_not_wrap() {
        let rect = R::new(i32::MAX, i32::MAX, u32::MAX, u32::MAX);
        assert_eq!(rect.center(), Point::new(i32::MAX, i32::MAX));
        assert_eq!(rect.intersection(R::new(0, 0, 10, 10)), None);
        assert_eq!(R::new(i32::MIN, 0, 1, 1).union(R::new(i32::MAX, 0, 1, 1)).width, u32::MAX);
        assert_eq!(Point::<Logical>::new(i32::MAX, 0).offset(1, 0), None);
    }

    #[test]
    fn a_hole_in_the_middle_leaves_four_parts_of_the_right_area() {
        let whole = R::new(0, 0, 10, 10);
        let parts = whole.without(R::new(3, 4, 2, 3));
        assert_eq!(parts.len(), 4);
        assert_eq!(parts.iter().map(|part| part.size().area()).sum::<u64>(), 94);
        assert!(parts.iter().all(|part| part.intersection(R::new(3, 4, 2, 3)).is_none()));
        assert_eq!(whole.without(R::new(20, 20, 5, 5)), vec![whole]);
        assert!(whole.without(R::new(-1, -1, 20, 20)).is_empty());
    }
}
