//! `macro.convert`: another form of a macro, or a macro of another program's script.

use super::source::{self, Source};
use super::{all, counted};
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::macro_file::convert::{to_events, to_script, to_steps};
use crossmacro_model::macro_file::{Diagnostics, Macro, WriteError, write};
use crossmacro_model::{Capability, Code, Fault, limits};
use crossmacro_policy::PathClass;
use crossmacro_store::macros;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::Path;

pub(crate) struct Convert;

/// The form that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// A macro of events.
    Events,
    /// A macro of steps.
    Script,
    /// A plain file of steps.
    Steps,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of the file.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    input_path: String,
    /// Absolute path of the result; without it, the text is in the reply.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    output_path: Option<String>,
    /// What the file is; without it, its name and its words tell.
    from: Option<Source>,
    /// What it becomes; without it, events become steps and steps become events, and other scripts become steps.
    to: Option<Form>,
    /// Convert what can be converted. Default false: a part that can't is an error.
    #[serde(default)]
    lenient: bool,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The file that was written.
    output_path: Option<String>,
    /// What the file was.
    from: Option<Source>,
    /// What it became.
    to: Option<Form>,
    /// Steps of the result.
    step_count: Option<usize>,
    /// Events of the result.
    event_count: Option<usize>,
    /// The result, where no file was asked for.
    text: Option<String>,
}

impl Operation for Convert {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.convert",
        title: "Convert a macro",
        summary: "Turns the events of a macro into steps or its steps into events, and scripts of xdotool, ydotool and AutoHotkey into macros.",
        audience: Audience::CommandLine,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::MacroRead, Capability::FileRead, Capability::FileWrite],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let input = source::read(context, call, &params.input_path, params.from, params.lenient)?;
        let form = params.to.unwrap_or_else(|| default_form(&input, params.output_path.as_deref()));
        let mut warnings = input.warnings;
        let (content, found) = convert(&input.content, form);
        let is_usable = found.is_ok() || (params.lenient && has_content(&content));
        if !is_usable {
            let remedy = "--lenient converts what can be converted";
            return Err(Fault::from(found).remedy(remedy));
        }
        warnings.extend(all(&found));
        let (lines, told) = if form == Form::Steps { to_steps(&content) } else { Default::default() };
        warnings.extend(all(&told));
        let text = deliver(context, call, &params, &content, form, &lines)?;
        let reply = Reply {
            output_path: params.output_path,
            from: Some(input.source),
            to: Some(form),
            step_count: Some(content.script.len()),
            event_count: Some(content.events.len()),
            text,
        };
        let (steps, events) = (content.script.len(), content.events.len());
        let message = match form {
            Form::Events => format!("Converted to {}.", counted(events, "event")),
            Form::Script | Form::Steps => format!("Converted to {}.", counted(steps, "step")),
        };
        Ok(Done { warnings, ..Done::new(reply, message) })
    }
}

fn has_content(content: &Macro) -> bool {
    !content.events.is_empty() || !content.script.is_empty()
}

fn default_form(input: &source::Input, output: Option<&str>) -> Form {
    let is_macro = |path: &str| {
        Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("macro"))
    };
    match output {
        Some(path) if !is_macro(path) => Form::Steps,
        _ if input.source == Source::Macro && !input.content.script.is_empty() => Form::Events,
        _ => Form::Script,
    }
}

fn convert(content: &Macro, form: Form) -> (Macro, Diagnostics) {
    match form {
        Form::Events => to_events(content),
        Form::Script | Form::Steps => to_script(content),
    }
}

/// Writes the result, or gives its text.
fn deliver(
    context: &Context,
    call: &Call<'_>,
    params: &Params,
    content: &Macro,
    form: Form,
    lines: &[String],
) -> Result<Option<String>, Fault> {
    let plain = || lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
    match (&params.output_path, form) {
        (Some(path), Form::Steps) => {
            let mut file = context.create_replace(call, PathClass::FileWrite, path)?;
            let failed = |error: std::io::Error| {
                Fault::new(Code::FileError, format!("the file can't be written ({:?})", error.kind()))
            };
            file.write_all(plain().as_bytes()).map_err(failed)?;
            file.commit()?;
            Ok(None)
        }
        (Some(path), Form::Events | Form::Script) => {
            macros::save(content, context.create_replace(call, PathClass::MacroWrite, path)?)?;
            Ok(None)
        }
        (None, Form::Steps) => Ok(Some(plain())),
        (None, Form::Events | Form::Script) => {
            let mut text = Vec::new();
            write(content, &mut text).map_err(|error| match error {
                WriteError::Invalid(found) => Fault::from(found),
                WriteError::Io(error) => Fault::new(Code::RuntimeError, error.to_string()),
            })?;
            Ok(Some(String::from_utf8_lossy(&text).into_owned()))
        }
    }
}
