//! Proves the arrows between the crates from the manifests, rather than promising them.

use serde_json::Value;
use std::process::Command;

/// Which of our crates each crate may depend on. Everything else is a fault.
const ALLOWED: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("platform", &["model"]),
    ("imaging", &["model"]),
    ("policy", &["model"]),
    // The store opens files beneath the roots that the policy has decided on.
    ("store", &["policy", "model"]),
    ("platform-linux", &["platform", "wire", "model"]),
    ("platform-private", &["platform", "model"]),
    ("platform-windows", &["platform", "model"]),
    ("platform-macos", &["platform", "model"]),
    ("engine", &["policy", "store", "imaging", "platform", "model"]),
    ("runtime", &["engine", "policy", "store", "imaging", "platform", "model"]),
    ("ops", &["runtime", "engine", "policy", "store", "imaging", "platform", "model"]),
    ("mcp", &["ops", "platform", "model"]),
    ("cli", &["mcp", "ops", "engine", "policy", "store", "imaging", "platform", "platform-linux", "model"]),
    ("screenshot", &["mcp", "ops", "policy", "store", "imaging", "platform", "platform-linux", "model"]),
    ("wire", &[]),
    ("inputd", &["wire"]),
    ("testkit", &["platform", "platform-linux", "model"]),
];

/// Checks the manifests.
pub(crate) fn check() -> Result<String, String> {
    let faults = faults(&metadata()?);
    if faults.is_empty() {
        return Ok("arrows: every dependency points the right way\n".into());
    }
    Err(faults.iter().map(|fault| format!("arrows: {fault}\n")).collect())
}

#[expect(clippy::disallowed_methods, reason = "a development tool that asks cargo")]
fn metadata() -> Result<Value, String> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .map_err(|error| format!("cargo metadata: {error}\n"))?;
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}\n"))
}

fn faults(metadata: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(name) = ours(&package["name"]) else { continue };
        let Some((_, allowed)) = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name) else {
            faults.push(format!("{name} is not in the list of crates"));
            continue;
        };
        // Development dependencies build no product: tests may look at a crate from above.
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for dependency in dependencies.filter(|dependency| dependency["kind"] != "dev") {
            match ours(&dependency["name"]) {
                Some(target) if !allowed.contains(&target) => {
                    faults.push(format!("{name} must not depend on {target}"));
                }
                _ => {}
            }
        }
    }
    faults
}

fn ours(name: &Value) -> Option<&str> {
    name.as_str()?.strip_prefix("crossmacro-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_arrow_that_points_up_is_found() {
        let metadata = json!({"packages": [
            {"name": "crossmacro-model", "dependencies": [{"name": "crossmacro-ops", "kind": null}]},
            {"name": "crossmacro-imaging", "dependencies": [{"name": "crossmacro-ops", "kind": "dev"}]},
            {"name": "crossmacro-surprise", "dependencies": []},
        ]});
        assert_eq!(
            faults(&metadata),
            ["model must not depend on ops", "surprise is not in the list of crates"]
        );
    }
}
