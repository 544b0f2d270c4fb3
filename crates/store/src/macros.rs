//! Macro files: read from a handle that was checked, and replaced in one instant.

use crate::paths::{OpenedFile, Replacement};
use crossmacro_model::limits::MACRO_FILE;
use crossmacro_model::macro_file::{Macro, Read, WriteError, read_from, write};
use crossmacro_model::{Code, Fault};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};

/// Bytes that are read or written at once.
const BUFFER: usize = 256 << 10;

/// Reads a macro, in bounded memory.
///
/// # Errors
/// `validation_error` for a file over the limit, `file_error` when it can't be read. What is wrong with the
/// content is in the diagnostics.
pub fn read(opened: OpenedFile) -> Result<Read, Fault> {
    read_while(opened, &|| true)
}

/// As [`read`], as long as `go_on` says so: it is asked for every part of the file.
///
/// # Errors
/// As [`read`], and `cancelled`.
pub fn read_while(opened: OpenedFile, go_on: &dyn Fn() -> bool) -> Result<Read, Fault> {
    let limit = &MACRO_FILE;
    if opened.len > limit.value {
        let message = format!("{} At most {} {}.", limit.sentence, limit.value, limit.unit);
        return Err(Fault::new(Code::ValidationError, message).detail("limit", limit.value));
    }
    let watched = Watched { file: opened.file, go_on };
    read_from(&mut BufReader::with_capacity(BUFFER, watched)).map_err(|error| {
        if !go_on() {
            return Fault::new(Code::Cancelled, "the file was not read to its end: the call was cancelled");
        }
        Fault::new(Code::FileError, format!("the file can't be read ({:?})", error.kind())).caused_by(error)
    })
}

/// A file that can't be read any more once someone says so.
struct Watched<'a> {
    file: File,
    go_on: &'a dyn Fn() -> bool,
}

impl io::Read for Watched<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if (self.go_on)() { self.file.read(into) } else { Err(io::ErrorKind::ConnectionAborted.into()) }
    }
}

/// Writes a macro in the place of another one; until it is written, that one stays.
///
/// # Errors
/// `validation_error` for a macro that has no form in a file, `file_error` when it can't be written. The old
/// file is as it was.
pub fn save(content: &Macro, mut file: Replacement) -> Result<(), Fault> {
    let mut out = BufWriter::with_capacity(BUFFER, &mut file);
    let written = write(content, &mut out).and_then(|()| Ok(out.flush()?));
    drop(out);
    written.map_err(|error| match error {
        WriteError::Invalid(found) => Fault::from(found),
        WriteError::Io(error) => {
            Fault::new(Code::FileError, format!("the file can't be written ({:?})", error.kind()))
                .caused_by(error)
        }
    })?;
    file.commit().map_err(Fault::from)
}
