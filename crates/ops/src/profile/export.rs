//! `profile.export`: a profile becomes one file.

use super::Shown;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_policy::PathClass;
use crossmacro_store::archive;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Export;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Id or name of the profile; without it, the active one.
    #[schemars(length(max = limits::PROFILE_NAME.value))]
    profile: Option<String>,
    /// Absolute path of the archive, usually ending in .tar.gz. A file that is there is replaced.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    output_path: String,
    /// Whether the macros come along: those of the profile, and those that its tasks name. Default true.
    #[serde(default = "yes")]
    macros: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The profile.
    profile: Option<Shown>,
    /// The archive.
    output_path: Option<String>,
    /// The names of the files in it.
    files: Vec<String>,
}

impl Operation for Export {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.export",
        title: "Export a profile",
        summary: "Writes a profile into one archive: its settings, hotkeys, tasks, text expansions and macros. Global settings, permissions and secrets are not in it.",
        audience: Audience::CommandLine,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: true },
        needs: &[Capability::ProfileManage, Capability::MacroRead, Capability::FileWrite],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let mut file = context.create_replace(call, PathClass::FileWrite, &params.output_path)?;
        let folder = context.settings().folder();
        let done = archive::export(folder, params.profile.as_deref(), params.macros, &mut file)?;
        file.commit()?;
        let message =
            format!("The profile {} is in the archive, {} files.", done.profile.id, done.files.len());
        let reply = Reply {
            profile: Some(done.profile.into()),
            output_path: Some(params.output_path),
            files: done.files,
        };
        Ok(Done { warnings: done.warnings, ..Done::new(reply, message) })
    }
}
