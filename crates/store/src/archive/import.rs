//! An archive becomes a profile: a new one, or in the place of one that is there.
//!
//! The plan is made first, and a dry run ends there. A new profile is there whole or not at all. In the place of
//! another, all files are replaced or none: once it is decided, a process that dies leaves the rest to the next one
//! that starts or saves (`recovery`). What a file was stays beside it (`<file>.replaced-<UTC time>`); what the archive
//! does not have stays as it is.

use super::fault::ArchiveFault;
use super::read::Archive;
use super::{TASKS, macro_of};
use crate::folder::{Folder, Loaded, Locked, SaveError};
use crate::profiles::{Draft, ProfileFault, ProfileInfo, Profiles};
use crate::recovery;
use serde_json::{Value as Json, json};
use std::io;
use std::path::{Path, PathBuf};

/// Where the tasks of the new profile find their macros.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MacroPlace {
    /// In the folder of the profile, into which those of the archive are put.
    #[default]
    Profile,
    /// In this folder, under the same names; those of the archive are left out.
    Folder(PathBuf),
    /// Where they say; those of the archive are left out.
    Unchanged,
}

/// How an archive is taken in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// The name of the profile, instead of that in the archive.
    pub name: Option<String>,
    /// Whether a profile of that name is replaced.
    pub replace: bool,
    /// Whether what acts by itself may stay switched on.
    pub is_trusted: bool,
    /// Where the macros go.
    pub macros: MacroPlace,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    /// It is new.
    Create,
    /// It takes the place of another content.
    Replace,
    /// It is the same already.
    Keep,
}

impl FileAction {
    /// The name in replies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Keep => "keep",
        }
    }
}

/// One file of the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFile {
    /// Its name in the folder of the profile.
    pub file: String,
    /// What becomes of it.
    pub action: FileAction,
    /// Number of its entries, where it is a list.
    pub entries: Option<usize>,
}

/// A task whose macro lies elsewhere now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepointedTask {
    /// The list it is in.
    pub file: &'static str,
    /// Its name.
    pub name: String,
    /// Where its macro was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

/// What taking in an archive changes, or has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPlan {
    /// The profile.
    pub profile: ProfileInfo,
    /// Whether it is new.
    pub is_new: bool,
    /// Its files.
    pub files: Vec<ImportedFile>,
    /// The tasks that name another path now.
    pub repointed: Vec<RepointedTask>,
    /// How many tasks were on and arrive switched off.
    pub switched_off: usize,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Takes in an archive. A dry run makes the plan and changes nothing.
///
/// # Errors
/// [`ArchiveFault`]; nothing has changed, unless it says that the import is not finished: then the next process that
/// starts or saves goes on with it.
pub fn import(
    folder: &Folder,
    archive: Archive,
    options: &ImportOptions,
    is_dry_run: bool,
) -> Result<ImportPlan, ArchiveFault> {
    let profiles = Profiles::new(folder);
    // Before the lock: a wrong name is no reason to make a folder.
    let _checked = Target::find(folder, &archive, options)?;
    if is_dry_run {
        let target = Target::find(folder, &archive, options)?;
        return Ok(Work::new(folder, &target, archive, options).plan);
    }
    let locked = profiles.begin()?;
    let target = Target::find(folder, &archive, options)?;
    let work = Work::new(folder, &target, archive, options);
    match target {
        Target::New(draft) => draft.commit(&locked, |place| work.write(&locked, place))?,
        Target::Existing(info) => {
            let files = work.files().map_err(ArchiveFault::Write)?;
            recovery::replace_all(&locked, &info.id, &files)?;
        }
    }
    Ok(work.plan)
}

/// The profile that an archive becomes.
enum Target {
    New(Box<Draft>),
    Existing(ProfileInfo),
}

impl Target {
    fn find(folder: &Folder, archive: &Archive, options: &ImportOptions) -> Result<Self, ArchiveFault> {
        let name = options.name.as_deref().unwrap_or(&archive.name);
        match Draft::new(folder, name) {
            Ok(draft) => Ok(Self::New(Box::new(draft))),
            Err(ProfileFault::Taken) if options.replace => {
                Ok(Self::Existing(Profiles::new(folder).named(name)?))
            }
            Err(fault) => Err(fault.into()),
        }
    }

    fn info(&self) -> &ProfileInfo {
        match self {
            Self::New(draft) => &draft.info,
            Self::Existing(info) => info,
        }
    }
}

/// What is written, and what is said about it.
struct Work {
    documents: Vec<(&'static str, Json)>,
    macros: Vec<(String, Vec<u8>)>,
    plan: ImportPlan,
}

impl Work {
    fn new(folder: &Folder, target: &Target, archive: Archive, options: &ImportOptions) -> Self {
        let info = target.info();
        let place = info.profile().folder();
        let plan = ImportPlan {
            profile: info.clone(),
            is_new: matches!(target, Target::New(_)),
            files: Vec::new(),
            repointed: Vec::new(),
            switched_off: 0,
            warnings: Vec::new(),
        };
        let takes_macros = options.macros == MacroPlace::Profile;
        let macros = if takes_macros { archive.macros } else { Vec::new() };
        let mut work = Self { documents: archive.documents, macros, plan };
        let own = folder.root().join(&place).join("macros");
        work.repoint(&archive.origins, &options.macros, &own);
        if !options.is_trusted {
            work.switch_off();
        }
        work.look(folder, &place);
        work
    }

    /// Lets each task name its macro where it lies now.
    fn repoint(&mut self, origins: &[(String, String)], macros: &MacroPlace, own: &Path) {
        let to = match macros {
            MacroPlace::Profile => own,
            MacroPlace::Folder(folder) => folder,
            MacroPlace::Unchanged => return,
        };
        for (file, list) in self.documents.iter_mut().filter(|(file, _)| TASKS.contains(file)) {
            for entry in list.as_array_mut().into_iter().flatten() {
                let Some(from) = macro_of(entry).map(str::to_owned) else { continue };
                let name = entry["name"].as_str().unwrap_or_default().to_owned();
                let Some((_, own)) = origins.iter().find(|(origin, _)| *origin == from) else {
                    self.plan.warnings.push(format!("the macro `{from}` of `{name}` is not in the archive"));
                    continue;
                };
                let to = to.join(own).display().to_string();
                entry["macroFilePath"] = json!(to);
                self.plan.repointed.push(RepointedTask { file, name, from, to });
            }
        }
    }

    /// Switches off what acts by itself.
    fn switch_off(&mut self) {
        let mut expands = false;
        for (file, document) in &mut self.documents {
            if *file == "settings.json" && document["enableTextExpansion"] == true {
                document["enableTextExpansion"] = json!(false);
                expands = true;
            }
            let tasks = document.as_array_mut().filter(|_| TASKS.contains(file));
            for entry in tasks.into_iter().flatten().filter(|entry| entry.is_object()) {
                // Anything but a clear no is a yes to some reader.
                let was_on = entry.get("isEnabled").is_some_and(|on| *on != false);
                if was_on {
                    entry["isEnabled"] = json!(false);
                    self.plan.switched_off += 1;
                }
            }
        }
        if self.plan.switched_off > 0 {
            let count = self.plan.switched_off;
            self.plan.warnings.push(format!("{count} tasks arrive switched off; --trust keeps them on"));
        }
        if expands {
            self.plan.warnings.push("text expansion arrives switched off; --trust keeps it on".to_owned());
        }
    }

    /// Compares with what is there.
    fn look(&mut self, folder: &Folder, place: &Path) {
        for (file, document) in &self.documents {
            let action = match folder.read(&place.join(file)) {
                Loaded::Missing => FileAction::Create,
                Loaded::Good(there) if there == *document => FileAction::Keep,
                Loaded::Good(_) | Loaded::Damaged(_) => FileAction::Replace,
            };
            let entries = document.as_array().map(Vec::len);
            self.plan.files.push(ImportedFile { file: (*file).to_owned(), action, entries });
        }
        for (name, bytes) in &self.macros {
            let path = folder.root().join(place).join("macros").join(name);
            let action = match std::fs::symlink_metadata(&path) {
                Err(_) => FileAction::Create,
                Ok(there) if there.len() == bytes.len() as u64 && is_same(&path, bytes) => FileAction::Keep,
                Ok(_) => FileAction::Replace,
            };
            self.plan.files.push(ImportedFile { file: format!("macros/{name}"), action, entries: None });
        }
    }

    /// Fills the folder of a new profile.
    fn write(&self, locked: &Locked<'_>, place: &Path) -> Result<(), SaveError> {
        for (name, bytes) in &self.macros {
            locked.write_bytes(&place.join("macros").join(name), bytes)?;
        }
        self.documents.iter().try_for_each(|(file, document)| locked.write(&place.join(file), document))
    }

    /// The files that differ from those that are there.
    fn files(&self) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
        let kept = |file: &Path| {
            let same = |planned: &&ImportedFile| Path::new(&planned.file) == file;
            self.plan.files.iter().find(same).is_some_and(|planned| planned.action == FileAction::Keep)
        };
        let macros =
            self.macros.iter().map(|(name, bytes)| Ok((Path::new("macros").join(name), bytes.clone())));
        let documents = self.documents.iter().map(|(file, document)| {
            Ok((PathBuf::from(file), serde_json::to_vec_pretty(document).map_err(io::Error::from)?))
        });
        let all: io::Result<Vec<_>> = macros.chain(documents).collect();
        Ok(all?.into_iter().filter(|(file, _)| !kept(file)).collect())
    }
}

/// Whether a file has these very bytes; it has as many.
fn is_same(path: &Path, bytes: &[u8]) -> bool {
    crate::paths::open_read(
        crossmacro_policy::PathClass::MacroRead,
        path,
        &crossmacro_policy::Roots::UNLIMITED,
    )
    .is_ok_and(|mut opened| {
        let mut there = vec![0; bytes.len()];
        std::io::Read::read_exact(&mut opened.file, &mut there).is_ok() && there == bytes
    })
}
