//! Lines, discs and letters on a frame. Everything is clipped to it.

use crossmacro_model::{Frame, Physical, Rect, Size};
use font8x8::{BASIC_FONTS, GREEK_FONTS, LATIN_FONTS, MISC_FONTS, UnicodeFonts};

/// Red, green, blue.
pub(super) type Color = [u8; 3];

pub(super) const PAPER: Color = [255, 255, 255];
pub(super) const INK: Color = [28, 32, 40];
pub(super) const MUTED: Color = [96, 104, 116];
pub(super) const RULE: Color = [224, 228, 234];

/// Side of a letter before it is enlarged.
pub(super) const LETTER: i32 = 8;

/// A picture that is being drawn.
pub(super) struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<Color>,
}

impl Canvas {
    pub(super) fn new(width: i32, height: i32, color: Color) -> Self {
        let count = usize::try_from(i64::from(width) * i64::from(height)).unwrap_or(0);
        Self { width, height, pixels: vec![color; count] }
    }

    fn set(&mut self, x: i32, y: i32, color: Color) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            let index = i64::from(y) * i64::from(self.width) + i64::from(x);
            if let Some(pixel) = usize::try_from(index).ok().and_then(|index| self.pixels.get_mut(index)) {
                *pixel = color;
            }
        }
    }

    pub(super) fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, color: Color) {
        for row in y..y + height {
            for column in x..x + width {
                self.set(column, row, color);
            }
        }
    }

    pub(super) fn outline(&mut self, x: i32, y: i32, width: i32, height: i32, color: Color) {
        self.fill(x, y, width, 1, color);
        self.fill(x, y + height - 1, width, 1, color);
        self.fill(x, y, 1, height, color);
        self.fill(x + width - 1, y, 1, height, color);
    }

    /// A line of squares of `thickness` pixels (Bresenham). Both ends must lie near the canvas.
    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32), thickness: i32, color: Color) {
        let ((mut x, mut y), (end_x, end_y)) = (from, to);
        let (wide, high) = ((end_x - x).abs(), -(end_y - y).abs());
        let (step_x, step_y) = ((end_x - x).signum(), (end_y - y).signum());
        let mut error = wide + high;
        loop {
            self.fill(x - thickness / 2, y - thickness / 2, thickness, thickness, color);
            if (x, y) == (end_x, end_y) {
                return;
            }
            let doubled = 2 * error;
            if doubled >= high {
                error += high;
                x += step_x;
            }
            if doubled <= wide {
                error += wide;
                y += step_y;
            }
        }
    }

    pub(super) fn disc(&mut self, center: (i32, i32), radius: i32, color: Color) {
        for y in -radius..=radius {
            for x in -radius..=radius {
                if x * x + y * y <= radius * radius {
                    self.set(center.0 + x, center.1 + y, color);
                }
            }
        }
    }

    /// Letters, each 8 times `scale` pixels wide and high, from their left upper corner.
    pub(super) fn text(&mut self, x: i32, y: i32, scale: i32, color: Color, text: &str) {
        let mut left = x;
        for letter in text.chars() {
            for (row, bits) in (0..).zip(glyph(letter)) {
                for column in (0..LETTER).filter(|column| bits >> column & 1 == 1) {
                    self.fill(left + column * scale, y + row * scale, scale, scale, color);
                }
            }
            left += LETTER * scale;
        }
    }

    /// Letters that end at `right`.
    pub(super) fn text_to(&mut self, right: i32, y: i32, scale: i32, color: Color, text: &str) {
        self.text(right - width(text, scale), y, scale, color, text);
    }

    pub(super) fn into_frame(self) -> Frame {
        let side = |length: i32| u32::try_from(length).unwrap_or(0);
        let size = Size::<Physical>::new(side(self.width), side(self.height));
        let bytes: Vec<u8> =
            self.pixels.iter().flat_map(|[red, green, blue]| [*blue, *green, *red, 0]).collect();
        let stride = size.width as usize * crossmacro_model::frame::BYTES_PER_PIXEL;
        let region = Rect::new(0, 0, size.width, size.height);
        // The vector has exactly that shape.
        Frame::new(region, size, stride, Box::new(bytes)).unwrap_or_else(|_| empty())
    }
}

fn empty() -> Frame {
    let none = Frame::new(Rect::new(0, 0, 0, 0), Size::new(0, 0), 0, Box::new(Vec::new()));
    match none {
        Ok(frame) => frame,
        Err(_) => unreachable!("no rows need no bytes"),
    }
}

/// The width of a text in pixels.
pub(super) fn width(text: &str, scale: i32) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 64).saturating_mul(LETTER * scale)
}

fn glyph(letter: char) -> [u8; 8] {
    // The font has none of these, and something that reads the same.
    let letter = match letter {
        '\u{2010}'..='\u{2015}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}'..='\u{201e}' => '"',
        letter => letter,
    };
    let known =
        BASIC_FONTS.get(letter).or_else(|| LATIN_FONTS.get(letter)).or_else(|| GREEK_FONTS.get(letter));
    // A letter that the font has no form for is a box.
    known.or_else(|| MISC_FONTS.get(letter)).unwrap_or([0, 0x7e, 0x42, 0x42, 0x42, 0x42, 0x7e, 0])
}

/// The color `part` of the way from one to another.
pub(super) fn blend(from: Color, to: Color, part: f64) -> Color {
    let part = part.clamp(0.0, 1.0);
    std::array::from_fn(|index| {
        let value = f64::from(from[index]) * (1.0 - part) + f64::from(to[index]) * part;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
        {
            value.round() as u8
        }
    })
}
