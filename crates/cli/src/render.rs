//! How an answer is drawn: one JSON object, or lines for a person. Success goes to standard output, failure
//! to standard error; JSON always to standard output.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is the renderer")]

use crossmacro_ops::Response;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
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
        let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let message = lines.next().unwrap_or("wrong arguments").trim_start_matches("error: ").to_owned();
        Self::failed(2, message, lines.map(str::to_owned).collect())
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
    // A closed pipe is the reader's choice, not a failure of ours.
    let written = if answer.code == 0 || format == Format::Json {
        std::io::stdout().write_all(text.as_bytes())
    } else {
        std::io::stderr().write_all(text.as_bytes())
    };
    match written {
        Ok(()) | Err(_) => ExitCode::from(answer.code),
    }
}

/// Draws help or the version.
pub(crate) fn help(error: &clap::Error) -> ExitCode {
    print!("{}", error.render());
    ExitCode::SUCCESS
}

/// Tells a person at a terminal what is going on.
pub(crate) fn note(line: &str) {
    eprintln!("{line}");
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
    let mut text = format!("Status: {status}\nCode: {}\nMessage: {}\n", answer.code, answer.message);
    if !answer.data.is_null() {
        text.push_str("Data:\n");
        nested(&answer.data, 1, &mut text);
    }
    for (title, entries) in [("Warnings", &answer.warnings), ("Errors", &answer.errors)] {
        if !entries.is_empty() {
            text.push_str(&format!("{title}:\n"));
            entries.iter().for_each(|entry| text.push_str(&format!("  - {entry}\n")));
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

/// A value on one line. Control characters are shown, not sent: a window title must not drive the terminal.
fn scalar(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => "{}".into(),
        Value::Array(_) => "[]".into(),
        other => other.to_string(),
    };
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            control if control.is_control() => shown.extend(control.escape_default()),
            other => shown.push(other),
        }
    }
    shown
}
