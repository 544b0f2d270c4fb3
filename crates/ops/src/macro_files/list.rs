//! `macro.list`: the macro files of a folder.

use super::counted;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_policy::PathClass;
use crossmacro_store::paths::MOST_NAMES;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Files in one reply.
const PAGE: usize = 100;

pub(crate) struct List;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    directory_path: String,
    /// From the last page.
    cursor: Option<u32>,
}

/// A macro file.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    /// Absolute path.
    macro_path: String,
    /// Its last part.
    file_name: String,
    /// Size of the file.
    size_bytes: u64,
    /// When it was changed last.
    #[schemars(extend("format" = "date-time"))]
    last_write_time_utc: Option<String>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The folder.
    directory_path: Option<String>,
    /// Sorted by name.
    macros: Vec<Listed>,
    /// Whether there are more; ask again with cursor.
    is_truncated: bool,
    /// The cursor of the next page.
    cursor: Option<usize>,
}

impl Operation for List {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "macro.list",
        title: "List macro files",
        summary: "Lists the .macro files in a folder by name, 100 a page.",
        audience: Audience::Everyone,
        effect: Effect::Read,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::MacroRead],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let skip = params.cursor.unwrap_or(0) as usize;
        let path = &params.directory_path;
        let listing = context
            .list_files(call, PathClass::MacroRead, path, skip, PAGE)
            .map_err(|fault| fault.with_partial("directoryPath", path.as_str()))?;
        let folder = listing.folder;
        let macros: Vec<Listed> = listing
            .files
            .into_iter()
            .map(|file| Listed {
                macro_path: text(&folder.join(&file.name)),
                size_bytes: file.len,
                last_write_time_utc: Timestamp::from_second(file.modified)
                    .ok()
                    .map(|moment| moment.to_string()),
                file_name: file.name,
            })
            .collect();
        let message = match (macros.len(), listing.has_more) {
            (0, _) if skip == 0 => "There is no macro file in the folder.".to_owned(),
            (count, true) => format!("{}, and there are more.", counted(count, "macro file")),
            (count, false) => format!("{}.", counted(count, "macro file")),
        };
        let cursor = listing.has_more.then_some(skip + macros.len());
        let directory_path = Some(text(&folder));
        let reply = Reply { directory_path, macros, is_truncated: listing.has_more, cursor };
        let done = Done::new(reply, message);
        if listing.is_too_large {
            return Ok(done.warn(format!("only the first {MOST_NAMES} names of the folder were looked at")));
        }
        Ok(done)
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
