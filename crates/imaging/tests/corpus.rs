//! Forty pairs of a screen and a template as desktops have them, each with the known answer: labels in a font beside
//! others that look alike, one changed pixel, repeated icons, gradients, noise, other sizes, transparent corners, and
//! what is not there. What is painted here is the witness; nothing of it comes out of a search.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a test paints with small numbers, and stops where it fails"
)]

use crossmacro_imaging::Image;
use crossmacro_imaging::search::{self, Mode, Options, Outcome, Template};
use crossmacro_model::{Frame, Rect, Size};
use font8x8::legacy::BASIC_LEGACY;

type Color = [u8; 3];

const WIDTH: i32 = 480;
const HEIGHT: i32 = 320;

/// Ground, ink and accent.
const THEMES: [(&str, Color, Color, Color); 5] = [
    ("light", [245, 245, 245], [20, 20, 20], [0, 90, 200]),
    ("dark", [30, 31, 34], [220, 220, 215], [90, 170, 255]),
    ("blue", [0, 80, 150], [255, 255, 255], [255, 200, 60]),
    ("faint", [150, 150, 150], [118, 120, 124], [130, 140, 160]),
    ("sepia", [244, 236, 216], [91, 70, 54], [160, 60, 30]),
];

#[derive(Clone)]
struct Screen {
    pixels: Vec<Color>,
}

impl Screen {
    fn plain(color: Color) -> Self {
        Self { pixels: vec![color; (WIDTH * HEIGHT) as usize] }
    }

    /// From the colour of the ground to another, from left to right.
    fn gradient(from: Color, to: Color) -> Self {
        let mix = |x: i32, channel: usize| {
            let (a, b) = (i32::from(from[channel]), i32::from(to[channel]));
            (a + (b - a) * x / WIDTH) as u8
        };
        let row: Vec<Color> = (0..WIDTH).map(|x| [mix(x, 0), mix(x, 1), mix(x, 2)]).collect();
        Self { pixels: row.repeat(HEIGHT as usize) }
    }

    fn noise(seed: u32) -> Self {
        let mut state = seed;
        let mut next = || {
            // Xorshift (Marsaglia 2003).
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[0]
        };
        Self { pixels: (0..WIDTH * HEIGHT).map(|_| [next(), next(), next()]).collect() }
    }

    fn put(&mut self, x: i32, y: i32, color: Color) {
        if (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y) {
            self.pixels[(y * WIDTH + x) as usize] = color;
        }
    }

    fn fill(&mut self, area: (i32, i32, i32, i32), color: Color) {
        for y in area.1..area.1 + area.3 {
            for x in area.0..area.0 + area.2 {
                self.put(x, y, color);
            }
        }
    }

    fn text(&mut self, x: i32, y: i32, size: i32, text: &str, ink: Color) {
        for (index, letter) in text.bytes().enumerate() {
            for (row, bits) in BASIC_LEGACY[usize::from(letter)].iter().enumerate() {
                for column in (0..8).filter(|column| bits & (1 << column) != 0) {
                    let left = x + (index as i32 * 8 + column) * size;
                    self.fill((left, y + row as i32 * size, size, size), ink);
                }
            }
        }
    }

    fn button(
        &mut self,
        x: i32,
        y: i32,
        label: &str,
        (_, ground, ink, accent): &(&str, Color, Color, Color),
    ) {
        self.fill((x, y, 120, 24), *accent);
        self.fill((x + 1, y + 1, 118, 22), *ground);
        self.text(x + 12, y + 8, 1, label, *ink);
    }

    /// A ring with a bar, of any size, smooth at its edges: each pixel is the mean of sixteen points.
    fn icon(&mut self, left: i32, top: i32, side: i32, ink: Color) {
        for y in 0..side {
            for x in 0..side {
                let inside = (0..16).filter(|point| {
                    let at = |whole: i32, part: i32| {
                        (f64::from(whole) + (f64::from(part) + 0.5) / 4.0) / f64::from(side) - 0.5
                    };
                    let (u, v) = (at(x, point % 4), at(y, point / 4));
                    let ring = (0.30..0.46).contains(&u.hypot(v));
                    ring || (u.abs() < 0.07 && v > -0.22 && v < 0.22)
                });
                let share = inside.count() as i32;
                let place = ((top + y) * WIDTH + left + x) as usize;
                let under = self.pixels[place];
                let mix = |channel: usize| {
                    ((i32::from(ink[channel]) * share + i32::from(under[channel]) * (16 - share)) / 16) as u8
                };
                self.put(left + x, top + y, [mix(0), mix(1), mix(2)]);
            }
        }
    }

    fn cut(&self, (x, y, width, height): (i32, i32, i32, i32)) -> Image {
        let pixel = |x: i32, y: i32| self.pixels[(y * WIDTH + x) as usize];
        let rows = (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y)));
        let rgba = rows
            .flat_map(|(x, y)| {
                let [r, g, b] = pixel(x, y);
                [r, g, b, 255]
            })
            .collect();
        Image { size: Size::new(width as u32, height as u32), rgba }
    }

    fn frame(&self) -> Frame {
        let bytes: Vec<u8> = self.pixels.iter().flat_map(|&[r, g, b]| [b, g, r, 0]).collect();
        let size = Size::new(WIDTH as u32, HEIGHT as u32);
        Frame::new(Rect::new(0, 0, size.width, size.height), size, WIDTH as usize * 4, Box::new(bytes))
            .unwrap()
    }
}

fn find(screen: &Screen, image: &Image, mode: Mode, similarity: f64) -> Outcome {
    let options = Options { mode, similarity, ..Options::default() };
    search::find(&screen.frame(), &Template::new(image).unwrap(), &options).unwrap()
}

/// Found at this place and its own size, perfectly, in every mode that looks for one.
fn is_at(what: &str, screen: &Screen, image: &Image, at: (i32, i32)) {
    for mode in [Mode::Auto, Mode::Best, Mode::First] {
        let found = find(screen, image, mode, 1.0);
        let hit =
            *found.found().unwrap_or_else(|| panic!("{what}: {mode:?} found nothing: {:?}", found.nearest));
        let area = Rect::new(at.0, at.1, image.size.width, image.size.height);
        assert_eq!((hit.area, hit.scale), (area, 1.0), "{what}: {mode:?}");
        assert!(hit.score >= 1.0, "{what}: {mode:?} {}", hit.score);
    }
}

fn is_nowhere(what: &str, screen: &Screen, image: &Image, similarity: f64) {
    for mode in [Mode::Best, Mode::All] {
        let found = find(screen, image, mode, similarity);
        assert_eq!(found.matches, [], "{what}: {mode:?}");
        let nearest = found.nearest.unwrap_or_else(|| panic!("{what}: {mode:?} tells no best candidate"));
        assert!(nearest.score < similarity, "{what}: {mode:?} {nearest:?}");
    }
}

/// A label among labels that look alike: other words, other case, one letter more.
#[test]
fn labels_among_their_like() {
    for theme in &THEMES {
        let mut screen = Screen::plain(theme.1);
        let labels = ["Save as", "Safe", "save", "Send", "Save", "Have", "Saved", "5ave"];
        for (index, label) in labels.iter().enumerate() {
            screen.button(20 + index as i32 % 3 * 150, 30 + index as i32 / 3 * 60, label, theme);
        }
        let at = (20 + 150, 30 + 60);
        is_at(theme.0, &screen, &screen.cut((at.0, at.1, 120, 24)), at);
    }
}

/// Two copies, of which one has a single pixel that is one step off: exact search tells them apart.
#[test]
fn one_pixel_changed_by_one() {
    for theme in &THEMES {
        let mut screen = Screen::plain(theme.1);
        screen.icon(60, 40, 48, theme.3);
        let image = screen.cut((60, 40, 48, 48));
        screen.icon(300, 200, 48, theme.3);
        let place = ((40 + 20) * WIDTH + 60 + 24) as usize;
        screen.pixels[place][1] ^= 1;
        is_at(theme.0, &screen, &image, (300, 200));
        let mut only = screen.clone();
        only.fill((300, 200, 48, 48), theme.1);
        is_nowhere(theme.0, &only, &image, 1.0);
    }
}

#[test]
fn repeated_icons_are_all_found_and_none_twice() {
    for theme in &THEMES {
        let mut screen = Screen::plain(theme.1);
        let places = [(20, 20), (90, 20), (160, 20), (20, 100), (333, 207), (160, 180)];
        for (x, y) in places {
            screen.icon(x, y, 40, theme.3);
        }
        let found = find(&screen, &screen.cut((20, 20, 40, 40)), Mode::All, 0.99);
        let mut areas: Vec<_> = found.matches.iter().map(|hit| (hit.area.x, hit.area.y)).collect();
        areas.sort_unstable();
        let mut expected = places.to_vec();
        expected.sort_unstable();
        assert_eq!(areas, expected, "{}", theme.0);
        let best = find(&screen, &screen.cut((333, 207, 40, 40)), Mode::Best, 0.99);
        assert_eq!(
            best.found().map(|hit| (hit.area.x, hit.area.y)),
            Some((20, 20)),
            "of equals the topmost, then the leftmost"
        );
        assert!(best.rival.is_some(), "{}: which of them is meant is not known, and that is said", theme.0);
    }
}

/// On a gradient the same icon is another picture at every column.
#[test]
fn icons_on_a_gradient() {
    for theme in &THEMES {
        let mut screen = Screen::gradient(theme.1, theme.2);
        for x in [30, 150, 270, 390] {
            screen.icon(x, 120, 40, theme.3);
        }
        is_at(theme.0, &screen, &screen.cut((270, 120, 40, 40)), (270, 120));
    }
}

#[test]
fn a_piece_of_noise_is_found_and_a_strange_one_is_not() {
    for (seed, theme) in THEMES.iter().enumerate() {
        let screen = Screen::noise(seed as u32 * 7919 + 1);
        let at = (37 + seed as i32 * 61, 211 - seed as i32 * 29);
        is_at(theme.0, &screen, &screen.cut((at.0, at.1, 32, 32)), at);
        if seed == 0 {
            is_nowhere(theme.0, &screen, &Screen::noise(99).cut((9, 9, 24, 24)), 0.9);
        }
    }
}

/// The desktop has another scale than the one on which the template was taken.
#[test]
fn icons_of_another_size() {
    for (theme, scale) in THEMES.iter().zip([0.75, 0.8, 1.25, 1.4, 1.5]) {
        let mut taken = Screen::plain(theme.1);
        taken.icon(10, 10, 40, theme.3);
        let image = taken.cut((10, 10, 40, 40));
        let mut screen = Screen::plain(theme.1);
        let side = (40.0 * scale) as i32;
        screen.icon(201, 133, side, theme.3);
        screen.text(20, 20, 2, "No icon", theme.2);
        let found = find(&screen, &image, Mode::Auto, 0.9);
        let hit = found.found().unwrap_or_else(|| panic!("{} {scale}: {:?}", theme.0, found.nearest));
        let center = (hit.center().x, hit.center().y);
        let wanted = (201 + side / 2, 133 + side / 2);
        assert!(
            (center.0 - wanted.0).abs() <= 2 && (center.1 - wanted.1).abs() <= 2,
            "{} {scale}: {hit:?}",
            theme.0
        );
        assert!((hit.scale - scale).abs() <= 0.1, "{} {scale}: {hit:?}", theme.0);
    }
}

/// Only what is not transparent counts, whatever lies under the rest.
#[test]
fn transparent_corners_hide_the_ground() {
    for (theme, other) in THEMES.iter().zip(THEMES.iter().cycle().skip(1)) {
        let mut taken = Screen::plain(theme.1);
        taken.fill((100, 100, 36, 36), theme.3);
        taken.text(104, 114, 1, "Go!", theme.2);
        let mut image = taken.cut((100, 100, 36, 36));
        let is_corner = |index: usize| {
            let (x, y) = (index as i32 % 36 - 18, index as i32 / 36 - 18);
            x * x + y * y > 17 * 17
        };
        for (index, pixel) in image.rgba.chunks_mut(4).enumerate().filter(|(index, _)| is_corner(*index)) {
            pixel.copy_from_slice(&[index as u8, 1, 2, 0]);
        }
        let mut screen = Screen::gradient(other.1, other.2);
        for (index, color) in
            taken.cut((100, 100, 36, 36)).rgba.chunks(4).enumerate().filter(|(index, _)| !is_corner(*index))
        {
            screen.put(250 + index as i32 % 36, 77 + index as i32 / 36, [color[0], color[1], color[2]]);
        }
        is_at(theme.0, &screen, &image, (250, 77));
    }
}

#[test]
fn another_word_is_another_picture() {
    for theme in &THEMES {
        let mut screen = Screen::plain(theme.1);
        for (row, text) in ["Quit the game", "Edit the file", "Exit to menu"].iter().enumerate() {
            screen.text(20, 40 + row as i32 * 50, 2, text, theme.2);
        }
        let mut taken = Screen::plain(theme.1);
        taken.text(100, 100, 2, "Next", theme.2);
        is_nowhere(theme.0, &screen, &taken.cut((100, 100, 64, 16)), 0.99);
        is_at(theme.0, &screen, &screen.cut((20, 140, 64, 16)), (20, 140));
    }
}
