//! The words of a shell line, as far as they are known without running a shell.

/// The commands of one line, each as its words, without what only the shell itself can do.
///
/// # Errors
/// What the line asks of the shell.
pub(super) fn commands(line: &str) -> Result<Vec<Vec<String>>, String> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut rest = line.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some('\'') => break,
                        Some(letter) => word.push(letter),
                        None => return Err("a quote is not closed".to_owned()),
                    }
                }
            }
            '"' => double_quoted(&mut rest, word.get_or_insert_default())?,
            '\\' => match rest.next() {
                Some(letter) => word.get_or_insert_default().push(letter),
                None => return Err("the line ends in a backslash".to_owned()),
            },
            '#' if word.is_none() => break,
            '&' if rest.peek() == Some(&'&') => {
                rest.next();
                end(&mut commands, &mut word);
                commands.push(Vec::new());
            }
            ';' => {
                end(&mut commands, &mut word);
                commands.push(Vec::new());
            }
            '$' | '`' => return Err("what the shell would put here is not known".to_owned()),
            '|' | '&' | '<' | '>' | '(' | ')' => {
                return Err(format!("{letter} asks the shell for something that is no input"));
            }
            letter if letter.is_whitespace() => end(&mut commands, &mut word),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    end(&mut commands, &mut word);
    commands.retain(|command| !command.is_empty());
    Ok(commands)
}

fn end(commands: &mut [Vec<String>], word: &mut Option<String>) {
    if let (Some(word), Some(command)) = (word.take(), commands.last_mut()) {
        command.push(word);
    }
}

fn double_quoted(rest: &mut impl Iterator<Item = char>, word: &mut String) -> Result<(), String> {
    loop {
        match rest.next() {
            Some('"') => return Ok(()),
            Some('\\') => match rest.next() {
                Some(letter @ ('"' | '\\' | '$' | '`')) => word.push(letter),
                Some(letter) => word.extend(['\\', letter]),
                None => return Err("a quote is not closed".to_owned()),
            },
            Some('$' | '`') => return Err("what the shell would put here is not known".to_owned()),
            Some(letter) => word.push(letter),
            None => return Err("a quote is not closed".to_owned()),
        }
    }
}

/// The lines with their numbers; one that ends in a backslash goes on in the next.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (index, first) = lines.next()?;
        let mut line = first.to_owned();
        while ends_in_backslash(&line) {
            let Some((_, more)) = lines.next() else { break };
            line.pop();
            line.push_str(more);
        }
        Some((index + 1, line))
    })
}

fn ends_in_backslash(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Whether the line does nothing that is played: a blank line, a comment, a line that only prepares the shell.
pub(super) fn is_idle(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let split = commands(r#"a 'b c' "d \"e" f\ g; h && i'j'"k" # l"#).unwrap();
        assert_eq!(split, [vec!["a", "b c", "d \"e", "f g"], vec!["h"], vec!["ijk"]]);
        assert_eq!(commands("  ").unwrap(), Vec::<Vec<String>>::new());
        for wrong in ["a $b", "a \"$b\"", "a `b`", "a | b", "a > b", "a 'b", "(a)", "a &"] {
            assert!(commands(wrong).is_err(), "{wrong}");
        }
        assert_eq!(commands("type ''").unwrap(), [vec!["type", ""]]);
    }

    #[test]
    fn a_line_goes_on_after_a_backslash() {
        let all: Vec<_> = lines("a \\\nb\nc\\\\\nd").collect();
        assert_eq!(all, [(1, "a b".to_owned()), (3, "c\\\\".to_owned()), (4, "d".to_owned())]);
    }
}
