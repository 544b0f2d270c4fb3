//! Measurements, each beside a peer or a limit in the same run. On a shared machine only ratios hold: no
//! figure here is a test.
//!
//! Needs what `scripts/packages test` installs: Xvfb, a window manager, xterm, a C compiler and the X headers.

mod data;
mod desktop;
mod macros;
mod memory;
mod playing;
mod recording;
mod seeing;
mod server;
mod startup;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use table::Table;

/// Builds what is measured and hands over to an optimised build of this program.
#[expect(clippy::disallowed_methods, reason = "a development tool that runs cargo")]
pub(crate) fn run(arguments: &[String]) -> Result<String, String> {
    if !cfg!(debug_assertions) {
        return measure(arguments);
    }
    cargo(&["build", "--release", "--package", "crossmacro-cli"])?;
    cargo(&["build", "--release", "--package", "crossmacro-mcp", "--example", "minimal_rmcp"])?;
    cargo(&["build", "--release", "--package", "crossmacro-model", "--example", "macro_times"])?;
    cargo(&["build", "--release", "--package", "crossmacro-imaging", "--example", "match_times"])?;
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--release", "--package", "xtask", "--", "bench"])
        .args(arguments)
        .status()
        .map_err(|error| format!("cargo: {error}\n"))?;
    if status.success() { Ok(String::new()) } else { Err("the measurement failed\n".into()) }
}

/// One subject.
type Subject = (&'static str, fn(&mut Table) -> Result<(), String>);

const SUBJECTS: [Subject; 8] = [
    ("startup", startup::measure),
    ("desktop", desktop::measure),
    ("memory", memory::measure),
    ("macros", macros::measure),
    ("recording", recording::measure),
    ("playing", playing::measure),
    ("data", data::measure),
    ("seeing", seeing::measure),
];

/// Measures the subjects that are named, or all.
fn measure(names: &[String]) -> Result<String, String> {
    let mut table = Table::new();
    for (name, measure) in SUBJECTS {
        if names.is_empty() || names.iter().any(|named| named == name) {
            measure(&mut table)?;
        }
    }
    Ok(table.to_string())
}

#[expect(clippy::disallowed_methods, reason = "a development tool that runs cargo")]
fn cargo(arguments: &[&str]) -> Result<(), String> {
    let status =
        Command::new("cargo").args(arguments).status().map_err(|error| format!("cargo: {error}\n"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed\n", arguments.join(" "))) }
}

/// A binary of the release build.
fn release(name: &str) -> PathBuf {
    Path::new("target/release").join(name)
}

/// Compiles one of the C programs in `xtask/bench`.
#[expect(clippy::disallowed_methods, reason = "a development tool that runs a compiler")]
fn compile(name: &str, libraries: &[&str]) -> Result<PathBuf, String> {
    let folder = Path::new("target/bench");
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}\n", folder.display()))?;
    let program = folder.join(name);
    let status = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(format!("xtask/bench/{name}.c"))
        .args(libraries)
        .status()
        .map_err(|error| format!("cc: {error}\n"))?;
    if status.success() { Ok(program) } else { Err(format!("cc {name}.c failed\n")) }
}

/// The middle of the values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Milliseconds of `count` runs of `work`, the median.
fn timed(count: usize, mut work: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        let start = crossmacro_platform::clock::now();
        work()?;
        values.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(median(values))
}
