//! How long reading and writing a large macro takes:
//!
//! ```sh
//! cargo run --release -p crossmacro-model --example macro_times -- [EVENTS]
//! ```
//!
//! Prints the median of five runs as `NAME MEGABYTES_PER_SECOND MILLISECONDS`, one line each.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement that a person starts; this crate has no clock of its own"
)]

use crossmacro_model::macro_file::{read, read_from, write};
use std::io::BufReader;
use std::time::Instant;

/// What a recording has: motions, waits, now and then a click or a key.
fn recording(events: usize) -> String {
    let mut text =
        String::from("# Name: large\n# IsAbsolute: True\n# Format: CrossMacroFormatV2\n[Script]\n[Events]\n");
    for index in 0..events {
        let (x, y) = (index * 7 % 1920, index * 3 % 1080);
        text.push_str(&format!("WU,{}\n", 900 + index % 250));
        text.push_str(&match index % 20 {
            18 => format!("P,abs,{x},{y},Left\n"),
            19 => format!("R,abs,{x},{y},Left\n"),
            10 => "KP,30\n".to_owned(),
            11 => "KR,30\n".to_owned(),
            _ => format!("M,abs,{x},{y}\n"),
        });
    }
    text
}

fn median(bytes: usize, name: &str, mut work: impl FnMut() -> usize) {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let time = times[times.len() / 2];
    #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = bytes as f64 / 1e6 / time;
    println!("{name} {rate:.1} {:.1}", time * 1000.0);
}

fn main() {
    let events = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000_000);
    let text = recording(events);
    let found = read(text.as_bytes());
    assert!(found.diagnostics.is_ok() && found.content.events.len() == events);
    median(text.len(), "read", || read(text.as_bytes()).content.events.len());
    median(text.len(), "stream", || {
        let mut stream = BufReader::with_capacity(256 << 10, text.as_bytes());
        read_from(&mut stream).map_or(0, |read| read.content.events.len())
    });
    let mut written = Vec::with_capacity(text.len());
    median(text.len(), "write", || {
        written.clear();
        write(&found.content, &mut written).map_or(0, |()| written.len())
    });
    assert_eq!(read(&written).content, found.content);
}
