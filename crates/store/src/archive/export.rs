//! A profile becomes an archive. The same profile gives the same bytes.

use super::fault::ArchiveFault;
use super::{DOCUMENTS, FORMAT, MANIFEST, TASKS, VERSION, has_shape, is_macro_name, macro_of};
use crate::folder::{Folder, Loaded};
use crate::paths;
use crate::profiles::{ProfileInfo, Profiles};
use crossmacro_model::limits;
use crossmacro_policy::{PathClass, Roots};
use flate2::{Compression, GzBuilder};
use serde_json::{Value as Json, json};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What is in an archive that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Of which profile it is.
    pub profile: ProfileInfo,
    /// The names in it.
    pub files: Vec<String>,
    /// What is missing in it, and why.
    pub warnings: Vec<String>,
}

/// Writes a profile to `out`; `with_macros` takes the macros along that it has and that its tasks name.
///
/// # Errors
/// [`ArchiveFault`]; what was written to `out` is no archive then.
pub fn export(
    folder: &Folder,
    profile: Option<&str>,
    with_macros: bool,
    out: impl Write,
) -> Result<Exported, ArchiveFault> {
    let profile = Profiles::new(folder).find(profile)?;
    let place = profile.profile().folder();
    let mut documents = Vec::new();
    for name in DOCUMENTS {
        match folder.read(&place.join(name)) {
            Loaded::Missing => {}
            Loaded::Good(value) if has_shape(name, &value) => documents.push((name, value)),
            Loaded::Good(_) | Loaded::Damaged(_) => return Err(ArchiveFault::Damaged(name)),
        }
    }
    let mut macros = Macros::default();
    if with_macros {
        macros.own(&folder.root().join(&place).join("macros"));
        macros.of_tasks(&documents);
    }
    let manifest = json!({
        "format": FORMAT,
        "version": VERSION,
        "name": profile.name,
        "id": profile.id,
        "createdAt": profile.created_at,
        "macros": macros.taken.iter().map(|one| json!({"file": one.file, "from": one.from})).collect::<Vec<_>>(),
    });
    let mut files = vec![(MANIFEST.to_owned(), pretty(&manifest)?)];
    for (name, value) in &documents {
        files.push(((*name).to_owned(), pretty(value)?));
    }
    files.extend(macros.taken.into_iter().map(|one| (one.file, one.bytes)));
    check_sizes(&files)?;
    pack(&files, out).map_err(ArchiveFault::Write)?;
    let files = files.into_iter().map(|(name, _)| name).collect();
    Ok(Exported { profile, files, warnings: macros.warnings })
}

fn pretty(value: &Json) -> Result<Vec<u8>, ArchiveFault> {
    serde_json::to_vec_pretty(value).map_err(|error| ArchiveFault::Write(error.into()))
}

/// An archive that could not be read again is none.
fn check_sizes(files: &[(String, Vec<u8>)]) -> Result<(), ArchiveFault> {
    if files.len() as u64 > limits::ARCHIVE_ENTRIES.value {
        return Err(ArchiveFault::TooMany);
    }
    // Each file has a header, and is filled up to a whole block of 512 bytes.
    let total: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64 + 3 * 512).sum();
    if total >= limits::ARCHIVE_INFLATED.value { Err(ArchiveFault::TooLarge) } else { Ok(()) }
}

fn pack(files: &[(String, Vec<u8>)], out: impl Write) -> io::Result<()> {
    let mut archive = tar::Builder::new(GzBuilder::new().write(out, Compression::default()));
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(0);
        archive.append_data(&mut header, name, bytes.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}

/// A macro that is taken along.
struct Taken {
    file: String,
    from: String,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct Macros {
    taken: Vec<Taken>,
    warnings: Vec<String>,
}

impl Macros {
    /// Those in the folder of the profile.
    fn own(&mut self, folder: &Path) {
        let most = usize::try_from(limits::ARCHIVE_ENTRIES.value).unwrap_or(usize::MAX);
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(most);
        let mut found: Vec<PathBuf> = entries
            .filter(|entry| entry.file_name().to_str().is_some_and(is_macro_name))
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found.iter().for_each(|path| self.take(path));
    }

    /// Those that the tasks name.
    fn of_tasks(&mut self, documents: &[(&str, Json)]) {
        for (_, list) in documents.iter().filter(|(name, _)| TASKS.contains(name)) {
            for path in list.as_array().into_iter().flatten().filter_map(macro_of) {
                self.take(Path::new(path));
            }
        }
    }

    fn take(&mut self, path: &Path) {
        let from = path.display().to_string();
        if self.taken.iter().any(|known| known.from == from) {
            return;
        }
        match read_macro(path) {
            Ok(bytes) => {
                let file = self.free_name(path);
                self.taken.push(Taken { file, from, bytes });
            }
            Err(why) => {
                let warning = format!("the macro `{from}` is not in the archive: {why}");
                if !self.warnings.contains(&warning) {
                    self.warnings.push(warning);
                }
            }
        }
    }

    /// A name in the archive that differs from the others on every system.
    fn free_name(&self, path: &Path) -> String {
        let given = path.file_name().and_then(|name| name.to_str()).filter(|name| is_macro_name(name));
        let stem = given.and_then(|name| name.rsplit_once('.')).map_or("macro", |(stem, _)| stem);
        let is_free =
            |file: &str| !self.taken.iter().any(|known| known.file.to_lowercase() == file.to_lowercase());
        let first = format!("macros/{stem}.macro");
        let numbered = (2_u64..).map(|number| {
            let cut: String = stem.chars().take(40).collect();
            format!("macros/{cut}-{number}.macro")
        });
        std::iter::once(first.clone()).chain(numbered).find(|file| is_free(file)).unwrap_or(first)
    }
}

fn read_macro(path: &Path) -> Result<Vec<u8>, String> {
    let opened =
        paths::open_read(PathClass::MacroRead, path, &Roots::UNLIMITED).map_err(|fault| fault.to_string())?;
    let limit = limits::ARCHIVE_MACRO.value;
    let mut bytes = Vec::new();
    opened.file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit { Err(format!("it is larger than {limit} bytes")) } else { Ok(bytes) }
}
