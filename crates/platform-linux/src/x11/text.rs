//! Text that other programs write, on windows and on the clipboard (ICCCM 2.7.1, X Consortium "Compound Text Encoding" 1.1), as text: bounded,
//! and with U+FFFD for what can't be read. Not a full ISO 2022 decoder: of the character sets only ASCII,
//! Latin-1 and UTF-8 are known, which is what today's programs write.

/// How the bytes of a property are encoded, by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// `UTF8_STRING`.
    Utf8,
    /// `STRING`: Latin-1.
    Latin1,
    /// `COMPOUND_TEXT`.
    Compound,
    /// Some other type: UTF-8 where it is valid, else Latin-1.
    Unknown,
}

/// `bytes` as text. `is_cut`: more bytes followed
/// that were not fetched, so that a broken last character is no error of the sender.
pub(super) fn decode(encoding: Encoding, bytes: &[u8], is_cut: bool) -> String {
    match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(whole_characters(bytes, is_cut)).into_owned(),
        Encoding::Latin1 => latin1(bytes),
        Encoding::Compound => compound(bytes),
        Encoding::Unknown => match std::str::from_utf8(whole_characters(bytes, is_cut)) {
            Ok(text) => text.to_owned(),
            Err(_) => latin1(bytes),
        },
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Drops an unfinished UTF-8 sequence at the end of a text that was cut.
fn whole_characters(bytes: &[u8], is_cut: bool) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if is_cut && error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// What the upper half of the byte values means at one place of a compound text.
enum Upper {
    Latin1,
    Utf8,
    Unknown,
}

fn compound(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut upper = Upper::Latin1;
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        if first == 0x1b {
            let (length, set) = escape(tail);
            upper = set.unwrap_or(upper);
            rest = tail.get(length..).unwrap_or_default();
            continue;
        }
        let end = rest.iter().position(|&byte| byte == 0x1b).unwrap_or(rest.len());
        append(&mut text, &upper, &rest[..end]);
        rest = &rest[end..];
    }
    text
}

fn append(text: &mut String, upper: &Upper, run: &[u8]) {
    match upper {
        Upper::Utf8 => text.push_str(&String::from_utf8_lossy(run)),
        Upper::Latin1 => text.extend(run.iter().copied().map(char::from)),
        Upper::Unknown => text.extend(run.iter().map(|&byte| match byte {
            0..0x80 => char::from(byte),
            _ => char::REPLACEMENT_CHARACTER,
        })),
    }
}

/// Length of the escape sequence that follows an ESC, and what it makes of the upper half (`None`: nothing).
fn escape(tail: &[u8]) -> (usize, Option<Upper>) {
    let intermediates = tail.iter().take_while(|byte| (0x20..0x30).contains(*byte)).count();
    let length = intermediates + 1;
    let set = match tail.get(..length).unwrap_or_default() {
        [b'%', b'G'] => Some(Upper::Utf8),
        [b'%', b'@'] | [b'-', b'A'] => Some(Upper::Latin1),
        // ASCII in the lower half: the rule, not a change.
        [b'(', b'B'] => None,
        _ => Some(Upper::Unknown),
    };
    (length, set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin1_and_utf8_are_read_by_their_type() {
        assert_eq!(decode(Encoding::Latin1, b"\xfcber", false), "über");
        assert_eq!(decode(Encoding::Utf8, "über ✓".as_bytes(), false), "über ✓");
        assert_eq!(decode(Encoding::Unknown, b"\xfcber", false), "über");
        assert_eq!(decode(Encoding::Unknown, "über".as_bytes(), false), "über");
    }

    #[test]
    fn invalid_utf8_is_replaced_and_a_cut_one_is_dropped() {
        assert_eq!(decode(Encoding::Utf8, b"a\xff\xfeb", false), "a\u{fffd}\u{fffd}b");
        assert_eq!(decode(Encoding::Utf8, b"a\xe2\x9c", true), "a");
        assert_eq!(decode(Encoding::Utf8, b"a\xe2\x9c", false), "a\u{fffd}");
    }

    #[test]
    fn compound_text_switches_between_sets() {
        assert_eq!(decode(Encoding::Compound, b"\xfc\x1b%G\xe2\x9c\x93\x1b%@\xe4", false), "ü✓ä");
        assert_eq!(decode(Encoding::Compound, b"\x1b-Ba\xb1\x1b-A\xe4", false), "a\u{fffd}ä");
        assert_eq!(decode(Encoding::Compound, b"a\x1b", false), "a");
        assert_eq!(decode(Encoding::Compound, b"a\x1b$", false), "a");
    }
}
