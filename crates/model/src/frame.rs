//! A captured picture: pixels, where they are on the desktop, and which of them are not real.
//!
//! Pixel layout: rows of `stride` bytes, four bytes a pixel in the order blue, green, red, padding. The
//! fourth byte is padding, never alpha: what a server leaves in it is not defined. This is the layout that
//! X11 and Wayland deliver on little-endian machines, so a capture is handed on without a copy.

mod changes;

use crate::geometry::{Logical, Physical, Point, Rect, Size};
use std::fmt;

/// Bytes in one pixel.
pub const BYTES_PER_PIXEL: usize = 4;

/// Where the bytes of a frame live: a plain vector, or shared memory that goes back to its pool on drop.
pub trait Pixels: Send + Sync {
    /// All bytes, rows of the frame's stride.
    fn bytes(&self) -> &[u8];
    /// The same for painting (masks, voids, the cursor).
    fn bytes_mut(&mut self) -> &mut [u8];
}

impl Pixels for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }
}

/// One captured picture.
pub struct Frame {
    region: Rect<Logical>,
    size: Size<Physical>,
    stride: usize,
    voids: Vec<Rect<Physical>>,
    pixels: Box<dyn Pixels>,
}

/// The size, stride and number of bytes of a frame do not fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {width}x{height} with rows of {stride} bytes does not fit in {bytes} bytes")]
pub struct FrameShape {
    /// Pixels in a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Bytes from one row to the next.
    pub stride: usize,
    /// Bytes that were given.
    pub bytes: usize,
}

impl Frame {
    /// A frame of `size` that shows `region` of the desktop.
    ///
    /// # Errors
    /// [`FrameShape`] when `stride` is shorter than a row or `pixels` is shorter than all rows.
    pub fn new(
        region: Rect<Logical>,
        size: Size<Physical>,
        stride: usize,
        pixels: Box<dyn Pixels>,
    ) -> Result<Self, FrameShape> {
        let bytes = pixels.bytes().len();
        let shape = FrameShape { width: size.width, height: size.height, stride, bytes };
        let row = (size.width as usize).checked_mul(BYTES_PER_PIXEL).ok_or(shape)?;
        let needed = match size.height as usize {
            0 => 0,
            rows => (rows - 1).checked_mul(stride).and_then(|n| n.checked_add(row)).ok_or(shape)?,
        };
        if stride < row || bytes < needed {
            return Err(shape);
        }
        Ok(Self { region, size, stride, voids: Vec::new(), pixels })
    }

    /// The same frame, its rectangles between the monitors named and painted black.
    #[must_use]
    pub fn with_voids(mut self, voids: Vec<Rect<Physical>>) -> Self {
        for void in &voids {
            self.fill(*void, [0, 0, 0]);
        }
        self.voids = voids;
        self
    }

    /// The part of the desktop that the frame shows.
    pub fn region(&self) -> Rect<Logical> {
        self.region
    }

    /// Size in pixels.
    pub fn size(&self) -> Size<Physical> {
        self.size
    }

    /// Bytes from one row to the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Pixels per logical unit.
    pub fn scale(&self) -> f64 {
        if self.region.width == 0 { 1.0 } else { f64::from(self.size.width) / f64::from(self.region.width) }
    }

    /// Where an area of this frame is on the desktop; a unit that is covered in part is covered.
    pub fn on_desktop(&self, area: Rect<Physical>) -> Rect<Logical> {
        let scaled = |pixels: i64, whole: u32, units: u32, up: bool| {
            let whole = i64::from(whole.max(1));
            let product = pixels * i64::from(units);
            if up { (product + whole - 1).div_euclid(whole) } else { product.div_euclid(whole) }
        };
        let x = |pixels, up| scaled(pixels, self.size.width, self.region.width, up);
        let y = |pixels, up| scaled(pixels, self.size.height, self.region.height, up);
        let (left, right) = (x(area.x.into(), false), x(area.right(), true));
        let (top, bottom) = (y(area.y.into(), false), y(area.bottom(), true));
        let place = |from: i32, by: i64| {
            let sum = i64::from(from) + by;
            i32::try_from(sum).unwrap_or(if sum < 0 { i32::MIN } else { i32::MAX })
        };
        let extent = |length: i64| u32::try_from(length).unwrap_or(0);
        Rect::new(
            place(self.region.x, left),
            place(self.region.y, top),
            extent(right - left),
            extent(bottom - top),
        )
    }

    /// Areas that no monitor shows. They are black, and not pixels: a search must not match in them.
    pub fn voids(&self) -> &[Rect<Physical>] {
        &self.voids
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.bytes()
    }

    /// All bytes, for painting.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.pixels.bytes_mut()
    }

    /// The bytes of row `y` without its padding, or `None` below the last row.
    pub fn row(&self, y: u32) -> Option<&[u8]> {
        if y >= self.size.height {
            return None;
        }
        let start = y as usize * self.stride;
        self.pixels.bytes().get(start..start + self.size.width as usize * BYTES_PER_PIXEL)
    }

    /// Red, green and blue of one pixel, or `None` outside the frame and in a void.
    pub fn rgb(&self, at: Point<Physical>) -> Option<[u8; 3]> {
        if self.voids.iter().any(|void| void.contains(at)) {
            return None;
        }
        let (x, y) = (u32::try_from(at.x).ok()?, u32::try_from(at.y).ok()?);
        if x >= self.size.width {
            return None;
        }
        let start = x as usize * BYTES_PER_PIXEL;
        match self.row(y)?.get(start..start + 3)? {
            &[blue, green, red] => Some([red, green, blue]),
            _ => None,
        }
    }

    /// Paints a rectangle in one colour (red, green, blue), clipped to the frame.
    pub fn fill(&mut self, area: Rect<Physical>, [red, green, blue]: [u8; 3]) {
        let Some(area) = area.intersection(Rect::at(Point::new(0, 0), self.size)) else { return };
        let stride = self.stride;
        let (left, top) = (area.x.unsigned_abs() as usize, area.y.unsigned_abs() as usize);
        let bytes = self.pixels.bytes_mut();
        for y in top..top + area.height as usize {
            let start = y * stride + left * BYTES_PER_PIXEL;
            let row = &mut bytes[start..start + area.width as usize * BYTES_PER_PIXEL];
            for pixel in row.chunks_exact_mut(BYTES_PER_PIXEL) {
                pixel.copy_from_slice(&[blue, green, red, 0]);
            }
        }
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never the pixels: a frame ends up in logs by accident.
        write!(out, "Frame {{ {:?} of {:?}, {} voids }}", self.size, self.region, self.voids.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(width: u32, height: u32) -> Frame {
        let stride = width as usize * 4 + 8;
        let bytes = (0..stride * height as usize).map(|n| u8::try_from(n % 251).unwrap()).collect::<Vec<_>>();
        Frame::new(Rect::new(0, 0, width, height), Size::new(width, height), stride, Box::new(bytes)).unwrap()
    }

    #[test]
    fn areas_find_their_place_on_the_desktop() {
        let bytes = Box::new(vec![0; 300 * 150 * 4]);
        let frame = Frame::new(Rect::new(-10, 5, 200, 100), Size::new(300, 150), 1200, bytes).unwrap();
        assert_eq!(frame.on_desktop(Rect::new(0, 0, 300, 150)), frame.region());
        assert_eq!(frame.on_desktop(Rect::new(30, 30, 3, 3)), Rect::new(10, 25, 2, 2));
        assert_eq!(frame.on_desktop(Rect::new(31, 31, 1, 1)), Rect::new(10, 25, 2, 2));
    }

    #[test]
    fn too_few_bytes_are_refused() {
        let short = Frame::new(Rect::new(0, 0, 4, 2), Size::new(4, 2), 16, Box::new(vec![0; 31]));
        assert!(short.is_err());
        let huge = Frame::new(Rect::new(0, 0, 1, 1), Size::new(u32::MAX, u32::MAX), 4, Box::new(vec![0; 4]));
        assert!(huge.is_err());
    }

    #[test]
    fn a_fill_stays_inside_and_a_void_is_no_pixel() {
        let mut frame = frame(4, 3);
        frame.fill(Rect::new(2, 1, 50, 50), [1, 2, 3]);
        assert_eq!(frame.rgb(Point::new(3, 2)), Some([1, 2, 3]));
        assert_eq!(frame.rgb(Point::new(1, 1)), Some([30, 29, 28].map(|n: u8| n)));
        let frame = frame.with_voids(vec![Rect::new(0, 0, 1, 3)]);
        assert_eq!(frame.rgb(Point::new(0, 0)), None);
        assert_eq!(frame.rgb(Point::new(4, 0)), None);
        assert_eq!(frame.rgb(Point::new(-1, 0)), None);
    }
}
