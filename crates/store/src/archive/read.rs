//! An archive from outside, read into memory within limits and checked before anything is written.

use super::fault::ArchiveFault;
use super::{DOCUMENTS, FORMAT, MANIFEST, VERSION, has_shape, is_macro_name};
use crossmacro_model::limits;
use flate2::read::GzDecoder;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::io::{self, Read};
use tar::EntryType;

/// A profile in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Archive {
    /// The name that the profile had.
    pub name: String,
    /// Its documents by their names.
    pub(super) documents: Vec<(&'static str, Json)>,
    /// Its macros by their names, without a folder.
    pub(super) macros: Vec<(String, Vec<u8>)>,
    /// Where the macros lay: path there, name here.
    pub(super) origins: Vec<(String, String)>,
}

impl Archive {
    /// Reads an archive.
    ///
    /// # Errors
    /// [`ArchiveFault`] for whatever is not exactly the archive of a profile.
    pub fn read(from: impl Read) -> Result<Self, ArchiveFault> {
        let mut archive = tar::Archive::new(Bounded::new(GzDecoder::new(from)));
        let mut contents = Contents::default();
        let entries = archive.entries().map_err(failed)?;
        for entry in entries {
            contents.take(&mut entry.map_err(failed)?)?;
        }
        // The sum at the end of the stream says whether all of it came.
        let mut rest = archive.into_inner();
        io::copy(&mut rest, &mut io::sink()).map_err(failed)?;
        contents.into_archive()
    }
}

#[derive(Default)]
struct Contents {
    seen: BTreeSet<String>,
    manifest: Option<Json>,
    documents: Vec<(&'static str, Json)>,
    macros: Vec<(String, Vec<u8>)>,
}

impl Contents {
    fn take<R: Read>(&mut self, entry: &mut tar::Entry<'_, R>) -> Result<(), ArchiveFault> {
        let path = entry.path_bytes();
        let Some(path) = std::str::from_utf8(&path).ok().filter(|path| !path.contains('\0')) else {
            return Err(ArchiveFault::Foreign(String::from_utf8_lossy(&path).chars().take(64).collect()));
        };
        let name = path.strip_prefix("./").unwrap_or(path).to_owned();
        let shown = || name.chars().take(64).collect::<String>();
        match entry.header().entry_type() {
            EntryType::Regular => {}
            // Other programs pack the folders too.
            EntryType::Directory if matches!(name.as_str(), "" | "." | "macros" | "macros/") => return Ok(()),
            EntryType::Directory => return Err(ArchiveFault::Foreign(shown())),
            _ => return Err(ArchiveFault::NotFile(shown())),
        }
        if self.seen.len() as u64 >= limits::ARCHIVE_ENTRIES.value {
            return Err(ArchiveFault::TooMany);
        }
        // Two names that are one on another system are one here too.
        if !self.seen.insert(name.to_lowercase()) {
            return Err(ArchiveFault::Twice(shown()));
        }
        if let Some(own) = name.strip_prefix("macros/").filter(|own| is_macro_name(own)) {
            self.macros.push((own.to_owned(), content(entry, limits::ARCHIVE_MACRO.value, shown)?));
            return Ok(());
        }
        let known = DOCUMENTS.iter().chain(&[MANIFEST]).find(|known| **known == name);
        let document = *known.ok_or_else(|| ArchiveFault::Foreign(shown()))?;
        let bytes = content(entry, limits::SETTINGS_FILE.value, shown)?;
        let value: Json = serde_json::from_slice(&bytes).map_err(|_| ArchiveFault::Document(shown()))?;
        if !has_shape(document, &value) {
            return Err(ArchiveFault::Document(shown()));
        }
        match document {
            MANIFEST => self.manifest = Some(value),
            document => self.documents.push((document, value)),
        }
        Ok(())
    }

    fn into_archive(self) -> Result<Archive, ArchiveFault> {
        let manifest = self.manifest.ok_or(ArchiveFault::Kind)?;
        if manifest["format"] != FORMAT || manifest["version"] != VERSION {
            return Err(ArchiveFault::Kind);
        }
        let damaged = || ArchiveFault::Document(MANIFEST.to_owned());
        let name = manifest["name"].as_str().ok_or_else(damaged)?.to_owned();
        let mut origins = Vec::new();
        for entry in manifest["macros"].as_array().into_iter().flatten() {
            let (from, file) = (entry["from"].as_str(), entry["file"].as_str());
            let own = file.and_then(|file| file.strip_prefix("macros/"));
            let known = own.filter(|own| self.macros.iter().any(|(name, _)| name == own));
            let (Some(from), Some(own)) = (from, known) else { return Err(damaged()) };
            origins.push((from.to_owned(), own.to_owned()));
        }
        Ok(Archive { name, documents: self.documents, macros: self.macros, origins })
    }
}

fn content(entry: &mut impl Read, limit: u64, shown: impl Fn() -> String) -> Result<Vec<u8>, ArchiveFault> {
    let mut bytes = Vec::new();
    entry.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit { Err(ArchiveFault::FileTooLarge(shown())) } else { Ok(bytes) }
}

/// A reader that fails beyond the limit of an archive, whatever the archive says about itself.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    fn new(inner: R) -> Self {
        Self { inner, left: limits::ARCHIVE_INFLATED.value }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(count)
    }
}

fn failed(error: io::Error) -> ArchiveFault {
    match error.kind() {
        io::ErrorKind::FileTooLarge => ArchiveFault::TooLarge,
        _ => ArchiveFault::Unreadable(error),
    }
}
