//! From the start of the process to the answer of tools/list.

use super::server::Server;
use super::table::Table;
use super::{median, release};
use crossmacro_platform::clock;
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 40;

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let (ours, peer) = (release("crossmacro"), release("examples/minimal_rmcp"));
    let mut figures: [Vec<f64>; 3] = Default::default();
    // In turn, so that a slow moment of the machine meets all of them.
    for _ in 0..ROUNDS {
        figures[0].push(to_tools_list(&ours, &["mcp"])?);
        figures[1].push(to_tools_list(&peer, &[])?);
        if let Some(time) = bare_node() {
            figures[2].push(time);
        }
    }
    let [ours, peer, node] = figures.map(median);
    table.ratio("start to tools/list, against a minimal rmcp server", ours, peer, "ms", 2.5);
    table.note("  for comparison, node -e 0", format!("{node:.2} ms"));
    Ok(())
}

fn to_tools_list(program: &Path, arguments: &[&str]) -> Result<f64, String> {
    let start = clock::now();
    let mut server = Server::start(program, arguments, None)?;
    server.ask_for_tools()?;
    let time = start.elapsed().as_secs_f64() * 1000.0;
    server.end()?;
    Ok(time)
}

#[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
fn bare_node() -> Option<f64> {
    let start = clock::now();
    let status = Command::new("node").args(["-e", "0"]).status().ok()?;
    status.success().then(|| start.elapsed().as_secs_f64() * 1000.0)
}
