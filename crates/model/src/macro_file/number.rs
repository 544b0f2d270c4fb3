//! Signed decimal numbers out of bytes.

/// `bytes` without blanks around them.
pub(crate) fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = bytes {
        bytes = rest;
    }
    bytes
}

/// The number; `None` for anything else, and for one that does not fit.
pub(crate) fn integer(bytes: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match trim(bytes) {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    // 18 digits fit; one more may not, and is then counted with care.
    if digits.is_empty() {
        return None;
    }
    let mut value: i64 = 0;
    if digits.len() <= 18 {
        for digit in digits {
            let digit = digit.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            value = value * 10 + i64::from(digit);
        }
        return Some(if is_negative { -value } else { value });
    }
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        let digit = i64::from(digit);
        value = value.checked_mul(10)?;
        value = if is_negative { value.checked_sub(digit)? } else { value.checked_add(digit)? };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_signed_decimals_with_blanks_around() {
        assert_eq!(integer(b" -12\t"), Some(-12));
        assert_eq!(integer(b"+7"), Some(7));
        assert_eq!(integer(b"000000000000000000000012"), Some(12));
        assert_eq!(integer(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(integer(b"-9223372036854775808"), Some(i64::MIN));
        for wrong in ["", "-", "+-1", "1 2", "0x1", "1.5", "9223372036854775808", "1e3", "٣"] {
            assert_eq!(integer(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
