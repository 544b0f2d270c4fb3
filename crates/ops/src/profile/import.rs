//! `profile.import`: an archive becomes a profile.

use super::Shown;
use crate::context::{Call, Context};
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_model::{Capability, Fault, limits};
use crossmacro_policy::PathClass;
use crossmacro_store::archive::{
    self, Archive, ImportOptions, ImportPlan, ImportedFile, MacroPlace, RepointedTask,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

pub(crate) struct Import;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Absolute path of the archive.
    #[schemars(length(min = 1, max = limits::PATH.value))]
    input_path: String,
    /// Name of the profile; without it, the one in the archive.
    #[schemars(length(min = 1, max = limits::PROFILE_NAME.value))]
    name: Option<String>,
    /// Put it in the place of a profile of that name. Default false: then such a name is an error.
    #[serde(default)]
    replace: bool,
    /// Keep tasks and text expansion on that were on. Default false: they arrive switched off.
    #[serde(default)]
    trust: bool,
    /// Leave the macros of the archive out, and let the tasks name those of the same names in this folder (absolute).
    #[schemars(length(min = 1, max = limits::PATH.value))]
    macros_folder: Option<String>,
    /// Leave the macros of the archive out, and let the tasks name the paths they had. Default false.
    #[serde(default)]
    keep_macro_paths: bool,
    /// Say what would change, and change nothing. Default false.
    #[serde(default)]
    dry_run: bool,
}

impl Params {
    fn macros(&self) -> Result<MacroPlace, Fault> {
        match &self.macros_folder {
            Some(_) if self.keep_macro_paths => {
                Err(Fault::arguments("macrosFolder and keepMacroPaths exclude each other"))
            }
            Some(folder) if !Path::new(folder).is_absolute() => {
                Err(Fault::arguments("macrosFolder must be an absolute path")
                    .detail("argument", "macrosFolder"))
            }
            Some(folder) => Ok(MacroPlace::Folder(folder.into())),
            None if self.keep_macro_paths => Ok(MacroPlace::Unchanged),
            None => Ok(MacroPlace::Profile),
        }
    }
}

/// One file of the profile.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct File {
    /// Its name in the folder of the profile.
    file: String,
    /// create, replace or keep.
    action: &'static str,
    /// Number of its entries; null where it is no list.
    entries: Option<usize>,
}

impl From<ImportedFile> for File {
    fn from(file: ImportedFile) -> Self {
        Self { file: file.file, action: file.action.name(), entries: file.entries }
    }
}

/// A task whose macro lies elsewhere now.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Repointed {
    /// The list it is in.
    file: &'static str,
    /// Its name.
    name: String,
    /// Where its macro was.
    from: String,
    /// Where it is.
    to: String,
}

impl From<RepointedTask> for Repointed {
    fn from(task: RepointedTask) -> Self {
        Self { file: task.file, name: task.name, from: task.from, to: task.to }
    }
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Whether nothing was changed.
    dry_run: bool,
    /// The profile that it becomes.
    profile: Option<Shown>,
    /// Whether that profile is new.
    is_new: Option<bool>,
    /// Its files, and what becomes of each.
    files: Vec<File>,
    /// The tasks that name another path now.
    repointed: Vec<Repointed>,
    /// How many tasks were on and arrive switched off.
    switched_off: usize,
}

impl Reply {
    fn of(plan: ImportPlan, dry_run: bool) -> Self {
        Self {
            dry_run,
            profile: Some(plan.profile.into()),
            is_new: Some(plan.is_new),
            files: plan.files.into_iter().map(Into::into).collect(),
            repointed: plan.repointed.into_iter().map(Into::into).collect(),
            switched_off: plan.switched_off,
        }
    }
}

impl Operation for Import {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "profile.import",
        title: "Import a profile",
        summary: "Makes a profile of an archive that profile.export wrote. It does not become active, and tasks in it arrive switched off unless the archive is trusted.",
        audience: Audience::CommandLine,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[
            Capability::ProfileManage,
            Capability::FileRead,
            Capability::TaskManage,
            Capability::TextExpansionWrite,
        ],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        let options = ImportOptions {
            macros: params.macros()?,
            name: params.name,
            replace: params.replace,
            is_trusted: params.trust,
        };
        let opened = context.open_read(call, PathClass::FileRead, &params.input_path)?;
        let archive = Archive::read(std::io::BufReader::new(opened.file))?;
        let plan = archive::import(context.settings().folder(), archive, &options, params.dry_run)?;
        let (id, count) = (&plan.profile.id, plan.files.len());
        let message = match (params.dry_run, plan.is_new) {
            (true, true) => format!("The profile {id} would be made, {count} files. Nothing was changed."),
            (true, false) => {
                format!("The profile {id} would be replaced, {count} files. Nothing was changed.")
            }
            (false, true) => format!("The profile {id} was made; it is not active yet."),
            (false, false) => format!("The profile {id} was replaced."),
        };
        let warnings = plan.warnings.clone();
        Ok(Done { warnings, ..Done::new(Reply::of(plan, params.dry_run), message) })
    }
}
