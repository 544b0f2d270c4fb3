//! Placeholder until the store lands.
use crossmacro_model::{Code, Fault};
use crossmacro_policy::{PathClass, Roots};
use std::fs::File;
use std::path::Path;
/// Opened.
pub struct OpenedFile {
    /// Handle.
    pub file: File,
    /// Bytes.
    pub len: u64,
}
/// Replacement.
pub struct Replacement;
impl std::io::Write for Replacement {
    fn write(&mut self, b: &[u8]) -> std::io::Result<usize> {
        Ok(b.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
impl Replacement {
    /// Commit.
    pub fn commit(self) -> Result<(), PathFault> {
        Ok(())
    }
}
/// Error.
#[derive(Debug)]
pub struct PathFault(pub std::io::Error);
impl From<PathFault> for Fault {
    fn from(e: PathFault) -> Self {
        Fault::new(Code::FileError, e.0.to_string())
    }
}
/// Open.
pub fn open_read(_: PathClass, path: &Path, _: &Roots) -> Result<OpenedFile, PathFault> {
    let file = File::open(path).map_err(PathFault)?;
    let len = file.metadata().map_err(PathFault)?.len();
    Ok(OpenedFile { file, len })
}
/// Create.
pub fn create_replace(_: PathClass, _: &Path, _: &Roots) -> Result<Replacement, PathFault> {
    Ok(Replacement)
}
