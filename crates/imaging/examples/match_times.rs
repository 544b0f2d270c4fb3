//! Time of one template search: `match_times frame.png template.png mode similarity rounds`.
//!
//! Prints one line of JSON: milliseconds of processor time of all threads per round, the fastest and the
//! median round in milliseconds, and what was found. It is
//! called by the comparison with OpenCV in `xtask/bench`. A look, not a test.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a bench is run by hand"
)]

use crossmacro_imaging::search::{self, Mode, Options, Template};
use crossmacro_imaging::{Image, png};
use crossmacro_model::{Frame, Rect};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let [frame, template, mode, similarity, rounds] = &arguments[..] else {
        println!("match_times frame.png template.png auto|first|best|all similarity rounds");
        return;
    };
    let frame = as_frame(&png::decode(&std::fs::read(frame).unwrap()).unwrap());
    let template = Template::new(&png::decode(&std::fs::read(template).unwrap()).unwrap()).unwrap();
    let mode = match mode.as_str() {
        "first" => Mode::First,
        "best" => Mode::Best,
        "all" => Mode::All,
        _ => Mode::Auto,
    };
    let options = Options { mode, similarity: similarity.parse().unwrap(), ..Options::default() };
    let mut times = Vec::new();
    let mut outcome = search::Outcome::default();
    let before = processor_ms();
    for _ in 0..rounds.parse().unwrap() {
        let start = Instant::now();
        outcome = black_box(search::find(&frame, &template, &options).unwrap());
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let processor = (processor_ms() - before) / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let nearest = outcome.nearest.map_or("null".to_owned(), |near| {
        format!("[{}, {}, {}, {}]", near.area.x, near.area.y, near.score, near.scale)
    });
    println!(
        "{{\"processor\": {processor:.2}, \"fastest\": {:.2}, \"median\": {:.2}, \"matches\": {}, \"rival\": {}, \"exhaustive\": {}, \"nearest\": {nearest}}}",
        times[0],
        times[times.len() / 2],
        outcome.matches.len(),
        outcome.rival.is_some(),
        outcome.is_exhaustive
    );
}

/// Time that all threads of this process ran so far, where /proc tells it in ticks of 10 ms.
fn processor_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}

fn as_frame(image: &Image) -> Frame {
    let bgrx = image.rgba.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], 0]).collect::<Vec<_>>();
    let (width, height) = (image.size.width, image.size.height);
    Frame::new(Rect::new(0, 0, width, height), image.size, width as usize * 4, Box::new(bgrx)).unwrap()
}
