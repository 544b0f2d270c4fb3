//! From the start of the process to the answer of tools/list.

use super::table::Table;
use super::{median, release};
use crossmacro_platform::clock;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const ROUNDS: usize = 40;

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
    "\n",
);

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
    let mut server = serve(program, arguments)?;
    ask_for_tools(&mut server)?;
    let time = start.elapsed().as_secs_f64() * 1000.0;
    drop(server.stdin.take());
    server.wait().map_err(|error| format!("{}: {error}\n", program.display()))?;
    Ok(time)
}

/// Starts a server.
#[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
pub(super) fn serve(program: &Path, arguments: &[&str]) -> Result<Child, String> {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}\n", program.display()))
}

/// Greets it and reads until the list of tools has come.
pub(super) fn ask_for_tools(server: &mut Child) -> Result<(), String> {
    let input = server.stdin.as_mut().ok_or("no standard input\n")?;
    input.write_all(HELLO.as_bytes()).map_err(|error| format!("the server went away: {error}\n"))?;
    let output = server.stdout.as_mut().ok_or("no standard output\n")?;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("the server went away: {error}\n"))?;
        if line.contains("\"tools\":[") {
            return Ok(());
        }
    }
    Err("the server ended without an answer\n".into())
}

#[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
fn bare_node() -> Option<f64> {
    let start = clock::now();
    let status = Command::new("node").args(["-e", "0"]).status().ok()?;
    status.success().then(|| start.elapsed().as_secs_f64() * 1000.0)
}
