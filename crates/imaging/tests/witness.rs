//! ImageMagick as the witness: it decodes what we encode, and it makes and decodes what we decode.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test may stop at the first surprise, and makes its patterns by cutting numbers"
)]
#![allow(clippy::disallowed_methods, reason = "the witness is another program that works on files")]

use crossmacro_imaging::{Format, Options, Speed, encode, png};
use crossmacro_model::{Frame, Rect, Size};
use std::path::Path;
use std::process::Command;

/// Runs `convert` and gives what it wrote to standard output.
fn convert(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("convert").args(arguments).output().expect("ImageMagick is installed");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// `bytes` as the witness decodes them: red, green, blue (and alpha) a pixel.
fn witness(directory: &Path, extension: &str, bytes: &[u8], layout: &str) -> Vec<u8> {
    let path = directory.join(format!("picture.{extension}"));
    std::fs::write(&path, bytes).unwrap();
    convert(&[path.to_str().unwrap(), "-depth", "8", &format!("{layout}:-")])
}

/// A repeatable stream of numbers (xorshift).
fn numbers(mut state: u32) -> impl FnMut() -> u32 {
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}

/// A frame with padding between its rows and rubbish in its fourth bytes.
fn frame(width: u32, height: u32, mut colour: impl FnMut(u32, u32) -> [u8; 3]) -> Frame {
    let stride = width as usize * 4 + 12;
    let mut bytes = vec![0x5A; stride * height as usize];
    for (y, row) in (0..height).zip(bytes.chunks_exact_mut(stride)) {
        for (x, pixel) in (0..width).zip(row.chunks_exact_mut(4)) {
            let [red, green, blue] = colour(x, y);
            pixel.copy_from_slice(&[blue, green, red, (x * 7 + y) as u8]);
        }
    }
    Frame::new(Rect::new(-3, 9, width, height), Size::new(width, height), stride, Box::new(bytes)).unwrap()
}

/// What the frame was made from, row by row.
fn rgb(frame: &Frame) -> Vec<u8> {
    let rows = (0..frame.size().height).map(|y| frame.row(y).unwrap());
    rows.flat_map(|row| row.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0]])).collect()
}

/// Letters on a plain page: strokes of `colours` colours at places that repeat.
fn page(width: u32, height: u32, colours: u32) -> Frame {
    let mut next = numbers(7);
    let shades = (0..colours).map(|_| next().to_le_bytes()).map(|n| [n[0], n[1], n[2]]).collect::<Vec<_>>();
    frame(width, height, move |x, y| {
        let is_ink = (x * x / 7 + y * 3) % 23 < 5 && (y / 12) % 2 == 0;
        if is_ink { shades[(x * 31 + y * 17 + x / 9) as usize % shades.len()] } else { [250, 250, 245] }
    })
}

fn photograph(width: u32, height: u32) -> Frame {
    let mut next = numbers(99);
    frame(width, height, move |x, y| {
        let noise = (next() % 7) as u8;
        [(x / 2) as u8 ^ noise, (y / 3) as u8 + noise, ((x + y) / 5) as u8 + noise]
    })
}

/// One frame for every way the encoder may take, and for every number of bands.
fn frames() -> Vec<Frame> {
    let mut next = numbers(3);
    vec![
        frame(1, 1, |_, _| [1, 2, 3]),
        frame(3, 2, |x, y| [x as u8, y as u8, 200]),
        page(200, 200, 2),
        page(200, 200, 255),
        page(200, 200, 256),
        page(640, 480, 4000),
        page(1300, 900, 200),
        page(1300, 900, 4000),
        photograph(300, 220),
        frame(64, 64, |_, _| [next() as u8, next() as u8, next() as u8]),
        frame(5000, 1, |x, _| [(x / 256) as u8, x as u8, 0]),
        frame(1, 5000, |_, y| [(y / 256) as u8, y as u8, 0]),
    ]
}

#[test]
fn another_decoder_sees_exactly_the_pixels_that_were_encoded_as_png_and_webp() {
    let directory = tempfile::tempdir().unwrap();
    for frame in frames() {
        let expected = rgb(&frame);
        for speed in [Speed::Fast, Speed::Small] {
            let file = png::encode(&frame, speed).unwrap();
            assert!(witness(directory.path(), "png", &file, "rgb") == expected, "{frame:?} {speed:?}");
        }
        let file = encode(&frame, Format::Webp, Options::default()).unwrap();
        assert_eq!(file.size, frame.size());
        assert!(witness(directory.path(), "webp", &file.bytes, "rgb") == expected, "{frame:?} WebP");
    }
}

#[test]
fn voids_are_black_in_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let frame = frame(4, 2, |_, _| [9, 9, 9]).with_voids(vec![Rect::new(1, 0, 2, 1)]);
    let expected = [9, 9, 9, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9];
    let file = png::encode(&frame, Speed::Fast).unwrap();
    assert_eq!(witness(directory.path(), "png", &file, "rgb"), expected);
}

#[test]
fn another_decoder_sees_nearly_the_pixels_that_were_encoded_as_jpeg() {
    let directory = tempfile::tempdir().unwrap();
    // Channels far apart, so that swapped ones are seen.
    let frame = frame(320, 200, |x, y| [200, (x / 4) as u8, (y / 4) as u8]);
    let file = encode(&frame, Format::Jpeg, Options { quality: 95, ..Options::default() }).unwrap();
    let seen = witness(directory.path(), "jpg", &file.bytes, "rgb");
    let expected = rgb(&frame);
    assert_eq!(seen.len(), expected.len());
    let worst = seen.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(worst <= 12, "off by {worst}");
    let small = encode(&frame, Format::Jpeg, Options { quality: 10, ..Options::default() }).unwrap();
    assert!(small.bytes.len() < file.bytes.len());
}

#[test]
fn a_scaled_picture_has_the_size_that_is_told_and_the_colours_in_place() {
    let directory = tempfile::tempdir().unwrap();
    let frame = frame(400, 300, |x, _| if x < 200 { [250, 0, 10] } else { [0, 20, 240] });
    let options = Options { max_width: Some(100), max_height: Some(50), ..Options::default() };
    let file = encode(&frame, Format::Png, options).unwrap();
    assert_eq!(file.size, Size::new(67, 50));
    let seen = witness(directory.path(), "png", &file.bytes, "rgb");
    assert_eq!(seen.len(), 67 * 50 * 3);
    assert_eq!(seen[..3], [250, 0, 10]);
    assert_eq!(seen[66 * 3..67 * 3], [0, 20, 240]);
}

#[test]
fn every_kind_of_png_is_read_as_another_decoder_reads_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kind.png");
    let kinds = [
        ("0", &["1", "2", "4", "8", "16"][..]),
        ("2", &["8", "16"]),
        ("3", &["1", "2", "4", "8"]),
        ("4", &["8", "16"]),
        ("6", &["8", "16"]),
    ];
    let mut read = 0;
    for (color_type, depths) in kinds {
        for depth in depths {
            for interlace in ["none", "PNG"] {
                for size in ["1x1", "3x5", "70x46"] {
                    make_kind(&path, color_type, depth, interlace, size);
                    compare_kind(&path, *depth == "16");
                    read += 1;
                }
            }
        }
    }
    assert_eq!(read, 90);
}

fn make_kind(path: &Path, color_type: &str, depth: &str, interlace: &str, size: &str) {
    let color_type = format!("png:color-type={color_type}");
    let bit_depth = format!("png:bit-depth={depth}");
    let alpha = if color_type.ends_with(['4', '6']) { "on" } else { "off" };
    let resized = format!("{size}!");
    convert(&[
        "rose:",
        "-resize",
        &resized,
        "-alpha",
        alpha,
        "-channel",
        "A",
        "-evaluate",
        "multiply",
        "0.6",
        "+channel",
        "-colors",
        if color_type.ends_with('3') { "2" } else { "5000" },
        "-interlace",
        interlace,
        "-define",
        &color_type,
        "-define",
        &bit_depth,
        path.to_str().unwrap(),
    ]);
}

fn compare_kind(path: &Path, is_deep: bool) {
    let bytes = std::fs::read(path).unwrap();
    let image = png::decode(&bytes).unwrap();
    assert_eq!(png::inspect(&bytes).unwrap(), image.size);
    let expected = convert(&[path.to_str().unwrap(), "-depth", "8", "rgba:-"]);
    assert_eq!(image.rgba.len(), expected.len());
    // Sixteen bits may be cut or rounded to eight.
    let allowed = u8::from(is_deep);
    let worst = image.rgba.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(worst <= allowed, "{} off by {worst}", path.display());
}
