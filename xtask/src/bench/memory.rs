//! Resident memory of the server.

use super::release;
use super::server::Server;
use super::table::Table;
use std::path::Path;
use std::time::Duration;

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let ours = idle(&release("crossmacro"), &["mcp"])?;
    let peer = idle(&release("examples/minimal_rmcp"), &[])?;
    table.limit("resident memory, idle after tools/list", ours, 8.0, "MB");
    table.note("  for comparison, the minimal rmcp server", format!("{peer:.2} MB"));
    Ok(())
}

fn idle(program: &Path, arguments: &[&str]) -> Result<f64, String> {
    let mut server = Server::start(program, arguments, None)?;
    server.ask_for_tools()?;
    // Idle: whatever still runs after the answer is to end first.
    crossmacro_platform::Cancel::new().sleep(Duration::from_secs(1));
    let resident = resident(server.id())?;
    server.end()?;
    Ok(resident)
}

/// Resident memory of a process in MB.
pub(super) fn resident(pid: u32) -> Result<f64, String> {
    let path = format!("/proc/{pid}/status");
    let status = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}\n"))?;
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<f64>().ok())
        .ok_or(format!("{path} has no VmRSS\n"))?;
    Ok(kilobytes / 1024.0)
}
