//! Lines of bounded length from a byte stream.

use std::io::{self, BufRead};

/// One step of reading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its end.
    Whole(Vec<u8>),
    /// A line that was longer than accepted; it has been skipped.
    TooLong,
    /// The stream has ended. A last line without its end is not a message: it was cut off.
    End,
}

/// Reads one line of at most `limit` bytes. Memory is bounded by `limit`, whatever arrives.
pub(crate) fn read(input: &mut impl BufRead, limit: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut is_too_long = false;
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
        is_too_long |= line.len() + part.len() > limit;
        if is_too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(if is_too_long { Line::TooLong } else { Line::Whole(line) });
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
            let expected = vec![Line::Whole(b"abcd".to_vec()), Line::Whole(vec![]), Line::TooLong];
            assert_eq!(lines(b"abcd\n\nabcde\ncut off", 4, buffer), expected, "{buffer}");
        }
    }
}
