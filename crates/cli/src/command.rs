//! One command, one call of the guard, one answer.

mod clipboard;
mod demo;
mod doctor;
mod input;
pub(crate) mod macro_files;
pub(crate) mod manual;
pub(crate) mod play;
pub(crate) mod profile;
pub(crate) mod record;
pub(crate) mod schedule;
mod screen;
pub(crate) mod search;
mod settings;
pub(crate) mod shortcut;
mod task;
pub(crate) mod text_expansion;
pub(crate) mod trigger;
mod watch;
mod window;

use crate::arguments::{Arguments, Command};
use crate::render::{self, Answer, Format};
use crate::{interrupt, mcp, session};
use crossmacro_ops::{Call, Context, Response, Surface, guard};
use crossmacro_platform::Cancel;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// What a command works with.
pub(crate) struct Shell {
    pub(crate) context: Arc<Context>,
    pub(crate) cancel: Cancel,
}

impl Shell {
    /// Calls an operation with the rights of the person at the command line.
    pub(crate) fn call(&self, operation: &str, arguments: Value) -> Response {
        guard::call(&self.context, &Call::new(Surface::Cli, &self.cancel), operation, arguments)
    }

    /// Checks a call and stops before its work.
    pub(crate) fn rehearse(&self, operation: &str, arguments: Value) -> Response {
        guard::rehearse(&self.context, &Call::new(Surface::Cli, &self.cancel), operation, arguments)
    }

    /// One of the two.
    pub(crate) fn call_or_rehearse(&self, is_dry: bool, operation: &str, arguments: Value) -> Response {
        if is_dry { self.rehearse(operation, arguments) } else { self.call(operation, arguments) }
    }
}

/// Carries out the command.
pub(crate) fn run(arguments: Arguments, format: Format) -> ExitCode {
    session::start_log(arguments.common.log_level);
    match arguments.command {
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments, format),
        Command::InternalClipboardServer => session::serve_clipboard(),
        Command::Completions(command) => render::answer(&manual::completions(&command), format),
        Command::Man(command) => render::answer(&manual::manual(&command), format),
        other => {
            let context = session::context(false);
            session::release_what_was_left(&context);
            let shell = Shell { context, cancel: interrupt::cancel_on_signal() };
            render::answer(&dispatch(&shell, other), format)
        }
    }
}

fn dispatch(shell: &Shell, command: Command) -> Answer {
    match command {
        Command::Screen(command) => screen::read(shell, command),
        Command::Screenshot(command) => screen::capture(shell, command),
        Command::Window(command) => window::run(shell, command),
        Command::Clipboard(command) => clipboard::run(shell, command),
        Command::Settings(command) => settings::run(shell, command),
        Command::Macro(command) => macro_files::run(shell, command),
        Command::Schedule(command) => schedule::run(shell, command),
        Command::Shortcut(command) => shortcut::run(shell, command),
        Command::Trigger(command) => trigger::run(shell, command),
        Command::Profile(command) => profile::run(shell, command),
        Command::TextExpansion(command) => text_expansion::run(shell, command),
        Command::Doctor(command) => doctor::run(shell, &command),
        Command::Play(command) => play::run(shell, &command),
        Command::Record(command) => record::run(shell, &command),
        other => input::run(shell, other),
    }
}

/// An absolute path without `..`: the operations take no other, a person at the command line gives any.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let goes_up = absolute.components().any(|component| component == Component::ParentDir);
    // Where `..` leads is known to the file system alone: the folder before it may be a link.
    let resolved = || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
    if goes_up { resolved().unwrap_or(absolute) } else { absolute }
}

/// The object without the fields that are null.
pub(crate) fn without_nulls(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

/// Some fields of a reply, under the same or other names.
pub(crate) fn pick(reply: &Value, fields: &[(&str, &str)]) -> Value {
    fields
        .iter()
        .map(|(name, path)| ((*name).to_owned(), reply.pointer(path).cloned().unwrap_or_default()))
        .collect()
}
