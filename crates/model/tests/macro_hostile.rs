//! Files that were made to hurt: they end in a diagnostic with its line, in bounded time and memory.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

use crossmacro_model::macro_file::{Read, read, read_from};
use crossmacro_model::{limits, run};
use std::io::{self, BufRead, BufReader};

/// `start`, and then `pattern` again and again, up to `length` bytes; nothing of it is kept.
struct Endless {
    start: Vec<u8>,
    chunk: Vec<u8>,
    left: u64,
    at: usize,
}

impl Endless {
    fn new(start: &str, pattern: &str, length: u64) -> Self {
        let chunk = pattern.repeat((64 << 10) / pattern.len()).into_bytes();
        Self { start: start.as_bytes().to_vec(), chunk, left: length, at: 0 }
    }
}

impl io::Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let count = from.len().min(into.len());
        into[..count].copy_from_slice(&from[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.start.is_empty() {
            return Ok(&self.start);
        }
        let rest = &self.chunk[self.at..];
        Ok(&rest[..rest.len().min(usize::try_from(self.left).unwrap())])
    }

    fn consume(&mut self, count: usize) {
        if !self.start.is_empty() {
            self.start.drain(..count);
            return;
        }
        self.left -= count as u64;
        self.at = (self.at + count) % self.chunk.len();
    }
}

fn first_error(found: &Read) -> String {
    found.diagnostics.list.first().unwrap().to_string()
}

/// Highest memory of this process so far, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

#[test]
fn a_line_of_gigabytes_ends_at_the_limit() {
    for start in ["[Events]\nM,1,", "# Image: a = ", "[Script]\ntype "] {
        let mut endless = Endless::new(start, "1", 8 << 30);
        let found = read_from(&mut endless).unwrap();
        assert!(!found.is_complete);
        let line = start.lines().count();
        let message =
            format!("line {line}: One line of a macro file. At most 134217728 bytes; reading stopped here");
        assert_eq!(first_error(&found), message);
        assert!(endless.left > 7 << 30, "it read on after the limit");
    }
    // One line is kept, and doubled once while it grows.
    assert!(peak() < 4 * limits::MACRO_LINE.value, "{} bytes", peak());
}

#[test]
fn a_file_of_errors_is_not_read_to_its_end() {
    let mut endless = Endless::new("", "XX,not an event\n", 1 << 30);
    let found = read_from(&mut endless).unwrap();
    assert_eq!((found.diagnostics.errors, found.is_complete), (10_001, false));
    assert_eq!(found.diagnostics.list.len(), 1000);
    assert!(found.lenient().is_err());
}

#[test]
fn blank_lines_take_no_memory() {
    let before = peak();
    let found = read_from(&mut Endless::new("", " \n", 16 << 20)).unwrap();
    assert!(found.is_complete);
    assert!(peak() - before < 8 << 20, "{} bytes", peak() - before);
    let found = read_from(&mut Endless::new("", "\n", 11 << 20)).unwrap();
    assert_eq!(
        first_error(&found),
        "line 10000001: Lines of a macro file. At most 10000000 lines; reading stopped here"
    );
}

#[test]
fn comments_are_counted() {
    let found = read_from(&mut Endless::new("", "#\n", 1 << 20)).unwrap();
    assert_eq!(
        first_error(&found),
        "line 100001: Lines of comment in a macro file. At most 100000 lines; reading stopped here"
    );
}

#[test]
fn a_step_that_never_ends_is_cut_off() {
    let line = format!("| {}\n", "x".repeat(4093));
    let found = read_from(&mut Endless::new("[Script]\ntype x\n", &line, 1 << 30)).unwrap();
    assert!(
        first_error(&found).contains("All steps and comments of a macro together"),
        "{}",
        first_error(&found)
    );
    assert!(!found.is_complete);
}

#[test]
fn a_stream_that_fails_is_no_macro() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    assert_eq!(read_from(&mut BufReader::new(Broken)).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
}

#[test]
fn blocks_inside_blocks_end_at_the_limit() {
    for block in ["repeat 9 {", "if 1 == 1 {", "while 1 == 1 {", "for i from 1 to 9 {"] {
        let found = read(format!("[Script]\n{}", format!("{block}\n").repeat(500_000)).as_bytes());
        let wrong = found.content.program().unwrap_err();
        assert_eq!(wrong.list[0].place, run::Place { step: 129, line: Some(130) }, "{block}");
    }
}

#[test]
fn a_script_of_loops_in_loops_stops_being_unrolled() {
    let script = format!("[Script]\n{}{}", "repeat 2147483647 {\n".repeat(20), "}\n".repeat(20));
    let found = read(script.as_bytes());
    let (events, told) = crossmacro_model::macro_file::convert::to_events(&found.content);
    assert!(events.events.is_empty());
    assert!(told.to_string().contains("Loop iterations"), "{told}");
}

#[test]
fn ten_million_events_are_the_most() {
    // A tenth of it is enough to see that nothing but the events is kept.
    let mut endless = Endless::new("", "KP,1\n", 5 << 20);
    let found = read_from(&mut endless).unwrap();
    assert_eq!(found.content.events.len(), 1 << 20);
    assert!(found.diagnostics.is_ok());
}

#[test]
fn pictures_without_end_are_not_compared_with_each_other() {
    // Only the first bytes of a PNG, which is all that is looked at here.
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNQ";
    let mut text = String::new();
    for index in 0..3_000 {
        text.push_str(&format!("# Image: a{index} = {png}\n"));
    }
    text.push_str("[Script]\n");
    text.push_str(&"waitimage missing\n".repeat(100_000));
    let found = read(text.as_bytes());
    assert_eq!((found.content.images.len(), found.diagnostics.errors), (1_000, 2_000));
    assert!(first_error(&found).contains("line 1001: Pictures in a macro. At most 1000 pictures."));
    assert_eq!(found.content.program().unwrap_err().list.len(), 100);
}
