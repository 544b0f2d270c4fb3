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

use crossmacro_imaging::Image;
use crossmacro_imaging::search::{self, Match, Mode, Options, Outcome, Template};
use crossmacro_model::{Frame, Physical, Point, Rect, Size};
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
    let mut sum = 0;
    for y in 0..image.size.height as i32 {
        for x in 0..image.size.width as i32 {
            let there = frame.rgb(Point::new(left + x, top + y))?;
            let pixel = &image.rgba[(y as usize * image.size.width as usize + x as usize) * 4..][..4];
            let apart = (0..3).map(|c| u64::from(there[c].abs_diff(pixel[c]))).sum::<u64>();
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
        2 => [if (x / 4 + y / 4) % 2 == 0 { 240 } else { 10 }; 3],
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

/// A template cut from the frame, then changed by `change` in every so manieth pixel.
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
            let moved = if chance % 5 == 0 { change } else { 0 };
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
                    if (x + y) % 2 == 0 {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn first_best_and_all_are_those_of_the_definition(
        (frame, image) in case(), similarity in similarities(), max_results in 1_usize..6,
        mode in prop::sample::select(vec![Mode::First, Mode::Best, Mode::All]),
    ) {
        let Ok(template) = Template::new(&image) else { return Ok(()) };
        let options = Options { mode, similarity, max_results };
        let found = search::find(&frame, &template, &options).unwrap();
        prop_assert_eq!(found, by_definition(&frame, &image, &options));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn auto_is_that_of_the_definition((frame, image) in case(), similarity in similarities()) {
        let Ok(template) = Template::new(&image) else { return Ok(()) };
        let options = Options { similarity, ..Options::default() };
        let found = search::find(&frame, &template, &options).unwrap();
        prop_assert_eq!(found, auto_by_definition(&frame, &template, similarity));
    }
}
