//! Lines of AutoHotkey, version 1 and 2, that send input: `Send ^c`, `Click 10 20`, `Sleep 500`.

use super::foreign::{Key, Steps, Unlike};
use crate::KeyName;
use crate::nearest::nearest;
use crate::run::quoted;

const COMMANDS: &[&str] =
    &["Send", "SendInput", "SendEvent", "SendPlay", "SendText", "SendRaw", "Click", "Sleep", "MouseMove"];

pub(super) fn convert(text: &str, steps: &mut Steps) {
    let mut in_comment = false;
    for (index, line) in text.lines().enumerate() {
        steps.line = index + 1;
        let trimmed = line.trim();
        if in_comment || trimmed.starts_with("/*") {
            in_comment = !(trimmed.starts_with("*/") || trimmed.ends_with("*/"));
            continue;
        }
        if trimmed.is_empty() || trimmed.starts_with(';') {
            continue;
        }
        if trimmed.starts_with('#')
            && trimmed[1..].starts_with(|c: char| c.is_ascii_alphabetic())
            && !trimmed.contains("::")
        {
            steps.warn("this directive is left out: it plays nothing");
            continue;
        }
        if trimmed.eq_ignore_ascii_case("return") || trimmed.eq_ignore_ascii_case("ExitApp") {
            steps.warn(
                "the script is converted as one sequence; this line, which ends a part of it, is left out",
            );
            continue;
        }
        if let Err(unlike) = convert_line(trimmed, steps) {
            steps.fail(trimmed, unlike);
        }
    }
}

fn convert_line(line: &str, steps: &mut Steps) -> Result<(), Unlike> {
    if line.contains("::") && !line.to_ascii_lowercase().starts_with("send") {
        return Err("hotkeys can't be converted; use a shortcut".into());
    }
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let known = COMMANDS.iter().find(|known| known.eq_ignore_ascii_case(name));
    let Some(known) = known else {
        let nearest = nearest(name, COMMANDS.iter().copied());
        return Err(Unlike { nearest, ..format!("{} can't be converted", quoted(name)).into() });
    };
    match *known {
        "SendText" | "SendRaw" => steps.type_text(&argument(rest)?),
        "Sleep" => {
            let text = argument(rest)?;
            let ms = text.trim().parse::<u32>();
            steps.wait_ms(ms.map_err(|_| "expected a number of milliseconds after Sleep")?.into())
        }
        "Click" => click(&argument(rest)?, steps),
        "MouseMove" => mouse_move(&arguments(rest)?, steps),
        _ => send(&argument(rest)?, steps),
    }
}

/// The text of a command: `, text`, ` text`, ` "text"` or `("text")`. A comment after it is dropped.
fn argument(rest: &str) -> Result<String, Unlike> {
    let text = rest.trim();
    let (text, is_call) = match text.strip_prefix('(') {
        Some(inner) => (inner.trim_start(), true),
        None => (text.strip_prefix(',').unwrap_or(text).trim_start(), false),
    };
    let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        let text = if is_call { text.split(')').next().unwrap_or_default() } else { without_comment(text) };
        if text.contains('%') {
            return Err("what a variable holds is not known here".into());
        }
        return Ok(escapes(text.trim_end()));
    };
    let mut value = String::new();
    let mut letters = text[1..].chars();
    loop {
        match letters.next() {
            Some('`') => value.extend(['`'].into_iter().chain(letters.next())),
            Some(letter) if letter == quote => break,
            Some(letter) => value.push(letter),
            None => return Err("a quote is not closed".into()),
        }
    }
    let after = without_comment(letters.as_str()).trim();
    if after.is_empty() || (is_call && after == ")") {
        Ok(escapes(&value))
    } else {
        Err("expected one text; what is computed can't be converted".into())
    }
}

fn without_comment(text: &str) -> &str {
    text.find(" ;").map_or(text, |at| &text[..at])
}

fn arguments(rest: &str) -> Result<Vec<String>, Unlike> {
    let text = without_comment(rest).trim().trim_start_matches(['(', ',']).trim_end_matches(')');
    if text.contains('%') {
        return Err("what a variable holds is not known here".into());
    }
    Ok(text.split(',').map(|part| part.trim().trim_matches('"').to_owned()).collect())
}

/// The escapes with a backtick.
fn escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '`' => plain.extend(letters.next().map(|letter| match letter {
                'n' | 'r' => '\n',
                't' => '\t',
                's' => ' ',
                other => other,
            })),
            letter => plain.push(letter),
        }
    }
    plain
}

/// Names in braces that differ from ours.
const NAMED: &[(&str, &str)] = &[
    ("BS", "Backspace"),
    ("LControl", "Ctrl"),
    ("RControl", "RCtrl"),
    ("LWin", "Super"),
    ("RWin", "RSuper"),
    ("AppsKey", "Menu"),
    ("Volume_Mute", "Mute"),
    ("Volume_Up", "VolumeUp"),
    ("Volume_Down", "VolumeDown"),
    ("Media_Next", "NextTrack"),
    ("Media_Prev", "PreviousTrack"),
    ("Media_Play_Pause", "PlayPause"),
    ("Media_Stop", "StopMedia"),
    ("NumpadAdd", "NumpadPlus"),
    ("NumpadSub", "NumpadMinus"),
    ("NumpadMult", "NumpadAsterisk"),
    ("NumpadDiv", "NumpadSlash"),
];

fn key(name: &str) -> Result<Key, Unlike> {
    let mut letters = name.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        return Ok(Key::Prints(only));
    }
    if let Some((_, ours)) = NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Ok(Key::Named((*ours).to_owned()));
    }
    match KeyName::parse(name) {
        Ok(KeyName::Code(code)) => Ok(Key::Named(KeyName::Code(code).spell())),
        Ok(KeyName::Character(character)) => Ok(Key::Prints(character)),
        Err(unknown) => {
            let message = format!("there is no key {}", quoted(name));
            Err(Unlike { nearest: unknown.nearest, ..message.into() })
        }
    }
}

/// The keys of a Send: letters are collected to a text, the rest is tapped.
fn send(text: &str, steps: &mut Steps) -> Result<(), Unlike> {
    let mut plain = String::new();
    let mut modifiers: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let modifier = match letter {
            '^' => Some("Ctrl"),
            '!' => Some("Alt"),
            '+' => Some("Shift"),
            '#' => Some("Super"),
            _ => None,
        };
        if let Some(modifier) = modifier {
            steps.type_text(&std::mem::take(&mut plain))?;
            modifiers.push(modifier.to_owned());
            continue;
        }
        if letter == '{' {
            // `{}}` is a brace.
            let end = rest.char_indices().skip(1).find(|(_, letter)| *letter == '}');
            let end = end.map(|(at, _)| at).ok_or("a brace is not closed")?;
            let inner = &rest[..end];
            rest = &rest[end + 1..];
            if inner.eq_ignore_ascii_case("raw") || inner.eq_ignore_ascii_case("text") {
                plain.push_str(rest);
                break;
            }
            if let Some(character) = literal(inner).filter(|_| modifiers.is_empty()) {
                plain.push(character);
                continue;
            }
            steps.type_text(&std::mem::take(&mut plain))?;
            braced(inner, &std::mem::take(&mut modifiers), steps)?;
        } else if modifiers.is_empty() {
            plain.push(letter);
        } else {
            steps.tap(&std::mem::take(&mut modifiers), &Key::Prints(letter))?;
        }
    }
    if !modifiers.is_empty() {
        return Err("a modifier without a key; the sign itself is written in braces, {+}".into());
    }
    steps.type_text(&plain)
}

/// `{!}` and `{U+20AC}`.
fn literal(inner: &str) -> Option<char> {
    let mut letters = inner.chars();
    match (letters.next(), letters.next()) {
        (Some(only), None) => Some(only),
        _ => {
            let hex = inner.strip_prefix("U+").or_else(|| inner.strip_prefix("u+"))?;
            char::from_u32(u32::from_str_radix(hex, 16).ok()?).filter(|character| !character.is_control())
        }
    }
}

/// `{Enter}`, `{Left 3}`, `{Shift down}`, `{Shift up}`.
fn braced(inner: &str, modifiers: &[String], steps: &mut Steps) -> Result<(), Unlike> {
    let (name, what) = inner.split_once(' ').unwrap_or((inner, ""));
    if name.eq_ignore_ascii_case("blind") {
        return Ok(());
    }
    if name.eq_ignore_ascii_case("click") {
        return click(what, steps);
    }
    let key = key(name)?;
    match what.trim() {
        what if what.eq_ignore_ascii_case("down") => steps.hold(true, &key),
        what if what.eq_ignore_ascii_case("up") => steps.hold(false, &key),
        "" => steps.tap(modifiers, &key),
        what => {
            let count: u32 =
                what.parse().map_err(|_| format!("expected down, up or a count, found {}", quoted(what)))?;
            (0..count.min(10_000)).try_for_each(|_| steps.tap(modifiers, &key))
        }
    }
}

/// `Click`, `Click 10 20`, `Click Right 10 20 2`, `Click Down`, `Click WheelUp`, `Click 10 20 0`.
fn click(text: &str, steps: &mut Steps) -> Result<(), Unlike> {
    let mut numbers: Vec<i32> = Vec::new();
    let (mut button, mut wheel, mut word, mut mode) = ("left", None, "click", "abs");
    for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
        match part.to_ascii_lowercase().as_str() {
            "left" | "l" => button = "left",
            "right" | "r" => button = "right",
            "middle" | "m" => button = "middle",
            "x1" => button = "side1",
            "x2" => button = "side2",
            "down" | "d" => word = "down",
            "up" | "u" => word = "up",
            "wheelup" | "wu" => wheel = Some("up"),
            "wheeldown" | "wd" => wheel = Some("down"),
            "wheelleft" | "wl" => wheel = Some("left"),
            "wheelright" | "wr" => wheel = Some("right"),
            "rel" | "relative" => mode = "rel-logical",
            other => {
                let wanted = || format!("expected a button, a number, Down or Up, found {}", quoted(part));
                numbers.push(other.parse().map_err(|_| wanted())?);
            }
        }
    }
    let count = match numbers.as_slice() {
        [] => 1,
        [count] => *count,
        [x, y, count @ ..] if count.len() < 2 => {
            steps.push(format!("move {mode} {x} {y}"))?;
            count.first().copied().unwrap_or(1)
        }
        _ => return Err("expected Click [X Y] [BUTTON] [COUNT]".into()),
    };
    for _ in 0..count.clamp(0, 10_000) {
        match wheel {
            Some(axis) => steps.push(format!("scroll {axis}"))?,
            None => steps.push(format!("{word} {button}"))?,
        }
    }
    Ok(())
}

fn mouse_move(parts: &[String], steps: &mut Steps) -> Result<(), Unlike> {
    let number = |text: &String| text.parse::<i32>().map_err(|_| "expected MouseMove X, Y".to_owned());
    let (x, y) = match parts {
        [x, y, ..] => (number(x)?, number(y)?),
        _ => return Err("expected MouseMove X, Y".into()),
    };
    let mode = match parts.get(3).map(String::as_str) {
        Some(flag) if flag.eq_ignore_ascii_case("r") => "rel-logical",
        Some("") | None => "abs",
        Some(_) => return Err("expected R, or nothing, after the speed".into()),
    };
    steps.push(format!("move {mode} {x} {y}"))
}
