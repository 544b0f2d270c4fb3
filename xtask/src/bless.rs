//! Renews the golden files, by the very tests that compare them.

use std::process::Command;

/// Package, target and test of each golden file. The schemas come first: the list of tools shows them.
const TESTS: &[(&str, &str, &str)] = &[
    ("crossmacro-ops", "--lib", "the_file_is_what_the_types_say"),
    ("crossmacro-mcp", "--test=protocol", "the_list_is_the_golden_one"),
    ("crossmacro-cli", "--test=words", "help_is_as_it_was"),
];

#[expect(clippy::disallowed_methods, reason = "a development tool that asks cargo")]
pub(crate) fn renew() -> Result<String, String> {
    let mut report = String::new();
    for (package, target, test) in TESTS {
        let status = Command::new("cargo")
            .args(["test", "--quiet", "--package", package, target, test])
            .env("BLESS", "1")
            .env("CROSSMACRO_BLESS", "1")
            .status()
            .map_err(|error| format!("bless: cargo: {error}\n"))?;
        if !status.success() {
            return Err(format!("bless: {package} {target} {test} failed\n"));
        }
        report += &format!("bless: {package} {test}\n");
    }
    Ok(report)
}
