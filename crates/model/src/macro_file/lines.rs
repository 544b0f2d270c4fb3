//! A stream as lines, in bounded memory.

use crate::limits::{Limit, MACRO_FILE, MACRO_LINE, MACRO_LINES};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// Why reading stopped before the end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The one who takes the lines wants no more.
    Taker,
    /// A limit is passed at this line.
    Limit(&'static Limit, usize),
    /// The stream failed.
    Io(io::Error),
}

/// Counts what a limit counts.
#[derive(Default)]
struct Count {
    bytes: u64,
    lines: usize,
}

impl Count {
    fn line(&mut self, length: usize) -> Result<usize, Stop> {
        self.lines += 1;
        if self.lines as u64 > MACRO_LINES.value {
            return Err(Stop::Limit(&MACRO_LINES, self.lines));
        }
        if length as u64 > MACRO_LINE.value {
            return Err(Stop::Limit(&MACRO_LINE, self.lines));
        }
        Ok(self.lines)
    }

    fn bytes(&mut self, length: usize) -> Result<(), Stop> {
        self.bytes += length as u64;
        let limit = &MACRO_FILE;
        if self.bytes > limit.value { Err(Stop::Limit(limit, self.lines + 1)) } else { Ok(()) }
    }
}

/// Takes a line and its number from 1; the line end is not a part of it.
pub(crate) trait Taker {
    fn line(&mut self, number: usize, line: &[u8]) -> ControlFlow<()>;
}

/// Gives all lines of `input` to `taker`. A line that fits in the buffer of the stream is not copied.
pub(crate) fn each(input: &mut impl BufRead, taker: &mut impl Taker) -> Result<(), Stop> {
    let mut count = Count::default();
    let mut begun: Vec<u8> = Vec::new();
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Stop::Io(error)),
        };
        if chunk.is_empty() {
            return if begun.is_empty() { Ok(()) } else { give(&mut count, taker, &begun) };
        }
        let length = chunk.len();
        count.bytes(length)?;
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            if begun.is_empty() {
                give(&mut count, taker, &rest[..end])?;
            } else {
                begun.extend_from_slice(&rest[..end]);
                give(&mut count, taker, &begun)?;
                begun.clear();
            }
            rest = &rest[end + 1..];
        }
        begun.extend_from_slice(rest);
        if begun.len() as u64 > MACRO_LINE.value {
            return Err(Stop::Limit(&MACRO_LINE, count.lines + 1));
        }
        input.consume(length);
    }
}

fn give(count: &mut Count, taker: &mut impl Taker, line: &[u8]) -> Result<(), Stop> {
    let number = count.line(line.len())?;
    match taker.line(number, line) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stop::Taker),
    }
}
