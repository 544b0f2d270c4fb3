//! What goes through the two pipes of the serving process. To it, one frame: magic bytes, the display name and the
//! content, each with its length (little endian). From it, one line: `OK` and the id of the window that owns
//! the clipboard, or `ERROR` and the reason.

use crossmacro_model::limits;
use crossmacro_platform::ClipboardContent;
use std::io::{self, Read};

/// Name and version of the frame.
const MAGIC: &[u8; 8] = b"CMCLIP01";
/// The longest display name.
const DISPLAY: u64 = 4 << 10;
/// The largest content: no picture may be larger, and text is not larger than that either.
const CONTENT: u64 = limits::PNG_BYTES.value;
/// The longest answer.
pub(super) const LINE: usize = 512;

const TEXT: u8 = 1;
const PNG: u8 = 2;

/// The frame for `content`, which is not [`ClipboardContent::Empty`].
pub(super) fn encode(display: &str, content: &ClipboardContent) -> io::Result<Vec<u8>> {
    let (kind, bytes): (u8, &[u8]) = match content {
        ClipboardContent::Text(text) => (TEXT, text.as_bytes()),
        ClipboardContent::Png(png) => (PNG, png),
        ClipboardContent::Empty => return Err(malformed("nothing to serve")),
    };
    if bytes.len() as u64 > CONTENT || display.len() as u64 > DISPLAY {
        return Err(malformed("too large"));
    }
    let mut frame = Vec::with_capacity(MAGIC.len() + 17 + display.len() + bytes.len());
    frame.extend_from_slice(MAGIC);
    frame.extend_from_slice(&(display.len() as u64).to_le_bytes());
    frame.extend_from_slice(display.as_bytes());
    frame.push(kind);
    frame.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    frame.extend_from_slice(bytes);
    Ok(frame)
}

/// Reads one frame: the display name and the content.
pub(super) fn decode(input: &mut impl Read) -> io::Result<(String, ClipboardContent)> {
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(malformed("not a clipboard frame"));
    }
    let display = text(part(input, DISPLAY)?)?;
    let mut kind = [0];
    input.read_exact(&mut kind)?;
    let bytes = part(input, CONTENT)?;
    let content = match kind {
        [TEXT] => ClipboardContent::Text(text(bytes)?),
        [PNG] => ClipboardContent::Png(bytes),
        _ => return Err(malformed("an unknown kind of content")),
    };
    Ok((display, content))
}

/// A length and that many bytes. Memory grows with what arrives, not with what is announced.
fn part(input: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(malformed("too large"));
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| malformed("text that is not UTF-8"))
}

fn malformed(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The answer of the serving process.
pub(super) fn encode_answer(answer: Result<u32, &str>) -> String {
    match answer {
        Ok(window) => format!("OK {window}\n"),
        Err(why) => {
            let why: String = why.chars().filter(|char| !char.is_control()).take(LINE / 8).collect();
            format!("ERROR {why}\n")
        }
    }
}

/// Reads an answer, without its line end.
pub(super) fn decode_answer(line: &str) -> Result<u32, String> {
    match line.split_once(' ') {
        Some(("OK", window)) => window.parse().map_err(|_| "a malformed answer".into()),
        Some(("ERROR", why)) => Err(why.to_owned()),
        _ => Err("no answer".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for content in [ClipboardContent::Text("ü\0x".into()), ClipboardContent::Png(vec![0, 255, 7])] {
            let frame = encode(":7", &content).unwrap();
            assert_eq!(decode(&mut frame.as_slice()).unwrap(), (":7".to_owned(), content));
        }
        assert_eq!(decode_answer(encode_answer(Ok(77)).trim_end()), Ok(77));
        assert_eq!(decode_answer(encode_answer(Err("no\nway")).trim_end()), Err("noway".into()));
    }

    #[test]
    fn every_cut_and_a_lie_about_the_length_are_errors() {
        let frame = encode(":7", &ClipboardContent::Text("hello".into())).unwrap();
        for end in 0..frame.len() {
            assert!(decode(&mut &frame[..end]).is_err(), "cut at {end}");
        }
        let mut lie = frame.clone();
        lie[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(decode(&mut lie.as_slice()).is_err());
        let mut wrong_kind = frame;
        wrong_kind[18] = 9;
        assert!(decode(&mut wrong_kind.as_slice()).is_err());
    }
}
