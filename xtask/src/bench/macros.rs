//! Reading a macro of a million events.

use super::release;
use super::table::Table;
use std::process::Command;

/// Megabytes a second that reading must reach.
const TARGET: f64 = 100.0;

#[expect(clippy::disallowed_methods, reason = "a development tool that runs an example")]
pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let program = release("examples/macro_times");
    let output =
        Command::new(&program).output().map_err(|error| format!("{}: {error}\n", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for (name, label) in [("stream", "load a macro of 1,000,000 events"), ("write", "write it")] {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).ok_or("macro_times: no figure\n")?;
        let mut numbers = line.split_whitespace().filter_map(|number| number.parse::<f64>().ok());
        let (Some(rate), Some(ms)) = (numbers.next(), numbers.next()) else {
            return Err("macro_times: no figure\n".to_owned());
        };
        let verdict = if name == "write" || rate >= TARGET { "" } else { ", below the 100 MB/s wanted" };
        table.note(label, format!("{rate:.0} MB/s ({ms:.0} ms){verdict}"));
    }
    Ok(())
}
