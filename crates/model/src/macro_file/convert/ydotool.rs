//! Command lines of ydotool, 1.x and the older 0.1: `ydotool key 29:1 46:1 46:0 29:0`, `ydotool mousemove -x 5 -y 3`.

use super::foreign::{Steps, Unlike, seconds};
use super::{keysym, shell};
use crate::key::HIGHEST;
use crate::nearest::nearest;
use crate::run::quoted;
use crate::{KeyCode, KeyName};

const COMMANDS: &[&str] = &["key", "type", "mousemove", "click", "sleep"];

pub(super) fn convert(text: &str, steps: &mut Steps) {
    for (number, line) in shell::lines(text) {
        steps.line = number;
        if shell::is_idle(&line) {
            continue;
        }
        if let Err(unlike) = convert_line(&line, steps) {
            steps.fail(&line, unlike);
        }
    }
}

fn convert_line(line: &str, steps: &mut Steps) -> Result<(), Unlike> {
    for command in shell::commands(line)? {
        let words = match command.split_first() {
            Some((program, words)) if program == "ydotool" || program.ends_with("/ydotool") => words,
            Some((word, _)) if word == "sleep" => &command,
            Some((word, _)) => return Err(format!("{} is not ydotool", quoted(word)).into()),
            None => continue,
        };
        let Some((name, words)) = words.split_first() else { return Err("expected a command".into()) };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match name.as_str() {
            "key" => key(&words, steps)?,
            "type" => type_text(&words, steps)?,
            "mousemove" => move_to(&words, steps)?,
            "click" => click(&words, steps)?,
            "sleep" => {
                let time = words.first().and_then(|word| seconds(word));
                steps.wait(time.ok_or("expected a number of seconds after sleep")?)?;
            }
            other => {
                let nearest = nearest(other, COMMANDS.iter().copied());
                let message = format!("{} sends no input that is known here", quoted(other));
                return Err(Unlike { nearest, ..message.into() });
            }
        }
    }
    Ok(())
}

/// One option and what follows it.
struct Options<'a> {
    /// Options with a value.
    values: Vec<(&'a str, &'a str)>,
    /// Options without.
    flags: Vec<&'a str>,
    /// What is no option.
    rest: Vec<&'a str>,
}

fn options<'a>(words: &[&'a str], with_value: &[&str], flags: &[&str]) -> Result<Options<'a>, Unlike> {
    let mut found = Options { values: Vec::new(), flags: Vec::new(), rest: Vec::new() };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value)),
            _ => (word, None),
        };
        if word == "--" {
            found.rest.extend(words.by_ref());
        } else if with_value.contains(&name) {
            let value = inline.or_else(|| words.next());
            found.values.push((name, value.ok_or_else(|| format!("expected a value after {name}"))?));
        } else if flags.contains(&word) {
            found.flags.push(word);
        } else if word.len() > 1 && word.starts_with('-') && word.parse::<i32>().is_err() {
            return Err(format!("the option {} has no counterpart", quoted(word)).into());
        } else {
            found.rest.push(word);
        }
    }
    Ok(found)
}

impl Options<'_> {
    fn number(&self, names: &[&str]) -> Result<Option<i32>, Unlike> {
        let value = self.values.iter().find(|(name, _)| names.contains(name)).map(|(_, value)| *value);
        value.map(number).transpose()
    }

    fn wait_ms(&self, names: &[&str]) -> Result<Option<u64>, Unlike> {
        let number = self.number(names)?;
        number.map(|ms| u64::try_from(ms).map_err(|_| "a delay can't be negative".into())).transpose()
    }
}

fn number(text: &str) -> Result<i32, Unlike> {
    text.parse().map_err(|_| format!("expected a whole number, found {}", quoted(text)).into())
}

fn key(words: &[&str], steps: &mut Steps) -> Result<(), Unlike> {
    let found = options(words, &["-d", "--key-delay", "--delay", "--repeat", "--repeat-delay"], &[])?;
    let wait = found.wait_ms(&["-d", "--key-delay", "--delay"])?.unwrap_or(12);
    if found.values.iter().any(|(name, _)| name.starts_with("--repeat")) {
        return Err("--repeat has no counterpart here; write the keys out".into());
    }
    if found.rest.is_empty() {
        return Err("expected a key".into());
    }
    for (index, word) in found.rest.iter().enumerate() {
        if index > 0 {
            steps.wait_ms(wait)?;
        }
        match word.split_once(':') {
            Some((code, state @ ("0" | "1"))) => {
                let code = code.parse().ok().filter(|code| (1..=HIGHEST).contains(code));
                let code = code.ok_or("expected the code of a key from 1 to 767")?;
                let word = if state == "1" { "down" } else { "up" };
                steps.push(format!("key {word} {}", KeyName::Code(KeyCode(code)).spell()))?;
            }
            Some(_) => return Err(format!("expected CODE:1 or CODE:0, found {}", quoted(word)).into()),
            None => {
                let (modifiers, key) = keysym::chord(word)?;
                steps.tap(&modifiers, &key)?;
            }
        }
    }
    Ok(())
}

fn type_text(words: &[&str], steps: &mut Steps) -> Result<(), Unlike> {
    let with_value = ["-d", "--key-delay", "-H", "--key-hold", "-D", "--next-delay", "--delay"];
    let found = options(words, &with_value, &[])?;
    if !found.values.is_empty() {
        steps.warn("the delays between letters are left out: typing has a pace of its own");
    }
    steps.type_text(&found.rest.join(" "))
}

fn move_to(words: &[&str], steps: &mut Steps) -> Result<(), Unlike> {
    let flags = ["-a", "--absolute", "-w", "--wheel"];
    let found = options(words, &["-x", "--xpos", "-y", "--ypos"], &flags)?;
    let is = |names: [&str; 2]| found.flags.iter().any(|flag| names.contains(flag));
    let (by_name_x, by_name_y) = (found.number(&["-x", "--xpos"])?, found.number(&["-y", "--ypos"])?);
    let is_named = by_name_x.is_some() || by_name_y.is_some();
    let (x, y) = match found.rest.as_slice() {
        [x, y] if !is_named => (number(x)?, number(y)?),
        [] if is_named => (by_name_x.unwrap_or(0), by_name_y.unwrap_or(0)),
        _ => return Err("expected mousemove [-a] -x X -y Y".into()),
    };
    if is(["-w", "--wheel"]) {
        wheel(x, "right", "left", steps)?;
        return wheel(y, "up", "down", steps);
    }
    let mode = if is(["-a", "--absolute"]) { "abs" } else { "rel-raw" };
    steps.push(format!("move {mode} {x} {y}"))
}

fn wheel(notches: i32, forward: &str, back: &str, steps: &mut Steps) -> Result<(), Unlike> {
    let direction = if notches > 0 { forward } else { back };
    match notches.unsigned_abs() {
        0 => Ok(()),
        1 => steps.push(format!("scroll {direction}")),
        count @ 2..=100 => steps.push(format!("scroll {direction} {count}")),
        count => Err(format!("{count} notches at once are more than a step may turn").into()),
    }
}

const BUTTONS: &[&str] = &["left", "right", "middle", "side1", "side2"];

fn click(words: &[&str], steps: &mut Steps) -> Result<(), Unlike> {
    let with_value = ["-r", "--repeat", "-D", "--next-delay", "-d", "--delay"];
    let found = options(words, &with_value, &[])?;
    let repeat = found.number(&["-r", "--repeat"])?.unwrap_or(1).clamp(0, 10_000);
    let wait = found.wait_ms(&["-D", "--next-delay", "-d", "--delay"])?.unwrap_or(25);
    if found.rest.is_empty() {
        return Err("expected a button like 0xC0".into());
    }
    for index in 0..repeat {
        for (position, word) in found.rest.iter().enumerate() {
            if index > 0 || position > 0 {
                steps.wait_ms(wait)?;
            }
            steps.push(press(word)?)?;
        }
    }
    Ok(())
}

/// `0xC0`: the button in the low bits, 0x40 presses, 0x80 releases. A bare 1, 2, 3 is of version 0.1.
fn press(word: &str) -> Result<String, Unlike> {
    let wrong = || Unlike::from(format!("expected a button like 0xC0, found {}", quoted(word)));
    let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) else {
        let index = number(word)?.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let name = index.and_then(|index| BUTTONS.get(index).filter(|_| index < 3));
        return name.map(|name| format!("click {name}")).ok_or_else(wrong);
    };
    let bits = u8::from_str_radix(hex, 16).map_err(|_| wrong())?;
    let name = match bits & 0x3f {
        index @ 0..=4 => BUTTONS[usize::from(index)],
        5 => "side2",
        6 => "side1",
        _ => return Err(wrong()),
    };
    match bits & 0xc0 {
        0xc0 => Ok(format!("click {name}")),
        0x40 => Ok(format!("down {name}")),
        0x80 => Ok(format!("up {name}")),
        _ => Err("a button without 0x40 (press) or 0x80 (release) does nothing".into()),
    }
}
