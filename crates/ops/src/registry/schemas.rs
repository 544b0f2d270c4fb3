//! The JSON Schemas of the operations, as the types said them when they were last written down.
//!
//! They are a file, because a server that made them from its types would spend half of its memory, and a third of its
//! start, on what never changes. A test compares the file with the types; `cargo xtask bless` renews it.
//!
//! A line for each operation, in the order of the registry: its name, the schema of its arguments, the schema of its
//! answer, with tabs between them.

use serde_json::Value;

static FILE: &str = include_str!("schemas.tsv");

/// One line of the file.
#[derive(Clone, Copy)]
pub(super) struct Written {
    input: &'static str,
    output: &'static str,
}

impl Written {
    pub(super) fn input(self) -> Value {
        read(self.input)
    }

    pub(super) fn output(self) -> Value {
        read(self.output)
    }
}

/// The line of an operation. One that is missing is a defect that a test finds; it accepts no argument then.
pub(super) fn written(name: &str) -> Written {
    let line = FILE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
    let (input, output) = line.and_then(|line| line.split_once('\t')).unwrap_or(("false", "false"));
    Written { input, output }
}

fn read(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap_or(Value::Bool(false))
}
