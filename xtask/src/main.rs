//! Checks and measurements of the workspace: `cargo xtask arrows|sizes|bench|bless`.

mod arrows;
mod bench;
mod bless;
mod sizes;

use std::process::ExitCode;

const USAGE: &str = "cargo xtask COMMAND

  arrows   check that the crates depend on each other only as ARCHITECTURE.md says
  sizes    check the sizes of files and folders, and names that say nothing
  bless    renew the golden files; read their diff before it is committed
  bench    measure, and print ratios against a peer or the limit in the same run
";

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a command line program")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("arrows") => arrows::check(),
        Some("sizes") => sizes::check(),
        Some("bless") => bless::renew(),
        Some("bench") => bench::run(&arguments[1..]),
        _ => {
            print!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(report) => {
            eprint!("{report}");
            ExitCode::FAILURE
        }
    }
}
