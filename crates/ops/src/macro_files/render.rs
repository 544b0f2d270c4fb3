//! `macro.render`: a macro as a picture.

use super::Opened;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_imaging::macro_chart;
use crossmacro_imaging::{Format, Options, encode};
use crossmacro_model::macro_file::convert::to_events;
use crossmacro_model::{Capability, Code, Fault, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

pub(crate) struct Render;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of a .macro file.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    macro_path: String,
    /// Absolute path of the PNG. A file that is there is replaced.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    output_path: String,
    /// Draw what remains of a file with errors. Default false.
    #[serde(default)]
    lenient: bool,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The picture.
    output_path: Option<String>,
    /// Width in pixels.
    width: Option<u32>,
    /// Height in pixels.
    height: Option<u32>,
    /// How many events are drawn.
    event_count: Option<usize>,
}

impl Operation for Render {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.render",
        title: "Draw a macro",
        summary: "Draws a macro as a PNG: the way of the pointer, clicks, and keys over time. A script is drawn as the events that it makes without a desktop.",
        audience: Audience::CommandLine,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::MacroRead, Capability::FileWrite],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let (content, mut warnings) =
            Opened::open(context, call, &params.macro_path)?.usable(params.lenient)?;
        let (content, found) = if !matches!(content.played_script(), Ok(None)) {
            to_events(&content)
        } else {
            (content, Default::default())
        };
        warnings.extend(super::all(&found));
        if content.events.is_empty() {
            let message =
                "there is no event to draw: the script looks at the desktop before it does anything";
            let mut fault = Fault::new(Code::ValidationError, message);
            fault.warnings = warnings;
            return Err(fault);
        }
        let frame = macro_chart::draw(&content);
        let encoded = encode(&frame, Format::Png, Options::default())
            .map_err(|error| Fault::new(Code::RuntimeError, format!("the picture can't be made: {error}")))?;
        context.write_picture(Path::new(&params.output_path), &encoded.bytes)?;
        let message = format!("The picture has {}x{} pixels.", encoded.size.width, encoded.size.height);
        let reply = Reply {
            output_path: Some(params.output_path),
            width: Some(encoded.size.width),
            height: Some(encoded.size.height),
            event_count: Some(content.events.len()),
        };
        Ok(Done { warnings, ..Done::new(reply, message) })
    }
}
