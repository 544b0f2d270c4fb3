//! A text with blanks as one word: in quotes of either kind, where a backslash stands before a quote of that kind and
//! before a backslash.

use super::diagnostic::Trouble;

/// The text in the quotes at the start of `text`, and how many bytes they take. `None` where it starts with no quote.
pub(crate) fn take(text: &str) -> Result<Option<(String, usize)>, Trouble> {
    let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        return Ok(None);
    };
    let mut taken = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((_, next)) if next == quote || next == '\\' => taken.push(next),
                Some((_, next)) => taken.extend(['\\', next]),
                None => break,
            },
            _ if letter == quote => return Ok(Some((taken, at + 1))),
            _ => taken.push(letter),
        }
    }
    Err(Trouble::new(0, format!("there is no {quote} that ends this text")))
}

/// The whole of `text` without quotes around it; as it is where there are none.
pub(crate) fn strip(text: &str) -> String {
    match take(text) {
        Ok(Some((inner, length))) if length == text.len() => inner,
        _ => text.to_owned(),
    }
}

/// `text` in quotes.
pub(crate) fn put(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_is_taken(text in "[ -~äß\\\\\"']{0,20}", after in "( [a-z]{0,3})?") {
            let quoted = put(&text);
            prop_assert_eq!(take(&(quoted.clone() + &after)).unwrap(), Some((text.clone(), quoted.len())));
            prop_assert_eq!(strip(&quoted), text);
        }
    }

    #[test]
    fn either_kind_of_quote_and_none() {
        assert_eq!(take("'it''s' x").unwrap(), Some(("it".into(), 4)));
        assert_eq!(take(r#"'a "b" \'c' d"#).unwrap(), Some((r#"a "b" 'c"#.into(), 11)));
        assert_eq!(take("plain").unwrap(), None);
        assert!(take("\"open").is_err() && take("'a\\").is_err());
        assert_eq!(strip("say \"x\""), "say \"x\"");
        assert_eq!(strip("\"a\" and \"b\""), "\"a\" and \"b\"");
    }
}
