//! The colour search against the definition, pixel by pixel.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test may stop at the first surprise, and makes its patterns by cutting numbers"
)]

use crossmacro_imaging::color;
use crossmacro_model::{Frame, Physical, Point, Rect, Size};
use proptest::prelude::*;

/// A frame of few colours, so that searches find something, with padding in rows and pixels.
fn frame(width: u32, height: u32, levels: &[u8], voids: Vec<Rect<Physical>>) -> Frame {
    let stride = width as usize * 4 + 4;
    let bytes = (0..stride * height as usize).map(|n| levels[n % levels.len()]).collect::<Vec<_>>();
    Frame::new(Rect::new(0, 0, width, height), Size::new(width, height), stride, Box::new(bytes))
        .unwrap()
        .with_voids(voids)
}

fn by_definition(frame: &Frame, target: [u8; 3], tolerance: u8) -> Option<Point<Physical>> {
    let size = frame.size();
    (0..size.height.cast_signed())
        .flat_map(|y| (0..size.width.cast_signed()).map(move |x| Point::new(x, y)))
        .find(|at| {
            frame.rgb(*at).is_some_and(|rgb| {
                (0..3).all(|c| (i32::from(rgb[c]) - i32::from(target[c])).abs() <= i32::from(tolerance))
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn the_first_match_is_found(
        width in 1_u32..150, height in 1_u32..12, levels in prop::collection::vec(any::<u8>(), 1..400),
        voids in prop::collection::vec((-5_i32..150, -2_i32..12, 0_u32..90, 0_u32..8), 0..3),
        pick: prop::sample::Index, nudge in 0_u8..4, tolerance in prop::sample::select(vec![0_u8, 0, 1, 3, 90, 255]),
    ) {
        let voids = voids.into_iter().map(|(x, y, w, h)| Rect::new(x, y, w, h)).collect();
        let frame = frame(width, height, &levels, voids);
        let at = pick.index((width * height) as usize) as u32;
        let there = frame.row(at / width).unwrap()[(at % width) as usize * 4..][..3].to_vec();
        let target = [there[2].wrapping_add(nudge), there[1], there[0].wrapping_sub(nudge)];
        let expected = by_definition(&frame, target, tolerance);
        prop_assert_eq!(color::search(&frame, target, tolerance), expected);
        if let Some(at) = expected {
            prop_assert!(color::matches(&frame, at, target, tolerance));
        }
    }
}

#[test]
fn a_void_is_no_black_pixel() {
    let frame = frame(5, 1, &[0], vec![Rect::new(0, 0, 4, 1)]);
    assert_eq!(color::search(&frame, [0, 0, 0], 0), Some(Point::new(4, 0)));
    assert!(!color::matches(&frame, Point::new(3, 0), [0, 0, 0], 255));
    assert!(!color::matches(&frame, Point::new(5, 0), [0, 0, 0], 255));
}
