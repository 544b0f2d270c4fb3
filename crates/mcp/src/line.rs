//! Lines of bounded length from a byte stream.

use crate::id::Finder;
use serde_json::Value;
use std::io::{self, BufRead};

/// One step of reading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end.
    Whole(Vec<u8>),
    /// A line that was longer than accepted; it has been skipped. Its id as a message, or null.
    TooLong(Value),
    /// The stream has ended. A last line without its end is not a message: it was cut off.
    End,
}

/// Reads one line of at most `limit` bytes. Memory is bounded by `limit`, whatever arrives.
pub(crate) fn read(input: &mut impl BufRead, limit: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut skipped: Option<Finder> = None;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(Line::End);
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if let Some(skipped) = &mut skipped {
            skipped.feed(part);
        } else if line.len() + part.len() > limit {
            let finder = skipped.insert(Finder::default());
            finder.feed(&std::mem::take(&mut line));
            finder.feed(part);
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(skipped.map_or(Line::Whole(line), |finder| Line::TooLong(finder.found())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(text: &[u8], limit: usize, buffer: usize) -> Vec<Line> {
        let mut input = BufReader::with_capacity(buffer, text);
        let mut lines = Vec::new();
        loop {
            match read(&mut input, limit).unwrap() {
                Line::End => return lines,
                line => lines.push(line),
            }
        }
    }

    #[test]
    fn lines_are_the_same_whatever_the_size_of_the_reads() {
        for buffer in [1, 2, 3, 64] {
            let long = |id| Line::TooLong(id);
            let expected =
                [Line::Whole(b"abcd".to_vec()), Line::Whole(vec![]), long(Value::Null), long(7.into())];
            let text = b"abcd\n\nabcde\n{\"a\":1,\"id\":7}\ncut off";
            assert_eq!(lines(text, 4, buffer), expected, "{buffer}");
        }
    }
}
