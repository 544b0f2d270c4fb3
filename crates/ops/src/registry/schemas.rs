//! The JSON Schemas of the operations, as the types said them when they were last written down.
//!
//! They are a file, because a server that made them from its types would spend half of its memory, and a third of its
//! start, on what never changes. A test compares the file with the types; `cargo xtask bless` renews it.
//!
//! A line for each operation, in the order of the registry: its name, the schema of its arguments, the schema of its
//! answer, with tabs between them.

use std::sync::OnceLock;

static FILE: &str = include_str!("schemas.tsv");

/// The JSON Schemas of one operation, as text.
#[derive(Debug, Clone, Copy)]
pub struct Schemas {
    /// Of the arguments.
    pub input: &'static str,
    /// Of the structured answer.
    pub output: &'static str,
}

/// Those of an operation. Where they are missing, which is a defect that a test finds, no argument is accepted.
pub(super) fn of(name: &str) -> Schemas {
    static LINES: OnceLock<Vec<(&str, Schemas)>> = OnceLock::new();
    let lines = LINES.get_or_init(|| FILE.lines().filter_map(line).collect());
    let found = lines.iter().find(|(written, _)| *written == name);
    found.map_or(Schemas { input: "false", output: "false" }, |(_, schemas)| *schemas)
}

fn line(line: &'static str) -> Option<(&'static str, Schemas)> {
    let (name, schemas) = line.split_once('\t')?;
    let (input, output) = schemas.split_once('\t')?;
    Some((name, Schemas { input, output }))
}
