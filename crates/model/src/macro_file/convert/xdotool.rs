//! Scripts of xdotool: `xdotool mousemove 10 20 click 1`, alone or in a shell script.

use super::foreign::{Steps, Unlike, seconds};
use super::{keysym, shell};
use crate::nearest::nearest;
use crate::run::quoted;

/// Its commands, so that one is not taken for the argument of another.
const COMMANDS: &[&str] = &[
    "key",
    "keydown",
    "keyup",
    "type",
    "mousemove",
    "mousemove_relative",
    "click",
    "mousedown",
    "mouseup",
    "sleep",
    "getmouselocation",
    "search",
    "windowactivate",
    "windowfocus",
    "windowsize",
    "windowmove",
    "windowraise",
    "windowkill",
    "windowclose",
    "windowquit",
    "windowmap",
    "windowunmap",
    "windowminimize",
    "getactivewindow",
    "getwindowfocus",
    "getwindowname",
    "getwindowpid",
    "getwindowgeometry",
    "getdisplaygeometry",
    "behave",
    "behave_screen_edge",
    "exec",
    "set_desktop",
    "get_desktop",
    "set_desktop_for_window",
    "selectwindow",
    "version",
];

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
        match command.split_first() {
            Some((program, words)) if is_program(program) => chain(words, steps)?,
            // The shell's own sleep, which is xdotool's word as well.
            Some((word, _)) if COMMANDS.contains(&word.as_str()) => chain(&command, steps)?,
            Some((word, _)) => return Err(unknown(word)),
            None => {}
        }
    }
    Ok(())
}

fn is_program(word: &str) -> bool {
    word == "xdotool" || word.ends_with("/xdotool")
}

fn unknown(word: &str) -> Unlike {
    let nearest = nearest(word, COMMANDS.iter().copied().take(10));
    Unlike { nearest, ..format!("{} is no command of xdotool", quoted(word)).into() }
}

/// The words that are left, and the options that were taken off.
struct Words<'a> {
    rest: &'a [String],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn number(&mut self, wanted: &str) -> Result<i32, Unlike> {
        let word = self.next().ok_or_else(|| Unlike::from(format!("expected {wanted}, found nothing")))?;
        word.parse().map_err(|_| format!("expected {wanted}, found {}", quoted(word)).into())
    }

    /// Words up to the next command.
    fn arguments(&mut self) -> &'a [String] {
        let count = self.rest.iter().take_while(|word| !COMMANDS.contains(&word.as_str())).count();
        let (mine, rest) = self.rest.split_at(count);
        self.rest = rest;
        mine
    }
}

/// What options may say.
#[derive(Default)]
struct Options {
    delay_ms: Option<u64>,
    repeat: Option<u32>,
}

/// Takes options off. `--window` and `--screen` mean another place than the pointer's: they can't be converted.
fn options(words: &mut Words<'_>) -> Result<Options, Unlike> {
    let mut options = Options::default();
    while let Some(word) = words.rest.first().filter(|word| word.len() > 1 && word.starts_with('-')) {
        if word.parse::<i32>().is_ok() {
            break;
        }
        words.next();
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        let value = |words: &mut Words<'_>| {
            let text = inline.map(ToOwned::to_owned).or_else(|| words.next().map(ToOwned::to_owned));
            let number = text.and_then(|text| text.parse::<u32>().ok());
            number.ok_or_else(|| Unlike::from(format!("expected a number after {name}")))
        };
        match name {
            "--" => break,
            "--clearmodifiers" | "--sync" => {}
            "--delay" | "--repeat-delay" => options.delay_ms = Some(value(words)?.into()),
            "--repeat" => options.repeat = Some(value(words)?),
            _ => return Err(format!("the option {} has no counterpart", quoted(name)).into()),
        }
    }
    Ok(options)
}

fn chain(words: &[String], steps: &mut Steps) -> Result<(), Unlike> {
    let mut words = Words { rest: words };
    while let Some(command) = words.next() {
        match command {
            "key" => key(&mut words, steps)?,
            "keydown" | "keyup" => hold(command == "keydown", &mut words, steps)?,
            "type" => type_text(&mut words, steps)?,
            "mousemove" => move_to("abs", &mut words, steps)?,
            "mousemove_relative" => move_to("rel-logical", &mut words, steps)?,
            "click" => click(&mut words, steps)?,
            "mousedown" | "mouseup" => {
                options(&mut words)?;
                let button = button(words.number("a button")?)?;
                let word = if command == "mousedown" { "down" } else { "up" };
                match button {
                    Pressed::Button(name) => steps.push(format!("{word} {name}"))?,
                    // A wheel turns when it goes down.
                    Pressed::Wheel(axis) if command == "mousedown" => steps.push(format!("scroll {axis}"))?,
                    Pressed::Wheel(_) => {}
                }
            }
            "sleep" => {
                let time =
                    words.next().and_then(seconds).ok_or("expected a number of seconds after sleep")?;
                steps.wait(time)?;
            }
            other if COMMANDS.contains(&other) => {
                return Err(format!("{other} does not send input, and can't be converted").into());
            }
            other => return Err(unknown(other)),
        }
    }
    Ok(())
}

fn key(words: &mut Words<'_>, steps: &mut Steps) -> Result<(), Unlike> {
    let options = options(words)?;
    let keys = words.arguments();
    if keys.is_empty() {
        return Err("expected a key".into());
    }
    for _ in 0..options.repeat.unwrap_or(1).min(10_000) {
        for (index, text) in keys.iter().enumerate() {
            let (modifiers, key) = keysym::chord(text)?;
            steps.tap(&modifiers, &key)?;
            if index + 1 < keys.len() || options.repeat.is_some() || options.delay_ms.is_some() {
                steps.wait_ms(options.delay_ms.unwrap_or(12))?;
            }
        }
    }
    Ok(())
}

fn hold(is_down: bool, words: &mut Words<'_>, steps: &mut Steps) -> Result<(), Unlike> {
    options(words)?;
    let keys = words.arguments();
    if keys.is_empty() {
        return Err("expected a key".into());
    }
    for text in keys {
        let (modifiers, key) = keysym::chord(text)?;
        for modifier in modifiers {
            steps.push(format!("key {} {modifier}", if is_down { "down" } else { "up" }))?;
        }
        steps.hold(is_down, &key)?;
    }
    Ok(())
}

fn type_text(words: &mut Words<'_>, steps: &mut Steps) -> Result<(), Unlike> {
    if words.rest.iter().any(|word| word == "--file" || word == "--args" || word == "--terminator") {
        return Err("type with --file, --args or --terminator can't be converted".into());
    }
    let options = options(words)?;
    if options.delay_ms.is_some() {
        steps.warn("the delay between letters is left out: typing has a pace of its own");
    }
    // It takes all that follows.
    let text: String = std::mem::take(&mut words.rest).concat();
    steps.type_text(&text)
}

fn move_to(mode: &str, words: &mut Words<'_>, steps: &mut Steps) -> Result<(), Unlike> {
    options(words)?;
    let (x, y) = (words.number("a number for x")?, words.number("a number for y")?);
    steps.push(format!("move {mode} {x} {y}"))
}

pub(super) enum Pressed {
    Button(&'static str),
    Wheel(&'static str),
}

/// A button by its number in X.
pub(super) fn button(number: i32) -> Result<Pressed, Unlike> {
    Ok(match number {
        1 => Pressed::Button("left"),
        2 => Pressed::Button("middle"),
        3 => Pressed::Button("right"),
        4 => Pressed::Wheel("up"),
        5 => Pressed::Wheel("down"),
        6 => Pressed::Wheel("left"),
        7 => Pressed::Wheel("right"),
        8 => Pressed::Button("side1"),
        9 => Pressed::Button("side2"),
        _ => return Err(format!("expected a button from 1 to 9, found {number}").into()),
    })
}

fn click(words: &mut Words<'_>, steps: &mut Steps) -> Result<(), Unlike> {
    let options = options(words)?;
    let button = button(words.number("a button")?)?;
    let repeat = options.repeat.unwrap_or(1).min(10_000);
    for index in 0..repeat {
        match button {
            Pressed::Button(name) => steps.push(format!("click {name}"))?,
            Pressed::Wheel(axis) => steps.push(format!("scroll {axis}"))?,
        }
        if index + 1 < repeat {
            steps.wait_ms(options.delay_ms.unwrap_or(0))?;
        }
    }
    Ok(())
}
