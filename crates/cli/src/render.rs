//! How an answer is drawn: one JSON object, or lines for a person. Success goes to standard output, failure
//! to standard error; JSON always to standard output.

use crossmacro_ops::Response;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

impl Format {
    /// Whether `--json` stands anywhere before `--`.
    pub(crate) fn wanted(given: &[OsString]) -> Self {
        match given.iter().skip(1).take_while(|word| *word != "--").any(|word| word == "--json") {
            true => Self::Json,
            false => Self::Text,
        }
    }
}

/// What a command answers.
pub(crate) struct Answer {
    pub(crate) code: u8,
    pub(crate) message: String,
    pub(crate) data: Value,
    pub(crate) warnings: Vec<String>,
    pub(crate) errors: Vec<String>,
    /// What text mode prints instead of everything else: `clipboard get` gives the text and nothing more.
    pub(crate) raw: Option<String>,
}

impl Answer {
    /// Success.
    pub(crate) fn ok(message: impl Into<String>, data: Value) -> Self {
        Self { code: 0, message: message.into(), data, warnings: Vec::new(), errors: Vec::new(), raw: None }
    }

    /// Failure, with what to do about it.
    pub(crate) fn failed(code: u8, message: impl Into<String>, errors: Vec<String>) -> Self {
        Self { code, message: message.into(), data: Value::Null, warnings: Vec::new(), errors, raw: None }
    }

    /// The guard's answer, its reply turned into the command's data.
    pub(crate) fn of(response: &Response, data: impl FnOnce(&Value) -> Value) -> Self {
        let outcome = &response.outcome;
        let mut errors = Vec::new();
        for problem in &outcome.errors {
            errors.push(format!("{}: {}", problem.code, problem.message));
            errors.extend(problem.remediation.as_ref().map(|remedy| format!("To fix it: {remedy}")));
        }
        Self {
            code: outcome.exit_code,
            message: outcome.message.clone(),
            data: if outcome.success { data(&Value::Object(response.reply.clone())) } else { Value::Null },
            warnings: outcome.warnings.clone(),
            errors,
            raw: None,
        }
    }
}

impl From<&clap::Error> for Answer {
    fn from(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        // The first paragraph says what is wrong, the names of what is missing below it; then come hints and usage.
        let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        let mut words = first.trim_start_matches("error: ").lines().map(str::trim);
        let mut message = words.next().unwrap_or("wrong arguments").to_owned();
        let missing: Vec<&str> = words.filter(|line| !line.is_empty()).collect();
        if !missing.is_empty() {
            message = format!("{message} {}", missing.join(", "));
        }
        let hints = rest.lines().map(str::trim).filter(|line| !line.is_empty());
        Self::failed(2, message, hints.map(str::to_owned).collect())
    }
}

/// Draws an answer and gives the exit status.
pub(crate) fn answer(answer: &Answer, format: Format) -> ExitCode {
    let text = match format {
        Format::Json => json_text(answer),
        Format::Text => match &answer.raw {
            Some(raw) if answer.code == 0 => raw.clone(),
            _ => lines(answer),
        },
    };
    let is_raw = format == Format::Text && answer.code == 0 && answer.raw.is_some();
    if answer.code != 0 && format == Format::Text {
        to(&mut io::stderr(), &text);
    } else {
        to(&mut io::stdout(), &text);
    }
    if is_raw {
        answer.warnings.iter().for_each(|warning| note(&format!("Warning: {}", clean(warning))));
        // A prompt belongs on a line of its own; a file gets the text and nothing more.
        if !text.is_empty() && !text.ends_with('\n') && io::stdout().is_terminal() {
            to(&mut io::stdout(), "\n");
        }
    }
    ExitCode::from(answer.code)
}

/// A closed pipe is the reader's choice, not a failure of ours.
fn to(stream: &mut dyn Write, text: &str) {
    let (Ok(()) | Err(_)) = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// Draws help or the version.
pub(crate) fn help(error: &clap::Error) -> ExitCode {
    to(&mut io::stdout(), &error.render().to_string());
    ExitCode::SUCCESS
}

/// Draws help in the place of an answer to a command that lacks its arguments.
pub(crate) fn help_instead(error: &clap::Error) -> ExitCode {
    to(&mut io::stderr(), &error.render().to_string());
    ExitCode::from(2)
}

/// One line of a long answer, as soon as it is known.
pub(crate) fn say(line: &str) {
    to(&mut io::stdout(), &format!("{line}\n"));
}

/// Tells a person at a terminal what is going on.
pub(crate) fn note(line: &str) {
    to(&mut io::stderr(), &format!("{line}\n"));
}

fn json_text(answer: &Answer) -> String {
    let object = json!({
        "status": if answer.code == 0 { "ok" } else { "error" },
        "code": answer.code,
        "message": answer.message,
        "data": answer.data,
        "warnings": answer.warnings,
        "errors": answer.errors,
    });
    format!("{}\n", serde_json::to_string_pretty(&object).unwrap_or_default())
}

fn lines(answer: &Answer) -> String {
    let status = if answer.code == 0 { "ok" } else { "error" };
    let mut text = format!("Status: {status}\nCode: {}\nMessage: {}\n", answer.code, clean(&answer.message));
    if !answer.data.is_null() {
        text.push_str("Data:\n");
        nested(&answer.data, 1, &mut text);
    }
    for (title, entries) in [("Warnings", &answer.warnings), ("Errors", &answer.errors)] {
        if !entries.is_empty() {
            text.push_str(&format!("{title}:\n"));
            entries.iter().for_each(|entry| text.push_str(&format!("  - {}\n", clean(entry))));
        }
    }
    text
}

fn nested(value: &Value, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                labelled(&format!("{indent}{key}:"), value, depth, text);
            }
        }
        Value::Array(items) => {
            for item in items {
                labelled(&format!("{indent}-"), item, depth, text);
            }
        }
        other => text.push_str(&format!("{indent}{}\n", scalar(other))),
    }
}

fn labelled(label: &str, value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            text.push_str(&format!("{label}\n"));
            nested(value, depth + 1, text);
        }
        Value::Array(items) if !items.is_empty() => {
            text.push_str(&format!("{label}\n"));
            nested(value, depth + 1, text);
        }
        other => text.push_str(&format!("{label} {}\n", scalar(other))),
    }
}

/// A value on one line.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => clean(text),
        Value::Object(_) => "{}".into(),
        Value::Array(_) => "[]".into(),
        other => other.to_string(),
    }
}

/// Control characters are shown, not sent: a window title must not drive the terminal.
pub(crate) fn clean(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            control if control.is_control() => shown.extend(control.escape_default()),
            other => shown.push(other),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_drawn_as_lines_that_drive_no_terminal() {
        let data = json!({"title": "a\u{1b}]0;x\u{7}b\nc", "none": null, "list": [], "deep": {"of": [1, {"two": 2}]}});
        let mut answer = Answer::ok("Done.", data);
        answer.warnings.push("be\u{1b}ware".into());
        assert_eq!(
            lines(&answer),
            "Status: ok\nCode: 0\nMessage: Done.\nData:\n  title: a\\u{1b}]0;x\\u{7}b\\nc\n  none: null\n  list: []\n  deep:\n    of:\n      - 1\n      -\n        two: 2\nWarnings:\n  - be\\u{1b}ware\n"
        );
    }

    #[test]
    fn json_keeps_every_field_and_escapes_no_letter() {
        let text = json_text(&Answer::failed(3, "Ä 日", vec!["x".into()]));
        let expected = json!({"status": "error", "code": 3, "message": "Ä 日", "data": null, "warnings": [], "errors": ["x"]});
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
        assert!(text.contains("Ä 日") && text.ends_with("}\n"));
    }
}
