//! Template search beside OpenCV's `matchTemplate`, by the script `xtask/bench/opencv_match.py`: on the same pictures,
//! in the same run, with as many threads. OpenCV comes from the Python package index, once, into `target/bench`.

use super::table::Table;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Our time in OpenCV's on three channels: at least five times as fast.
const TARGET: f64 = 0.2;
/// Milliseconds for auto mode with its scales.
const AUTO: f64 = 60.0;

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let python = python()?;
    for row in rows(&python, "best")? {
        table.ratio(&format!("find, best: {}", row.name), row.ours, row.peer, "ms", TARGET);
    }
    for row in rows(&python, "auto")? {
        table.limit(&format!("find, auto: {}", row.name), row.ours, AUTO, "ms");
    }
    Ok(())
}

struct Row {
    name: String,
    ours: f64,
    peer: f64,
}

fn rows(python: &Path, mode: &str) -> Result<Vec<Row>, String> {
    let text = run(python, &["xtask/bench/opencv_match.py", "--turns", "2", "--mode", mode])?;
    let found: Vec<Row> = text.lines().filter_map(row).collect();
    if found.is_empty() { Err(format!("opencv_match.py: no figures: {text:.300}\n")) } else { Ok(found) }
}

/// "| name | ours | colour | ...": the head of the table has no numbers.
fn row(line: &str) -> Option<Row> {
    let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
    let name = cells.next()?.to_owned();
    let mut number = || cells.next()?.parse::<f64>().ok();
    Some(Row { name, ours: number()?, peer: number()? })
}

/// A Python that has OpenCV.
fn python() -> Result<PathBuf, String> {
    let folder = "target/bench/opencv";
    let python = Path::new(folder).join("bin/python");
    if run(&python, &["-c", "import cv2"]).is_err() {
        run(Path::new("python3"), &["-m", "venv", folder])?;
        run(&python, &["-m", "pip", "install", "--quiet", "opencv-python-headless", "numpy"])?;
    }
    Ok(python)
}

#[expect(clippy::disallowed_methods, reason = "a development tool that runs a script")]
fn run(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("{}: {error}\n", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!(
        "{} {}: {}\n",
        program.display(),
        arguments.join(" "),
        why.lines().last().unwrap_or_default()
    ))
}
