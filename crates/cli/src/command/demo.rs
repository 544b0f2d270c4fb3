//! `demo`: the main job, as an MCP host does it.

use crate::arguments::Demo;
use std::process::ExitCode;

pub(super) fn run(_arguments: &Demo) -> ExitCode {
    ExitCode::FAILURE
}
