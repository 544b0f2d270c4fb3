//! Times of the codecs and of the colour search on the pictures that are named (PNG files):
//! `cargo run --release -p crossmacro-imaging --example codec_times -- picture.png...`
//!
//! Medians and minima of 41 rounds, one picture after the other. A look, not a test.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a bench is run by hand"
)]

use crossmacro_imaging::{Format, Options, Speed, color, encode, png};
use crossmacro_model::{Frame, Rect, Size};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let file = std::fs::read(&path).unwrap();
        let picture = png::decode(&file).unwrap();
        println!("{path} {:?}", picture.size);
        let whole = frame(&picture.rgba, picture.size.width, picture.size.width, picture.size.height);
        let part = frame(&picture.rgba, picture.size.width, 200, 200);
        report("png fast", || png::encode(&whole, Speed::Fast).unwrap().len());
        report("png small", || png::encode(&whole, Speed::Small).unwrap().len());
        report("png fast 200x200", || png::encode(&part, Speed::Fast).unwrap().len());
        let options = Options::default();
        report("webp", || encode(&whole, Format::Webp, options).unwrap().bytes.len());
        report("jpeg 90", || encode(&whole, Format::Jpeg, options).unwrap().bytes.len());
        let narrow = Options { max_width: Some(1280), ..options };
        report("png fast, 1280 wide", || encode(&whole, Format::Png, narrow).unwrap().bytes.len());
        report("decode", || png::decode(&file).unwrap().rgba.len());
        report("inspect", || png::inspect(&file).unwrap().width as usize);
        report("absent colour", || usize::from(color::search(&whole, [1, 254, 77], 0).is_some()));
        report("absent, tolerance 3", || usize::from(color::search(&whole, [1, 250, 77], 3).is_some()));
    }
}

fn frame(rgba: &[u8], stride: u32, width: u32, height: u32) -> Frame {
    let bgrx = rgba.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], 0]).collect::<Vec<_>>();
    let region = Rect::new(0, 0, width, height);
    Frame::new(region, Size::new(width, height), stride as usize * 4, Box::new(bgrx)).unwrap()
}

fn report(what: &str, mut work: impl FnMut() -> usize) {
    let mut result = 0;
    let mut times = (0..41).map(|_| {
        let start = Instant::now();
        result = black_box(work());
        start.elapsed()
    });
    let mut times = times.by_ref().collect::<Vec<_>>();
    times.sort_unstable();
    let ms = |at: usize| times[at].as_secs_f64() * 1e3;
    println!("  {what:22} {:8.2} ms (fastest {:.2})   {result}", ms(20), ms(0));
}
