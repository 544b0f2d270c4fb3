//! The template search against the definition: every place compared, nothing clever.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "a test may stop at the first surprise, and makes its patterns by cutting numbers"
)]

use super::picture::{BLOCK, Picture, Tuning};
use super::squares::{Coarse, MOST};
use super::{Match, Mode, Options, Outcome, Scene, Template};
use crate::Image;
use crossmacro_model::{Frame, Physical, Point, Rect, Size};
use fearless_simd::Level;
use proptest::prelude::*;

/// Sum of differences, top, left: in the order of preference.
type Place = (u64, i32, i32);

/// All places with their sums, from the top left.
fn places(frame: &Frame, image: &Image) -> Vec<Place> {
    let (width, height) = (image.size.width as i32, image.size.height as i32);
    let mut all = Vec::new();
    for y in 0..=frame.size().height as i32 - height {
        for x in 0..=frame.size().width as i32 - width {
            if let Some(sum) = difference(frame, image, x, y) {
                all.push((sum, y, x));
            }
        }
    }
    all
}

/// `None` where the template would reach into a void.
fn difference(frame: &Frame, image: &Image, left: i32, top: i32) -> Option<u64> {
    let area = Rect::at(Point::new(left, top), image.size);
    if frame.voids().iter().any(|void| void.intersection(area).is_some()) {
        return None;
    }
    let mut sum = 0;
    for (y, row) in image.rgba.chunks_exact(image.size.width as usize * 4).enumerate() {
        let there = &frame.row(top as u32 + y as u32)?[left as usize * 4..];
        for (pixel, there) in row.chunks_exact(4).zip(there.chunks_exact(4)) {
            let apart = (0..3).map(|c| u64::from(there[2 - c].abs_diff(pixel[c]))).sum::<u64>();
            sum += u64::from(pixel[3]) * apart;
        }
    }
    Some(sum)
}

fn worst(image: &Image) -> u64 {
    3 * 255 * image.rgba.chunks_exact(4).map(|pixel| u64::from(pixel[3])).sum::<u64>()
}

fn allowed(image: &Image, similarity: f64) -> u64 {
    (worst(image) as f64 * (1.0 - similarity)).floor() as u64
}

fn score(image: &Image, sum: u64) -> f64 {
    1.0 - sum as f64 / worst(image) as f64
}

/// Whether two places are nearer than half a template each way.
fn overlap(image: &Image, a: Place, b: Place) -> bool {
    a.1.abs_diff(b.1) * 2 < image.size.height && a.2.abs_diff(b.2) * 2 < image.size.width
}

fn matched(image: &Image, place: Place, scale: f64) -> Match {
    Match { area: Rect::at(Point::new(place.2, place.1), image.size), score: score(image, place.0), scale }
}

fn rival(all: &[Place], image: &Image, best: Place, similarity: f64) -> Option<Match> {
    let limit = (best.0 + allowed(image, 0.98)).min(allowed(image, similarity));
    let others = all.iter().filter(|place| !overlap(image, best, **place) && place.0 <= limit);
    others.min().map(|place| matched(image, *place, 1.0))
}

fn by_definition(frame: &Frame, image: &Image, options: &Options) -> Outcome {
    let all = places(frame, image);
    let limit = allowed(image, options.similarity);
    let nearest = all.iter().min().map(|place| matched(image, *place, 1.0));
    let mut outcome = Outcome { nearest, is_exhaustive: true, ..Outcome::default() };
    let mut good = all.iter().filter(|place| place.0 <= limit).copied().collect::<Vec<_>>();
    match options.mode {
        Mode::First => outcome.matches.extend(good.first().map(|place| matched(image, *place, 1.0))),
        Mode::Best => {
            if let Some(best) = good.iter().min() {
                outcome.matches.push(matched(image, *best, 1.0));
                outcome.rival = rival(&all, image, *best, options.similarity);
            }
        }
        Mode::All => {
            good.sort_unstable();
            let mut kept = Vec::<Place>::new();
            for place in good {
                if kept.iter().all(|better| !overlap(image, *better, place)) {
                    kept.push(place);
                }
            }
            outcome.is_truncated = kept.len() > options.max_results;
            kept.truncate(options.max_results);
            outcome.matches.extend(kept.iter().map(|place| matched(image, *place, 1.0)));
        }
        Mode::Auto => panic!("has a definition of its own"),
    }
    if let (Mode::First, Some(found)) = (options.mode, outcome.matches.first()) {
        outcome.nearest = Some(*found);
    }
    outcome
}

/// The best place at every scale of the reference, then around the two best scales.
fn auto_by_definition(frame: &Frame, template: &Template, similarity: f64) -> Outcome {
    let best_at = |scale: f64| -> Option<(f64, Place, Image)> {
        let scaled = if scale == 1.0 { None } else { Some(template.scaled(scale)?) };
        let image = scaled.as_ref().unwrap_or(template).image().clone();
        let place = places(frame, &image).into_iter().min()?;
        Some((scale, place, image))
    };
    let similarity = if template.is_flat() { 1.0 } else { similarity };
    let native = best_at(1.0);
    let is_done = template.is_flat() || native.as_ref().is_some_and(|(_, place, _)| place.0 == 0);
    let mut tried = native.into_iter().collect::<Vec<_>>();
    if !is_done {
        tried.extend([0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.35, 1.5].into_iter().filter_map(best_at));
        let mut order =
            tried.iter().map(|(scale, place, image)| (score(image, place.0), *scale)).collect::<Vec<_>>();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, center) in order.into_iter().take(2) {
            let scales = [-0.02, -0.01, 0.01, 0.02].map(|nudge: f64| center + nudge);
            tried.extend(scales.into_iter().filter(|scale| (0.7..=1.5).contains(scale)).filter_map(best_at));
        }
    }
    let mut outcome = Outcome { is_exhaustive: true, ..Outcome::default() };
    let best = tried.iter().reduce(|a, b| if score(&b.2, b.1.0) > score(&a.2, a.1.0) { b } else { a });
    let Some((scale, place, image)) = best else { return outcome };
    outcome.nearest = Some(matched(image, *place, *scale));
    if place.0 <= allowed(image, similarity) {
        outcome.matches.extend(outcome.nearest);
        outcome.rival =
            rival(&places(frame, image), image, *place, similarity).map(|m| Match { scale: *scale, ..m });
    }
    outcome
}

/// Ways in which pictures are hard: everything equal, repeated, smooth, or different everywhere.
fn pattern(kind: u8, seed: u32, x: u32, y: u32) -> [u8; 3] {
    let mixed = (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed).wrapping_mul(0xC2B2_AE3D);
    let noise = (mixed >> 24) as u8;
    match kind {
        0 => [90, 90, 90],
        1 => [(x * 9) as u8, (y * 5) as u8, ((x + y) * 3) as u8],
        2 => [if (x / 4 + y / 4).is_multiple_of(2) { 240 } else { 10 }; 3],
        3 => [noise, noise.rotate_left(3), noise.rotate_left(5)],
        4 => [if (x % 8 < 5) && (y % 8 < 3) { 20 } else { 235 }, 235, 230],
        5 => [100 + noise % 8, 100 + noise / 16 % 8, 100],
        _ => [if noise > 200 { 30 } else { 250 }; 3],
    }
}

fn frame(size: (u32, u32), kind: u8, seed: u32, voids: Vec<Rect<Physical>>) -> Frame {
    let stride = size.0 as usize * 4 + 8;
    let mut bytes = vec![0xAB; stride * size.1 as usize];
    for y in 0..size.1 {
        for x in 0..size.0 {
            let [red, green, blue] = pattern(kind, seed, x, y);
            bytes[y as usize * stride + x as usize * 4..][..4].copy_from_slice(&[
                blue,
                green,
                red,
                noise(seed, x),
            ]);
        }
    }
    Frame::new(Rect::new(0, 0, size.0, size.1), Size::new(size.0, size.1), stride, Box::new(bytes))
        .unwrap()
        .with_voids(voids)
}

/// What a server may leave in the fourth byte.
fn noise(seed: u32, x: u32) -> u8 {
    pattern(3, seed, x, 7)[0]
}

/// A template cut from the frame, then a fifth of its pixels changed by `change`.
fn cut(frame: &Frame, at: (u32, u32), size: (u32, u32), change: u8, alpha: u8, seed: u32) -> Image {
    let mut rgba = Vec::new();
    for y in 0..size.1 {
        for x in 0..size.0 {
            let from = Point::new(
                ((at.0 + x) % frame.size().width) as i32,
                ((at.1 + y) % frame.size().height) as i32,
            );
            let [red, green, blue] = frame.rgb(from).unwrap_or([77, 66, 55]);
            let chance = pattern(3, seed, x, y)[0];
            let moved = if chance.is_multiple_of(5) { change } else { 0 };
            let cover = match alpha {
                0 => 255,
                1 => {
                    if chance < 40 {
                        0
                    } else {
                        255
                    }
                }
                2 => chance,
                _ => {
                    if (x + y).is_multiple_of(2) {
                        255
                    } else {
                        chance
                    }
                }
            };
            rgba.extend([red.wrapping_add(moved), green, blue.wrapping_sub(moved), cover]);
        }
    }
    Image { size: Size::new(size.0, size.1), rgba }
}

prop_compose! {
    fn case()(
        size in (1_u32..80, 1_u32..60), kind in 0_u8..7, template_kind in 0_u8..7, is_cut in prop::bool::weighted(0.8),
        at in (0_u32..80, 0_u32..60), template_size in (1_u32..40, 1_u32..40), change in prop::sample::select(vec![0_u8, 0, 1, 9, 120]),
        alpha in prop::sample::select(vec![0_u8, 0, 0, 1, 2, 3]), seed: u32,
        void in prop::option::weighted(0.2, (-5_i32..80, -5_i32..60, 0_u32..30, 0_u32..20)),
    ) -> (Frame, Image) {
        let voids = void.into_iter().map(|(x, y, w, h)| Rect::new(x, y, w, h)).collect();
        let frame = frame(size, kind, seed, voids);
        let source = if is_cut { None } else { Some(self::frame((80, 60), template_kind, !seed, Vec::new())) };
        let image = cut(source.as_ref().unwrap_or(&frame), at, template_size, change, alpha, seed);
        (frame, image)
    }
}

fn similarities() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 0.99, 0.95, 0.9, 0.7, 0.4, 0.0])
}

/// Every set of vector instructions of this machine.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best];
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_sse2().map(Level::Sse2));
    }
    levels
}

/// Every way that a search may take. None may change the result.
fn ways() -> impl Strategy<Value = (Level, Tuning)> {
    let tuning = (1_usize..4, prop::sample::select(vec![0, 40, usize::MAX]));
    let tuning = tuning.prop_map(|(threads, worth_fine)| Tuning { threads, worth_fine });
    (prop::sample::select(levels()), tuning)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn first_best_and_all_are_those_of_the_definition(
        (frame, image) in case(), similarity in similarities(), max_results in 1_usize..6,
        mode in prop::sample::select(vec![Mode::First, Mode::Best, Mode::All]), (level, tuning) in ways(),
    ) {
        let Ok(template) = Template::new(&image) else { return Ok(()) };
        let options = Options { mode, similarity, max_results };
        let found = Scene::tuned(&frame, level, tuning).find(&template, &options).unwrap();
        prop_assert_eq!(found, by_definition(&frame, &image, &options));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn auto_is_that_of_the_definition(
        (frame, image) in case(), similarity in similarities(), (level, tuning) in ways(),
    ) {
        let Ok(template) = Template::new(&image) else { return Ok(()) };
        let options = Options { similarity, ..Options::default() };
        let found = Scene::tuned(&frame, level, tuning).find(&template, &options).unwrap();
        prop_assert_eq!(found, auto_by_definition(&frame, &template, similarity));
    }
}

/// The bounds of sums that were rounded are where a mistake of one would show: a picture that differs from the
/// template in one square only, by every sum around those that are rounded apart.
#[test]
fn no_bound_is_over_the_truth() {
    for (level, base) in levels().into_iter().flat_map(|level| (0..5).map(move |base| (level, base))) {
        for changed in 120..136 {
            let gray = |n: usize, more: usize| if n % 112 == 3 && n / 112 < base + more { 101 } else { 100 };
            let rgba = (0..112 * 112).flat_map(|n| [100, gray(n, 0), 100, 255]).collect();
            let template = Template::new(&Image { size: Size::new(112, 112), rgba }).unwrap();
            let raised = |n: usize| n % 112 < 16 && n / 112 < 16 && n % 112 + n / 112 * 16 < changed;
            let bytes =
                (0..112 * 112).flat_map(|n| [100, 100 + 2 * u8::from(raised(n)), 100, 7]).collect::<Vec<_>>();
            let frame =
                Frame::new(Rect::new(0, 0, 112, 112), Size::new(112, 112), 448, Box::new(bytes)).unwrap();
            let picture = Picture::new(&frame, level, Tuning::of(0));
            let coarse = Coarse::new(&template, MOST);
            assert_eq!(coarse.power(), 4);
            let mut bounds = [0; BLOCK];
            coarse.bounds(level, picture.squares(4), &coarse.offsets(112, 1), &mut bounds);
            let truth = difference(&frame, template.image(), 0, 0).unwrap();
            assert!(
                u64::from(bounds[0]) * coarse.unit() <= truth,
                "{changed} changed: {} {truth}",
                bounds[0]
            );
        }
    }
}

/// A screen with lines of something like letters, and a button at `at`.
fn screen(at: (i32, i32), button: &Image) -> Frame {
    let mut frame = frame((700, 500), 6, 11, vec![Rect::new(600, 0, 100, 120)]);
    for line in 0..20 {
        frame.fill(Rect::new(0, line * 25, 600, 12), [250, 250, 250]);
        for letter in 0..70 {
            let (x, y) = (letter * 8 + 3, line * 25);
            let kind = pattern(3, 5, letter as u32, line as u32)[0];
            frame.fill(Rect::new(x, y, 1, 10), [20, 20, 20]);
            frame.fill(Rect::new(x, y + i32::from(kind % 10), 5, 1), [20, 20, 20]);
            frame.fill(Rect::new(x + 4, y + i32::from(kind / 32), 1, 4), [90, 90, 90]);
        }
    }
    paste(&mut frame, at, button);
    frame
}

fn paste(frame: &mut Frame, at: (i32, i32), image: &Image) {
    for (index, pixel) in image.rgba.chunks_exact(4).enumerate() {
        let (x, y) = (index as i32 % image.size.width as i32, index as i32 / image.size.width as i32);
        frame.fill(Rect::new(at.0 + x, at.1 + y, 1, 1), [pixel[0], pixel[1], pixel[2]]);
    }
}

/// A round button with a cross on it.
fn button(side: u32) -> Image {
    let middle = f64::from(side) / 2.0;
    let pixel = |n: u32| {
        let (x, y) = (f64::from(n % side) + 0.5 - middle, f64::from(n / side) + 0.5 - middle);
        let is_cross = (x - y).abs() < middle / 8.0 || (x + y).abs() < middle / 8.0;
        match x.hypot(y) / middle {
            far if far > 0.9 => [250, 250, 250, 255],
            near if near < 0.6 && is_cross => [255, 255, 255, 255],
            _ => [40, 90, 200, 255],
        }
    };
    Image { size: Size::new(side, side), rgba: (0..side * side).flat_map(pixel).collect() }
}

#[test]
fn a_scaled_button_is_found_at_its_scale() {
    let template = Template::new(&button(40)).unwrap();
    for (side, scale) in [(28, 0.7), (36, 0.9), (44, 1.1), (48, 1.2), (54, 1.35), (60, 1.5)] {
        for at in [(101, 203), (333, 77), (36, 409)] {
            let found = super::find(&screen(at, &button(side)), &template, &Options::default()).unwrap();
            let found = found.found().unwrap_or_else(|| panic!("{side} at {at:?}: {:?}", found.nearest));
            assert!((found.scale - scale).abs() < 0.021, "{side} at {at:?}: {found:?}");
            let center = (at.0 + side as i32 / 2, at.1 + side as i32 / 2);
            let off = (found.center().x.abs_diff(center.0), found.center().y.abs_diff(center.1));
            assert!(off.0 <= 1 && off.1 <= 1, "{side} at {at:?}: {found:?}");
        }
    }
}

#[test]
fn an_absent_button_is_not_found_and_the_nearest_is_told() {
    let template = Template::new(&button(40)).unwrap();
    let plain = Image { size: Size::new(1, 1), rgba: vec![0; 4] };
    let outcome = super::find(&screen((0, 0), &plain), &template, &Options::default()).unwrap();
    assert!(outcome.matches.is_empty());
    assert!(outcome.nearest.is_some_and(|near| near.score > 0.4 && near.score < 0.95), "{outcome:?}");
}

#[test]
fn two_equal_buttons_are_told_of() {
    let template = Template::new(&button(40)).unwrap();
    let mut frame = screen((100, 200), &button(40));
    paste(&mut frame, (400, 200), &button(40));
    let outcome = super::find(&frame, &template, &Options::default()).unwrap();
    assert_eq!(outcome.found().map(|found| found.area), Some(Rect::new(100, 200, 40, 40)));
    assert_eq!(outcome.rival.map(|rival| rival.area), Some(Rect::new(400, 200, 40, 40)));
    let options = Options { mode: Mode::All, ..Options::default() };
    let all = super::find(&frame, &template, &options).unwrap();
    assert_eq!(all.matches.len(), 2);
}

#[test]
fn black_is_not_found_on_dark_grey() {
    let black = Image { size: Size::new(20, 20), rgba: [0, 0, 0, 255].repeat(400) };
    let template = Template::new(&black).unwrap();
    let mut frame = frame((300, 200), 0, 0, Vec::new());
    frame.fill(Rect::new(0, 0, 300, 200), [10, 10, 10]);
    let outcome = super::find(&frame, &template, &Options::default()).unwrap();
    assert!(outcome.matches.is_empty());
    assert!(outcome.nearest.is_some_and(|near| near.score > 0.95 && near.score < 1.0));
    frame.fill(Rect::new(170, 31, 20, 20), [0, 0, 0]);
    let outcome = super::find(&frame, &template, &Options::default()).unwrap();
    assert_eq!(outcome.found().map(|found| found.area), Some(Rect::new(170, 31, 20, 20)));
    assert_eq!(outcome.rival, None);
}

#[test]
fn one_pixel_that_differs_by_one_is_seen() {
    let mut changed = button(40);
    changed.rgba[4 * 777] ^= 1;
    let template = Template::new(&changed).unwrap();
    let frame = screen((100, 200), &button(40));
    let exact = Options { mode: Mode::Best, similarity: 1.0, ..Options::default() };
    let outcome = super::find(&frame, &template, &exact).unwrap();
    assert!(outcome.matches.is_empty());
    let expected = 1.0 - 1.0 / (3.0 * 255.0 * 1600.0);
    assert_eq!(outcome.nearest.map(|near| near.score), Some(expected));
    let outcome = super::find(&frame, &template, &Options::default()).unwrap();
    assert_eq!(outcome.found().map(|found| found.score), Some(expected));
}

#[test]
fn work_is_bounded_where_every_place_is_equally_bad() {
    // Lines across against lines down: every bound is zero, every place differs by half.
    let lines = |is_down: bool| {
        move |x: u32, y: u32| [if (if is_down { x } else { y }).is_multiple_of(2) { 255 } else { 0 }; 3]
    };
    let mut frame = frame((1200, 900), 0, 0, Vec::new());
    for y in (0..900).step_by(2) {
        frame.fill(Rect::new(0, y, 1200, 1), [255; 3]);
        frame.fill(Rect::new(0, y + 1, 1200, 1), [0; 3]);
    }
    let pixel = |n: u32| {
        let [red, green, blue] = lines(true)(n % 300, n / 300);
        [red, green, blue, 255]
    };
    let image = Image { size: Size::new(300, 300), rgba: (0..300 * 300).flat_map(pixel).collect() };
    let options = Options { mode: Mode::Best, similarity: 0.4, ..Options::default() };
    let outcome = super::find(&frame, &Template::new(&image).unwrap(), &options).unwrap();
    assert!(!outcome.is_exhaustive);
    assert_eq!(outcome.found().map(|found| found.score), Some(0.5));
}

#[test]
fn what_is_no_template_or_similarity_is_refused() {
    let image = |width, height, bytes: usize| Image { size: Size::new(width, height), rgba: vec![0; bytes] };
    assert!(Template::new(&image(2, 2, 16)).is_err(), "transparent");
    assert!(Template::new(&image(0, 0, 0)).is_err(), "empty");
    assert!(Template::new(&image(2, 2, 15)).is_err(), "too few bytes");
    assert!(Template::new(&image(u32::MAX, u32::MAX, 0)).is_err(), "too large");
    let template = Template::new(&button(8)).unwrap();
    for similarity in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let options = Options { similarity, ..Options::default() };
        assert!(super::find(&frame((9, 9), 0, 0, Vec::new()), &template, &options).is_err());
    }
    for mode in [Mode::Auto, Mode::First, Mode::Best, Mode::All] {
        let options = Options { mode, ..Options::default() };
        let outcome = super::find(&frame((7, 9), 0, 0, Vec::new()), &template, &options).unwrap();
        assert!(outcome.matches.is_empty(), "larger than the frame");
    }
}
